//! Connect Four: the laws of the contract, the known counts, the rules one by one.

use nodarium_env::calibration::NoOptions;
use nodarium_env::calibration::connect_four::ConnectFour;
use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Paint, Rng, Seat, Text, conformance, record};
use serde_json::json;

nodarium_env::conformance! {
    laws: ConnectFour = "{}";
}

/// The game after these moves.
fn played(moves: &str) -> ConnectFour {
    let mut game = ConnectFour::deal(&NoOptions {}, &mut Rng::keyed(Purpose::Deal, 0, 0, 0));
    for column in moves.chars() {
        let action = game.parse_move(&column.to_string()).expect("a legal move");
        game.apply(action);
    }
    game
}

fn returns(game: &ConnectFour) -> [f32; 2] {
    let mut out = [f32::NAN; 2];
    game.returns(&mut out);
    out
}

/// The position with these rows, the top one first; the rows above them are empty.
fn read(rows: &[&str], to_move: Option<u8>) -> Result<ConnectFour, String> {
    let cells = format!("{:.>42}", rows.concat());
    let position = serde_json::from_value(json!({"cells": cells, "to_move": to_move})).expect("the keys");
    ConnectFour::from_position(&NoOptions {}, &position).map_err(|e| e.to_string())
}

#[test]
fn perft_counts_hold() {
    conformance::perft_counts_hold::<ConnectFour>(include_str!("data/connect_four.perft.json"));
}

#[test]
fn four_in_a_row_win_in_every_direction() {
    for (direction, moves) in
        [("upright", "abababa"), ("level", "aabbccd"), ("rising", "abbccdcddgd"), ("falling", "gffeededdad")]
    {
        assert_eq!(played(&moves[..moves.len() - 1]).end(), None, "{direction}");
        let game = played(moves);
        assert_eq!(game.end().map(|end| end.index()), Some(0), "{direction}");
        assert_eq!(returns(&game), [1.0, -1.0], "{direction}");
        assert_eq!(game.to_move(), None);
    }
}

#[test]
fn the_second_seat_wins_too() {
    assert_eq!(returns(&played("gabababa")), [-1.0, 1.0]);
}

#[test]
fn a_line_does_not_run_on_into_the_next_column() {
    // The upper three of column a and the lowest of column b are neighbours in the bitboard's order only.
    let rows = ["x......", "x......", "x......", "o......", "oo.....", "ox....."];
    assert_eq!(read(&rows, Some(0)).map(|game| game.end()), Ok(None));
}

#[test]
fn a_full_column_takes_no_stone() {
    assert_eq!(record::legal_moves(&played("ababbabcaaab")), ["b", "c", "d", "e", "f", "g"]);
}

#[test]
fn a_full_board_without_four_is_a_draw() {
    let rows = ["ooxxoox", "xxooxxo", "ooxxoox", "xxooxxo", "ooxxoox", "xxooxx."];
    assert!(read(&rows, Some(1)).is_err(), "a column cannot be full above a hole");
    let rows = ["xxooxx.", "ooxxoox", "xxooxxo", "ooxxoox", "xxooxxo", "ooxxoox"];
    let mut game = read(&rows, Some(1)).expect("a position of play");
    assert_eq!(record::legal_moves(&game), ["g"]);
    game.apply(game.parse_move("g").expect("legal"));
    assert_eq!((game.end().map(|end| end.index()), returns(&game)), (Some(1), [0.0, 0.0]));
}

#[test]
fn the_view_shows_the_stones_of_both_seats() {
    let spec = ConnectFour::spec(&NoOptions {});
    let game = played("cgdgec");
    let mut view = vec![0.0; spec.observation.len()];
    let mut marked = |seat, field: &str| {
        game.observe(Seat(seat), &mut view);
        let range = spec.observation.range(field).expect("a field of the layout");
        let cell = |i: usize| format!("{}{}", char::from(b'a' + (i / 6) as u8), i % 6 + 1);
        let cells = view[range].iter().enumerate().filter(|(_, x)| **x == 1.0);
        cells.map(|(i, _)| cell(i)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(marked(0, "own"), "c1 d1 e1");
    assert_eq!(marked(0, "other"), "c2 g1 g2");
    assert_eq!(marked(1, "own"), "c2 g1 g2");
}

#[test]
fn positions_that_no_game_leaves_behind_are_refused() {
    let refused = |rows: &[&str], to_move| read(rows, to_move).expect_err("a bad position");
    assert!(refused(&["........"; 6], Some(0)).contains("48 cells: expected 42"));
    assert!(refused(&["?......"], Some(0)).contains("`?` at place 35: expected . x o"));
    assert!(refused(&["o......"], Some(0)).contains("0 x and 1 o: x begins"));
    assert!(refused(&["x......", "......."], Some(1)).contains("hangs in the air"));
    assert!(refused(&["xxxx...", "oooo..."], None).contains("after the game was over"));
    assert!(refused(&["o......", "xxxxooo"], None).contains("after the game was over"));
    assert!(refused(&["ooxo...", "xxxxo.."], None).contains("after the game was over"));
    assert!(refused(&["ooo....", "xxxx..."], Some(0)).contains("the stones say None"));
    assert!(refused(&["x......"], Some(0)).contains("the stones say Some(1)"));
    assert!(read(&["ooo....", "xxxx..."], None).is_ok());
}

#[test]
fn a_playthrough_reads_as_before() {
    insta::assert_snapshot!(nodarium_env::text::playthrough::<ConnectFour>(&NoOptions {}, 1, 10));
}

#[test]
fn a_drawing_in_colour_says_the_same() {
    let game = played("dde");
    let coloured = game.draw(None, Paint::Colour);
    assert!(coloured.contains("\u{1b}["));
    assert_eq!(without_escapes(&coloured), game.draw(None, Paint::Plain));
}

/// The text without its escape sequences.
fn without_escapes(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + part.split_once('m').map_or(part, |(_, rest)| rest))
}
