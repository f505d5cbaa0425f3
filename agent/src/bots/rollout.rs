//! Random play to the end, which is what the searching bots ask about a leaf.

use nodarium_env::{Game, Rng, random_action};

/// No game has more seats.
pub(super) const MAX_SEATS: usize = 4;

/// What a game paid, one number a seat; zeros behind the last seat.
pub(super) type Returns = [f32; MAX_SEATS];

/// Plays at random to the end.
#[inline]
pub(super) fn rollout<G: Game>(game: &mut G, seats: usize, rng: &mut Rng) -> Returns {
    while let Some(action) = random_action(game, rng) {
        game.apply(action);
    }
    let mut returns = [0.0; MAX_SEATS];
    game.returns(&mut returns[..seats]);
    returns
}
