//! Exact exploitability of named agents, for the games that can be searched to the end.

use nodarium_agent::{Agent, AgentName, BuildError, Playable, Query, Thought, build};
use nodarium_env::Rules as _;
use nodarium_env::calibration::EnumeratedDeals;
use nodarium_env::calibration::kuhn::Kuhn;
use nodarium_env::calibration::leduc::Leduc;

use crate::exploitability::{BadPolicy, Profile};

/// Why there is no number.
#[derive(Debug, thiserror::Error)]
pub enum ExactError {
    /// The agent cannot be had.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// It gives no probabilities.
    #[error(transparent)]
    Policy(#[from] BadPolicy),
}

/// What a seat gains on average by turning to its best response against the agent; `None` where the game cannot be
/// searched to the end, or the agent's choices are not those that it thinks of in shares (search plays the best alone).
pub fn exploitability(game: &str, name: &AgentName, seed: u64) -> Result<Option<f64>, ExactError> {
    if name.is_search() {
        return Ok(None);
    }
    match game {
        "kuhn" => of::<Kuhn>(name, seed).map(Some),
        "leduc" => of::<Leduc>(name, seed).map(Some),
        _ => Ok(None),
    }
}

fn of<G: Playable + EnumeratedDeals>(name: &AgentName, seed: u64) -> Result<f64, ExactError> {
    const { assert!(G::Rules::OPTIONS.is_empty(), "the default rules are the only ones") };
    let rules = G::Rules::default();
    let mut agent: Box<dyn Agent<G>> = build(name, &rules, seed)?;
    let mut thoughts: Vec<Thought> = Vec::new();
    let profile = Profile::<G>::new(&rules, |game, _, weights| {
        agent.think(&[Query { game, key: 0, ply: 0 }], &mut thoughts);
        for &(action, share) in &thoughts[0].policy {
            weights[action.index()] = share;
        }
    })?;
    Ok(profile.exploitability())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_play_has_the_published_exploitability_and_search_has_no_number() {
        let random = exploitability("kuhn", &AgentName::Random, 1).expect("random thinks in shares");
        assert!(random.is_some_and(|value| (value - 11.0 / 24.0).abs() < 1e-6), "{random:?}");
        let greedy = exploitability("leduc", &AgentName::Greedy, 1).expect("greedy thinks in shares");
        assert!(greedy.is_some_and(|value| value > 0.1), "{greedy:?}");
        let uct: AgentName = "uct:10".parse().expect("a good name");
        assert!(exploitability("kuhn", &uct, 1).is_ok_and(|value| value.is_none()));
        assert!(exploitability("shuter", &AgentName::Random, 1).is_ok_and(|value| value.is_none()));
    }
}
