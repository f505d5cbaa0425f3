//! Reanalysis: positions of the window searched anew with what the network knows by now.

use nodarium_agent::network::Inference;
use nodarium_agent::search::{Found, Options, Search};
use nodarium_agent::{Playable, Query};
use nodarium_env::Rng;
use nodarium_env::rng::Purpose;

use super::lesson::Draw;
use super::shard::SLOTS;
use super::window::Place;
use super::{SelfPlay, Stream, seed_of};
use crate::learner::Learner as _;

impl<G: Playable> SelfPlay<G> {
    /// Searches a share of the drawn positions in full and keeps what it finds in the window, so that policy and value
    /// are learned from it now and later. Returns how many positions it was.
    pub(super) fn search_again(&mut self, lessons: &[Vec<Draw>]) -> usize {
        let places = self.chosen(lessons);
        if places.is_empty() {
            return 0;
        }
        let inference = Inference::new(self.weights());
        let seed = seed_of(Stream::Again, self.seed).wrapping_add(self.done.iterations);
        let options = Options { seed, ..self.manner(self.done.iterations).full };
        let (rules, window, seed) = (&self.rules, &self.window, self.seed);
        let found = self.crew.each(places.chunks(SLOTS).collect(), |_, places| {
            let replay = |&place: &Place| window.games()[place.game].replay(rules, seed, place.ply);
            let games: Vec<G> = places.iter().map(replay).collect();
            let query = |(game, place): (_, &Place)| Query {
                game,
                key: window.number(*place),
                ply: place.ply as u32,
            };
            let queries: Vec<_> = games.iter().zip(places).map(query).collect();
            let mut found = Found::default();
            Search::new(rules, options)
                .and_then(|mut search| search.run(&inference, &queries, &mut found))
                .expect("the options were tried and the network was made for the game");
            found
        });
        for (places, found) in places.chunks(SLOTS).zip(found) {
            for (row, &place) in places.iter().enumerate() {
                let values = &found.values[row * self.spec.seats..][..self.spec.seats];
                self.window.game_mut(place).revise(place.ply, &found.policy[found.row(row)], values);
            }
        }
        places.len()
    }

    /// The share of the draws that is searched, each position once.
    fn chosen(&self, lessons: &[Vec<Draw>]) -> Vec<Place> {
        let mut coins =
            Rng::keyed(Purpose::Choice, seed_of(Stream::Again, self.seed), u64::MAX, self.done.iterations);
        let draws = lessons.iter().flatten();
        let mut places: Vec<Place> =
            draws.filter(|_| coins.unit() < self.config.reanalyse).map(|draw| draw.place).collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}
