//! One game, drawn move by move.

use nodarium_agent::play::Finish;
use nodarium_env::rng::Purpose;
use nodarium_env::{Paint, Rng, Text};
use serde::{Deserialize, Serialize};

use crate::arena::Played;

/// A game as text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The entrant at each seat.
    pub seats: Vec<usize>,
    /// Its deal.
    pub deal: u64,
    /// The position after the deal, with ANSI colours.
    pub start: String,
    /// Every ply.
    pub plies: Vec<ExamplePly>,
    /// How it ended.
    pub end: String,
    /// What each seat won.
    pub returns: Vec<f32>,
}

/// A ply of an example.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExamplePly {
    /// Who moved.
    pub seat: u8,
    /// The move.
    #[serde(rename = "move")]
    pub played: String,
    /// The position afterwards.
    pub drawing: String,
}

impl Example {
    /// Plays a kept game again and draws it; `None` when its moves were not kept or it was forfeited.
    pub fn tell<G: Text>(rules: &G::Rules, seed: u64, played: &Played, paint: Paint) -> Option<Self> {
        let Finish::Over(end) = played.finish else { return None };
        let mut game = G::deal(rules, &mut Rng::keyed(Purpose::Deal, seed, played.deal, 0));
        let start = game.draw(None, paint);
        let mut plies = Vec::new();
        for &action in played.moves.as_ref()? {
            let seat = game.to_move()?.0;
            let text = game.move_text(action);
            game.try_apply(action).ok()?;
            plies.push(ExamplePly { seat, played: text, drawing: game.draw(None, paint) });
        }
        Some(Self {
            seats: played.seats.clone(),
            deal: played.deal,
            start,
            plies,
            end: G::spec(rules).ends[end.index()].to_owned(),
            returns: played.returns.clone(),
        })
    }
}
