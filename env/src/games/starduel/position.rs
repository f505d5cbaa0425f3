//! STATE of the record format.
//!
//! What can be told from a position alone is checked: a state that no play could reach is refused with the reason.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::actions;
use super::actions::{NUMBERS, Program};
use super::board::{self, COORDINATES, HOME_ROWS, SPACES, own, spaces, tier_at};
use super::data::{LIMIT, NO_CARD, copies};
use super::options::StarDuelRules;
use super::rules::words;
use super::state::{
    ALL_NODES, EXECUTE, EXHAUST, INFLUENCE, MOVE, NONE, Outcome, POPULATION, PROGRAMMING, Phase, ROUND_LIMIT,
    Resources, StarDuel,
};
use crate::BadPosition;

/// The whole truth about a state, as a record holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StarDuelPosition {
    /// By Kurth's coordinate; only spaces that hold a card.
    spaces: BTreeMap<String, Node>,
    spares: Spares,
    players: [Player; 2],
    round: u32,
    went_second: u8,
    /// In each player's own coordinates.
    programs: [Option<u8>; 2],
    acting: Option<u8>,
    left: Vec<Left>,
    activated: Option<String>,
    moving: Option<String>,
    phase: PhaseName,
    to_move: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Node {
    card: String,
    up: bool,
    owner: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Spares {
    #[serde(rename = "2")]
    tier_2: Vec<String>,
    #[serde(rename = "3")]
    tier_3: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Player {
    influence: u32,
    population: u8,
    minerals: u8,
    energy: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Left {
    Execute,
    Exhaust,
    Move,
}

impl Left {
    const ALL: [(Self, u8); 3] = [(Self::Execute, EXECUTE), (Self::Exhaust, EXHAUST), (Self::Move, MOVE)];
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PhaseName {
    Program,
    Act,
    MoveTo,
}

fn bad<T>(key: &'static str, problem: impl Into<String>) -> Result<T, BadPosition> {
    Err(BadPosition::new(key, problem))
}

fn some(value: u8) -> Option<u8> {
    (value != NONE).then_some(value)
}

/// The name of a space, for people and records: Kurth's coordinate.
pub(super) fn space_name(space: usize) -> String {
    COORDINATES[space].to_string()
}

/// Only the plain form is a name: `11`, never `+11` or `011`.
fn space_named(name: &str) -> Option<usize> {
    (0..SPACES).find(|&space| space_name(space) == name)
}

impl StarDuel {
    pub(super) fn to_position(&self) -> StarDuelPosition {
        let name = |card: u8| self.tables.cards[card as usize].name.clone();
        let node = |space: usize| {
            let owner = (0..2).find(|&seat| self.owned[usize::from(seat)] >> space & 1 == 1);
            let node = Node { card: name(self.cards[space]), up: self.up >> space & 1 == 1, owner };
            (space_name(space), node)
        };
        let spares =
            |tier: usize| self.spares[tier].into_iter().filter(|&card| card != NO_CARD).map(name).collect();
        let player = |seat: usize| {
            let Resources { population, minerals, energy } = self.players[seat];
            Player { influence: self.influence(seat), population, minerals, energy }
        };
        StarDuelPosition {
            spaces: spaces(self.occupied).map(node).collect(),
            spares: Spares { tier_2: spares(0), tier_3: spares(1) },
            players: [player(0), player(1)],
            round: self.round,
            went_second: self.went_second,
            programs: self.programs.map(|rank| some(rank).map(|rank| NUMBERS[rank as usize])),
            acting: some(self.acting),
            left: Left::ALL.iter().filter(|(_, bit)| self.left & bit != 0).map(|&(left, _)| left).collect(),
            activated: some(self.activated).map(|space| space_name(space.into())),
            moving: some(self.moving).map(|space| space_name(space.into())),
            phase: match self.phase {
                Phase::Program => PhaseName::Program,
                Phase::Act => PhaseName::Act,
                Phase::MoveTo => PhaseName::MoveTo,
            },
            to_move: self.seat_to_act().map(|seat| seat as u8),
        }
    }

    pub(super) fn of_position(
        rules: &StarDuelRules,
        position: &StarDuelPosition,
    ) -> Result<Self, BadPosition> {
        let mut game = Self::empty(rules);
        game.read_spaces(position)?;
        game.read_spares(position)?;
        game.check_copies()?;
        game.read_players(position)?;
        game.read_round(position)?;
        game.read_turn(position)?;
        game.settle(position)?;
        let to_move = game.seat_to_act().map(|seat| seat as u8);
        if position.to_move != to_move {
            return bad("to_move", format!("{:?} where the rest says {to_move:?}", position.to_move));
        }
        Ok(game)
    }

    fn read_spaces(&mut self, position: &StarDuelPosition) -> Result<(), BadPosition> {
        for (name, node) in &position.spaces {
            let Some(space) = space_named(name) else {
                return bad("spaces", format!("there is no space `{name}` on the map"));
            };
            let Some(card) = self.tables.card(&node.card) else {
                return bad("spaces", format!("there is no card `{}` (at {name})", node.card));
            };
            self.cards[space] = card;
            self.occupied |= 1 << space;
            self.up |= u32::from(node.up) << space;
            match node.owner {
                Some(_) if !node.up => return bad("spaces", format!("{name} is face down and controlled")),
                Some(seat @ 0..=1) => self.owned[usize::from(seat)] |= 1 << space,
                Some(seat) => return bad("spaces", format!("owner {seat} at {name}: expected null, 0 or 1")),
                None => self.check_inactive(space, node.up)?,
            }
        }
        for (row, side) in HOME_ROWS.into_iter().zip(["Kurth's", "Enate's"]) {
            let mut seen = 0_u32;
            for space in spaces(row & self.inactive()) {
                let card = 1 << self.cards[space];
                if seen & card != 0 {
                    let name = space_name(space);
                    return bad("spaces", format!("{name}: the inactive node is twice in {side} home row"));
                }
                seen |= card;
            }
        }
        Ok(())
    }

    /// A node that nobody controls has not moved: it lies where its tier was dealt.
    fn check_inactive(&self, space: usize, up: bool) -> Result<(), BadPosition> {
        let card = &self.tables.cards[self.cards[space] as usize];
        let (name, tier) = (space_name(space), tier_at(space));
        if usize::from(card.tier) != tier {
            let problem = format!("{name}: an inactive Tier {} node where Tier {tier} was dealt", card.tier);
            return bad("spaces", problem);
        }
        if tier == 1 && !up {
            return bad("spaces", format!("{name}: Tier 1 nodes lie face up"));
        }
        if card.side.is_some_and(|side| HOME_ROWS[usize::from(side)] >> space & 1 == 0) {
            return bad("spaces", format!("{name}: `{}` belongs to the other side", card.name));
        }
        Ok(())
    }

    fn read_spares(&mut self, position: &StarDuelPosition) -> Result<(), BadPosition> {
        for (tier, given) in [&position.spares.tier_2, &position.spares.tier_3].into_iter().enumerate() {
            if given.len() > self.spares[tier].len() {
                return bad("spares", format!("{} of Tier {}: at most 2 stay out", given.len(), tier + 2));
            }
            for (place, name) in given.iter().enumerate() {
                match self.tables.card(name) {
                    Some(card) if usize::from(self.tables.cards[card as usize].tier) == tier + 2 => {
                        self.spares[tier][place] = card;
                    }
                    _ => return bad("spares", format!("`{name}` is no Tier {} card", tier + 2)),
                }
            }
        }
        Ok(())
    }

    fn check_copies(&self) -> Result<(), BadPosition> {
        for (number, card) in self.tables.cards.iter().enumerate() {
            let places = self.cards.iter().chain(self.spares.as_flattened());
            let found = places.filter(|&&there| usize::from(there) == number).count();
            if found > copies(card) {
                return bad("spaces", format!("card `{}` is there {found} times", card.name));
            }
        }
        Ok(())
    }

    fn read_players(&mut self, position: &StarDuelPosition) -> Result<(), BadPosition> {
        for (seat, player) in position.players.iter().enumerate() {
            let Player { influence, population, minerals, energy } = *player;
            if influence != self.influence(seat) {
                let nodes = self.influence(seat);
                return bad("players", format!("seat {seat} has Influence {influence} but {nodes} nodes"));
            }
            if let Some(value) = [population, minerals, energy].into_iter().find(|&value| value > LIMIT) {
                return bad(
                    "players",
                    format!("seat {seat} has {value} of a resource: the limit is {LIMIT}"),
                );
            }
            self.players[seat] = Resources { population, minerals, energy };
        }
        Ok(())
    }

    fn read_round(&mut self, position: &StarDuelPosition) -> Result<(), BadPosition> {
        if !(1..=self.round_limit).contains(&position.round) {
            return bad("round", format!("{}: expected 1 to {}", position.round, self.round_limit));
        }
        if position.went_second > 1 {
            return bad("went_second", format!("{}: expected 0 or 1", position.went_second));
        }
        let round_done = position.phase == PhaseName::Program && position.to_move.is_none();
        if position.round == 1 && position.went_second == 1 && !round_done {
            return bad("went_second", "1 in the first round: Kurth counts as having gone second before");
        }
        (self.round, self.went_second) = (position.round, position.went_second);
        for (seat, &number) in position.programs.iter().enumerate() {
            let Some(number) = number else { continue };
            match NUMBERS.iter().position(|&known| known == number) {
                Some(rank) => self.programs[seat] = rank as u8,
                None => return bad("programs", format!("{number} cannot be programmed")),
            }
        }
        Ok(())
    }

    fn read_turn(&mut self, position: &StarDuelPosition) -> Result<(), BadPosition> {
        for &left in &position.left {
            let (_, bit) = Left::ALL[left as usize];
            if bit <= self.left {
                return bad("left", "expected each of execute, exhaust, move at most once, in that order");
            }
            self.left |= bit;
        }
        self.activated = read_space("activated", position.activated.as_deref())?;
        self.moving = read_space("moving", position.moving.as_deref())?;
        if position.phase == PhaseName::Program {
            let idle = position.acting.is_none() && self.left == 0 && self.activated == NONE;
            if !idle || self.moving != NONE {
                return bad(
                    "phase",
                    "nobody acts while programming: acting, left, activated, moving are empty",
                );
            }
            if self.programs[1] != NONE {
                return bad("programs", "seat 1 has programmed in the phase `program`: seat 0 comes first");
            }
            return Ok(());
        }
        self.phase = if position.phase == PhaseName::Act { Phase::Act } else { Phase::MoveTo };
        if self.programs.contains(&NONE) {
            return bad("programs", "both are set while a player acts");
        }
        match position.acting {
            Some(seat @ 0..=1) => self.acting = seat,
            other => return bad("acting", format!("{other:?}: expected 0 or 1 while a player acts")),
        }
        self.check_activated()?;
        if (self.moving != NONE) != (self.phase == Phase::MoveTo) {
            return bad("moving", "expected a space in the phase `move-to` and null elsewhere");
        }
        Ok(())
    }

    fn check_activated(&self) -> Result<(), BadPosition> {
        if self.activated == NONE {
            return Ok(());
        }
        let seat = self.acting as usize;
        if self.owned[seat] >> self.activated & 1 == 0 {
            return bad("activated", "the acting player does not control that node");
        }
        let Program::Target(at) = Program::of(self.programs[seat]) else {
            return bad("activated", "a node, but the program targets none");
        };
        if self.left & EXECUTE != 0 {
            return bad("activated", "a node, but the program is not executed");
        }
        if self.left & MOVE != 0 && usize::from(self.activated) != own(seat, at) {
            return bad("activated", "another node than the program's target, but none has moved");
        }
        Ok(())
    }

    /// Finds out whether the game is over, and what is legal if it is not.
    fn settle(&mut self, position: &StarDuelPosition) -> Result<(), BadPosition> {
        match self.phase {
            Phase::Program => self.settle_round(position),
            Phase::Act | Phase::MoveTo => self.settle_turn(),
        }
    }

    fn settle_round(&mut self, position: &StarDuelPosition) -> Result<(), BadPosition> {
        if let Some(winner) = self.dominating() {
            self.outcome = Some(Outcome { end: ALL_NODES, winner: Some(winner) });
        } else if position.to_move.is_none() {
            if self.round < self.round_limit {
                return bad("to_move", "null, but nothing has ended the game");
            }
            self.outcome = Some(Outcome { end: ROUND_LIMIT, winner: self.ahead() });
        } else {
            self.legal = PROGRAMMING;
        }
        if self.outcome.is_some() && self.programs[0] != NONE {
            return bad("programs", "set after the game was over");
        }
        Ok(())
    }

    /// D-13: a loss inside a turn leaves its trace. The acting player's Influence falls by its exhaustion only. A
    /// target that is the other's after the execution is an attack that cost the last Population; one that is gone
    /// and was not activated is an attack that succeeded.
    fn settle_turn(&mut self) -> Result<(), BadPosition> {
        let (seat, other) = (self.acting as usize, 1 - self.acting as usize);
        let loss = |end, loser: usize| Some(Outcome { end, winner: Some(1 - loser) });
        if self.left & EXHAUST == 0 && self.owned[seat] == 0 {
            self.outcome = loss(INFLUENCE, seat);
        } else if let (0, Program::Target(at)) = (self.left & EXECUTE, Program::of(self.programs[seat])) {
            let target: board::Set = 1 << own(seat, at);
            if self.owned[other] & target != 0 {
                if self.players[seat].population > 0 {
                    return bad("spaces", "the attacked node stands, but its attacker has Population left");
                }
                self.outcome = loss(POPULATION, seat);
            } else if self.inactive() & target == 0 && self.activated == NONE && self.owned[other] == 0 {
                self.outcome = loss(INFLUENCE, other);
            }
        }
        match (self.outcome, self.phase) {
            (Some(_), Phase::Act) => return Ok(()),
            (Some(_), _) => return bad("phase", "a node on the move after the game was over"),
            (None, Phase::Act) => match self.choices() {
                0 => return bad("left", "nothing but `end` is possible: the turn would be over"),
                choices => self.legal = words(choices | 1 << actions::END),
            },
            (None, _) => {
                let from = usize::from(self.moving);
                if self.left & MOVE == 0 || self.owned[seat] >> from & 1 == 0 {
                    return bad("moving", "the acting player cannot move that node now");
                }
                self.legal = self.landings();
                if self.legal == [0; 2] {
                    return bad("moving", "that node has nowhere to go");
                }
            }
        }
        Ok(())
    }
}

fn read_space(key: &'static str, name: Option<&str>) -> Result<u8, BadPosition> {
    match name.map(|name| (name, space_named(name))) {
        None => Ok(NONE),
        Some((_, Some(space))) => Ok(space as u8),
        Some((name, None)) => bad(key, format!("there is no space `{name}` on the map")),
    }
}
