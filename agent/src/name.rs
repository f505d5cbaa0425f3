//! Agents by their names: the short texts of the command line, configs and tables.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use nodarium_env::rules::nearest;

use crate::bots::{BadBudget, Budget};
use crate::search::{BadSetting, Overrides};

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
    /// random play from every leaf beside it; `gumbel:PATH@64,considered=8`: with other settings than the checkpoint's own.
    Gumbel {
        /// The checkpoint.
        folder: PathBuf,
        /// Simulations for each answer.
        simulations: u32,
        /// Games played at random from every leaf; usually none.
        rollouts: u32,
        /// What takes the place of the checkpoint's own settings.
        overrides: Overrides,
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

    /// A search with the network of a checkpoint, as it wants to be searched with.
    pub fn gumbel(folder: &Path, simulations: u32) -> Self {
        Self::Gumbel { folder: folder.to_owned(), simulations, rollouts: 0, overrides: Overrides::default() }
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
            (Self::Gumbel { folder, rollouts, overrides, .. }, Budget::Simulations(simulations)) => {
                let (folder, rollouts, overrides) = (folder.clone(), *rollouts, *overrides);
                Some(Self::Gumbel { folder, simulations, rollouts, overrides })
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
                         policy:PATH, likeliest:PATH, gumbel:PATH@SIMULATIONS[+ROLLOUTS][,SETTING=VALUE…] (settings: considered, c_scale, rescale), \
                         symmetric:AGENT (one of the last three)";

/// The form of a search by name.
const GUMBEL: &str = "gumbel:PATH@SIMULATIONS[+ROLLOUTS][,SETTING=VALUE…]";

/// The form of a network that looks from all sides.
const SYMMETRIC: &str = "symmetric:policy:PATH, symmetric:likeliest:PATH or symmetric:gumbel:PATH@SIMULATIONS[+ROLLOUTS][,SETTING=VALUE…]";

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
    /// A setting that no search takes.
    #[error("agent `{name}`: {problem}")]
    Setting {
        /// What was given.
        name: String,
        /// What is wrong.
        problem: BadSetting,
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
            ("gumbel", Some(given)) => gumbel(text, given),
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

/// Reads what stands behind `gumbel:`; `name` is the whole.
fn gumbel(name: &str, given: &str) -> Result<AgentName, BadName> {
    let form = || BadName::Form { name: name.to_owned(), expected: GUMBEL };
    let count = |text: &str| match text.parse() {
        Ok(Budget::Simulations(count)) => Ok(count),
        Ok(Budget::Time(_)) => Err(form()),
        Err(problem) => Err(BadName::Budget { name: name.to_owned(), problem }),
    };
    let (folder, rest) = given.rsplit_once('@').filter(|(folder, _)| !folder.is_empty()).ok_or_else(form)?;
    let (counts, settings) = match rest.split_once(',') {
        Some((counts, settings)) => (counts, Some(settings)),
        None => (rest, None),
    };
    let (simulations, rollouts) = match counts.split_once('+') {
        Some((simulations, rollouts)) => (count(simulations)?, count(rollouts)?),
        None => (count(counts)?, 0),
    };
    let overrides = settings.map(str::parse).transpose();
    let overrides = overrides.map_err(|problem| BadName::Setting { name: name.to_owned(), problem })?;
    Ok(AgentName::Gumbel {
        folder: folder.into(),
        simulations,
        rollouts,
        overrides: overrides.unwrap_or_default(),
    })
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
            Self::Gumbel { folder, simulations, rollouts, overrides } => {
                write!(f, "gumbel:{}@{simulations}", folder.display())?;
                if *rollouts > 0 {
                    write!(f, "+{rollouts}")?;
                }
                if overrides.is_empty() { Ok(()) } else { write!(f, ",{overrides}") }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_as_written() {
        let names = ["random", "greedy", "mc:1000", "mc:1s", "uct:1000", "uct:1s", "uct:250ms"];
        let with_paths = [
            "policy:runs/a b/checkpoints/12",
            "gumbel:runs/x@home/3@64",
            "gumbel:a+b@64+16",
            "gumbel:a,b=c@64,considered=8",
            "gumbel:a@64+16,considered=8,c_scale=0.2,rescale=false",
            "symmetric:gumbel:a@64,c_scale=1",
            "likeliest:C:\\runs\\a",
            "symmetric:policy:a",
            "symmetric:gumbel:a@64+16",
        ];
        for text in names.into_iter().chain(with_paths) {
            assert_eq!(text.parse::<AgentName>().map(|name| name.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn settings_behind_a_name_are_written_in_one_order_and_stay_with_another_budget() {
        let name: AgentName = "gumbel:a@64+2,rescale=false,considered=8".parse().expect("a good name");
        assert_eq!(name.to_string(), "gumbel:a@64+2,considered=8,rescale=false");
        let more = name.with_budget(Budget::Simulations(500)).map(|name| name.to_string());
        assert_eq!(more.as_deref(), Some("gumbel:a@500+2,considered=8,rescale=false"));
        let plain = AgentName::gumbel(Path::new("a"), 64);
        assert_eq!("gumbel:a@64".parse(), Ok(plain.clone()));
        assert_ne!("gumbel:a@64,considered=16".parse(), Ok(plain), "what is said twice is said");
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
            ("gumbel:a", "expected `gumbel:PATH@SIMULATIONS[+ROLLOUTS][,SETTING=VALUE…]`"),
            ("gumbel:a@1s", "expected `gumbel:PATH@SIMULATIONS[+ROLLOUTS][,SETTING=VALUE…]`"),
            ("gumbel:a@64+1s", "expected `gumbel:PATH@SIMULATIONS[+ROLLOUTS][,SETTING=VALUE…]`"),
            ("gumbel:a@64+", "`` is no budget"),
            (
                "symmetric:greedy",
                "expected `symmetric:policy:PATH, symmetric:likeliest:PATH or symmetric:gumbel:",
            ),
            ("symmetric", "expected `symmetric:policy:PATH"),
            ("gumbel:@64", "expected `gumbel:PATH@SIMULATIONS[+ROLLOUTS][,SETTING=VALUE…]`"),
            ("gumbel:a@64,", "agent `gumbel:a@64,`: `` sets nothing: expected considered=N"),
            ("gumbel:a@64,consider=8", "did you mean `considered`?"),
            (
                "gumbel:a@64,considered=0",
                "search setting `considered` is 0: expected a whole number from 1 to 256",
            ),
            ("gumbel:a@64,c_scale=-1", "search setting `c_scale` is -1: expected a number from 0 to 100"),
            ("symmetric:gumbel:a@64,rescale=1", "search setting `rescale` is 1: expected true or false"),
            ("gumbel:a@considered=8", "`considered=8` is no budget"),
        ];
        for (text, expected) in cases {
            let error = text.parse::<AgentName>().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
