//! The one-line notation of public programs for this game, and where ours goes beyond it.
//!
//! A position is 104 characters: 13 squares of two, 24 corner owners, 36 edge owners (`0` none, `1`, `2`), whose turn
//! (`1`, `2`), the cubes of player 1 then 2 as two hexadecimal digits a colour in the order green, yellow, blue, red,
//! and `1` if the 3:1 trade of this turn is used. Public strings know neither trading posts (`p0` is ours) nor what
//! lies beyond the board; that follows behind, only where it is not zero, each part after a semicolon: `d` and the 2:1
//! trades used, `i` and the idle turns, `p` when this turn has placed a piece, `o` and the two-digit corner of a
//! starting node without its branch. When the game is over the turn is `0`.
//!
//! A move is `s` + corner + edge for both plies of a starting placement, `n` + corner, `b` + edge, `t` + three given
//! letters + received letter, `e`; ours are `d` + two given + received, `N` and `B` for a piece of the other colour, and
//! `n` or `b` for a single ply of a starting placement.

use std::fmt::Write as _;

use super::actions::{BRANCH, NODE};
use super::geometry::{CORNERS, EDGES, SQUARES};
use super::notation::{Parts, read_owners};
use super::options::{ShuterRules, Square};
use super::rules::{START_ORDER, Shuter};
use crate::{Action, BadPosition, Game as _, Text as _};

/// Characters of the public part.
const LENGTH: usize = 2 * SQUARES + CORNERS + EDGES + 1 + 16 + 1;

/// The colours r y b g in the order in which a line gives them: green, yellow, blue, red.
const LINE_ORDER: [usize; 4] = [3, 1, 2, 0];

/// A text that is no position or no move: where in it, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at character {at}: {problem}")]
pub struct BadLine {
    /// Where, counted in characters from 1.
    pub at: usize,
    /// What is wrong there.
    pub problem: String,
}

impl BadLine {
    fn new(at: usize, problem: impl Into<String>) -> Self {
        Self { at: at + 1, problem: problem.into() }
    }
}

/// Writes a position on one line.
pub fn write_line(game: &Shuter) -> String {
    let position = game.position();
    let mut line: String = position.squares.iter().map(Square::to_string).collect();
    line.push_str(&position.corners);
    line.push_str(&position.edges);
    line.push(position.to_move.map_or('0', |seat| char::from(b'1' + seat)));
    for cubes in position.cubes {
        for colour in LINE_ORDER {
            let _ = write!(line, "{:02x}", cubes[colour]);
        }
    }
    line.push(if position.three_used { '1' } else { '0' });
    if position.two_used > 0 {
        let _ = write!(line, ";d{}", position.two_used);
    }
    if position.idle_turns > 0 {
        let _ = write!(line, ";i{}", position.idle_turns);
    }
    if position.placed {
        line.push_str(";p");
    }
    if let Some(corner) = position.owed {
        let _ = write!(line, ";o{corner:02}");
    }
    line
}

/// Reads a position. In the start the cubes are ignored, because public programs disagree about them there.
pub fn parse_line(rules: &ShuterRules, line: &str) -> Result<Shuter, BadLine> {
    if let Some(at) = line.chars().position(|letter| !letter.is_ascii()) {
        return Err(BadLine::new(at, "expected plain letters and digits"));
    }
    if line.len() < LENGTH {
        let problem = format!("the line ends after {} characters: expected {LENGTH}", line.len());
        return Err(BadLine::new(line.len(), problem));
    }
    let mut at = 0;
    let mut take = |n: usize| {
        at += n;
        (at - n, &line[at - n..at])
    };
    let mut squares = Vec::new();
    for _ in 0..SQUARES {
        let (at, text) = take(2);
        let square = Square::parse(text)
            .filter(|_| text.bytes().all(|letter| !letter.is_ascii_uppercase()))
            .ok_or_else(|| BadLine::new(at, format!("`{text}` is no square: expected r1 … g3, v0 or p0")))?;
        squares.push(square);
    }
    let no_owner = |at: usize, text: &str, e: BadPosition| {
        let place = text.bytes().position(|owner| !(b'0'..=b'2').contains(&owner));
        BadLine::new(at + place.unwrap_or(0), e.to_string())
    };
    let (at_corners, corners) = take(CORNERS);
    let nodes = read_owners::<CORNERS>("corners", corners).map_err(|e| no_owner(at_corners, corners, e))?;
    let (at_edges, edges) = take(EDGES);
    let branches = read_owners::<EDGES>("edges", edges).map_err(|e| no_owner(at_edges, edges, e))?;
    let (at_turn, turn) = take(1);
    let to_move = match turn {
        "0" => None,
        "1" => Some(0),
        "2" => Some(1),
        _ => return Err(BadLine::new(at_turn, format!("`{turn}` moves: expected 1, 2 or, at the end, 0"))),
    };
    let mut cubes = [[0; 4]; 2];
    for counts in &mut cubes {
        for colour in LINE_ORDER {
            let (at, digits) = take(2);
            counts[colour] = digits
                .bytes()
                .all(|digit| digit.is_ascii_hexdigit())
                .then(|| u8::from_str_radix(digits, 16).ok())
                .flatten()
                .ok_or_else(|| {
                    BadLine::new(at, format!("`{digits}` cubes: expected two hexadecimal digits"))
                })?;
        }
    }
    let (at_three, three) = take(1);
    let three_used = match three {
        "0" => false,
        "1" => true,
        _ => {
            return Err(BadLine::new(
                at_three,
                format!("`{three}`: expected 1 if the 3:1 trade is used, else 0"),
            ));
        }
    };
    let pieces: u32 = nodes.iter().chain(&branches).map(|set| set.count_ones()).sum();
    if (pieces as usize) < START_ORDER.len() {
        cubes = [[0; 4]; 2];
    }
    let mut parts = Parts {
        squares,
        nodes,
        branches,
        cubes,
        three_used,
        two_used: 0,
        idle_turns: 0,
        placed: false,
        owed: None,
        to_move,
    };
    read_extension(line, &mut parts)?;
    Shuter::assemble(rules, &parts).map_err(|e| {
        let at = match e.key {
            "squares" => 0,
            "corners" | "owed" => at_corners,
            "edges" => at_edges,
            "cubes" => at_turn + 1,
            "to_move" => at_turn,
            _ => LENGTH.min(line.len() - 1),
        };
        BadLine::new(at, e.to_string())
    })
}

/// Reads what follows the public part.
fn read_extension(line: &str, parts: &mut Parts) -> Result<(), BadLine> {
    let mut at = LENGTH;
    let mut to_come = "dipo";
    while at < line.len() {
        let rest = &line[at..];
        let part = rest.strip_prefix(';').map(|rest| rest.split(';').next().unwrap_or_default());
        let Some(part) = part else {
            return Err(BadLine::new(at, format!("`{rest}`: expected the end, or ; and one of d i p o")));
        };
        let bad = |expected: &str| BadLine::new(at + 1, format!("`{part}`: expected {expected}"));
        let (kind, number) = part.split_at_checked(1).unwrap_or_default();
        let digits = number.bytes().all(|digit| digit.is_ascii_digit());
        let Some((_, after)) = to_come.split_once(kind) else {
            return Err(bad("one of d i p o, each once and in this order"));
        };
        to_come = after;
        match kind {
            "d" if digits => {
                parts.two_used = number.parse().map_err(|_| bad("d and the number of 2:1 trades used"))?;
            }
            "i" if digits => {
                parts.idle_turns = number.parse().map_err(|_| bad("i and the number of idle turns"))?;
            }
            "o" if digits => parts.owed = Some(number.parse().map_err(|_| bad("o and a corner"))?),
            "p" if number.is_empty() => parts.placed = true,
            _ => return Err(bad("d, i or o with a number, or p")),
        }
        at += 1 + part.len();
    }
    Ok(())
}

/// Writes a move; a starting placement is written whole, with the branch that completes it.
pub fn write_line_move(game: &Shuter, action: Action, branch: Option<Action>) -> String {
    match (game.in_start(), branch) {
        (true, Some(branch)) => format!("s{:02}{:02}", action.index() - NODE, branch.index() - BRANCH),
        _ => game.move_text(action),
    }
}

/// Reads a move as the one or two plies that it stands for.
pub fn parse_line_move(game: &Shuter, text: &str) -> Result<Vec<Action>, BadLine> {
    let single =
        |game: &Shuter, text: &str| game.parse_move(text).map_err(|e| BadLine::new(0, e.to_string()));
    let Some(digits) = text.strip_prefix('s') else {
        return single(game, text).map(|action| vec![action]);
    };
    if !game.in_start() {
        return Err(BadLine::new(0, "`s` places the starting pieces: the start is over"));
    }
    if digits.len() != 4 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(BadLine::new(1, format!("`{digits}`: expected a two-digit corner and a two-digit edge")));
    }
    let node = single(game, &format!("n{}", &digits[..2]))?;
    let mut next = game.clone();
    next.apply(node);
    let branch =
        next.parse_move(&format!("b{}", &digits[2..])).map_err(|e| BadLine::new(3, e.to_string()))?;
    Ok(vec![node, branch])
}
