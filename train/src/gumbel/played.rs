//! One game as self-play remembers it: its deal's key, its actions and what search thought. Positions are not kept; they
//! come back by playing the actions again.

use std::ops::Range;

use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Game, MAX_ACTIONS, Rng};

/// Shares of actions are kept as whole numbers up to this.
const WHOLE: f32 = u16::MAX as f32;

const _: () = assert!(MAX_ACTIONS <= 1 << u8::BITS, "an action is kept in a byte");

/// A game of self-play, over or under way.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The slot that played it.
    pub slot: u32,
    /// How many games the slot had played before; with the slot and the run's seed the key of the deal.
    pub episode: u64,
    pub(super) actions: Vec<u8>,
    /// The first plies, which were played at random: nothing was searched there, and nothing is learned.
    pub(super) opening: u32,
    /// `[positions + 1]`: where the shares of each searched ply begin. A ply after a cheap search has none.
    pub(super) first: Vec<u32>,
    /// `[first[positions]]`: the improved policy of fully searched plies over their legal actions, from the smallest.
    pub(super) shares: Vec<u16>,
    /// `[positions, seats]`: what search thought each seat would win, seat 0 first.
    pub(super) values: Vec<f32>,
    /// `[seats]` what each seat won; empty while the game is under way.
    pub(super) returns: Vec<f32>,
}

impl Played {
    /// The game of a slot, before its first ply.
    pub fn new(slot: u32, episode: u64) -> Self {
        Self {
            slot,
            episode,
            actions: Vec::new(),
            opening: 0,
            first: vec![0],
            shares: Vec::new(),
            values: Vec::new(),
            returns: Vec::new(),
        }
    }

    /// Plies played.
    pub fn plies(&self) -> usize {
        self.actions.len()
    }

    /// Plies to learn from: those behind the opening.
    pub fn positions(&self) -> usize {
        self.actions.len() - self.opening as usize
    }

    /// The plies to learn from, as numbers of plies before them.
    pub fn searched(&self) -> Range<usize> {
        self.opening as usize..self.plies()
    }

    /// Adds a ply of the opening; only before all others.
    pub fn open(&mut self, action: Action) {
        self.actions.push(action.0 as u8);
        self.opening += 1;
    }

    /// Adds a ply: the action, the improved policy over the legal actions (empty after a cheap search), and the search's
    /// value for each seat.
    pub fn push(&mut self, action: Action, policy: &[f32], values: &[f32]) {
        self.actions.push(action.0 as u8);
        self.shares.extend(policy.iter().map(|share| (share * WHOLE).round() as u16));
        self.first.push(self.shares.len() as u32);
        self.values.extend_from_slice(values);
    }

    /// The game is over, and this is what each seat won. Nothing is added from here on. Where nobody had a value (a teacher that
    /// only acts), what was to be expected is what came.
    pub fn finish(&mut self, returns: &[f32]) {
        self.returns = returns.to_vec();
        for (value, &came) in self.values.iter_mut().zip(returns.iter().cycle()) {
            if value.is_nan() {
                *value = came;
            }
        }
        self.actions.shrink_to_fit();
        self.first.shrink_to_fit();
        self.shares.shrink_to_fit();
        self.values.shrink_to_fit();
    }

    /// What each seat won; empty while the game is under way.
    pub fn returns(&self) -> &[f32] {
        &self.returns
    }

    /// The improved policy of a ply over its legal actions, summing to 1; empty after a cheap search.
    pub fn policy(&self, ply: usize) -> impl Iterator<Item = f32> + Clone {
        let shares = &self.shares[self.row(ply)];
        let sum: f32 = shares.iter().map(|&share| f32::from(share)).sum();
        shares.iter().map(move |&share| f32::from(share) / sum)
    }

    /// What search thought before a ply that each seat would win, seat 0 first.
    pub fn thought(&self, ply: usize) -> &[f32] {
        let seats = self.values.len() / self.positions();
        &self.values[(ply - self.opening as usize) * seats..][..seats]
    }

    /// Where the shares of a ply stand.
    fn row(&self, ply: usize) -> Range<usize> {
        let place = ply - self.opening as usize;
        self.first[place] as usize..self.first[place + 1] as usize
    }

    /// What the network should say before a ply that a seat wins: its return, or by that share what search thought.
    pub fn target(&self, ply: usize, seat: usize, from_search: f32) -> f32 {
        (1.0 - from_search) * self.returns[seat] + from_search * self.thought(ply)[seat]
    }

    /// A later search of the same position takes the place of an earlier one.
    pub fn revise(&mut self, ply: usize, policy: &[f32], values: &[f32]) {
        let (row, place) = (self.row(ply), ply - self.opening as usize);
        for first in &mut self.first[place + 1..] {
            *first = *first + policy.len() as u32 - row.len() as u32;
        }
        self.shares.splice(row, policy.iter().map(|share| (share * WHOLE).round() as u16));
        let seats = values.len();
        self.values[place * seats..][..seats].copy_from_slice(values);
    }

    /// The position before a ply.
    pub fn replay<G: Game>(&self, rules: &G::Rules, seed: u64, ply: usize) -> G {
        let mut game = self.deal::<G>(rules, seed);
        for &action in &self.actions[..ply] {
            game.apply(Action(action.into()));
        }
        game
    }

    /// The position before the first ply: the deal that a batch with this seed gives the slot.
    pub fn deal<G: Game>(&self, rules: &G::Rules, seed: u64) -> G {
        G::deal(rules, &mut Rng::keyed(Purpose::Deal, seed, self.slot.into(), self.episode))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two plies of an opening, then three that were searched.
    fn game() -> Played {
        let mut played = Played::new(3, 1);
        played.open(Action(7));
        played.open(Action(8));
        played.push(Action(0), &[0.25, 0.75], &[0.5, -0.5]);
        played.push(Action(9), &[], &[0.1, -0.1]);
        played.push(Action(200), &[0.2, 0.3, 0.5], &[0.0, 0.0]);
        played
    }

    fn policy(played: &Played, ply: usize) -> Vec<f32> {
        played.policy(ply).collect()
    }

    #[test]
    fn a_ply_keeps_its_policy_to_four_places_and_its_values() {
        let played = game();
        assert_eq!((policy(&played, 3), played.thought(3)), (vec![], &[0.1, -0.1][..]));
        let kept = policy(&played, 4);
        assert!(
            kept.iter().zip([0.2, 0.3, 0.5]).all(|(kept, given)| (kept - given).abs() < 1e-4),
            "{kept:?}"
        );
        assert!((kept.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_later_search_replaces_one_ply_and_leaves_the_others() {
        let mut played = game();
        let (before, after) = (policy(&played, 2), policy(&played, 4));
        played.revise(3, &[0.5, 0.5], &[0.7, -0.7]);
        assert_eq!((policy(&played, 3), played.thought(3)), (vec![0.5, 0.5], &[0.7, -0.7][..]));
        played.revise(3, &[1.0], &[0.2, -0.2]);
        assert_eq!((policy(&played, 2), policy(&played, 3), policy(&played, 4)), (before, vec![1.0], after));
    }

    #[test]
    fn where_nobody_had_a_value_the_outcome_was_to_be_expected() {
        let mut played = Played::new(0, 0);
        played.push(Action(0), &[1.0], &[f32::NAN, f32::NAN]);
        played.push(Action(1), &[1.0], &[0.25, -0.25]);
        played.finish(&[-1.0, 1.0]);
        assert_eq!((played.thought(0), played.thought(1)), (&[-1.0, 1.0][..], &[0.25, -0.25][..]));
    }

    #[test]
    fn a_target_lies_between_the_outcome_and_the_search() {
        let mut played = game();
        played.finish(&[1.0, -1.0]);
        assert_eq!(played.target(2, 0, 0.0), 1.0);
        assert_eq!(played.target(2, 1, 1.0), -0.5);
        assert_eq!(played.target(2, 0, 0.5), 0.75);
    }
}
