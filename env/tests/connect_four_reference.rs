//! A second Connect Four, written from the rules with a grid of letters and nothing else, follows recorded games of
//! the engine ply by ply: legal moves, states, end and returns.

use nodarium_env::calibration::NoOptions;
use nodarium_env::calibration::connect_four::ConnectFour;
use nodarium_env::record;
use serde_json::{Value, json};

const GAMES: u64 = 3_000;

/// Six rows of seven letters; row 0 is the top one.
type Grid = [[char; 7]; 6];

fn state(grid: &Grid, to_move: Option<usize>) -> Value {
    json!({"cells": grid.concat().into_iter().collect::<String>(), "to_move": to_move})
}

fn legal(grid: &Grid) -> Vec<String> {
    (0..7).filter(|&c| grid[0][c] == '.').map(|c| "abcdefg"[c..=c].to_owned()).collect()
}

fn drop_stone(grid: &mut Grid, column: usize, letter: char) {
    let row = (0..6).rev().find(|&row| grid[row][column] == '.').expect("the column is not full");
    grid[row][column] = letter;
}

fn has_four(grid: &Grid, letter: char) -> bool {
    let at = |row: i32, column: i32| {
        (0..6).contains(&row) && (0..7).contains(&column) && grid[row as usize][column as usize] == letter
    };
    (0..6).any(|row| {
        (0..7).any(|column| {
            [(0, 1), (1, 0), (1, 1), (1, -1)]
                .iter()
                .any(|(down, right)| (0..4).all(|i| at(row + i * down, column + i * right)))
        })
    })
}

#[test]
fn the_reference_follows_every_recorded_game() {
    let mut ends = std::collections::BTreeMap::new();
    for index in 0..GAMES {
        let told =
            serde_json::to_value(record::simulate::<ConnectFour>(&NoOptions {}, 11, index)).expect("JSON");
        let mut grid: Grid = [['.'; 7]; 6];
        assert_eq!(told["start"], state(&grid, Some(0)), "game {index}");
        let plies = told["plies"].as_array().expect("a list of plies");
        let mut outcome = None;
        for (number, ply) in plies.iter().enumerate() {
            assert_eq!(outcome, None, "game {index}: a ply after the end");
            let seat = number % 2;
            assert_eq!(ply["seat"], json!(seat), "game {index}, ply {number}");
            assert_eq!(ply["legal"], json!(legal(&grid)), "game {index}, ply {number}");
            let column = "abcdefg".find(ply["move"].as_str().expect("a text")).expect("a column");
            let letter = ['x', 'o'][seat];
            drop_stone(&mut grid, column, letter);
            if has_four(&grid, letter) {
                outcome = Some(("four", if seat == 0 { json!([1.0, -1.0]) } else { json!([-1.0, 1.0]) }));
            } else if legal(&grid).is_empty() {
                outcome = Some(("full board", json!([0.0, 0.0])));
            }
            let to_move = outcome.is_none().then_some(1 - seat);
            assert_eq!(ply["state"], state(&grid, to_move), "game {index}, ply {number}");
        }
        let (end, returns) = outcome.expect("the game is over after its last ply");
        assert_eq!((&told["end"], &told["returns"]), (&json!(end), &returns), "game {index}");
        *ends.entry(end).or_insert(0) += 1;
    }
    assert!(ends.len() == 2, "both ends were seen: {ends:?}");
}
