//! The Node and Colony card game: two to four players explore Nodes, colonise them and invade each other's.
//!
//! The rules with their rulings (C-01 to C-13), the observation, the actions and the notation are on the game's page,
//! `env/docs/colony.md`.

mod actions;
mod cards;
mod deal;
mod draw;
mod insight;
mod notation;
mod observe;
mod options;
mod position;
mod rules;
mod standing;
mod state;
mod table;

/// The odds of a win, for those who look for better weights of them.
pub mod odds {
    pub use super::insight::{COUNTS, Counts, FOR_FOUR, FOR_THREE, Planned, SECOND, UNITS, Weights};
}

pub use cards::{CARD_KINDS, CARDS, COUNTS, Card, KINDS, first_player};
pub use notation::{Chosen, ColonyPosition, Done, PhaseName, Stacked};
pub use options::{ColonyLayout, ColonyRules, Movement};
pub use standing::Standing;
pub use state::Colony;
pub use table::{CELLS, Cell, SIDE};

use std::sync::Arc;

use self::state::{Buried, ENDS};
use self::table::{Cells, each, only, turned};
use crate::{Action, End, Game, Grid, Information, Mask, Rng, Seat, Spec};

/// Plies that one turn can have: explore, card, at, from, to.
const TURN_PLIES: usize = 5;

/// Cards in the deck after the deal, before the first draw.
fn deck_size(rules: &ColonyRules) -> usize {
    CARDS - rules.layout.cells().count_ones() as usize - deal::HAND * usize::from(rules.players)
}

impl Game for Colony {
    type Rules = ColonyRules;

    fn spec(rules: &Self::Rules) -> Spec {
        let players = usize::from(rules.players);
        let observation = observe::layout(players);
        let insights = insight::layout(observation.clone());
        let turns = deck_size(rules).min(rules.turn_limit.try_into().unwrap_or(usize::MAX));
        Spec {
            id: "colony",
            version: 8,
            title: "Node and Colony",
            seats: players,
            information: Information::Hidden,
            action_groups: actions::groups(),
            symmetries: observe::symmetries(&insights, players),
            grid: Some(Arc::new(Grid::rectangle(&insights, SIDE, SIDE))),
            observation,
            insights,
            longest_game: TURN_PLIES * turns,
            ends: ENDS.to_vec(),
        }
    }

    /// Which actions are the best ones as far as the table tells.
    fn advice(rules: &Self::Rules) -> Vec<(usize, Action)> {
        let insights = Self::spec(rules).insights;
        let numbers = insight::BEST_FIELDS.into_iter().filter_map(|field| insights.range(field)).flatten();
        numbers.zip((0..actions::ACTIONS).map(|action| Action(action as u16))).collect()
    }

    fn deal(rules: &Self::Rules, rng: &mut Rng) -> Self {
        Self::dealt(rules, rng)
    }

    #[inline]
    fn to_move(&self) -> Option<Seat> {
        self.over.is_none().then_some(Seat(self.seat))
    }

    #[inline]
    fn legal(&self, mask: &mut Mask) {
        self.options(mask);
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        self.play(action);
    }

    fn returns(&self, out: &mut [f32]) {
        match self.over {
            Some(_) => self.pay(out),
            None => out.fill(0.0),
        }
    }

    #[inline]
    fn end(&self) -> Option<End> {
        self.over.map(|reason| End(reason as u8))
    }

    #[inline]
    fn observe(&self, seat: Seat, out: &mut [f32]) {
        let (plain, insights) = out.split_at_mut(insight::start(usize::from(self.players)));
        self.view(seat.index(), plain);
        if !insights.is_empty() {
            self.write_insights(seat.index(), insights);
        }
    }

    fn redeal_hidden(&mut self, seat: Seat, rng: &mut Rng) {
        self.redealt(seat.index(), rng);
    }

    fn transform(&self, symmetry: usize) -> Self {
        assert!(symmetry < table::TURNS, "the square has {} symmetries", table::TURNS);
        let set = |cells: Cells| each(cells).fold(0, |to, cell| to | only(turned(symmetry, cell)));
        let place = |cell: u8| if cell == state::NONE { cell } else { turned(symmetry, cell.into()) as u8 };
        let mut buried = Buried::EMPTY;
        self.buried.iter().for_each(|(cell, card)| buried.push(turned(symmetry, cell), card));
        Self {
            nodes: set(self.nodes),
            control: self.control.map(set),
            types: self.types.map(set),
            levels: self.levels.map(set),
            buried,
            placed: place(self.placed),
            chosen: if self.phase == state::Phase::MoveTo { place(self.chosen) } else { self.chosen },
            ..self.clone()
        }
    }
}
