//! Some slots of self-play with the searches that they share.

use nodarium_agent::search::{BadSearch, Found, Options, Search};
use nodarium_agent::{Agent, Evaluator, Query};
use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Game, Rng, random_action};

use super::played::Played;

/// Slots that one thread plays together: enough rows for the network, few enough that the trees stay in the second cache
/// and that no thread waits long for the last shard of a phase.
pub const SLOTS: usize = 32;

/// A slot has 16 bits and its episodes have the rest of the 64 that key a game's noise.
pub const MOST_EPISODES: u64 = 1 << 48;

/// How self-play searches and chooses; the same for all shards of a run at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manner {
    /// The full search.
    pub full: Options,
    /// Simulations of a cheap one.
    pub cheap: u32,
    /// The share of plies that get a full one.
    pub full_share: f32,
    /// The share of plies that the teacher plays itself, while it does.
    pub taught_share: f32,
    /// Plies at the start of a game whose action is drawn.
    pub drawn: u32,
    /// The longest opening.
    pub opening: u32,
    /// The seed of the coins that are thrown for full or cheap, and for openings.
    pub coins: u64,
    /// Whether the teacher plays instead of search.
    pub taught: bool,
}

impl Manner {
    /// The game of a slot behind its opening: none to `opening` plies, all lengths equally likely, of random legal actions
    /// that do not end the game.
    pub fn fresh<G: Game>(&self, rules: &G::Rules, seed: u64, slot: u32, episode: u64) -> (Played, G) {
        let mut played = Played::new(slot, episode);
        let mut game: G = played.deal(rules, seed);
        let mut coins = Rng::keyed(Purpose::Choice, self.coins, key(&played), u64::MAX);
        for _ in 0..coins.below(self.opening + 1) {
            let action = random_action(&game, &mut coins).expect("the game goes on");
            let mut next = game.clone();
            next.apply(action);
            if next.to_move().is_none() {
                break;
            }
            played.open(action);
            game = next;
        }
        (played, game)
    }
}

/// Neighbouring slots.
pub struct Shard<G> {
    games: Vec<(Played, G)>,
    searches: [Search<G>; 2],
    found: Found,
    manner: Manner,
    teacher: Option<Box<dyn Agent<G>>>,
}

/// What a shard has to tell after some plies.
#[derive(Default)]
pub struct Harvest {
    /// The games that ended, in the order in which they did.
    pub games: Vec<Played>,
    /// `[games]`: the reason that each ended for.
    pub ends: Vec<u8>,
    /// Simulations.
    pub simulations: u64,
}

impl<G: Game> Shard<G> {
    /// Takes the games up; with a teacher, if one is to play.
    pub fn new(
        rules: &G::Rules,
        games: Vec<(Played, G)>,
        manner: Manner,
        teacher: Option<Box<dyn Agent<G>>>,
    ) -> Result<Self, BadSearch> {
        Ok(Self { games, searches: searches(rules, &manner)?, found: Found::default(), manner, teacher })
    }

    /// The games under way.
    pub fn games(&self) -> impl ExactSizeIterator<Item = &Played> {
        self.games.iter().map(|(played, _)| played)
    }

    /// Searches otherwise from now on.
    pub fn change(&mut self, rules: &G::Rules, manner: Manner) -> Result<(), BadSearch> {
        if manner != self.manner {
            self.searches = searches(rules, &manner)?;
            self.manner = manner;
        }
        Ok(())
    }

    /// Plays that many plies in every slot; finished games are dealt again.
    pub fn play<E: Evaluator>(
        &mut self,
        rules: &G::Rules,
        seed: u64,
        evaluator: &E,
        steps: usize,
    ) -> Result<Harvest, BadSearch> {
        let mut harvest = Harvest::default();
        for _ in 0..steps {
            if self.manner.taught {
                self.taught_ply(rules, seed, &mut harvest);
                continue;
            }
            let (full, cheap): (Vec<usize>, _) =
                (0..self.games.len()).partition(|&slot| self.falls(slot, self.manner.full_share));
            for (kind, slots) in [(Kind::Full, full), (Kind::Cheap, cheap)] {
                self.ply(rules, seed, evaluator, kind, &slots, &mut harvest)?;
            }
        }
        Ok(harvest)
    }

    /// A coin for the next ply of a slot that falls on the right side with that share: the same coin for the same ply.
    fn falls(&self, slot: usize, share: f32) -> bool {
        let (played, _) = &self.games[slot];
        let mut coin = Rng::keyed(Purpose::Choice, self.manner.coins, key(played), played.plies() as u64);
        coin.unit() < share
    }

    /// Searches the games of these slots in one batch and plays a ply in each.
    fn ply<E: Evaluator>(
        &mut self,
        rules: &G::Rules,
        seed: u64,
        evaluator: &E,
        kind: Kind,
        slots: &[usize],
        harvest: &mut Harvest,
    ) -> Result<(), BadSearch> {
        let query = |&slot: &usize| {
            let (played, game) = &self.games[slot];
            Query { game, key: key(played), ply: played.plies() as u32 }
        };
        let queries: Vec<Query<'_, G>> = slots.iter().map(query).collect();
        let mut found = std::mem::take(&mut self.found);
        self.searches[kind as usize].run(evaluator, &queries, &mut found)?;
        harvest.simulations += found.visits.iter().map(|&visits| u64::from(visits)).sum::<u64>();
        let seats = found.values.len() / slots.len().max(1);
        for (row, &slot) in slots.iter().enumerate() {
            let (played, game) = &mut self.games[slot];
            let policy = &found.policy[found.row(row)];
            let drawn = (played.plies() as u32) < self.manner.drawn;
            let action = if drawn { found.actions[row] } else { likeliest(&found, row) };
            let kept = if kind == Kind::Full { policy } else { &[] };
            played.push(action, kept, &found.values[row * seats..][..seats]);
            game.apply(action);
            self.take_out(rules, seed, slot, seats, harvest);
        }
        self.found = found;
        Ok(())
    }

    /// Lets the teacher play a ply in every game, or sometimes chance: a teacher that is never in trouble does not show how to get
    /// out of it.
    fn taught_ply(&mut self, rules: &G::Rules, seed: u64, harvest: &mut Harvest) {
        let games = self.games.iter();
        let queries: Vec<Query<'_, G>> = games
            .map(|(played, game)| Query { game, key: key(played), ply: played.plies() as u32 })
            .collect();
        let mut thoughts = Vec::new();
        self.teacher.as_mut().expect("who is taught has a teacher").think(&queries, &mut thoughts);
        let seats = G::spec(rules).seats;
        for (slot, mut thought) in thoughts.into_iter().enumerate() {
            let shown = self.falls(slot, self.manner.taught_share);
            let (played, game) = &mut self.games[slot];
            thought.policy.sort_by_key(|&(action, _)| action);
            let shares: Vec<f32> = thought.policy.iter().map(|&(_, share)| share).collect();
            let mut coins =
                Rng::keyed(Purpose::Choice, !self.manner.coins, key(played), played.plies() as u64);
            let action =
                if shown { drawn(&thought.policy, coins.unit()) } else { random_action(game, &mut coins) };
            let action = action.expect("the game goes on");
            // A teacher that only acts leaves its expectations to the outcome.
            thought.value.resize(seats, f32::NAN);
            played.push(action, &shares, &thought.value);
            game.apply(action);
            self.take_out(rules, seed, slot, seats, harvest);
        }
    }

    /// Harvests the game of a slot if it is over, and deals a new one.
    fn take_out(&mut self, rules: &G::Rules, seed: u64, slot: usize, seats: usize, harvest: &mut Harvest) {
        let (played, game) = &mut self.games[slot];
        let Some(end) = game.end() else { return };
        let mut returns = vec![0.0; seats];
        game.returns(&mut returns);
        played.finish(&returns);
        if let Some(teacher) = &mut self.teacher {
            teacher.forget(key(played));
        }
        let next = self.manner.fresh(rules, seed, played.slot, played.episode + 1);
        let (over, _) = std::mem::replace(&mut self.games[slot], next);
        harvest.games.push(over);
        harvest.ends.push(end.0);
    }
}

/// The action at that share of the way through the policy.
fn drawn(policy: &[(Action, f32)], mut rest: f32) -> Option<Action> {
    let found = policy.iter().find(|&&(_, share)| {
        rest -= share;
        rest < 0.0
    });
    // Shares may fall short of 1 in the last bits.
    found.or(policy.last()).map(|&(action, _)| action)
}

/// Which search a ply gets.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Full,
    Cheap,
}

fn searches<G: Game>(rules: &G::Rules, manner: &Manner) -> Result<[Search<G>; 2], BadSearch> {
    let cheap = Options { simulations: manner.cheap, ..manner.full };
    Ok([Search::new(rules, manner.full)?, Search::new(rules, cheap)?])
}

/// The number of a game in the whole run: no two have the same.
fn key(played: &Played) -> u64 {
    u64::from(played.slot) * MOST_EPISODES + played.episode
}

/// The action with the largest share; the smallest among equals.
fn likeliest(found: &Found, row: usize) -> Action {
    let shares = &found.policy[found.row(row)];
    let mut best = 0;
    for (place, share) in shares.iter().enumerate() {
        if *share > shares[best] {
            best = place;
        }
    }
    found.legal[found.row(row)][best]
}
