//! The learner that a config asks for.

use nodarium_agent::Playable;
use nodarium_env::catalog::UnknownGame;
use nodarium_env::{BadRules, with_game};

use crate::config::Config;
use crate::gumbel::{BadSelfPlay, SelfPlay};
use crate::learner::{Learner, NotStarted};
use crate::ppo::Ppo;

/// A learner that cannot be had.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum StartError {
    #[error(transparent)]
    Game(#[from] UnknownGame),
    #[error(transparent)]
    Rules(#[from] BadRules),
    #[error(transparent)]
    NotStarted(#[from] NotStarted),
    #[error(transparent)]
    SelfPlay(#[from] BadSelfPlay),
}

/// A fresh learner for the game and the way of learning that the config names.
pub fn learner(config: &Config) -> Result<Box<dyn Learner>, StartError> {
    with_game!(config.game.as_str(), G => of::<G>(config))?
}

fn of<G: Playable>(config: &Config) -> Result<Box<dyn Learner>, StartError> {
    let rules = config.rules_of::<G>()?;
    match (&config.ppo, &config.gumbel) {
        (Some(_), _) => Ok(Box::new(Ppo::<G>::new(&rules, config)?)),
        (None, Some(_)) => Ok(Box::new(SelfPlay::<G>::new(rules, config)?)),
        (None, None) => Err(NotStarted::Table("ppo").into()),
    }
}
