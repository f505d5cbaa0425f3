//! What comes of a plan, against the rules themselves: every turn is played on a whole state and weighed there.

use super::super::super::cards::Card;
use super::super::super::state::{Colony, NONE};
use super::super::super::table::{CELLS, beside, each, only};
use super::super::ahead::{self, Ahead, FORESEEN, LOOKED_AT, PUT_DOWN};
use super::super::hands;
use super::super::line::{Best, Line};
use super::super::prospect::Prospect;
use super::super::reply::{FURTHER, HOLDS_NODE, THOUGHT_OF};
use super::super::shortlist::{Plan, Shortlist};
use super::super::weigh::{AT_RISK, Scales, WON};
use super::{colonised, explored, held, moved, moves, near, plain, seats, states};
use crate::Mask;

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

/// What a seat that counts Nodes sees in a state at the end of a turn.
fn at_once(game: &Colony, seat: usize) -> f32 {
    let standing = super::ahead(game, seat, |other| held(game, seat, other, AT_RISK));
    standing + WON * result(game, seat).unwrap_or(0.0)
}

/// Which of these may be among the best [`THOUGHT_OF`], and which are so for sure: of those that are worth the same some may not
/// find a place.
fn thought_of(worths: &[f32]) -> Vec<[bool; 2]> {
    let mut sorted = worths.to_vec();
    sorted.sort_by(|one, other| other.total_cmp(one));
    let last = sorted[THOUGHT_OF.min(sorted.len()) - 1];
    let all_find_a_place = sorted.iter().filter(|&&worth| worth > last - 1e-3).count() <= THOUGHT_OF;
    let is_thought_of = |&worth: &f32| {
        let may_be = worth > last - 1e-3;
        [may_be, worth > last + 1e-3 || may_be && all_find_a_place]
    };
    worths.iter().map(is_thought_of).collect()
}

/// The states that are worth most: all of them, for a reference does not know which one is taken.
fn best_of(all: Vec<Colony>, worth: impl Fn(&Colony) -> f32) -> Vec<Colony> {
    let worths: Vec<f32> = all.iter().map(worth).collect();
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

/// What a player who sees `viewer`'s hand alone, at the beginning, takes the others to do.
struct Reference {
    /// The Nodes that are to be expected in every hand.
    nodes: [f32; 4],
    card: Card,
}

impl Reference {
    fn new(game: &Colony, card: Card) -> Self {
        let hands = hands::expected(game, game.actor());
        Self { nodes: hands.map(|hand| hand[Card::NODE.index()]), card }
    }

    /// C-08, C-07: the ways to put the card down that are best for the actor, or the state as it is.
    fn after_putting_down(&self, game: &Colony) -> Vec<Colony> {
        let seat = game.actor();
        let near_own = beside(game.control[seat]);
        let first = game.turn < u16::from(game.players);
        let free = each(game.unoccupied()).filter(|&cell| first || near_own & only(cell) != 0);
        let mut all: Vec<Colony> = free.map(|cell| colonised(game, self.card, cell)).collect();
        if all.is_empty() && self.nodes[seat] > HOLDS_NODE {
            let new = each(near_own & game.playable() & !game.nodes);
            all = new.map(|cell| colonised(&explored(game, cell), self.card, cell)).collect();
        }
        if all.is_empty() {
            return vec![game.clone()];
        }
        let standing = |game: &Colony| super::ahead(game, seat, |other| held(game, seat, other, AT_RISK));
        best_of(all, standing)
    }

    /// What the turn of the next seat may leave of a state.
    fn further(&self, game: &Colony, seat: usize) -> Vec<f32> {
        if result(game, seat).is_some() {
            return vec![at_once(game, seat)];
        }
        let put = self.after_putting_down(&next_turn(game));
        let next = put.iter().flat_map(|turn| best_of(after_moves(turn), |game| at_once(game, turn.actor())));
        next.map(|game| at_once(&game, seat)).collect()
    }

    /// Whether the table may be what the turn of the actor leads to.
    fn may_lead_to(&self, game: &Colony, table: &Colony) -> bool {
        self.after_putting_down(game).iter().any(|put| {
            let all = after_moves(put);
            let worths: Vec<f32> = all.iter().map(|game| at_once(game, game.actor())).collect();
            let thought_of = thought_of(&worths);
            // The least and the most that each may be worth.
            let values = |index: usize| {
                let further = self.further(&all[index], game.actor());
                let values =
                    further.iter().map(|further| worths[index] + FURTHER * (further - worths[index]));
                let none = [f32::INFINITY, f32::NEG_INFINITY];
                values.fold(none, |[least, most], value| [least.min(value), most.max(value)])
            };
            let sure = (0..all.len()).filter(|&index| thought_of[index][1]);
            let least = sure.map(|index| values(index)[0]).fold(f32::NEG_INFINITY, f32::max);
            (0..all.len())
                .filter(|&index| thought_of[index][0] && same_table(&all[index], table))
                .any(|index| values(index)[1] > least - 1e-3)
        })
    }
}

fn same_table(one: &Colony, other: &Colony) -> bool {
    let buried = |game: &Colony| {
        let mut cards: Vec<_> =
            game.buried.iter().map(|(cell, card)| (cell, card.owner(), card.card())).collect();
        // Piles may lie in any order.
        cards.sort_by_key(|&(cell, ..)| cell);
        cards
    };
    one.nodes == other.nodes
        && one.control == other.control
        && each(one.occupied()).all(|cell| one.top(cell) == other.top(cell))
        && buried(one) == buried(other)
}

fn cards_on(table: &Colony) -> usize {
    table.occupied().count_ones() as usize + table.buried.iter().count()
}

/// A state with that table.
fn state_of(line: &Line, mut game: Colony) -> Colony {
    for cell in 0..CELLS {
        while game.occupied() & only(cell) != 0 {
            game.lift(cell);
        }
    }
    game.nodes = line.scene.nodes;
    for cell in each(line.scene.occupied()) {
        game.put(cell, line.scene.owner(cell).expect("it is occupied"), line.scene.top(cell));
    }
    game.buried = line.buried.clone();
    game
}

/// States in which plans are made, with the plan that looks best.
fn planned(count: u64, mut test: impl FnMut(&Colony, &Prospect<'_>, &Plan)) {
    states(count, |game| {
        if game.phase != super::super::Phase::Colonise || game.deck.len() == 0 {
            return;
        }
        let prospect = Prospect::by_nodes(game, game.actor());
        if let Some((_, plan)) = plans(&prospect).alike(0).first() {
            test(game, &prospect, plan);
        }
    });
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
fn others_reply_with_what_is_best_for_them_one_turn_further() {
    let mut seen = [0; 5];
    planned(400, |game, prospect, plan| {
        let ahead = Ahead::new(prospect);
        let card = PUT_DOWN[seen.iter().sum::<usize>() % PUT_DOWN.len()];
        let reference = Reference::new(game, card);
        let mut line = ahead.played(plan);
        let mut before = played(game, plan);
        assert!(same_table(&before, &state_of(&line, before.clone())));
        for on in 1..usize::from(game.players) {
            if result(&before, 0).is_some() {
                return;
            }
            let turn = next_turn(&before);
            let put_down = ahead.reply(&mut line, on, card);
            before = state_of(&line, turn.clone());
            assert!(reference.may_lead_to(&turn, &before), "{on} turns on from {game:?} by {plan:?}");
            assert_eq!(put_down, cards_on(&before) > cards_on(&turn));
            seen[usize::from(game.players)] += 1;
        }
    });
    assert!(seen[2..].iter().all(|&seen| seen > 20), "{seen:?}");
}

#[test]
fn a_plan_is_worth_what_the_best_next_move_makes_of_the_replies() {
    let mut seen = [0; 5];
    planned(240, |game, prospect, plan| {
        let (viewer, players) = (game.actor(), usize::from(game.players));
        let ahead = Ahead::new(prospect);
        let told = ahead.worth(plan);
        let after = played(game, plan);
        if let Some(result) = result(&after, viewer) {
            assert!(near(told, plain(&after, viewer, NONE, false).worth + WON * result));
            return;
        }
        let worth = |game: &Colony, result: Option<f32>| {
            let mut last = game.clone();
            // The viewer's next turn, also where the game does not come to it.
            while last.actor() != viewer && last.deck.len() > 0 && last.turn + 1 < last.turn_limit {
                last = next_turn(&last);
            }
            last.seat = viewer as u8;
            plain(&last, viewer, NONE, false).worth + ahead::LATER * result.unwrap_or(0.0)
        };
        // The least and the most that it may be.
        let mut sums = [0.0; 2];
        for card in PUT_DOWN {
            let mut line = ahead.played(plan);
            let mut table = after.clone();
            let mut ended = None;
            for on in 1..players {
                ahead.reply(&mut line, on, card);
                table = state_of(&line, next_turn(&table));
                ended = result(&table, viewer);
                if ended.is_some() {
                    break;
                }
            }
            if ended.is_some() {
                sums = sums.map(|sum| sum + worth(&table, ended));
                continue;
            }
            let all = after_moves(&next_turn(&table));
            let worths: Vec<f32> = all.iter().map(|game| at_once(game, viewer)).collect();
            let thought_of = thought_of(&worths);
            let best = |sure: usize| {
                let looked_at = all.iter().zip(&thought_of).filter(|(_, is)| is[sure]);
                looked_at.map(|(game, _)| worth(game, result(game, viewer))).fold(f32::NEG_INFINITY, f32::max)
            };
            sums = [sums[0] + best(1), sums[1] + best(0)];
        }
        let [least, most] = sums.map(|sum| sum / PUT_DOWN.len() as f32);
        assert!(told > least - 1e-3 && told < most + 1e-3, "{told} is not from {least} to {most}");
        seen[players] += usize::from(near(least, most));
    });
    assert!(seen[2..].iter().all(|&seen| seen > 5), "{seen:?}");
}

#[test]
fn standing_alone_is_the_standing_of_a_weighed_table() {
    states(300, |game| {
        for viewer in seats(game) {
            let scales = Scales::new(game, viewer, 0, None);
            let scene = Prospect::by_nodes(game, viewer).scene;
            assert_eq!(scales.standing(&scene), scales.weigh(&scene, NONE, false).standing);
        }
    });
}

#[test]
fn the_best_steps_are_kept_in_their_order() {
    states(20, |game| {
        let prospect = Prospect::by_nodes(game, game.actor());
        let line = Ahead::new(&prospect).played(&Plan::NOTHING);
        let mut best = Best::<3>::new(&line);
        assert!(best.found().is_empty());
        for (worth, step) in [(1.0, [0, 1]), (3.0, [0, 2]), (2.0, [0, 3]), (0.0, [0, 4]), (2.5, [0, 5])] {
            best.offer(worth, Some(step));
        }
        assert_eq!(best.found(), [(3.0, Some([0, 2])), (2.5, Some([0, 5])), (2.0, Some([0, 3]))]);
        best.offer(3.0, None);
        assert_eq!(best.found()[0], (3.0, None), "none before what is worth the same");
        // Whatever comes first, the order of steps that are worth the same is the same.
        let alike = [[0, 7], [3, 4], [12, 13], [60, 71]];
        let mut one = Best::<4>::new(&line);
        let mut other = Best::<4>::new(&line);
        alike.iter().for_each(|&step| one.offer(1.0, Some(step)));
        alike.iter().rev().for_each(|&step| other.offer(1.0, Some(step)));
        assert_eq!(one.found(), other.found());
    });
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
