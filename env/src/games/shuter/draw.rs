//! The board in the terminal.

use std::fmt::Write as _;

use super::geometry::{Turn, SQUARE_CORNERS, EDGE_CORNERS, CORNERS, EDGES, SQUARES};
use super::options::{Colour, Square};
use super::rules::Shuter;
use crate::{Ink, Paint};

pub(super) fn draw(game: &Shuter, paint: Paint) -> String {
    let _ = (Turn::new(0), SQUARE_CORNERS, EDGE_CORNERS, CORNERS, EDGES, SQUARES, Colour::Red, Square::Vacant);
    let mut s = String::new();
    let _ = writeln!(s, "{}", paint.ink(Ink::Dim, &format!("{:?}", game.start_plies)));
    s
}
