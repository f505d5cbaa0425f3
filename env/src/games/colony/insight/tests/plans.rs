//! Plans, played by the rules.

use super::super::weights::{FOR_FOUR, FOR_THREE, Weights};
use super::*;

/// The place of the Nodes that a seat holds among the counts.
const NODES: usize = 4;

#[test]
fn plans_can_be_played_and_lead_to_what_is_counted_behind_them() {
    let (mut seen, mut ended) = (0, 0);
    for index in 0..24 {
        let (players, weights) = if index % 2 == 0 { (3, &FOR_THREE) } else { (4, &FOR_FOUR) };
        turns_of(players, weights, index, |game, plans| {
            assert!(!plans.is_empty());
            assert!(plans.is_sorted_by(|one, other| one.chance >= other.chance));
            for plan in plans {
                let mut after = game.clone();
                plan.play(&mut after);
                let held = seats(game).map(|seat| after.control[seat].count_ones() as f32);
                assert!(held.eq(seats(game).map(|seat| plan.counts[seat][NODES])));
                match after.over {
                    None => assert_eq!(after.turn, game.turn + 1),
                    Some(reason) if reason != Reason::Trapped => {
                        // What has ended is won or lost, whatever it looks like; a shared win is neither.
                        let paid = returns(&after)[game.actor()];
                        let sure = if paid > 0.0 { plan.chance > 0.99 } else { plan.chance < 0.01 };
                        assert!(sure || paid.abs() < 0.3, "{paid}, {}", plan.chance);
                        ended += 1;
                    }
                    Some(_) => {}
                }
                seen += 1;
            }
        });
    }
    assert!(seen > 2_000 && ended > 50, "{seen}, {ended}");
}

#[test]
fn weights_decide_which_plan_looks_best() {
    let weighing_nodes = |weight: f32| -> &'static Weights {
        let mut straight = FOR_THREE.straight.map(|_| 0.0);
        straight[NODES] = weight;
        Box::leak(Box::new(Weights { straight, last: FOR_THREE.last.map(|_| 0.0), ..FOR_THREE }))
    };
    // Not so much that odds are beyond all bounds.
    let (many, few) = (weighing_nodes(3.0), weighing_nodes(-3.0));
    let (mut more, mut fewer, mut turns) = (0, 0, 0);
    for index in 0..8 {
        turns_of(3, &FOR_THREE, index, |game, _| {
            let held = |weights| game.plans(weights)[0].counts[game.actor()][NODES];
            more += u32::from(held(many) > held(few));
            fewer += u32::from(held(many) < held(few));
            turns += 1;
        });
    }
    assert!(turns > 100 && 2 * more > turns && 20 * fewer < turns, "{more} and {fewer} of {turns}");
}

fn returns(game: &Colony) -> Vec<f32> {
    let mut returns = vec![0.0; game.players.into()];
    game.returns(&mut returns);
    returns
}

/// A game in which everybody plays one of the plans that look best.
fn turns_of(players: u8, weights: &'static Weights, index: u64, mut test: impl FnMut(&Colony, &[Planned])) {
    let mut rng = Rng::keyed(Purpose::Choice, 11, index, 0);
    let mut game = Colony::deal(&ColonyRules { players, ..ColonyRules::default() }, &mut rng);
    while game.over.is_none() {
        let plans = game.plans(weights);
        test(&game, &plans);
        plans[rng.below(plans.len() as u32) as usize].play(&mut game);
    }
}
