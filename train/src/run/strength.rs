//! Matches during training: how strong the policy has become.

use nodarium_agent::network::{Inference, Weights};
use nodarium_agent::play::{Pairing, PlayError, play};
use nodarium_agent::{Agent, AgentName, BadName, BuildError, Interval, Playable, Policy, build};
use nodarium_env::catalog::UnknownGame;
use nodarium_env::rng::Purpose;
use nodarium_env::{BadRules, Game, Rng, with_game};

use crate::config::Config;

/// The name of the opponent that is the run itself at half as many iterations.
pub const EARLIER_SELF: &str = "earlier_self";
/// Sets the streams of matches apart from all others that are keyed by an iteration.
const MATCHES: u64 = 0x6d61_7463_6865_7321;

/// How the policy did against one opponent, every deal played once from each seat.
#[derive(Clone, Debug, PartialEq)]
pub struct Bout {
    /// Whom it played.
    pub opponent: String,
    /// Deals.
    pub deals: usize,
    /// Games: a deal is one for each seat.
    pub games: usize,
    /// Its score: 1 a win, ½ a draw.
    pub score: Interval,
    /// What it won on average: above 0 it is the stronger one, in games for points and for chips alike.
    pub returns: Interval,
}

/// How a match is played.
#[derive(Clone, Copy)]
struct Matches {
    deals: usize,
    opening: u32,
}

/// Matches that cannot be played.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum StrengthError {
    #[error(transparent)]
    Game(#[from] UnknownGame),
    #[error(transparent)]
    Rules(#[from] BadRules),
    #[error(transparent)]
    Name(#[from] BadName),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// Checks that every opponent can be had, before a run begins.
pub fn check(config: &Config) -> Result<(), StrengthError> {
    fn every<G: Playable>(config: &Config) -> Result<(), StrengthError> {
        let rules = config.rules_of::<G>()?;
        for name in &config.strength.opponents {
            build::<G>(&name.parse::<AgentName>()?, &rules, 0)?;
        }
        Ok(())
    }
    with_game!(config.game.as_str(), G => every::<G>(config))?
}

/// Plays against every opponent, with deals of this iteration; the policy plays without search.
pub fn matches(
    config: &Config,
    iteration: u64,
    weights: &Weights,
    earlier: Option<&Weights>,
) -> Result<Vec<Bout>, StrengthError> {
    with_game!(config.game.as_str(), G => all::<G>(config, iteration, weights, earlier))?
}

fn all<G: Playable>(
    config: &Config,
    iteration: u64,
    weights: &Weights,
    earlier: Option<&Weights>,
) -> Result<Vec<Bout>, StrengthError> {
    let rules = config.rules_of::<G>()?;
    let [deals, own, other] = seeds(config, iteration);
    let mut opponents: Vec<(String, Box<dyn Agent<G>>)> = Vec::new();
    for name in &config.strength.opponents {
        opponents.push((name.clone(), build::<G>(&name.parse::<AgentName>()?, &rules, other)?));
    }
    if let Some(earlier) = earlier {
        let policy = Policy::new::<G>(&rules, Inference::new(earlier), other);
        opponents.push((EARLIER_SELF.to_owned(), Box::new(policy)));
    }
    let mut policy = Policy::new::<G>(&rules, Inference::new(weights), own);
    let matches = Matches { deals: config.strength.pairs, opening: config.strength.opening };
    let mut bouts = Vec::new();
    for (opponent, mut agent) in opponents {
        bouts.push(bout::<G>(&rules, deals, &mut policy, &mut *agent, opponent, matches)?);
    }
    Ok(bouts)
}

/// Plays against one agent, with deals that no match of an iteration has.
pub fn one(
    config: &Config,
    weights: &Weights,
    name: &AgentName,
    deals: usize,
) -> Result<Bout, StrengthError> {
    fn of<G: Playable>(
        config: &Config,
        weights: &Weights,
        name: &AgentName,
        deals: usize,
    ) -> Result<Bout, StrengthError> {
        let rules = config.rules_of::<G>()?;
        let [seed, own, other] = seeds(config, u64::MAX);
        let mut policy = Policy::new::<G>(&rules, Inference::new(weights), own);
        let mut agent = build::<G>(name, &rules, other)?;
        let matches = Matches { deals, opening: config.strength.opening };
        bout::<G>(&rules, seed, &mut policy, &mut *agent, name.to_string(), matches)
    }
    with_game!(config.game.as_str(), G => of::<G>(config, weights, name, deals))?
}

/// The seeds of a match: of its deals, of the policy, of its opponents.
fn seeds(config: &Config, iteration: u64) -> [u64; 3] {
    let mut stream = Rng::keyed(Purpose::Choice, config.seed, iteration, MATCHES);
    std::array::from_fn(|_| u64::from(stream.bits()) << 32 | u64::from(stream.bits()))
}

fn bout<G: Game>(
    rules: &G::Rules,
    seed: u64,
    policy: &mut dyn Agent<G>,
    agent: &mut dyn Agent<G>,
    opponent: String,
    Matches { deals, opening }: Matches,
) -> Result<Bout, StrengthError> {
    let seats = G::spec(rules).seats;
    // One seat for the policy, the opponent at all others, and every seat once.
    let table = |deal, seat| {
        let mut seats = vec![1; seats];
        seats[seat] = 0;
        Pairing { deal, seats }
    };
    let pairings: Vec<Pairing> =
        (0..deals as u64).flat_map(|deal| (0..seats).map(move |seat| table(deal, seat))).collect();
    let outcomes = play::<G>(rules, seed, opening, &mut [policy, agent], &pairings)?;
    let mean = |worth: &dyn Fn(f32) -> f64| -> Vec<f64> {
        let of_deal = outcomes.chunks_exact(seats).map(|games| {
            games.iter().enumerate().map(|(seat, game)| worth(game.returns[seat])).sum::<f64>() / seats as f64
        });
        of_deal.collect()
    };
    let won = |paid: f32| if paid == 0.0 { 0.5 } else { f64::from(u8::from(paid > 0.0)) };
    let (score, returns) = (Interval::of(&mean(&won)), Interval::of(&mean(&|paid| f64::from(paid))));
    Ok(Bout { opponent, deals, games: outcomes.len(), score, returns })
}
