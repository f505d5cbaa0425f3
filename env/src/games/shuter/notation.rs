//! Positions as the records have them.

use serde::{Deserialize, Serialize};

use super::actions::{Cubes, cube, write_action};
use super::geometry::{CORNERS, EDGES, SQUARES};
use super::options::{Colour, ShuterRules, Square, check_squares};
use super::pieces::{BRANCHES, Side};
use super::rules::{GOAL, START_ORDER, Shuter};
use crate::{Action, BadPosition, Paint, Seat, Text};

/// STATE of the record format. Owner 1 is seat 0 (orange), 2 is seat 1 (purple).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShuterPosition {
    /// The 13 squares row by row.
    pub squares: Vec<Square>,
    /// The owner of each corner's node.
    pub corners: String,
    /// The owner of each edge's branch.
    pub edges: String,
    /// Who has captured each square.
    pub captured: String,
    /// The cubes r y b g of each seat.
    pub cubes: [[u8; 4]; 2],
    /// The points of each seat.
    pub score: [u32; 2],
    /// Whether this turn's 3:1 trade is used.
    pub three_used: bool,
    /// How many 2:1 trades this turn has used.
    pub two_used: u8,
    /// Finished turns in a row without a placement.
    pub idle_turns: u32,
    /// Whether this turn has placed a piece.
    pub placed: bool,
    /// The corner of a starting node whose branch is still to come. Null is written, so that no key may be missing.
    #[serde(deserialize_with = "Option::deserialize")]
    pub owed: Option<u8>,
    /// The start, or the regular turns.
    pub phase: Phase,
    /// The seat to act; null when the game is over.
    #[serde(deserialize_with = "Option::deserialize")]
    pub to_move: Option<u8>,
}

/// The start, or the regular turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Phase {
    Start,
    Play,
}

const NAMES: [&str; 2] = ["orange", "purple"];

fn owners<const N: usize>(sets: [u64; 2]) -> String {
    (0..N)
        .map(|i| {
            if sets[0] >> i & 1 == 1 {
                '1'
            } else if sets[1] >> i & 1 == 1 {
                '2'
            } else {
                '0'
            }
        })
        .collect()
}

/// The two sets of a text of owners.
pub(super) fn read_owners<const N: usize>(key: &'static str, text: &str) -> Result<[u64; 2], BadPosition> {
    if text.chars().count() != N {
        return Err(BadPosition::new(key, format!("{} owners: expected {N}", text.chars().count())));
    }
    let mut sets = [0; 2];
    for (i, letter) in text.chars().enumerate() {
        match letter {
            '0' => {}
            '1' => sets[0] |= 1 << i,
            '2' => sets[1] |= 1 << i,
            _ => return Err(BadPosition::new(key, format!("`{letter}` at place {i}: expected 0, 1 or 2"))),
        }
    }
    Ok(sets)
}

/// What a position says apart from what follows from it.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub squares: Vec<Square>,
    pub nodes: [u64; 2],
    pub branches: [u64; 2],
    pub cubes: [[u8; 4]; 2],
    pub three_used: bool,
    pub two_used: u8,
    pub idle_turns: u32,
    pub placed: bool,
    pub owed: Option<u8>,
    pub to_move: Option<u8>,
}

impl Shuter {
    /// Builds a state and works out what follows; refuses what no play could reach, where that can be told.
    pub(super) fn assemble(rules: &ShuterRules, parts: &Parts) -> Result<Self, BadPosition> {
        check_squares(&parts.squares, rules.variant)
            .map_err(|problem| BadPosition::new("squares", problem))?;
        if rules.layout.as_ref().is_some_and(|layout| layout.0 != parts.squares) {
            return Err(BadPosition::new("squares", "the rules name another layout"));
        }
        let mut game = Self::new(rules, &parts.squares);
        for side in 0..2 {
            game.sides[side].nodes = parts.nodes[side] as u32;
            game.sides[side].branches = parts.branches[side];
        }
        game.set_cubes(parts.cubes)?;
        game.derive().map_err(|side| {
            let problem = format!("the branches of {} form more than two networks", NAMES[side]);
            BadPosition::new("edges", problem)
        })?;
        game.start_plies = game.pieces().min(START_ORDER.len()) as u8;
        game.owed = parts.owed;
        (game.three_used, game.two_used) = (parts.three_used, parts.two_used);
        (game.placed, game.idle_turns) = (parts.placed, parts.idle_turns);
        game.to_move = match parts.to_move {
            None => None,
            Some(seat @ 0..=1) => Some(Seat(seat)),
            Some(seat) => return Err(BadPosition::new("to_move", format!("{seat}: expected 0, 1 or null"))),
        };
        match game.in_start() {
            true => game.check_start()?,
            false => game.check_play()?,
        }
        Ok(game)
    }

    fn set_cubes(&mut self, cubes: [[u8; 4]; 2]) -> Result<(), BadPosition> {
        for colour in Colour::ALL {
            let held: u32 = cubes.iter().map(|counts| u32::from(counts[colour as usize])).sum();
            if held > 10 {
                let problem = format!("{held} cubes {} are held: there are 10", colour.letter());
                return Err(BadPosition::new("cubes", problem));
            }
        }
        for (side, counts) in self.sides.iter_mut().zip(cubes) {
            side.cubes = (0..4).map(|colour| Cubes::from(counts[colour]) * cube(colour)).sum();
        }
        Ok(())
    }

    /// S-01
    fn check_start(&self) -> Result<(), BadPosition> {
        let made = usize::from(self.start_plies);
        for (seat, name) in NAMES.into_iter().enumerate() {
            let plies = |odd| {
                (0..made).filter(|&i| usize::from(START_ORDER[i]) == seat && i % 2 == odd).count() as u32
            };
            let (nodes, branches) = (self.sides[seat].nodes, self.sides[seat].branches);
            if nodes.count_ones() != plies(0) || branches.count_ones() != plies(1) {
                let (n, b) = (plies(0), plies(1));
                let problem = format!("after {made} plies {name} has {n} nodes and {b} branches");
                return Err(BadPosition::new("corners", problem));
            }
        }
        let seat = START_ORDER[made];
        if self.to_move != Some(Seat(seat)) {
            return Err(BadPosition::new(
                "to_move",
                format!("expected {seat} after {made} plies of the start"),
            ));
        }
        let owes = made % 2 == 1;
        let own = &self.sides[usize::from(seat)];
        match self.owed {
            None if owes => {
                return Err(BadPosition::new("owed", "null: a starting node waits for its branch"));
            }
            Some(_) if !owes => {
                return Err(BadPosition::new("owed", "expected null: every node has its branch"));
            }
            Some(corner) if usize::from(corner) >= CORNERS || own.nodes >> corner & 1 == 0 => {
                return Err(BadPosition::new(
                    "owed",
                    format!("{corner} is no corner with a node of seat {seat}"),
                ));
            }
            _ => {}
        }
        self.check_starting_points(self.owed)?;
        for (key, used) in [
            ("cubes", self.sides.iter().any(|side| side.cubes != 0)),
            ("three_used", self.three_used),
            ("two_used", self.two_used > 0),
            ("idle_turns", self.idle_turns > 0),
            ("placed", self.placed),
        ] {
            if used {
                return Err(BadPosition::new(key, "in the start nobody holds cubes, trades or counts turns"));
            }
        }
        match self.legal_count() {
            0 => Err(BadPosition::new("owed", "the node has no empty edge for its branch")),
            _ => Ok(()),
        }
    }

    /// Nodes and branches on the board.
    fn pieces(&self) -> usize {
        self.sides.iter().map(|side| (side.nodes.count_ones() + side.branches.count_ones()) as usize).sum()
    }

    fn legal_count(&self) -> u32 {
        let mut mask = crate::Mask::EMPTY;
        self.legal_actions(&mut mask);
        mask.count()
    }

    fn check_play(&self) -> Result<(), BadPosition> {
        for (side, name) in self.sides.iter().zip(NAMES) {
            let (nodes, branches) = (side.nodes.count_ones(), side.branches.count_ones());
            if nodes < 2 || !(2..=BRANCHES).contains(&branches) {
                let problem = format!(
                    "{name} has {nodes} nodes and {branches} branches: expected 2 or more, 24 at most"
                );
                return Err(BadPosition::new("edges", problem));
            }
        }
        self.check_starting_points(None)?;
        if self.placed && self.pieces() == START_ORDER.len() {
            return Err(BadPosition::new("placed", "true: only the starting pieces are on the board"));
        }
        if self.owed.is_some() {
            return Err(BadPosition::new("owed", "expected null in the regular turns"));
        }
        let trades = match self.to_move {
            Some(seat) => self.two_trades(seat.index()),
            None => self.two_trades(0).max(self.two_trades(1)),
        };
        if u32::from(self.two_used) > trades {
            let problem =
                format!("{} trades used: the nodes on the trading post allow {trades}", self.two_used);
            return Err(BadPosition::new("two_used", problem));
        }
        self.check_end()
    }

    /// S-01, S-02, S-03: every network has a node to have grown from, and every node a branch of its colour; one may
    /// still wait for it.
    fn check_starting_points(&self, waits: Option<u8>) -> Result<(), BadPosition> {
        for (side, name) in self.sides.iter().zip(NAMES) {
            let alone = side.nodes & !side.touched & !waits.map_or(0, |corner| 1 << corner);
            if alone != 0 {
                let problem = format!("the node of {name} at {} has no branch", alone.trailing_zeros());
                return Err(BadPosition::new("corners", problem));
            }
            if side.networks.iter().any(|network| network.branches > 0 && network.corners & side.nodes == 0) {
                let problem = format!("a network of {name} has no node, so it grew from no starting point");
                return Err(BadPosition::new("edges", problem));
            }
        }
        Ok(())
    }

    fn check_end(&self) -> Result<(), BadPosition> {
        let stale = self.idle_turns == self.stalemate_turns;
        if self.idle_turns > self.stalemate_turns || self.placed && self.idle_turns > 0 {
            let problem = format!("{} idle turns cannot be here", self.idle_turns);
            return Err(BadPosition::new("idle_turns", problem));
        }
        let at_goal = [0, 1].map(|side| self.score(side) >= GOAL);
        if at_goal == [true; 2] || at_goal.contains(&true) && !self.placed {
            return Err(BadPosition::new(
                "score",
                "the game ends with the first placement that reaches ten points",
            ));
        }
        let over = stale || at_goal.contains(&true);
        match (over, self.to_move) {
            (true, Some(seat)) => {
                Err(BadPosition::new("to_move", format!("{}: expected null, the game is over", seat.0)))
            }
            (false, None) => Err(BadPosition::new("to_move", "null: the game is not over")),
            _ => Ok(()),
        }
    }
}

impl Text for Shuter {
    type Position = ShuterPosition;

    fn position(&self) -> ShuterPosition {
        let sets = |of: fn(&Side) -> u64| [of(&self.sides[0]), of(&self.sides[1])];
        ShuterPosition {
            squares: self.ground.squares().to_vec(),
            corners: owners::<CORNERS>(sets(|side| side.nodes.into())),
            edges: owners::<EDGES>(sets(|side| side.branches)),
            captured: owners::<SQUARES>(sets(|side| side.captured.into())),
            cubes: [0, 1].map(|side: usize| self.sides[side].cubes.to_le_bytes()),
            score: [0, 1].map(|side| self.score(side)),
            three_used: self.three_used,
            two_used: self.two_used,
            idle_turns: self.idle_turns,
            placed: self.placed,
            owed: self.owed,
            phase: if self.in_start() { Phase::Start } else { Phase::Play },
            to_move: self.to_move.map(|seat| seat.0),
        }
    }

    fn from_position(rules: &ShuterRules, position: &ShuterPosition) -> Result<Self, BadPosition> {
        let parts = Parts {
            squares: position.squares.clone(),
            nodes: read_owners::<CORNERS>("corners", &position.corners)?,
            branches: read_owners::<EDGES>("edges", &position.edges)?,
            cubes: position.cubes,
            three_used: position.three_used,
            two_used: position.two_used,
            idle_turns: position.idle_turns,
            placed: position.placed,
            owed: position.owed,
            to_move: position.to_move,
        };
        let game = Self::assemble(rules, &parts)?;
        let derived = game.position();
        let differs = |key, found: String, expected: String| {
            Err(BadPosition::new(key, format!("is {found}: the pieces say {expected}")))
        };
        if derived.captured != position.captured {
            return differs("captured", position.captured.clone(), derived.captured);
        }
        if derived.score != position.score {
            return differs("score", format!("{:?}", position.score), format!("{:?}", derived.score));
        }
        if derived.phase != position.phase {
            return differs("phase", format!("{:?}", position.phase), format!("{:?}", derived.phase));
        }
        Ok(game)
    }

    fn write_move(&self, action: Action, out: &mut String) {
        write_action(action, out);
    }

    fn draw(&self, _seat: Option<Seat>, paint: Paint) -> String {
        super::draw::draw(self, paint)
    }
}
