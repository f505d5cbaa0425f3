//! Agents made from their names.

use nodarium_env::Text;

use crate::bots::{Greedy, GreedyBot, MonteCarlo, Random, Uct};
use crate::checkpoint::{self, CheckpointError, Plays};
use crate::network::Inference;
use crate::search::{BadSearch, Gumbel, Options, Settings};
use crate::{Agent, AgentName, Evaluator, Policy, Symmetric};

/// A game that every agent can play.
pub trait Playable: Text + Greedy {}

impl<G: Text + Greedy> Playable for G {}

/// An agent that is named rightly and cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The checkpoint does not load for this game and these rules.
    #[error("agent `{name}`: {problem}")]
    Checkpoint {
        /// What was asked for.
        name: AgentName,
        /// What is wrong.
        problem: Box<CheckpointError>,
    },
    /// The search does not take these settings.
    #[error("agent `{name}`: {problem}")]
    Search {
        /// What was asked for.
        name: AgentName,
        /// What is wrong.
        problem: BadSearch,
    },
}

/// The agent with that name. Agents with the same name and seed give the same answers.
pub fn build<G: Playable>(
    name: &AgentName,
    rules: &G::Rules,
    seed: u64,
) -> Result<Box<dyn Agent<G>>, BuildError> {
    match name {
        AgentName::Random => Ok(Box::new(Random::new(seed))),
        AgentName::Greedy => Ok(Box::new(GreedyBot::<G>::new(rules, seed))),
        AgentName::MonteCarlo(budget) => Ok(Box::new(MonteCarlo::new::<G>(rules, *budget, seed))),
        AgentName::Uct(budget) => Ok(Box::new(Uct::<G>::new(rules, *budget, seed).as_judged(rules))),
        AgentName::Symmetric(inner) => {
            let (network, settings) = network::<G>(name, rules)?;
            trained(inner, rules, Symmetric::new(&G::spec(rules), network), settings, seed)
        }
        AgentName::Policy(_) | AgentName::Likeliest(_) | AgentName::Gumbel { .. } => {
            let (network, settings) = network::<G>(name, rules)?;
            trained(name, rules, network, settings, seed)
        }
    }
}

/// The network of the checkpoint that an agent plays with, and how it wants to be searched with.
fn network<G: Playable>(name: &AgentName, rules: &G::Rules) -> Result<(Inference, Settings), BuildError> {
    let folder = name.checkpoint().expect("whoever has learned plays with a checkpoint");
    match checkpoint::load(folder, &Plays::of::<G>(rules)) {
        Ok(checkpoint) => {
            Ok((Inference::new(&checkpoint.weights), checkpoint.manifest.search.unwrap_or_default()))
        }
        Err(problem) => Err(BuildError::Checkpoint { name: name.clone(), problem: Box::new(problem) }),
    }
}

/// An agent that plays with what an evaluator says.
fn trained<G: Playable, E: Evaluator + 'static>(
    name: &AgentName,
    rules: &G::Rules,
    evaluator: E,
    settings: Settings,
    seed: u64,
) -> Result<Box<dyn Agent<G>>, BuildError> {
    match *name {
        AgentName::Likeliest(_) => Ok(Box::new(Policy::new::<G>(rules, evaluator, seed).likeliest())),
        AgentName::Gumbel { simulations, rollouts, overrides, .. } => {
            // Noise is for learning; play takes the best that was found.
            let options = Options { simulations, rollouts, gumbel_scale: 0.0, seed, ..Options::default() };
            let options = overrides.over(settings).in_options(options);
            match Gumbel::<G, _>::new(rules, evaluator, options) {
                Ok(agent) => Ok(Box::new(agent)),
                Err(problem) => Err(BuildError::Search { name: name.clone(), problem }),
            }
        }
        _ => Ok(Box::new(Policy::new::<G>(rules, evaluator, seed))),
    }
}

#[cfg(test)]
mod tests {
    use nodarium_env::calibration::tictactoe::TicTacToe;

    use super::*;
    use crate::bots::Budget;

    #[test]
    fn every_bot_can_be_built() {
        for text in ["random", "greedy", "mc:10", "uct:10"] {
            let name: AgentName = text.parse().expect("the name is good");
            assert!(build::<TicTacToe>(&name, &Default::default(), 0).is_ok(), "{text}");
        }
    }

    /// A merge once dropped the judgement from the named bot, and no test saw it.
    #[test]
    fn the_named_search_is_the_one_that_judges_leaves() {
        use nodarium_env::games::colony::Colony;
        use nodarium_env::rng::Purpose;
        use nodarium_env::{Game as _, Rng};

        let rules = nodarium_env::conformance::rules::<Colony>("{}");
        let game = Colony::deal(&rules, &mut Rng::keyed(Purpose::Deal, 1, 0, 0));
        let budget = Budget::Simulations(40);
        let think = |agent: &mut dyn Agent<Colony>| {
            let mut thoughts = Vec::new();
            agent.think(&[crate::Query { game: &game, key: 0, ply: 0 }], &mut thoughts);
            (thoughts[0].visits.clone(), thoughts[0].value.clone())
        };
        let mut named = build::<Colony>(&AgentName::Uct(budget), &rules, 5).expect("a bot needs no file");
        let mut judged = Uct::<Colony>::new(&rules, budget, 5).as_judged(&rules);
        let mut bare = Uct::<Colony>::new(&rules, budget, 5);
        assert_eq!(think(named.as_mut()), think(&mut judged));
        assert_ne!(think(named.as_mut()), think(&mut bare));
    }

    #[test]
    fn a_checkpoint_that_is_not_there_is_named() {
        let name: AgentName = "gumbel:/no/such/run@64".parse().expect("the name is good");
        let error = build::<TicTacToe>(&name, &Default::default(), 0).err().map(|error| error.to_string());
        let told = error.expect("there is nothing to load");
        assert!(
            told.starts_with("agent `gumbel:/no/such/run@64`: ") && told.contains("manifest.json"),
            "{told}"
        );
    }
}
