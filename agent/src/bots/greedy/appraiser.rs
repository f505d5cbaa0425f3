//! States as `greedy` judges them: by what the viewer sees, or straight from the state where a game offers that.

use nodarium_env::{Game, Layout, Seat};

use super::{Greedy, Judgement, View};

/// The judgement of a game straight from its states: what [`Greedy::judgement`] and [`Greedy::unfinished`] say about the
/// viewer's observation, to the last bit, without writing one.
#[derive(Clone, Debug)]
pub struct Quick<G> {
    /// How good the state looks to the viewer.
    pub appraise: fn(&G, Seat) -> f32,
    /// Whether the viewer is in the middle of a move.
    pub unfinished: fn(&G, Seat) -> bool,
}

/// Judges states of a game in the quickest way there is.
#[derive(Clone, Debug)]
pub(in crate::bots) struct Appraiser<G> {
    layout: Layout,
    judgement: Judgement,
    unfinished: fn(&View<'_>) -> bool,
    quick: Option<Quick<G>>,
}

impl<G: Game> Appraiser<G> {
    pub(in crate::bots) fn new(rules: &G::Rules) -> Self
    where
        G: Greedy,
    {
        Self {
            layout: G::spec(rules).observation,
            judgement: G::judgement(rules),
            unfinished: G::unfinished,
            quick: G::QUICK,
        }
    }

    /// How many numbers it needs room for.
    pub(in crate::bots) fn room(&self) -> usize {
        self.layout.len()
    }

    /// How good the state looks to the viewer; `numbers` is room for an observation.
    pub(in crate::bots) fn appraise(&self, game: &G, viewer: Seat, numbers: &mut [f32]) -> f32 {
        match &self.quick {
            Some(quick) => (quick.appraise)(game, viewer),
            None => (self.judgement)(&self.view(game, viewer, numbers)),
        }
    }

    /// The same of a game that goes on, unless the viewer acts and is in the middle of a move.
    pub(in crate::bots) fn appraise_finished(
        &self,
        game: &G,
        viewer: Seat,
        numbers: &mut [f32],
    ) -> Option<f32> {
        let acts = game.to_move() == Some(viewer);
        match &self.quick {
            Some(quick) if acts && (quick.unfinished)(game, viewer) => None,
            Some(quick) => Some((quick.appraise)(game, viewer)),
            None => {
                let view = self.view(game, viewer, numbers);
                (!acts || !(self.unfinished)(&view)).then(|| (self.judgement)(&view))
            }
        }
    }

    fn view<'a>(&'a self, game: &G, viewer: Seat, numbers: &'a mut [f32]) -> View<'a> {
        game.observe(viewer, numbers);
        View::new(&self.layout, numbers)
    }
}

#[cfg(test)]
mod tests {
    use nodarium_env::games::colony::{Colony, ColonyRules, Movement};
    use nodarium_env::rng::Purpose;
    use nodarium_env::{Rng, random_action};

    use super::*;

    /// Plays games at random and holds the quick judgement of every position against that by observation, for every
    /// viewer; says how many were held, and how many of them in the middle of a move.
    fn hold<G: Greedy>(rules: &G::Rules, games: u64) -> (u32, u32) {
        let quick = Appraiser::<G>::new(rules);
        let observing = Appraiser { quick: None, ..quick.clone() };
        let mut numbers = vec![0.0; observing.room()];
        let (mut held, mut unfinished) = (0, 0);
        for index in 0..games {
            let mut rng = Rng::keyed(Purpose::Deal, 11, index, 0);
            let mut game = G::deal(rules, &mut rng);
            loop {
                for viewer in (0..G::spec(rules).seats as u8).map(Seat) {
                    // Without room nothing could be observed.
                    let worth = quick.appraise(&game, viewer, &mut []);
                    assert_eq!(worth.to_bits(), observing.appraise(&game, viewer, &mut numbers).to_bits());
                    let finished = quick.appraise_finished(&game, viewer, &mut []);
                    let observed = observing.appraise_finished(&game, viewer, &mut numbers);
                    assert_eq!(finished.map(f32::to_bits), observed.map(f32::to_bits));
                    let direct = quick.quick.as_ref().expect("the game has a quick judgement");
                    let view = observing.view(&game, viewer, &mut numbers);
                    assert_eq!((direct.unfinished)(&game, viewer), G::unfinished(&view));
                    held += 1;
                    unfinished += u32::from(finished.is_none());
                }
                let Some(action) = random_action(&game, &mut rng) else { break };
                game.apply(action);
            }
        }
        (held, unfinished)
    }

    #[test]
    fn colony_is_judged_from_the_table_as_from_the_observation() {
        for players in 2..=4 {
            for movement in [Movement::Line, Movement::Path] {
                let rules = ColonyRules { players, movement, ..ColonyRules::default() };
                let (held, unfinished) = hold::<Colony>(&rules, 60);
                assert!(
                    held > 5_000 && unfinished > 500,
                    "{held} views, {unfinished} in the middle of a move"
                );
            }
        }
    }
}
