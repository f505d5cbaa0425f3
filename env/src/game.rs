//! The contract between a game and everything that plays it.

use std::fmt::Debug;

use crate::{Mask, Rng, Rules, Spec};

/// A player by number, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One ply as a flat index below [`Spec::actions`]; what it means depends on the game and, where several steps
/// share an index, on the phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(pub u16);

impl Action {
    /// The action as an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why a game is over: an index into [`Spec::ends`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct End(pub u8);

impl End {
    /// The end as an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An action that the state does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("action {} is not legal here", .0.0)]
pub struct IllegalAction(pub Action);

/// A state of a game, from the deal to the end.
///
/// **The deal is the only chance.** [`deal`](Game::deal) takes the random generator; everything after it is a
/// function of the actions. That one idea serves perfect information, hidden cards (the order of a deck is part of
/// the state and hidden from the seats) and simultaneous choices (the seats choose in a row, and the later ones do
/// not see what the earlier ones chose).
///
/// **Seats.** There are [`Spec::seats`] of them, 2 to 4. One seat acts at a time and may act several plies in a
/// row; [`to_move`](Game::to_move) says which. What follows by itself (income, draws, forced passes, skipped
/// phases) happens inside [`apply`](Game::apply).
///
/// **Views.** [`observe`](Game::observe) writes what a seat may know, from its side: itself first, then the others
/// in the order of play. Nothing that the seat cannot know may change a single bit of it.
///
/// **Cost.** States are small plain values; search clones them millions of times. After the deal no call allocates.
///
/// The laws that bind these functions together are written as tests in [`conformance`](mod@crate::conformance), and
/// every game passes them by naming itself there.
pub trait Game: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The rule options.
    type Rules: Rules;

    /// What is fixed for the whole game: sizes, names, layout, symmetries.
    fn spec(rules: &Self::Rules) -> Spec;

    /// Numbers of [`Spec::insights`] that each speak for one action, the higher the better it looks; none for most games.
    /// A network whose heads read the observation itself may begin by listening to them.
    fn advice(_rules: &Self::Rules) -> Vec<(usize, Action)> {
        Vec::new()
    }

    /// A fresh game. `rules` have passed [`Rules::check`].
    fn deal(rules: &Self::Rules, rng: &mut Rng) -> Self;

    /// The seat to act; `None` when the game is over.
    fn to_move(&self) -> Option<Seat>;

    /// Sets `mask` to every legal action of the seat to act and nothing else; empty when the game is over.
    fn legal(&self, mask: &mut Mask);

    /// Plays a legal action and everything that follows by itself. An illegal one may panic or leave any state
    /// behind: whoever is not sure calls [`try_apply`](Game::try_apply).
    fn apply(&mut self, action: Action);

    /// Plays the action if it is legal; leaves the state alone otherwise.
    fn try_apply(&mut self, action: Action) -> Result<(), IllegalAction> {
        let mut mask = Mask::EMPTY;
        self.legal(&mut mask);
        if !mask.contains(action) {
            return Err(IllegalAction(action));
        }
        self.apply(action);
        Ok(())
    }

    /// Writes what each seat has won, one number a seat, summing to zero; zeros while the game goes on.
    fn returns(&self, out: &mut [f32]);

    /// Why the game is over; `None` while it goes on.
    fn end(&self) -> Option<End>;

    /// Writes what `seat` may know; every element of `out`. How long that is says what is asked for: the layout of
    /// [`Spec::observation`], or that of [`Spec::insights`], which begins with the same numbers.
    fn observe(&self, seat: Seat, out: &mut [f32]);

    /// Resamples what `seat` cannot see, uniformly over what is consistent with what it can. With perfect
    /// information there is nothing to do.
    fn redeal_hidden(&mut self, seat: Seat, rng: &mut Rng);

    /// The image of this state under the symmetry with that index in [`Spec::symmetries`]. For tests and
    /// canonical forms; learners permute observations and actions instead.
    ///
    /// # Panics
    /// When the spec has no such symmetry.
    fn transform(&self, symmetry: usize) -> Self;
}

/// Picks one of the legal actions, all equally likely; `None` when the game is over.
#[inline]
pub fn random_action<G: Game>(game: &G, rng: &mut Rng) -> Option<Action> {
    let mut mask = Mask::EMPTY;
    game.legal(&mut mask);
    random_member(&mask, rng)
}

/// Picks one action of the set, all equally likely; `None` when it is empty.
#[inline]
pub fn random_member(mask: &Mask, rng: &mut Rng) -> Option<Action> {
    match mask.count() {
        0 => None,
        count => mask.nth(rng.below(count)),
    }
}
