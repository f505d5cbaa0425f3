//! The terminal picture.

use std::fmt::Write as _;

use super::rules::{Kato, Phase};
use crate::{Ink, Paint};

/// Row by row with the row's letter in front and its last cell's number behind; `:` is an empty outer cell, `.` an
/// empty inner one, a capital the anchor whose node is owed.
pub(super) fn draw(game: &Kato, paint: Paint) -> String {
    let board = game.board;
    let mut picture = String::new();
    let mut cell = 0;
    for row in 0..2 * board.size - 1 {
        let length = (cell..board.cells).take_while(|&cell| board.place(cell).0 == row).count();
        let indent = 2 * board.size - 1 - length;
        let letter = char::from(b'a' + row as u8).to_string();
        let _ = write!(picture, "{:indent$}{} ", "", paint.ink(Ink::Dim, &letter));
        for _ in 0..length {
            picture.push(' ');
            picture.push_str(&piece(game, cell, paint));
            cell += 1;
        }
        let _ = writeln!(picture, "  {}", paint.ink(Ink::Dim, &length.to_string()));
    }
    picture.push_str(&caption(game));
    picture.push('\n');
    picture
}

fn piece(game: &Kato, cell: usize, paint: Paint) -> String {
    let owes = game.anchor.map(usize::from) == Some(cell);
    match game.letter(cell) {
        'w' => paint.ink(Ink::White, if owes { "W" } else { "w" }),
        'b' => paint.ink(Ink::Purple, if owes { "B" } else { "b" }),
        _ if game.board.outer.contains(cell) => paint.ink(Ink::Dim, ":"),
        _ => paint.ink(Ink::Dim, "."),
    }
}

fn caption(game: &Kato) -> String {
    let who = ["White (w)", "Black (b)"][usize::from(game.seat)];
    if game.end.is_some() {
        return format!("{who} has won");
    }
    match game.phase {
        Phase::Prepare if game.may_swap() => format!("{who} prepares a piece or swaps"),
        Phase::Prepare => format!("{who} prepares a piece"),
        Phase::Anchor if game.may_skip() => format!("{who} places an anchor or skips it"),
        Phase::Anchor => format!("{who} places an anchor"),
        Phase::Node => format!("{who} places a node"),
    }
}
