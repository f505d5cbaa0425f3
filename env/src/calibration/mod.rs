//! Small games that the whole field knows exactly: they prove the engine and the learners.

use serde::{Deserialize, Serialize};

use crate::rules::Reader;
use crate::{BadRules, Game, RuleOption, Rules};

pub mod connect_four;
pub mod kuhn;
pub mod leduc;
mod poker;
pub mod tictactoe;

/// A game with so few deals that all of them can be listed. Because the deal is the only chance, the list makes the
/// whole game tree finite and exact: expected values, best responses and exploitability follow by walking it.
pub trait EnumeratedDeals: Game {
    /// Every state that [`deal`](Game::deal) can give, each once, with its probability; these sum to 1.
    fn deals(rules: &Self::Rules) -> Vec<(f64, Self)>;
}

/// The rules of a game that leaves nothing to choose.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NoOptions {}

impl Rules for NoOptions {
    const OPTIONS: &'static [RuleOption] = &[];

    fn check(&mut self, _read: &Reader<'_>) -> Result<(), BadRules> {
        Ok(())
    }
}
