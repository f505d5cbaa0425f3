//! What comes of a plan, against the rules themselves: every turn is played on a whole state and weighed there.

use super::super::super::cards::{Card, KINDS};
use super::super::super::state::{Colony, NONE};
use super::super::super::table::{beside_one, each, only};
use super::super::ahead::{self, Ahead, FORESEEN, LOOKED_AT};
use super::super::prospect::Prospect;
use super::super::shortlist::{Plan, Shortlist};
use super::super::weigh::WON;
use super::{colonised, explored, moved, moves, near, plain, states};
use crate::Mask;

/// Past so many ways in which others could choose between what is worth the same to them, a state says little.
const WAYS: usize = 200;

/// The state at the next seat's turn. What it draws is of no account.
fn next_turn(game: &Colony) -> Colony {
    let mut after = game.clone();
    after.deck.draw();
    after.turn += 1;
    after.seat = (after.seat + 1) % after.players;
    after.placed = NONE;
    after
}

fn result(game: &Colony, viewer: usize) -> Option<f32> {
    let mut returns = [0.0; 4];
    game.end_after_turn()?;
    game.pay(&mut returns[..usize::from(game.players)]);
    Some(returns[viewer])
}

/// The states that are worth most to the one whose turn it is: all of them, for a reference does not know which one is taken.
fn best_for_actor(all: Vec<Colony>, over: bool) -> Vec<Colony> {
    let worths: Vec<f32> = all.iter().map(|game| plain(game, game.actor(), NONE, over).worth).collect();
    let most = worths.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    all.into_iter().zip(worths).filter(|&(_, worth)| near(worth, most)).map(|(game, _)| game).collect()
}

/// The actor's moves to Nodes that it does not hold, or none.
fn after_moves(game: &Colony) -> Vec<Colony> {
    let (seat, own) = (game.actor(), game.control[game.actor()]);
    let moves =
        moves(game, seat).filter(|&(from, to)| from != usize::from(game.placed) && own & only(to) == 0);
    std::iter::once(game.clone()).chain(moves.map(|(from, to)| moved(game, seat, from, to))).collect()
}

/// C-08: the ways to put a Colony of level 2 on a free Node, or the state as it is.
fn after_colonising(game: &Colony) -> Vec<Colony> {
    let own = game.control[game.actor()];
    let first = game.turn < u16::from(game.players);
    let cells = each(game.unoccupied()).filter(move |&cell| first || beside_one(cell) & own != 0);
    let ways = cells.flat_map(|cell| (1..KINDS).step_by(3).map(move |kind| (cell, kind)));
    let all: Vec<Colony> = ways.map(|(cell, kind)| colonised(game, Card::new(kind), cell)).collect();
    if all.is_empty() { vec![game.clone()] } else { all }
}

/// What may come of a state at the end of the viewer's turn, or of another's behind it; `None` past [`WAYS`].
fn outlooks(game: &Colony, viewer: usize) -> Option<Vec<f32>> {
    let last_of = |game: &Colony| {
        let mut last = game.clone();
        // The viewer's next turn, also where the game does not come to it.
        while last.deck.len() > 0 && last.turn + 1 < last.turn_limit {
            last = next_turn(&last);
            if last.actor() == viewer {
                break;
            }
        }
        last.seat = viewer as u8;
        last
    };
    let mut tables = vec![game.clone()];
    let mut found = Vec::new();
    for _ in 1..game.players {
        let mut after = Vec::new();
        for table in tables {
            let turn = next_turn(&table);
            let put = best_for_actor(after_colonising(&turn), false);
            after.extend(put.iter().flat_map(|turn| best_for_actor(after_moves(turn), true)));
        }
        let (over, on): (Vec<Colony>, Vec<Colony>) =
            after.into_iter().partition(|game| result(game, viewer).is_some());
        let ended = |game: &Colony| {
            let result = result(game, viewer).expect("these are over");
            plain(&last_of(game), viewer, NONE, false).worth + ahead::LATER * result
        };
        found.extend(over.iter().map(ended));
        tables = on;
        if tables.len() + found.len() > WAYS {
            return None;
        }
    }
    for table in tables {
        let worth = |game: &Colony| {
            plain(game, viewer, NONE, false).worth + ahead::LATER * result(game, viewer).unwrap_or(0.0)
        };
        found.push(after_moves(&next_turn(&table)).iter().map(worth).fold(f32::NEG_INFINITY, f32::max));
    }
    Some(found)
}

/// The plan played.
fn played(game: &Colony, plan: &Plan) -> Colony {
    let mut after = game.clone();
    if plan.explored != NONE {
        after = explored(&after, plan.explored.into());
    }
    if plan.at != NONE {
        after = colonised(&after, Card::new(plan.kind.into()), plan.at.into());
    }
    if plan.from != NONE {
        after = moved(&after, game.actor(), plan.from.into(), plan.to.into());
    }
    after
}

/// The plans without exploring.
fn plans(prospect: &Prospect<'_>) -> Shortlist {
    let mut list = Shortlist::new();
    prospect.without_exploring(&mut list);
    list
}

#[test]
fn a_plan_leads_where_the_replies_that_are_best_for_others_lead() {
    let mut seen = [0; 5];
    states(240, |game| {
        if game.phase != super::super::Phase::Colonise || game.deck.len() == 0 {
            return;
        }
        let viewer = game.actor();
        let prospect = Prospect::by_nodes(game, viewer);
        let ahead = Ahead::new(&prospect);
        for (_, plan) in plans(&prospect).alike(0).iter().take(2) {
            let after = played(game, plan);
            let told = ahead.worth(plan);
            if let Some(result) = result(&after, viewer) {
                assert!(near(told, plain(&after, viewer, NONE, false).worth + WON * result));
            } else if let Some(found) = outlooks(&after, viewer) {
                assert!(found.iter().any(|&worth| near(worth, told)), "{told} is none of {found:?}");
                seen[usize::from(game.players)] += 1;
            }
        }
    });
    assert!(seen[2..].iter().all(|&seen| seen > 5), "{seen:?}");
}

#[test]
fn plans_that_look_alike_are_looked_at_together_or_not_at_all() {
    let mut list = Shortlist::new();
    let plan = |to| Plan { to, ..Plan::NOTHING };
    (0..3).for_each(|to| list.add(2.0, plan(to)));
    list.add(3.0, plan(3));
    assert_eq!(list.alike(0), [(3.0, plan(3))]);
    assert_eq!(list.alike(1).len(), 3);
    (4..40).for_each(|to| list.add(1.0, plan(to)));
    assert!(list.alike(4).is_empty(), "some have found no place");
    list.miss(2.0);
    assert!(list.alike(1).is_empty());
    assert_eq!(list.alike(0).len(), 1);
}

#[test]
fn what_was_not_looked_at_is_no_better_than_what_was() {
    let mut seen = 0;
    states(300, |game| {
        let prospect = Prospect::new(game, game.actor());
        let list = plans(&prospect);
        let Some(foreseen) = prospect.foresee(&list) else { return };
        let ahead = Ahead::new(&prospect);
        let best = list.alike(0)[0];
        let worth = best.0 + FORESEEN * (ahead.worth(&best.1) - best.0);
        assert!(foreseen.of(best.1.first(game.phase).index(), best.0) >= worth);
        let mut legal = Mask::EMPTY;
        game.options(&mut legal);
        for action in legal.iter().filter(|action| foreseen.worth[action.index()] == f32::NEG_INFINITY) {
            assert!(foreseen.of(action.index(), foreseen.glance - 0.5) <= foreseen.lowest - 0.4);
            seen += 1;
        }
        assert!(list.alike(0).len() > LOOKED_AT || foreseen.lowest <= worth);
    });
    assert!(seen > 100, "{seen}");
}
