//! Where agents meet: seats balanced, the same deals for everybody, both cores busy, the same games for any number of
//! threads.
//!
//! A **group** is a deal played once for every rotation of the seats: a pair of games for two, three or four games for
//! larger tables. A **bout** is what one rotation gives: a game or, for two seats, a series (S-16). Work is cut into units
//! of some groups of one meeting; threads take units in turn, each with agents of its own. An agent's answers depend on
//! its seed and the game's key, which is a function of the group alone: so a game between two agents is the same whoever
//! else takes part.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::{ControlFlow, Range};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use nodarium_agent::play::{Finish, Manner, Pairing, Table, Told, referee};
use nodarium_agent::{Agent, AgentName, Playable, build};
use nodarium_env::games::shuter::{Series, SeriesLength};
use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Game, Rng};
use rayon::prelude::*;

/// Groups that one thread plays side by side: enough to fill a network's batch, few enough to share the work.
const UNIT: u64 = 32;

/// Somebody who takes part.
pub struct Entrant<'a, G> {
    /// The name in tables.
    pub name: String,
    make: Make<'a, G>,
}

type Make<'a, G> = Box<dyn Fn() -> Result<Box<dyn Agent<G>>, String> + Send + Sync + 'a>;

impl<'a, G: Game> Entrant<'a, G> {
    /// An entrant by the function that makes the agent: once for each thread, and every one must answer alike.
    pub fn new(
        name: impl Into<String>,
        make: impl Fn() -> Result<Box<dyn Agent<G>>, String> + Send + Sync + 'a,
    ) -> Self {
        Self { name: name.into(), make: Box::new(make) }
    }

    /// The agent with that name.
    pub fn named(name: &AgentName, rules: &'a G::Rules, seed: u64) -> Self
    where
        G: Playable,
    {
        let (text, name) = (name.to_string(), name.clone());
        Self::new(text, move || build::<G>(&name, rules, seed).map_err(|error| error.to_string()))
    }

    /// Makes the agent once, to see whether it can be had.
    pub fn check(&self) -> Result<(), String> {
        (self.make)().map(|_| ())
    }
}

/// Who sits at a table together: an entrant for each seat, which rotate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The entrants; one that is named twice takes two seats.
    pub players: Vec<usize>,
}

/// Every meeting of a tournament in which all meet all.
///
/// With more entrants than seats, every choice of that many of them; with fewer, every way to fill the seats in which all
/// take part.
pub fn round_robin(entrants: usize, seats: usize) -> Vec<Meeting> {
    let mut tables: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..seats {
        let more = |table: Vec<usize>| {
            let from = table.last().map_or(0, |&last| if entrants >= seats { last + 1 } else { last });
            (from..entrants).map(move |next| [&table[..], &[next]].concat())
        };
        tables = tables.into_iter().flat_map(more).collect();
    }
    let all_sit = |table: &Vec<usize>| (0..entrants).all(|entrant| table.contains(&entrant));
    tables.retain(|table| entrants >= seats || all_sit(table));
    tables.into_iter().map(|players| Meeting { players }).collect()
}

/// One entrant alone against another that has all other seats: rotation gives it every seat of each deal once.
pub fn one_against_the_rest(alone: usize, rest: usize, seats: usize) -> Meeting {
    let mut players = vec![rest; seats];
    players[0] = alone;
    Meeting { players }
}

/// How everybody plays.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a> {
    /// The most time for an answer, the same for all.
    pub clock: Option<Duration>,
    /// Random plies after the deal, the same for all games of the deal.
    pub opening: u32,
    /// Games of a bout at most; more than one for two seats only.
    pub best_of: SeriesLength,
    /// Whether the moves of all games are kept; those of the first group always are.
    pub keep_moves: bool,
    /// Set from outside to stop; what is finished by then is kept.
    pub stop: Option<&'a AtomicBool>,
}

impl Default for Conditions<'_> {
    fn default() -> Self {
        let best_of = SeriesLength::new(1).expect("a single game is a series");
        Self { clock: None, opening: 0, best_of, keep_moves: false, stop: None }
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Its deal.
    pub deal: u64,
    /// The entrant at each seat.
    pub seats: Vec<usize>,
    /// What each seat won.
    pub returns: Vec<f32>,
    /// How it ended; the agent of a forfeit is the entrant.
    pub finish: Finish,
    /// Plies played.
    pub plies: u32,
    /// The same for games with the same moves.
    pub digest: u64,
    /// The moves, if they were kept.
    pub moves: Option<Vec<Action>>,
}

/// A game, or a series of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Bout {
    /// The games in order.
    pub games: Vec<Played>,
    /// What each place of the meeting made of it: in a game its return, in a series the games won less those lost.
    pub points: Vec<f64>,
}

/// All bouts over the same deals.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its number; groups with the same number have the same deals in every meeting.
    pub number: u64,
    /// One for each rotation of the seats; `None` where it was not finished.
    pub bouts: Vec<Option<Bout>>,
}

impl Group {
    /// Whether every bout was finished: only then are the seats balanced.
    pub fn is_whole(&self) -> bool {
        self.bouts.iter().all(Option::is_some)
    }
}

/// What came of some meetings.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// The groups of each meeting, by number. Groups that were not begun are absent.
    pub groups: Vec<Vec<Group>>,
    /// What went wrong, if something did: an agent that could not be made, or one that broke the playing loop.
    pub failure: Option<String>,
}

/// Meetings that cannot be held.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadMeeting {
    /// A table of another size.
    #[error("a table of {players} for {game}, which has {seats} seats under these rules")]
    Seats {
        /// Who was to play.
        players: usize,
        /// The game.
        game: &'static str,
        /// Its seats.
        seats: usize,
    },
    /// Series are for two.
    #[error("a series of {games} games for {game}, which has {seats} seats under these rules: expected 2")]
    Series {
        /// Games of the series.
        games: u8,
        /// The game.
        game: &'static str,
        /// Its seats.
        seats: usize,
    },
}

/// The agents of one thread, by entrant.
type Crew<G> = BTreeMap<usize, Box<dyn Agent<G>>>;

/// Holds meetings between entrants.
pub struct Arena<'a, G: Game> {
    rules: &'a G::Rules,
    seed: u64,
    entrants: &'a [Entrant<'a, G>],
    conditions: Conditions<'a>,
    crews: Mutex<Vec<Crew<G>>>,
}

/// Some groups of a meeting.
struct Unit<'m> {
    index: usize,
    meeting: &'m Meeting,
    groups: Range<u64>,
}

/// What is told of every finished bout: the meeting's index and the bout.
pub type Watch<'w> = dyn Fn(usize, &Bout) + Sync + 'w;

impl<'a, G: Game> Arena<'a, G> {
    /// An arena; `seed` decides the deals.
    pub fn new(
        rules: &'a G::Rules,
        seed: u64,
        entrants: &'a [Entrant<'a, G>],
        conditions: Conditions<'a>,
    ) -> Self {
        Self { rules, seed, entrants, conditions, crews: Mutex::new(Vec::new()) }
    }

    /// Whether every game of these rules begins alike, so that agents without chance play one game for ever.
    pub fn deals_alike(&self) -> bool {
        let deal = |slot| G::deal(self.rules, &mut Rng::keyed(Purpose::Deal, self.seed, slot, 0));
        (1..8).all(|slot| deal(slot) == deal(0))
    }

    /// Plays the groups with these numbers in every meeting. Units go round the meetings, so that an early end leaves all
    /// with about as many games.
    pub fn play(
        &self,
        meetings: &[Meeting],
        groups: Range<u64>,
        watch: &Watch<'_>,
    ) -> Result<Session, BadMeeting> {
        let spec = G::spec(self.rules);
        let (game, seats, games) = (spec.id, spec.seats, self.conditions.best_of.games());
        if games > 1 && seats != 2 {
            return Err(BadMeeting::Series { games, game, seats });
        }
        if let Some(other) = meetings.iter().find(|meeting| meeting.players.len() != seats) {
            return Err(BadMeeting::Seats { players: other.players.len(), game, seats });
        }
        let unit = |number: u64| {
            let (chunk, index) = (number / meetings.len() as u64, (number % meetings.len() as u64) as usize);
            let first = groups.start + chunk * UNIT;
            Unit { index, meeting: &meetings[index], groups: first..groups.end.min(first + UNIT) }
        };
        let units = (groups.end.saturating_sub(groups.start)).div_ceil(UNIT) * meetings.len() as u64;
        let next = AtomicU64::new(0);
        let failure: Mutex<Option<String>> = Mutex::new(None);
        let failed = |problem| _ = failure.lock().expect("nobody panics with it").get_or_insert(problem);
        let work = |_: usize| {
            let mut crew = self.crews.lock().expect("nobody panics with it").pop().unwrap_or_default();
            let mut done = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let failed_before = failure.lock().expect("nobody panics with it").is_some();
                if number >= units || self.stopped() || failed_before {
                    break;
                }
                let unit = unit(number);
                let (groups, outcome) = self.unit(&unit, &mut crew, watch);
                done.push((unit.index, groups));
                if let Err(problem) = outcome {
                    failed(problem);
                }
            }
            self.crews.lock().expect("nobody panics with it").push(crew);
            done
        };
        let done: Vec<_> =
            (0..rayon::current_num_threads()).into_par_iter().with_max_len(1).flat_map_iter(work).collect();
        let mut groups: Vec<Vec<Group>> = vec![Vec::new(); meetings.len()];
        done.into_iter().for_each(|(meeting, more)| groups[meeting].extend(more));
        groups.iter_mut().for_each(|groups| groups.sort_by_key(|group| group.number));
        let failure = failure.into_inner().expect("nobody panics with it");
        Ok(Session { groups, failure })
    }

    fn stopped(&self) -> bool {
        self.conditions.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Plays a unit; what was finished before a failure is kept.
    fn unit(
        &self,
        unit: &Unit<'_>,
        crew: &mut Crew<G>,
        watch: &Watch<'_>,
    ) -> (Vec<Group>, Result<(), String>) {
        let players = &unit.meeting.players;
        let mut present = players.clone();
        present.sort_unstable();
        present.dedup();
        let mut agents = Vec::new();
        for &entrant in &present {
            let made = crew.remove(&entrant).map_or_else(|| (self.entrants[entrant].make)(), Ok);
            match made {
                Ok(agent) => agents.push(agent),
                Err(problem) => return (Vec::new(), Err(problem)),
            }
        }
        let mut bouts: Vec<Running> = unit
            .groups
            .clone()
            .flat_map(|group| (0..players.len()).map(move |rotation| (group, rotation)))
            .map(|(group, rotation)| Running::new(group, rotation, players, self.conditions.best_of))
            .collect();
        let mut outcome = Ok(());
        for _ in 0..self.conditions.best_of.games() {
            outcome = self.round(&mut bouts, &present, &mut agents, (unit.index, watch));
            if outcome.is_err() {
                break;
            }
        }
        crew.extend(present.into_iter().zip(agents));
        let mut groups: Vec<Group> = Vec::new();
        for bout in bouts {
            if groups.last().is_none_or(|group| group.number != bout.group) {
                groups.push(Group { number: bout.group, bouts: Vec::new() });
            }
            let group = groups.last_mut().expect("it was just put there");
            group.bouts.push(bout.finished());
        }
        groups.retain(|group| group.bouts.iter().any(Option::is_some));
        (groups, outcome)
    }

    /// Plays the next game of every bout that is not decided.
    fn round(
        &self,
        bouts: &mut [Running],
        present: &[usize],
        agents: &mut [Box<dyn Agent<G>>],
        (meeting, watch): (usize, &Watch<'_>),
    ) -> Result<(), String> {
        let mut open: Vec<&mut Running> = bouts.iter_mut().filter(|bout| !bout.is_over()).collect();
        let local = |entrant: &usize| present.binary_search(entrant).expect("who plays is present");
        let tables: Vec<Table> = open
            .iter()
            .map(|bout| {
                let seats = bout.seats().iter().map(local).collect();
                Table { key: bout.key(), pairing: Pairing { deal: bout.deal(), seats } }
            })
            .collect();
        let Conditions { clock, opening, keep_moves, stop, .. } = self.conditions;
        let manner = Manner { clock, opening, stop };
        let mut agents: Vec<&mut dyn Agent<G>> = agents.iter_mut().map(|agent| &mut **agent as _).collect();
        let played = referee(self.rules, self.seed, &mut agents, &tables, &manner, &mut |index, told| {
            let bout = &mut *open[index];
            bout.count(told, present, keep_moves || bout.group == 0);
            if bout.is_over() {
                watch(meeting, &bout.bout());
            }
            ControlFlow::Continue(())
        });
        played.map_err(|error| error.to_string())
    }
}

/// A bout that is being played.
struct Running {
    group: u64,
    rotation: usize,
    players: Vec<usize>,
    best_of: SeriesLength,
    /// For two seats.
    series: Series,
    games: Vec<Played>,
}

impl Running {
    fn new(group: u64, rotation: usize, players: &[usize], best_of: SeriesLength) -> Self {
        let (series, players) = (Series::new(best_of), players.to_vec());
        Self { group, rotation, players, best_of, series, games: Vec::new() }
    }

    fn deal(&self) -> u64 {
        self.group * u64::from(self.best_of.games()) + self.games.len() as u64
    }

    fn key(&self) -> u64 {
        let bout = self.group * self.players.len() as u64 + self.rotation as u64;
        bout * u64::from(self.best_of.games()) + self.games.len() as u64
    }

    /// The place of the meeting that has seat 0: it moves on with every game of a series.
    fn first(&self) -> usize {
        (self.rotation + self.games.len()) % self.players.len()
    }

    /// The entrant at each seat of the next game.
    fn seats(&self) -> Vec<usize> {
        let mut seats = self.players.clone();
        seats.rotate_left(self.first());
        seats
    }

    fn is_over(&self) -> bool {
        match self.best_of.games() {
            1 => !self.games.is_empty(),
            _ => self.series.is_over(),
        }
    }

    fn count(&mut self, told: Told, present: &[usize], keep_moves: bool) {
        let Told { returns, mut finish, actions } = told;
        if let Finish::Forfeit(forfeit) = &mut finish {
            forfeit.agent = present[forfeit.agent];
        }
        if let (true, &[a, b]) = (self.best_of.games() > 1, &returns[..]) {
            self.series.count([a, b]);
        }
        let mut hasher = DefaultHasher::new();
        actions.hash(&mut hasher);
        self.games.push(Played {
            deal: self.deal(),
            seats: self.seats(),
            returns,
            finish,
            plies: actions.len() as u32,
            digest: hasher.finish(),
            moves: keep_moves.then_some(actions),
        });
    }

    fn bout(&self) -> Bout {
        let seats = self.players.len();
        let points = match self.best_of.games() {
            1 => {
                let returns = self.games.iter().flat_map(|game| &game.returns);
                let mut points: Vec<f64> = returns.map(|&paid| f64::from(paid)).collect();
                points.rotate_right(self.rotation % seats);
                points
            }
            _ => {
                let [first, second] = self.series.wins().map(f64::from);
                let mut points = vec![first - second, second - first];
                points.rotate_right(self.rotation % seats);
                points
            }
        };
        Bout { games: self.games.clone(), points }
    }

    fn finished(self) -> Option<Bout> {
        self.is_over().then(|| self.bout())
    }
}
