//! Values belong to seats: no sign is flipped because a ply went by.

use nodarium_env::{Action, Game};

use crate::evaluators::Judge;
use crate::toys::{IN_A_ROW, PAYS, THREE_SEATS, Toy};
use crate::{greedy, played, search, uniform};

#[test]
fn a_plan_of_three_plies_by_one_seat_is_found() {
    for (moves, best) in [(vec![], 1), (vec![1], 0), (vec![1, 0], 1)] {
        let game: Toy<IN_A_ROW> = played(&moves);
        let found = search(&game, &uniform::<Toy<IN_A_ROW>>(), greedy(32));
        assert_eq!(found.actions[0], Action(best), "after {moves:?}: {found:?}");
        assert!(found.q[usize::from(best)] > 0.5, "{found:?}");
        assert!((found.values[0] + found.values[1]).abs() < 1e-6, "zero-sum");
    }
}

/// The choice of the seat that gets most for itself when everyone after it does the same.
fn max_n(prefix: usize, plies: usize) -> ([f32; 3], usize) {
    if plies == 3 {
        return (PAYS[prefix], 0);
    }
    let both = [0, 1].map(|choice| max_n(prefix << 1 | choice, plies + 1).0);
    let best = usize::from(both[1][plies] > both[0][plies]);
    (both[best], best)
}

#[test]
fn each_of_three_seats_maximises_its_own_return() {
    for (moves, prefix) in [(vec![], 0), (vec![0], 0), (vec![1], 1), (vec![0, 1], 1), (vec![1, 1], 3)] {
        let game: Toy<THREE_SEATS> = played(&moves);
        let found = search(&game, &uniform::<Toy<THREE_SEATS>>(), greedy(400));
        let (values, best) = max_n(prefix, moves.len());
        assert_eq!(found.actions[0], Action(best as u16), "after {moves:?}: {found:?}");
        let seat = game.to_move().expect("it goes on").index();
        let q = found.q[best];
        assert!((q - values[seat]).abs() < 0.15, "after {moves:?}: {q} against {values:?}");
    }
}

/// The evaluator speaks from the viewer's side; the root's values come out by seat.
#[test]
fn values_are_turned_from_the_viewer_to_the_seats() {
    let judge = Judge::new::<Toy<THREE_SEATS>>(|_, _, values| values.copy_from_slice(&[0.5, 0.25, -0.75]));
    for (moves, expected) in
        [(vec![], [0.5, 0.25, -0.75]), (vec![0], [-0.75, 0.5, 0.25]), (vec![0, 0], [0.25, -0.75, 0.5])]
    {
        let found = search(&played::<Toy<THREE_SEATS>>(&moves), &judge, greedy(0));
        assert_eq!(found.values, expected, "after {moves:?}");
    }
}
