//! What many games have in common: lengths, ends, who won.

use std::fmt;
use std::ops::Range;

use crate::rng::Purpose;
use crate::{Action, Game, Mask, Rng, Spec, random_member};

/// Sums over finished games. Tallies of parts add up to the tally of the whole, in any order.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    ends: Vec<(&'static str, u64)>,
    /// Games won alone, a seat each.
    wins: Vec<u64>,
    games: u64,
    plies: u64,
    shortest: u64,
    longest: u64,
    legal: u64,
}

impl Tally {
    /// A tally without games.
    pub fn new(spec: &Spec) -> Self {
        Self {
            ends: spec.ends.iter().map(|&end| (end, 0)).collect(),
            wins: vec![0; spec.seats],
            games: 0,
            plies: 0,
            shortest: u64::MAX,
            longest: 0,
            legal: 0,
        }
    }

    /// Counts a finished game: its plies, and its legal actions summed over them.
    ///
    /// # Panics
    /// When the end is not one of the game's.
    pub fn count(&mut self, plies: u64, legal: u64, returns: &[f32], end: &str) {
        let best = returns.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut winners = (0..returns.len()).filter(|&seat| returns[seat] == best);
        if let (Some(winner), None) = (winners.next(), winners.next()) {
            self.wins[winner] += 1;
        }
        let end = self.ends.iter_mut().find(|(known, _)| *known == end);
        end.expect("the end is one of the game's").1 += 1;
        self.games += 1;
        self.plies += plies;
        self.legal += legal;
        self.shortest = self.shortest.min(plies);
        self.longest = self.longest.max(plies);
    }

    /// Adds another tally of the same game.
    #[must_use]
    pub fn plus(mut self, other: &Self) -> Self {
        for (end, more) in self.ends.iter_mut().zip(&other.ends) {
            end.1 += more.1;
        }
        for (wins, more) in self.wins.iter_mut().zip(&other.wins) {
            *wins += more;
        }
        self.games += other.games;
        self.plies += other.plies;
        self.legal += other.legal;
        self.shortest = self.shortest.min(other.shortest);
        self.longest = self.longest.max(other.longest);
        self
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Plies counted.
    pub fn plies(&self) -> u64 {
        self.plies
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.games.max(1) as f64;
        let share = |n: u64| format!("{:.2} %", 100.0 * n as f64 / games);
        let mean = self.plies as f64 / games;
        writeln!(f, "  games            {}", self.games)?;
        let (shortest, longest) = (self.shortest.min(self.longest), self.longest);
        writeln!(f, "  plies a game     {mean:.1} on average, {shortest} to {longest}")?;
        writeln!(f, "  legal actions    {:.1} on average", self.legal as f64 / self.plies.max(1) as f64)?;
        let ends: Vec<String> = self.ends.iter().map(|(end, n)| format!("{end} {}", share(*n))).collect();
        writeln!(f, "  ends             {}", ends.join(", "))?;
        let wins: Vec<String> =
            self.wins.iter().enumerate().map(|(seat, &n)| format!("seat {seat} {}", share(n))).collect();
        let shared = self.games - self.wins.iter().sum::<u64>();
        write!(f, "  wins             {}, shared {}", wins.join(", "), share(shared))
    }
}

/// Which ply of which game of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The game's index in the series.
    pub index: u64,
    /// Plies played before.
    pub ply: u32,
}

/// Plays the games with these indices with random play: the games that
/// [`record::simulate`](crate::record::simulate) writes down.
///
/// # Panics
/// When a game goes on past the spec's longest game: that is a bug in the game.
pub fn random_games<G: Game>(rules: &G::Rules, spec: &Spec, seed: u64, indices: Range<u64>) -> Tally {
    let mut choices = Rng::keyed(Purpose::Choice, seed, indices.start, 0);
    games::<G>(rules, spec, seed, indices, |place, _, mask| {
        if place.ply == 0 {
            choices = Rng::keyed(Purpose::Choice, seed, place.index, 0);
        }
        random_member(mask, &mut choices).expect("a game that goes on has a legal action")
    })
}

/// Plays the games with these indices; `choose` picks among the legal actions.
///
/// # Panics
/// When a game goes on past the spec's longest game, or an action is not legal.
pub fn games<G: Game>(
    rules: &G::Rules,
    spec: &Spec,
    seed: u64,
    indices: Range<u64>,
    mut choose: impl FnMut(Place, &G, &Mask) -> Action,
) -> Tally {
    let mut tally = Tally::new(spec);
    let mut returns = vec![0.0; spec.seats];
    let mut mask = Mask::EMPTY;
    for index in indices {
        let mut game = G::deal(rules, &mut Rng::keyed(Purpose::Deal, seed, index, 0));
        let (mut ply, mut legal) = (0, 0);
        while game.to_move().is_some() {
            game.legal(&mut mask);
            legal += u64::from(mask.count());
            let action = choose(Place { index, ply }, &game, &mask);
            assert!(mask.contains(action), "action {} is not legal", action.0);
            game.apply(action);
            ply += 1;
            assert!(ply as usize <= spec.longest_game, "{} goes on past its longest game", spec.id);
        }
        game.returns(&mut returns);
        let end = spec.ends[game.end().expect("the game is over").index()];
        tally.count(ply.into(), legal, &returns, end);
    }
    tally
}
