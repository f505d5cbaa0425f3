//! Which moves of others a player has seen.

use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Information, Mask, Rng, Seat, Spec, Text};

/// Worlds that are imagined to find out.
const WORLDS: u64 = 64;

/// Whether `viewer`, who sees the state before and after the action, knows which action it was.
///
/// The games say what a seat sees of a state, not of a move; but a move is known if and only if no other move, in this
/// world or in another that looks the same, would have led to the same sight. Worlds are drawn, so a rare one may be missed.
pub fn is_seen<G: Text>(spec: &Spec, before: &G, action: Action, viewer: Seat, seed: u64) -> bool {
    if spec.information == Information::Perfect || before.to_move() == Some(viewer) {
        return true;
    }
    let sight = |state: &G, action| {
        let mut after = state.clone();
        after.apply(action);
        let mut sight = vec![0.0; spec.observation.len()];
        after.observe(viewer, &mut sight);
        sight
    };
    let (text, seen) = (before.move_text(action), sight(before, action));
    (0..=WORLDS).all(|number| {
        let mut world = before.clone();
        if number > 0 {
            world.redeal_hidden(viewer, &mut Rng::keyed(Purpose::World, seed, number, 0));
        }
        let mut mask = Mask::EMPTY;
        world.legal(&mut mask);
        mask.iter().all(|other| world.move_text(other) == text || sight(&world, other) != seen)
    })
}

#[cfg(test)]
mod tests {
    use nodarium_env::games::colony::Colony;
    use nodarium_env::games::starduel::StarDuel;

    use super::*;

    /// Plays the moves by their beginnings; for each, whether the other seat saw it.
    fn seen<G: Text>(rules: &G::Rules, beginnings: &[&str]) -> Vec<bool> {
        let spec = G::spec(rules);
        let mut game = G::deal(rules, &mut Rng::keyed(Purpose::Deal, 3, 0, 0));
        let mut told = Vec::new();
        for beginning in beginnings {
            let mut mask = Mask::EMPTY;
            game.legal(&mut mask);
            let action = mask.iter().find(|&action| game.move_text(action).starts_with(beginning));
            let action = action.unwrap_or_else(|| panic!("no move begins with {beginning}"));
            let viewer = Seat(1 - game.to_move().expect("the game goes on").0);
            told.push(is_seen(&spec, &game, action, viewer, 3));
            game.apply(action);
        }
        told
    }

    #[test]
    fn a_secret_program_is_not_seen_and_the_one_that_reveals_both_is() {
        assert_eq!(seen::<StarDuel>(&Default::default(), &["program 11", "program 15"]), [false, true]);
    }

    #[test]
    fn a_card_is_seen_when_it_lies_on_the_table() {
        assert_eq!(seen::<Colony>(&Default::default(), &["card", "at"]), [false, true]);
    }
}
