//! The rule options.

use serde::{Deserialize, Serialize};

use super::table::{Cells, SIDE, diamond, middle};
use crate::rules::Reader;
use crate::{BadRules, RuleOption, Rules};

/// What may be chosen about the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ColonyRules {
    /// C-13: how many play, 2 to 4.
    pub players: u8,
    /// C-02: the Nodes at the start.
    pub layout: ColonyLayout,
    /// C-03: cells of a side of the table.
    pub table: u8,
    /// C-10: how a Colony moves.
    pub movement: Movement,
    /// C-13: the most single turns.
    pub turn_limit: u32,
}

/// C-02: the Nodes at the start, in the middle of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColonyLayout {
    /// A square of 3×3.
    Grid9,
    /// A cross of five.
    Plus5,
    /// A diamond of thirteen.
    Diamond13,
}

/// C-10: how a Colony moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Movement {
    /// In a straight line.
    Line,
    /// It may turn on the way.
    Path,
}

impl ColonyLayout {
    /// Its cells.
    pub(super) const fn cells(self) -> Cells {
        const CELLS: [Cells; 3] = [middle(3), diamond(1), diamond(2)];
        CELLS[self as usize]
    }
}

impl Default for ColonyRules {
    fn default() -> Self {
        Self {
            players: 2,
            layout: ColonyLayout::Grid9,
            table: SIDE as u8,
            movement: Movement::Line,
            turn_limit: 200,
        }
    }
}

const PLAYERS: &str = "2, 3 or 4";
const TABLE: &str = "an odd number from 3 (5 with `diamond13`) to 11";
const TURN_LIMIT: &str = "a number from 1 on";

impl Rules for ColonyRules {
    const OPTIONS: &'static [RuleOption] = &[
        RuleOption { key: "players", allowed: PLAYERS, about: "how many play" },
        RuleOption {
            key: "layout",
            allowed: "\"grid9\", \"plus5\" or \"diamond13\"",
            about: "the Nodes at the start: a square, a cross or a diamond",
        },
        RuleOption { key: "table", allowed: TABLE, about: "cells of a side of the table" },
        RuleOption {
            key: "movement",
            allowed: "\"line\" or \"path\"",
            about: "whether a Colony moves straight or may turn on the way",
        },
        RuleOption { key: "turn_limit", allowed: TURN_LIMIT, about: "the most single turns" },
    ];

    fn check(&mut self, _read: &Reader<'_>) -> Result<(), BadRules> {
        if !(2..=4).contains(&self.players) {
            return Err(BadRules::value("players", self.players, PLAYERS));
        }
        let side = usize::from(self.table);
        if side % 2 == 0 || side > SIDE || self.layout.cells() & !middle(side) != 0 {
            return Err(BadRules::value("table", self.table, TABLE));
        }
        if self.turn_limit == 0 {
            return Err(BadRules::value("turn_limit", self.turn_limit, TURN_LIMIT));
        }
        Ok(())
    }
}
