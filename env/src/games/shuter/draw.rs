//! The board in the terminal: empty corners and edges show the numbers that moves name.

use std::fmt::Write as _;

use super::actions::Cubes;
use super::geometry::{Point, points};
use super::options::{Colour, Square};
use super::rules::{GOAL, Shuter};
use crate::{Ink, Paint};

const INKS: [Ink; 2] = [Ink::Orange, Ink::Purple];
const NAMES: [&str; 2] = ["orange", "purple"];

pub(super) fn draw(game: &Shuter, paint: Paint) -> String {
    let mut picture = String::new();
    for row in points() {
        push_line(&mut picture, row.iter().map(|point| corner_and_right(game, *point, paint)));
        push_line(&mut picture, row.iter().map(|point| down_and_square(game, *point, paint)));
    }
    picture.truncate(picture.trim_end().len());
    picture.push('\n');
    for seat in 0..2 {
        let _ = writeln!(picture, "{}", side_line(game, seat, paint));
    }
    let _ = writeln!(picture, "{}", turn_line(game));
    picture
}

fn push_line(picture: &mut String, tokens: impl Iterator<Item = String>) {
    let line: String = tokens.collect();
    picture.push_str(line.trim_end());
    picture.push('\n');
}

/// The owner of a piece, by two sets.
fn owner(sets: [u64; 2], at: usize) -> Option<usize> {
    (0..2).find(|&side| sets[side] >> at & 1 == 1)
}

fn corner_and_right(game: &Shuter, point: Point, paint: Paint) -> String {
    let [a, b] = &game.sides;
    let corner = match point.corner.map(|at| (at, owner([a.nodes.into(), b.nodes.into()], at))) {
        None => "    ".to_owned(),
        Some((_, Some(side))) => paint.ink(INKS[side], ["(O) ", "(P) "][side]),
        Some((at, None)) => paint.ink(Ink::Dim, &format!(" {at:02} ")),
    };
    let right = match point.right.map(|at| (at, owner([a.branches, b.branches], at))) {
        None => "      ".to_owned(),
        Some((_, Some(side))) => paint.ink(INKS[side], ["oooooo", "pppppp"][side]),
        Some((at, None)) => paint.ink(Ink::Dim, &format!("- {at:02} -")),
    };
    corner + &right
}

fn down_and_square(game: &Shuter, point: Point, paint: Paint) -> String {
    let [a, b] = &game.sides;
    let down = match point.down.map(|at| (at, owner([a.branches, b.branches], at))) {
        None => "    ".to_owned(),
        Some((_, Some(side))) => paint.ink(INKS[side], [" oo ", " pp "][side]),
        Some((at, None)) => paint.ink(Ink::Dim, &format!(" {at:02} ")),
    };
    down + &point.square.map_or_else(|| "      ".to_owned(), |at| square(game, at, paint))
}

/// `[r2]` pays, `xr2x` is exhausted, `Or2O` is captured by orange.
fn square(game: &Shuter, at: usize, paint: Paint) -> String {
    let what = game.ground.squares()[at];
    let ink = match what {
        Square::Coloured(colour, _) => [Ink::Red, Ink::Yellow, Ink::Blue, Ink::Green][colour as usize],
        Square::TradingPost => Ink::White,
        Square::Vacant => Ink::Dim,
    };
    let [a, b] = &game.sides;
    let (left, right) = match owner([a.captured.into(), b.captured.into()], at) {
        Some(side) => {
            let mark = paint.ink(INKS[side], ["O", "P"][side]);
            (mark.clone(), mark)
        }
        None if game.exhausted >> at & 1 == 1 => ("x".to_owned(), "x".to_owned()),
        None => ("[".to_owned(), "]".to_owned()),
    };
    format!(" {left}{}{right} ", paint.ink(ink, &what.to_string()))
}

fn cubes(counts: Cubes) -> String {
    let parts = Colour::ALL.into_iter().zip(counts.to_le_bytes());
    parts.map(|(colour, n)| format!("{}{n}", colour.letter())).collect::<Vec<_>>().join(" ")
}

fn side_line(game: &Shuter, seat: usize, paint: Paint) -> String {
    let side = &game.sides[seat];
    let name = paint.ink(INKS[seat], NAMES[seat]);
    format!(
        "{name} (seat {seat}): {} of {GOAL} points, largest network {}, cubes {}, income {}",
        game.score(seat),
        side.largest(),
        cubes(side.cubes),
        cubes(side.income),
    )
}

fn turn_line(game: &Shuter) -> String {
    let Some(seat) = game.to_move else {
        return match game.winner() {
            Some(winner) => format!("{} wins", NAMES[winner]),
            None => "a draw by stalemate".to_owned(),
        };
    };
    let name = NAMES[seat.index()];
    if game.in_start() {
        return match game.owed {
            Some(corner) => format!("{name} places the branch of the starting node on {corner:02}"),
            None => format!("{name} places a starting node"),
        };
    }
    let three = if game.three_used { "used" } else { "free" };
    let two = game.two_trades(seat.index()) - u32::from(game.two_used);
    format!(
        "{name} to move; 3:1 trade {three}, 2:1 trades left {two}; {} of {} idle turns",
        game.idle_turns, game.stalemate_turns
    )
}
