//! Agents by their names: the short texts of the command line, configs and tables.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use nodarium_env::Text;
use nodarium_env::rules::nearest;

use crate::bots::{BadBudget, Budget, Greedy, GreedyBot, MonteCarlo, Random, Uct};
use crate::checkpoint::{self, CheckpointError, Plays};
use crate::network::Inference;
use crate::search::{BadSearch, Gumbel, Options};
use crate::{Agent, Evaluator, Policy, Symmetric};

/// A game that every agent can play.
pub trait Playable: Text + Greedy {}

impl<G: Text + Greedy> Playable for G {}

/// Which agent is meant.
///
/// ```
/// use nodarium_agent::AgentName;
/// let name: AgentName = "uct:1000".parse()?;
/// assert_eq!(name.to_string(), "uct:1000");
/// # Ok::<(), nodarium_agent::BadName>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentName {
    /// `random`
    Random,
    /// `greedy`
    Greedy,
    /// `mc:BUDGET`
    MonteCarlo(Budget),
    /// `uct:BUDGET`
    Uct(Budget),
    /// `policy:PATH`: the policy of a checkpoint without search.
    Policy(PathBuf),
    /// `likeliest:PATH`: the same, but always its likeliest action, also where something is hidden.
    Likeliest(PathBuf),
    /// `gumbel:PATH@SIMULATIONS`: search with the network of a checkpoint; `gumbel:PATH@SIMULATIONS+ROLLOUTS`: with
    /// random play from every leaf beside it.
    Gumbel {
        /// The checkpoint.
        folder: PathBuf,
        /// Simulations for each answer.
        simulations: u32,
        /// Games played at random from every leaf; usually none.
        rollouts: u32,
    },
    /// `symmetric:AGENT`: one of the three above, whose network judges every position from all sides.
    Symmetric(Box<AgentName>),
}

impl AgentName {
    /// The checkpoint that the agent plays with, if it has learned.
    pub fn checkpoint(&self) -> Option<&Path> {
        match self {
            Self::Policy(folder) | Self::Likeliest(folder) | Self::Gumbel { folder, .. } => Some(folder),
            Self::Symmetric(inner) => inner.checkpoint(),
            _ => None,
        }
    }

    /// Whether it searches: it then plays the best that it found, not in the shares that it thinks of.
    pub fn is_search(&self) -> bool {
        match self {
            Self::MonteCarlo(_) | Self::Uct(_) | Self::Gumbel { .. } => true,
            Self::Symmetric(inner) => inner.is_search(),
            Self::Random | Self::Greedy | Self::Policy(_) | Self::Likeliest(_) => false,
        }
    }

    /// The same agent with another budget; none where it takes none of that kind.
    pub fn with_budget(&self, budget: Budget) -> Option<Self> {
        match (self, budget) {
            (Self::MonteCarlo(_), _) => Some(Self::MonteCarlo(budget)),
            (Self::Uct(_), _) => Some(Self::Uct(budget)),
            (Self::Gumbel { folder, rollouts, .. }, Budget::Simulations(simulations)) => {
                Some(Self::Gumbel { folder: folder.clone(), simulations, rollouts: *rollouts })
            }
            (Self::Symmetric(inner), _) => {
                inner.with_budget(budget).map(|inner| Self::Symmetric(Box::new(inner)))
            }
            _ => None,
        }
    }
}

/// The forms of a name, for help texts.
pub const FORMS: &str = "random, greedy, mc:BUDGET, uct:BUDGET (a budget is 1000 simulations or 250ms or 1s), \
                         policy:PATH, likeliest:PATH, gumbel:PATH@SIMULATIONS[+ROLLOUTS], symmetric:AGENT (one of the last three)";

/// The form of a search by name.
const GUMBEL: &str = "gumbel:PATH@SIMULATIONS[+ROLLOUTS]";

/// The form of a network that looks from all sides.
const SYMMETRIC: &str =
    "symmetric:policy:PATH, symmetric:likeliest:PATH or symmetric:gumbel:PATH@SIMULATIONS[+ROLLOUTS]";

const KINDS: [&str; 8] = ["random", "greedy", "mc", "uct", "policy", "likeliest", "gumbel", "symmetric"];

/// A text that names no agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadName {
    /// Nothing is called so.
    #[error("unknown agent `{name}`{}; the agents are: {FORMS}", suggestion(.name))]
    Unknown {
        /// What was given.
        name: String,
    },
    /// Something is missing behind the kind, or stands there without need.
    #[error("agent `{name}`: expected `{expected}`")]
    Form {
        /// What was given.
        name: String,
        /// The form of this kind of name.
        expected: &'static str,
    },
    /// The budget is none.
    #[error("agent `{name}`: {problem}")]
    Budget {
        /// What was given.
        name: String,
        /// What is wrong.
        problem: BadBudget,
    },
}

fn suggestion(name: &str) -> String {
    let kind = name.split(':').next().unwrap_or(name);
    nearest(kind, KINDS).map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default()
}

impl FromStr for AgentName {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        let name = || text.to_owned();
        let form = |expected| BadName::Form { name: name(), expected };
        let budget = |given: &str| given.parse().map_err(|problem| BadName::Budget { name: name(), problem });
        let (kind, rest) = match text.split_once(':') {
            Some((kind, rest)) => (kind, Some(rest)),
            None => (text, None),
        };
        match (kind, rest) {
            ("random", None) => Ok(Self::Random),
            ("random", Some(_)) => Err(form("random")),
            ("greedy", None) => Ok(Self::Greedy),
            ("greedy", Some(_)) => Err(form("greedy")),
            ("mc", Some(given)) => Ok(Self::MonteCarlo(budget(given)?)),
            ("mc", None) => Err(form("mc:BUDGET")),
            ("uct", Some(given)) => Ok(Self::Uct(budget(given)?)),
            ("uct", None) => Err(form("uct:BUDGET")),
            ("policy", Some(path)) if !path.is_empty() => Ok(Self::Policy(path.into())),
            ("policy", _) => Err(form("policy:PATH")),
            ("likeliest", Some(path)) if !path.is_empty() => Ok(Self::Likeliest(path.into())),
            ("likeliest", _) => Err(form("likeliest:PATH")),
            ("gumbel", Some(given)) => match given.rsplit_once('@') {
                Some((path, counts)) if !path.is_empty() => {
                    let (simulations, rollouts) = match counts.split_once('+') {
                        Some((simulations, rollouts)) => (budget(simulations)?, Some(budget(rollouts)?)),
                        None => (budget(counts)?, None),
                    };
                    match (simulations, rollouts.unwrap_or(Budget::Simulations(0))) {
                        (Budget::Simulations(simulations), Budget::Simulations(rollouts)) => {
                            Ok(Self::Gumbel { folder: path.into(), simulations, rollouts })
                        }
                        _ => Err(form(GUMBEL)),
                    }
                }
                _ => Err(form(GUMBEL)),
            },
            ("gumbel", None) => Err(form(GUMBEL)),
            ("symmetric", Some(inner)) => match inner.parse()? {
                inner @ (Self::Policy(_) | Self::Likeliest(_) | Self::Gumbel { .. }) => {
                    Ok(Self::Symmetric(Box::new(inner)))
                }
                _ => Err(form(SYMMETRIC)),
            },
            ("symmetric", None) => Err(form(SYMMETRIC)),
            _ => Err(BadName::Unknown { name: name() }),
        }
    }
}

impl fmt::Display for AgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Greedy => f.write_str("greedy"),
            Self::MonteCarlo(budget) => write!(f, "mc:{budget}"),
            Self::Uct(budget) => write!(f, "uct:{budget}"),
            Self::Policy(path) => write!(f, "policy:{}", path.display()),
            Self::Likeliest(path) => write!(f, "likeliest:{}", path.display()),
            Self::Symmetric(inner) => write!(f, "symmetric:{inner}"),
            Self::Gumbel { folder, simulations, rollouts: 0 } => {
                write!(f, "gumbel:{}@{simulations}", folder.display())
            }
            Self::Gumbel { folder, simulations, rollouts } => {
                write!(f, "gumbel:{}@{simulations}+{rollouts}", folder.display())
            }
        }
    }
}

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
        AgentName::Greedy => Ok(Box::new(GreedyBot::new::<G>(rules, seed))),
        AgentName::MonteCarlo(budget) => Ok(Box::new(MonteCarlo::new::<G>(rules, *budget, seed))),
        AgentName::Uct(budget) => Ok(Box::new(Uct::<G>::new(rules, *budget, seed).as_judged(rules))),
        AgentName::Symmetric(inner) => {
            let network = network::<G>(name, rules)?;
            trained(inner, rules, Symmetric::new(&G::spec(rules), network), seed)
        }
        AgentName::Policy(_) | AgentName::Likeliest(_) | AgentName::Gumbel { .. } => {
            trained(name, rules, network::<G>(name, rules)?, seed)
        }
    }
}

/// The network of the checkpoint that an agent plays with.
fn network<G: Playable>(name: &AgentName, rules: &G::Rules) -> Result<Inference, BuildError> {
    let folder = name.checkpoint().expect("whoever has learned plays with a checkpoint");
    match checkpoint::load(folder, &Plays::of::<G>(rules)) {
        Ok(checkpoint) => Ok(Inference::new(&checkpoint.weights)),
        Err(problem) => Err(BuildError::Checkpoint { name: name.clone(), problem: Box::new(problem) }),
    }
}

/// An agent that plays with what an evaluator says.
fn trained<G: Playable, E: Evaluator + 'static>(
    name: &AgentName,
    rules: &G::Rules,
    evaluator: E,
    seed: u64,
) -> Result<Box<dyn Agent<G>>, BuildError> {
    match *name {
        AgentName::Likeliest(_) => Ok(Box::new(Policy::new::<G>(rules, evaluator, seed).likeliest())),
        AgentName::Gumbel { simulations, rollouts, .. } => {
            // Noise is for learning; play takes the best that was found.
            let options = Options { simulations, rollouts, gumbel_scale: 0.0, seed, ..Options::default() };
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

    #[test]
    fn names_read_back_as_written() {
        let names = ["random", "greedy", "mc:1000", "mc:1s", "uct:1000", "uct:1s", "uct:250ms"];
        let with_paths = [
            "policy:runs/a b/checkpoints/12",
            "gumbel:runs/x@home/3@64",
            "gumbel:a+b@64+16",
            "likeliest:C:\\runs\\a",
            "symmetric:policy:a",
            "symmetric:gumbel:a@64+16",
        ];
        for text in names.into_iter().chain(with_paths) {
            assert_eq!(text.parse::<AgentName>().map(|name| name.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn bad_names_are_answered_with_what_was_expected() {
        let cases = [
            ("gredy", "did you mean `greedy`?"),
            ("uctt:100", "did you mean `uct`?"),
            ("", "unknown agent ``; the agents are: random, greedy"),
            ("xyz", "unknown agent `xyz`; the agents are: random, greedy"),
            ("uct", "agent `uct`: expected `uct:BUDGET`"),
            ("random:5", "agent `random:5`: expected `random`"),
            ("mc:fast", "agent `mc:fast`: `fast` is no budget: expected a number of simulations"),
            ("uct:0", "`0` is no budget"),
            ("policy:", "expected `policy:PATH`"),
            ("likeliest", "expected `likeliest:PATH`"),
            ("gumbel:a", "expected `gumbel:PATH@SIMULATIONS[+ROLLOUTS]`"),
            ("gumbel:a@1s", "expected `gumbel:PATH@SIMULATIONS[+ROLLOUTS]`"),
            ("gumbel:a@64+1s", "expected `gumbel:PATH@SIMULATIONS[+ROLLOUTS]`"),
            ("gumbel:a@64+", "`` is no budget"),
            (
                "symmetric:greedy",
                "expected `symmetric:policy:PATH, symmetric:likeliest:PATH or symmetric:gumbel:",
            ),
            ("symmetric", "expected `symmetric:policy:PATH"),
            ("gumbel:@64", "expected `gumbel:PATH@SIMULATIONS[+ROLLOUTS]`"),
        ];
        for (text, expected) in cases {
            let error = text.parse::<AgentName>().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

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
