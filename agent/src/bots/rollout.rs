//! What the searching bots ask about a leaf: random play to the end, or for a while and then a judgement.

use nodarium_env::{Action, Game, Mask, Rng, Seat, random_action};

use super::greedy::Appraiser;

/// No game has more seats.
pub(super) const MAX_SEATS: usize = 4;

/// What a game paid, one number a seat; zeros behind the last seat.
pub(crate) type Returns = [f32; MAX_SEATS];

/// Judges a state in the middle of a rollout, where playing on at random would say little.
#[derive(Clone, Debug)]
pub(crate) struct Judge<G> {
    /// Plies of random play before it.
    pub(super) after: u32,
    /// Turns of good play after that; see [`Greedy::SETTLED_TURNS`](super::Greedy::SETTLED_TURNS).
    pub(super) settled_turns: u32,
    pub(super) appraiser: Appraiser<G>,
}

/// How a rollout plays: at random, and where the game allows it to lose by one's own action, not that.
///
/// In most games nobody loses by acting. Where one can, random play is decided by who does so first, which says nothing
/// about the game; so the players of a rollout take such an action back. Whether a game is of that kind shows when it
/// happens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rollouts {
    careful: bool,
    /// Room for an observation.
    numbers: Vec<f32>,
    /// What the state before the search is worth to each seat.
    before: Returns,
    /// How far judgements were from it, summed, and how many there were.
    spread: (f32, f32),
}

impl Rollouts {
    /// Actions that a careful player takes back at one ply.
    const TAKEN_BACK: u32 = 8;
    /// No judgement is as sure as a win.
    const SUREST: f32 = 0.9;
    /// What a return of 1 is worth beside judgements.
    const WON: f32 = 1e6;

    /// Begins a search from a state.
    pub(super) fn begin<G: Game>(&mut self, game: &G, seats: usize, judge: Option<&Judge<G>>) {
        self.careful = false;
        self.spread = (0.0, 0.0);
        if let Some(judge) = judge {
            self.numbers.resize(judge.appraiser.room(), 0.0);
            for seat in 0..seats {
                self.before[seat] = self.worth(game, seat, judge);
            }
        }
    }

    /// Plays to the end, or to the judgement.
    #[inline]
    pub(crate) fn play<G: Game>(
        &mut self,
        game: &mut G,
        seats: usize,
        judge: Option<&Judge<G>>,
        rng: &mut Rng,
    ) -> Returns {
        match judge {
            None if self.careful => careful(game, seats, u32::MAX, rng),
            None => self.carefree(game, seats, rng),
            Some(judge) => {
                careful(game, seats, judge.after, rng);
                self.settle(game, seats, judge);
                if game.to_move().is_none() { returns(game, seats) } else { self.judged(game, seats, judge) }
            }
        }
    }

    #[inline]
    fn carefree<G: Game>(&mut self, game: &mut G, seats: usize, rng: &mut Rng) -> Returns {
        let mut last = None;
        while let Some(seat) = game.to_move() {
            let action = random_action(game, rng).expect("a game that goes on has actions");
            game.apply(action);
            last = Some(seat);
        }
        let returns = returns(game, seats);
        self.careful = last.is_some_and(|seat| returns[seat.index()] < 0.0);
        returns
    }

    /// Finishes turns in the way that looks best to the seat whose turn it is.
    fn settle<G: Game>(&mut self, game: &mut G, seats: usize, judge: &Judge<G>) {
        let mut mask = Mask::EMPTY;
        for _ in 0..judge.settled_turns {
            let Some(seat) = game.to_move() else { return };
            while game.to_move() == Some(seat) {
                game.legal(&mut mask);
                let mut best = (None, f32::NEG_INFINITY);
                for action in mask.iter() {
                    let mut next = game.clone();
                    next.apply(action);
                    let worth = match next.to_move() {
                        None => Self::WON * returns(&next, seats)[seat.index()],
                        Some(_) => self.finished(&next, seat.index(), judge),
                    };
                    if worth > best.1 {
                        best = (Some(action), worth);
                    }
                }
                game.apply(best.0.expect("a game that goes on has actions, and each has a finite worth"));
            }
        }
    }

    /// What the state is worth to each seat, from −0.9 to 0.9: against the worth before the search, in units of how much
    /// that usually changes.
    fn judged<G: Game>(&mut self, game: &G, seats: usize, judge: &Judge<G>) -> Returns {
        let mut judged = [0.0; MAX_SEATS];
        for (seat, judged) in judged[..seats].iter_mut().enumerate() {
            let change = self.worth(game, seat, judge) - self.before[seat];
            self.spread.0 += change.abs();
            self.spread.1 += 1.0;
            *judged = self.scaled(change);
        }
        judged
    }

    /// A change of worth as a return.
    fn scaled(&self, change: f32) -> f32 {
        let usual = (self.spread.0 / self.spread.1.max(1.0)).max(1e-6);
        Self::SUREST * change / (usual + change.abs())
    }

    /// What an action of the seat to act looks like at a glance, on the scale of returns.
    pub(super) fn glance<G: Game>(
        &mut self,
        game: &G,
        action: Action,
        seats: usize,
        judge: &Judge<G>,
    ) -> f32 {
        let seat = game.to_move().expect("somebody acts").index();
        let mut next = game.clone();
        next.apply(action);
        if next.to_move().is_none() {
            return returns(&next, seats)[seat];
        }
        let change = self.finished(&next, seat, judge) - self.before[seat];
        self.scaled(change)
    }

    /// What a state is worth to the seat once it has finished its move in the best way.
    fn finished<G: Game>(&mut self, game: &G, seat: usize, judge: &Judge<G>) -> f32 {
        if let Some(worth) = judge.appraiser.appraise_finished(game, Seat(seat as u8), &mut self.numbers) {
            return worth;
        }
        let mut mask = Mask::EMPTY;
        game.legal(&mut mask);
        let continuations = mask.iter().map(|action| {
            let mut next = game.clone();
            next.apply(action);
            self.finished(&next, seat, judge)
        });
        continuations.fold(f32::NEG_INFINITY, f32::max)
    }

    fn worth<G: Game>(&mut self, game: &G, seat: usize, judge: &Judge<G>) -> f32 {
        judge.appraiser.appraise(game, Seat(seat as u8), &mut self.numbers)
    }
}

/// Plays that many plies, or to the end, and takes back what loses at once.
fn careful<G: Game>(game: &mut G, seats: usize, plies: u32, rng: &mut Rng) -> Returns {
    let mut before = game.clone();
    let mut left = Rollouts::TAKEN_BACK;
    for _ in 0..plies {
        let Some(seat) = game.to_move() else { break };
        before.clone_from(game);
        let action = random_action(game, rng).expect("a game that goes on has actions");
        game.apply(action);
        if left > 0 && game.to_move().is_none() && returns(game, seats)[seat.index()] < 0.0 {
            game.clone_from(&before);
            left -= 1;
        } else {
            left = Rollouts::TAKEN_BACK;
        }
    }
    returns(game, seats)
}

/// What each seat has won.
#[inline]
pub(super) fn returns<G: Game>(game: &G, seats: usize) -> Returns {
    let mut returns = [0.0; MAX_SEATS];
    game.returns(&mut returns[..seats]);
    returns
}
