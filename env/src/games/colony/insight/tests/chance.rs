//! What the odds are made of, counted by the rules themselves.

use super::super::super::cards::CARD_KINDS;
use super::super::super::options::Movement;
use super::super::super::table::{beside_one, only};
use super::super::chance::Chances;
use super::super::hands;
use super::super::scene::Scene;
use super::super::weigh::{BESIDE_CHANCES, CHANCES};
use super::*;

/// The places of some counts in the order of the weights.
const TURNS: usize = 0;
const NODES: usize = 4;
const AT_RISK: usize = 7;
const INVADERS: usize = 8;
const TAKES: usize = 11;
const ROOM: usize = 12;
const REACHES: usize = 13;
const SPARE: usize = 18;
const OPPRESSED: usize = 19;
const INVASIONS: usize = 25;

/// The states that have odds, as the actor sees them.
fn with_odds(count: u64, mut test: impl FnMut(&Colony, &Chances, &Scene)) {
    let mut seen = [0; 5];
    states(count, |game| {
        let odds = Chances::new(game, game.actor());
        assert_eq!(odds.is_some(), game.players > 2 && game.movement == Movement::Line);
        if let Some(odds) = odds {
            test(game, &odds, &Scene::of(game, game.actor()));
            seen[usize::from(game.players)] += 1;
        }
    });
    assert!(seen[3..].iter().all(|&seen| seen > 20), "{seen:?}");
}

#[test]
fn the_chances_of_all_seats_sum_to_one() {
    with_odds(300, |game, odds, scene| {
        let chances: f32 = seats(game).map(|seat| 1.0 / (1.0 + (-odds.odds(scene, seat, 0.0)).exp())).sum();
        assert!(near(chances, 1.0), "{chances}");
    });
}

#[test]
fn counts_are_what_the_rules_say() {
    with_odds(400, |game, odds, scene| {
        let counts = odds.counts(scene, 7.0);
        let left = usize::from(game.turn_limit - 1 - game.turn).min(game.deck.len());
        let players = usize::from(game.players);
        let turns = |seat: usize| (1..=left).filter(|turn| (game.actor() + turn) % players == seat).count();
        let takes = |seat: usize, cell: usize| moves(game, seat).any(|(_, to)| to == cell);
        let taken = |seat: usize| {
            let others = game.occupied() & !game.control[seat];
            each(others).filter(move |&cell| takes(seat, cell)).collect::<Vec<_>>()
        };
        let below = |seat: usize, own: bool| {
            let right_below = |cell| game.buried.upper(cell)[0].is_some_and(|card| card.owner() == seat);
            let held = each(game.occupied()).filter(|&cell| (game.owner(cell) == seat) == own);
            held.filter(|&cell| right_below(cell)).count() as f32
        };
        for seat in seats(game) {
            let told = counts[seat];
            let acts = turns(seat) > 0;
            let invaders = || others(game, seat).filter(|&other| turns(other) > 0);
            let at_risk = each(game.control[seat]).filter(|&cell| invaders().any(|other| takes(other, cell)));
            let hits = |other: usize| {
                let all = taken(other);
                let here = all.iter().filter(|&&cell| game.owner(cell) == seat).count();
                here as f32 / all.len().max(1) as f32
            };
            let room = each(game.unoccupied()).filter(|&cell| beside_one(cell) & game.control[seat] != 0);
            let found = [
                (TURNS, turns(seat) as f32 - left as f32 / players as f32),
                (NODES, game.control[seat].count_ones() as f32),
                (AT_RISK, at_risk.count() as f32),
                (INVADERS, invaders().filter(|&other| hits(other) > 0.0).count() as f32),
                (TAKES, if acts { taken(seat).len() as f32 } else { 0.0 }),
                (ROOM, if acts { room.count() as f32 } else { 0.0 }),
                (REACHES, moves(game, seat).count() as f32 * 0.1),
                (SPARE, below(seat, true)),
                (OPPRESSED, below(seat, false)),
                (INVASIONS, invaders().map(hits).sum()),
            ];
            for (place, found) in found {
                assert!(near(told[place], found), "count {place}: {} instead of {found}", told[place]);
            }
        }
    });
}

#[test]
fn a_hand_holds_what_is_known_of_it() {
    with_odds(200, |game, _, scene| {
        let viewer = game.actor();
        let size = |seat: usize| f32::from(game.hands[seat].iter().sum::<u8>());
        assert!(seats(game).all(|seat| near(scene.hands[seat].iter().sum(), size(seat))));
        assert_eq!(scene.hands[viewer], game.hands[viewer].map(f32::from));
        let mut other = game.clone();
        other.redeal_hidden(Seat(viewer as u8), &mut Rng::keyed(Purpose::World, 1, 0, 0));
        assert_eq!(hands::expected(&other, viewer), scene.hands);
        let mut after = scene.clone();
        after.explore(0, viewer);
        let nodes = |scene: &Scene| scene.hands[viewer][Card::NODE.index()];
        assert_eq!(nodes(&after), nodes(scene) - 1.0);
        assert_eq!(after.nodes, scene.nodes | only(0));
    });
}

#[test]
fn odds_count_beside_what_is_weighed() {
    with_odds(200, |game, odds, scene| {
        let viewer = game.actor();
        let plain = Prospect::by_nodes(game, viewer);
        let in_hand = plain.scales.held_node() * scene.hands[viewer][Card::NODE.index()];
        let odds = odds.odds(scene, viewer, plain.now.worth + in_hand);
        let both = Prospect::new(game, viewer).now.worth;
        assert!(near(both, BESIDE_CHANCES * plain.now.worth + CHANCES * odds));
    });
}

#[test]
fn a_node_more_and_a_higher_level_speak_for_their_holder() {
    let (mut nodes, mut levels, mut all) = (0, 0, 0);
    with_odds(400, |game, odds, scene| {
        let viewer = game.actor();
        let free = each(scene.nodes & !scene.occupied()).next();
        let low = each(game.control[viewer]).find(|&cell| scene.top(cell).level() == 1);
        let (Some(free), Some(low)) = (free, low) else { return };
        let before = odds.odds(scene, viewer, 0.0);
        let mut after = scene.clone();
        after.put(free, viewer, Card::new(2));
        nodes += u32::from(odds.odds(&after, viewer, 0.0) > before);
        let mut after = scene.clone();
        after.put(low, viewer, Card::new(scene.top(low).index() + 2));
        levels += u32::from(odds.odds(&after, viewer, 0.0) > before);
        all += 1;
    });
    assert!(all > 40 && 10 * nodes > 9 * all && 10 * levels > 8 * all, "{nodes}, {levels} of {all}");
}

#[test]
fn invasions_are_sorted_by_what_stays_behind_and_by_who_could_answer() {
    const INVADES: [[usize; 2]; 2] = [[47, 46], [45, 44]];
    const EXPOSED: [[usize; 2]; 2] = [[53, 52], [51, 50]];
    with_odds(300, |game, odds, scene| {
        let counts = odds.counts(scene, 0.0);
        // By the rules: the Nodes that a seat takes, by whether its own card is beneath the one that goes, and by whether
        // another with a turn left could then take it there.
        let sorted = |seat: usize| {
            let mut sets = [[0; 2]; 2];
            for (from, to) in moves(game, seat).filter(|_| odds.turns(seat) > 0) {
                if game.occupied() & !game.control[seat] & only(to) == 0 {
                    continue;
                }
                let stays = game.buried.upper(from)[0].is_some_and(|card| card.owner() == seat);
                let card = game.top(from);
                // The card is put there without leaving its Node, as the counts have it: ways that it opens are not seen.
                let mut after = game.clone();
                after.put(to, seat, card);
                let answered = others(game, seat)
                    .filter(|&other| odds.turns(other) > 0)
                    .any(|other| moves(&after, other).any(|(_, target)| target == to));
                sets[usize::from(stays)][usize::from(!answered)] |= only(to);
            }
            sets
        };
        for seat in seats(game) {
            for stays in 0..2 {
                for lasts in 0..2 {
                    let own = sorted(seat)[stays][lasts].count_ones() as f32;
                    assert_eq!(counts[seat][INVADES[stays][lasts]], own);
                    let taken = others(game, seat).fold(0, |set, other| set | sorted(other)[stays][lasts]);
                    let exposed = (taken & game.control[seat]).count_ones() as f32;
                    assert_eq!(counts[seat][EXPOSED[stays][lasts]], exposed);
                }
            }
        }
    });
}

#[test]
fn who_counts_nodes_takes_where_that_wins_most() {
    const AIMED: usize = 56;
    let mut aimed = 0;
    with_odds(300, |game, odds, scene| {
        let counts = odds.counts(scene, 0.0);
        let taken = 1.0 + 1.0 / (f32::from(game.players) - 1.0);
        let gain = |seat: usize, from: usize, to: usize| {
            let loses = match game.buried.upper(from)[0] {
                Some(card) if card.owner() == seat => 0.0,
                Some(_) => taken,
                None => 1.0,
            };
            let wins = match () {
                () if game.unoccupied() & only(to) != 0 => 1.0,
                () if game.owner(to) == seat => 0.0,
                () => taken,
            };
            wins - loses
        };
        for seat in seats(game) {
            let hits = |other: usize| {
                let gains: Vec<_> =
                    moves(game, other).map(|(from, to)| (gain(other, from, to), to)).collect();
                let most = gains.iter().map(|&(gain, _)| gain).fold(0.0, f32::max);
                if most < 0.1 || odds.turns(other) == 0 {
                    return 0.0;
                }
                let best: Vec<_> = gains.iter().filter(|(gain, _)| most - gain < 0.01).collect();
                let here = best.iter().filter(|(_, to)| game.control[seat] & only(*to) != 0).count();
                here as f32 / best.len() as f32
            };
            let found: f32 = others(game, seat).map(hits).sum();
            assert!(near(counts[seat][AIMED], found), "{} instead of {found}", counts[seat][AIMED]);
            aimed += u32::from(found > 0.0);
        }
    });
    assert!(aimed > 50, "{aimed}");
}

#[test]
fn a_node_is_as_frail_as_unseen_cards_make_it() {
    const ATTACK: usize = 29;
    const FRAIL: usize = 31;
    with_odds(300, |game, odds, scene| {
        let viewer = game.actor();
        let counts = odds.counts(scene, 0.0);
        let hidden: Vec<Card> = others(game, viewer)
            .flat_map(|other| {
                (0..CARD_KINDS).flat_map(move |kind| vec![kind; game.hands[other][kind].into()])
            })
            .map(Card::new)
            .chain(game.deck.iter())
            .collect();
        for seat in seats(game) {
            let beats = |top: Card| hidden.iter().filter(|card| card.is_colony() && card.beats(top)).count();
            let frail: usize = each(game.control[seat]).map(|cell| beats(game.top(cell))).sum();
            assert!(near(counts[seat][FRAIL], frail as f32 / hidden.len().max(1) as f32));
        }
        let own = game.control[viewer];
        let room = each(game.unoccupied()).filter(|&cell| beside_one(cell) & own != 0);
        let from = room.fold(own, |set, cell| set | only(cell));
        let near_by = |cell: usize| beside_one(cell) & from != 0 && own & only(cell) == 0;
        let prey: Vec<Card> =
            each(game.occupied()).filter(|&cell| near_by(cell)).map(|cell| game.top(cell)).collect();
        let held = (0..KINDS).filter(|&kind| game.hands[viewer][kind] > 0).map(Card::new);
        let best = held.map(|card| prey.iter().filter(|&&top| card.beats(top)).count()).max().unwrap_or(0);
        assert_eq!(counts[viewer][ATTACK], best as f32);
    });
}
