//! Every number against a slow, plain reference that plays the actions by the rules themselves.

mod ahead;
mod chance;
mod plans;

use super::super::options::{ColonyLayout, ColonyRules, Movement};
use super::super::state::{NONE, Reason, SEATS};
use super::super::table::only;
use super::shortlist::{Plan, Shortlist};
use super::weigh::{self, AT_RISK, HELD_NODE, LEVEL, SAFE};
use super::*;
use crate::rng::Purpose;
use crate::{Game, Rng, Seat, random_action};

/// States of random games of all kinds.
fn states(count: u64, mut test: impl FnMut(&Colony)) {
    let layouts = [ColonyLayout::Grid9, ColonyLayout::Plus5, ColonyLayout::Diamond13];
    for index in 0..count {
        let rules = ColonyRules {
            players: 2 + (index % 3) as u8,
            layout: layouts[(index / 3 % 3) as usize],
            movement: if index / 9 % 2 == 0 { Movement::Line } else { Movement::Path },
            ..ColonyRules::default()
        };
        let mut rng = Rng::keyed(Purpose::Choice, 3, index, 0);
        let mut game = Colony::deal(&rules, &mut rng);
        for _ in 0..rng.below(160) {
            let mut next = game.clone();
            let Some(action) = random_action(&game, &mut rng) else { break };
            next.apply(action);
            if next.over.is_some() {
                break;
            }
            game = next;
        }
        test(&game);
    }
}

fn seats(game: &Colony) -> impl Iterator<Item = usize> {
    0..usize::from(game.players)
}

fn others(game: &Colony, viewer: usize) -> impl Iterator<Item = usize> {
    seats(game).filter(move |&seat| seat != viewer)
}

/// All moves of a seat's Colonies.
fn moves(game: &Colony, seat: usize) -> impl Iterator<Item = (usize, usize)> {
    each(game.control[seat]).flat_map(move |from| each(game.reach(seat, from)).map(move |to| (from, to)))
}

fn moved(game: &Colony, seat: usize, from: usize, to: usize) -> Colony {
    let mut after = game.clone();
    let card = after.lift(from);
    after.put(to, seat, card);
    after
}

fn colonised(game: &Colony, card: Card, cell: usize) -> Colony {
    let mut after = game.clone();
    after.put(cell, game.actor(), card);
    after.placed = cell as u8;
    after
}

fn explored(game: &Colony, cell: usize) -> Colony {
    let mut after = game.clone();
    after.nodes |= only(cell);
    after
}

/// What the viewer has of something, less what the others have on average.
fn ahead(game: &Colony, viewer: usize, of: impl Fn(usize) -> f32) -> f32 {
    of(viewer) - others(game, viewer).map(&of).sum::<f32>() / (f32::from(game.players) - 1.0)
}

fn nodes_ahead(game: &Colony, viewer: usize) -> f32 {
    ahead(game, viewer, |seat| game.control[seat].count_ones() as f32)
}

/// Whether a Node is one that the viewer could take from another, or another from the viewer.
fn is_at_risk(game: &Colony, viewer: usize, cell: usize) -> bool {
    let invaded_by = |seat: usize| moves(game, seat).any(|(_, to)| to == cell);
    if game.owner(cell) == viewer { others(game, viewer).any(invaded_by) } else { invaded_by(viewer) }
}

/// What a seat holds.
fn held(game: &Colony, viewer: usize, seat: usize, at_risk: f32) -> f32 {
    let worth = |cell| {
        LEVEL * game.top(cell).level() as f32 + if is_at_risk(game, viewer, cell) { at_risk } else { SAFE }
    };
    each(game.control[seat]).map(worth).sum()
}

/// Whether a seat has a turn among those that follow, the one under way not counted for the viewer.
fn comes_again(game: &Colony, viewer: usize, seat: usize) -> bool {
    let left = usize::from(game.turn_limit - 1 - game.turn).min(game.deck.len());
    let seat_after = |turns: usize| (game.actor() + turns) % usize::from(game.players);
    let mut turns = (0..=left).filter(|&turns| seat_after(turns) == seat);
    if seat == viewer { turns.nth(1).is_some() } else { turns.next().is_some() }
}

/// What the moves of a seat are expected to take from the viewer's lead: the most that one does, half of it for certain and half
/// by the part of its invasions that meet the viewer.
fn expected_reply(game: &Colony, viewer: usize, seat: usize, most: f32) -> f32 {
    let invaded = moves(game, seat).map(|(_, to)| to).filter(|&to| game.occupied() & only(to) != 0);
    let victims: Vec<usize> = invaded.map(|to| game.owner(to)).filter(|&victim| victim != seat).collect();
    let met = victims.iter().filter(|&&victim| victim == viewer).count() as f32;
    let part = if victims.is_empty() { 1.0 } else { met / victims.len() as f32 };
    most * (weigh::ELSEWHERE + (1.0 - weigh::ELSEWHERE) * part)
}

/// The table weighed; with `over` the turn ends with it.
fn plain(game: &Colony, viewer: usize, placed: u8, over: bool) -> Weighed {
    let before = nodes_ahead(game, viewer);
    let change = |seat, (from, to)| nodes_ahead(&moved(game, seat, from, to), viewer) - before;
    let mine = |placed: u8| {
        let free = moves(game, viewer).filter(move |&(from, _)| from != usize::from(placed));
        free.map(|step| change(viewer, step)).fold(0.0, f32::max)
    };
    let most_of = |seat| moves(game, seat).map(|step| -change(seat, step)).fold(0.0, f32::max);
    let reply = others(game, viewer).map(most_of).fold(0.0, f32::max);
    let mut replies: Vec<f32> = others(game, viewer)
        .filter(|&seat| comes_again(game, viewer, seat))
        .map(|seat| expected_reply(game, viewer, seat, most_of(seat)))
        .collect();
    replies.sort_by(|a, b| b.total_cmp(a));
    let expected: f32 =
        replies.iter().zip([1.0, weigh::OTHER_REPLIES, weigh::OTHER_REPLIES]).map(|(a, b)| a * b).sum();
    let room_of = |seat: usize| {
        let near = |&cell: &usize| super::super::table::beside_one(cell) & game.control[seat] != 0;
        each(game.unoccupied()).filter(near).count() as f32
    };
    let room = ahead(game, viewer, room_of);
    let reach = ahead(game, viewer, |seat| moves(game, seat).count() as f32);
    let risky = |own: bool| {
        let side = each(game.occupied()).filter(|&cell| (game.owner(cell) == viewer) == own);
        side.filter(|&cell| is_at_risk(game, viewer, cell)).count() as u32
    };
    let takes_the_only = |seat: usize, victim: usize| {
        let nodes = game.control[victim];
        nodes.count_ones() == 1 && moves(game, seat).any(|(_, to)| nodes == only(to))
    };
    let mut returns = [0.0; SEATS];
    if over && game.end_after_turn().is_some() {
        game.pay(&mut returns[..usize::from(game.players)]);
    }
    let hold = |seat: usize| held(game, viewer, seat, SAFE - weigh::OTHER_RISK);
    let strongest = others(game, viewer).map(hold).fold(f32::NEG_INFINITY, f32::max);
    let later = weigh::NEXT * mine(NONE)
        + weigh::ROOM * room_of(viewer)
        + weigh::ROOM_OF_OTHERS * (room - room_of(viewer))
        + weigh::REACH * reach;
    let later = if comes_again(game, viewer, viewer) { later } else { 0.0 };
    let worth = hold(viewer) - strongest - weigh::REPLY * expected + later + weigh::WON * returns[viewer];
    Weighed {
        worth,
        standing: ahead(game, viewer, |seat| held(game, viewer, seat, AT_RISK)),
        reply,
        next: mine(placed),
        room,
        reach,
        at_risk: [risky(true), risky(false)],
        eradication: [
            others(game, viewer).any(|other| takes_the_only(viewer, other)),
            others(game, viewer).any(|other| takes_the_only(other, viewer)),
        ],
    }
}

/// The table in the middle of the turn, with the worth of staying or of a move that wins most Nodes; with more than two players, of
/// any that leaves no Node to another and goes to one that is not the viewer's.
fn plain_with_rest(game: &Colony, viewer: usize, placed: u8) -> Weighed {
    let mut middle = plain(game, viewer, placed, true);
    let before = nodes_ahead(game, viewer);
    for (from, to) in moves(game, viewer).filter(|&(from, _)| from != usize::from(placed)) {
        let after = moved(game, viewer, from, to);
        let gain = nodes_ahead(&after, viewer) - before;
        let looked_at = if game.players == 2 {
            gain > 1e-3 && gain > middle.next - 1e-3
        } else {
            let left_to_another = others(game, viewer).any(|seat| after.control[seat] & only(from) != 0);
            game.control[viewer] & only(to) == 0 && !left_to_another
        };
        if looked_at {
            middle.worth = middle.worth.max(plain(&after, viewer, NONE, true).worth);
        }
    }
    middle
}

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() < 1e-3
}

#[track_caller]
fn same(told: &Weighed, found: &Weighed) {
    let numbers = |it: &Weighed| [it.worth, it.standing, it.reply, it.next, it.room, it.reach];
    let alike = numbers(told).into_iter().zip(numbers(found)).all(|(a, b)| near(a, b));
    let exact = told.at_risk == found.at_risk && told.eradication == found.eradication;
    assert!(alike && exact, "{told:?} instead of {found:?}");
}

#[test]
fn a_card_can_be_invaded_where_the_rules_say_so() {
    states(200, |game| {
        for viewer in seats(game) {
            let invadable = game.invadable_kinds(viewer);
            for cell in each(game.control[viewer]) {
                let told = invadable[game.top(cell).index()] & only(cell) != 0;
                assert_eq!(told, is_at_risk(game, viewer, cell), "cell {cell}");
            }
            for cell in each(game.unoccupied()) {
                for (kind, invadable) in invadable.iter().enumerate() {
                    let mut next = game.clone();
                    next.put(cell, viewer, Card::new(kind));
                    assert_eq!(invadable & only(cell) != 0, is_at_risk(&next, viewer, cell), "cell {cell}");
                }
            }
        }
    });
}

#[test]
fn the_table_is_weighed_as_the_rules_have_it_for_every_viewer() {
    states(300, |game| {
        for viewer in seats(game) {
            let placed = if game.actor() == viewer { game.placed } else { NONE };
            same(&Prospect::by_nodes(game, viewer).now, &plain(game, viewer, placed, false));
        }
    });
}

#[test]
fn every_move_leads_where_the_rules_lead() {
    let mut seen = 0;
    states(300, |game| {
        let viewer = game.actor();
        let prospect = Prospect::by_nodes(game, viewer);
        for (from, to) in moves(game, viewer).filter(|&(from, _)| from != usize::from(game.placed)) {
            let found = plain(&moved(game, viewer, from, to), viewer, NONE, true);
            same(&prospect.moving(&prospect.scene, from, to), &found);
            seen += 1;
        }
    });
    assert!(seen > 2000, "{seen}");
}

#[test]
fn colonising_is_worth_what_staying_or_the_best_move_then_is() {
    let mut seen = 0;
    states(300, |game| {
        let viewer = game.actor();
        let prospect = Prospect::by_nodes(game, viewer);
        if !matches!(game.phase, Phase::Colonise | Phase::ColoniseAt) {
            return;
        }
        for kind in (0..KINDS).filter(|&kind| game.hands[viewer][kind] > 0) {
            let card = Card::new(kind);
            let mut most = [f32::NEG_INFINITY; 2];
            for cell in each(game.colonisable()) {
                let found = plain_with_rest(&colonised(game, card, cell), viewer, cell as u8);
                same(&prospect.colonising(&prospect.scene, card, cell, |_, _| ()), &found);
                most = [most[0].max(found.worth), most[1].max(found.standing)];
                seen += 1;
            }
            let [best, quickest] = prospect.colonising_with(card, &mut Shortlist::new());
            assert!(near(best.worth, most[0]) && near(quickest.standing, most[1]));
        }
    });
    assert!(seen > 1000, "{seen}");
}

#[test]
fn exploring_is_worth_what_the_rest_of_the_turn_makes_of_it() {
    let mut seen = 0;
    states(600, |game| {
        if game.phase != Phase::Explore {
            return;
        }
        let viewer = game.actor();
        let prospect = Prospect::by_nodes(game, viewer);
        let kinds: Vec<Card> =
            (0..KINDS).filter(|&kind| game.hands[viewer][kind] > 0).map(Card::new).collect();
        let colonising = |game: &Colony, card: Card, cell: usize| {
            plain_with_rest(&colonised(game, card, cell), viewer, cell as u8).worth
        };
        let moving = moves(game, viewer)
            .map(|(from, to)| plain(&moved(game, viewer, from, to), viewer, NONE, true).worth)
            .fold(f32::NEG_INFINITY, f32::max);
        let without = kinds
            .iter()
            .flat_map(|&card| each(game.colonisable()).map(move |cell| colonising(game, card, cell)))
            .fold(moving, f32::max);
        let told = prospect.without_exploring(&mut Shortlist::new());
        assert!(told == without || near(told, without), "{told} instead of {without}");
        let rest = prospect.rest(told);
        let more = (without - plain_with_rest(game, viewer, NONE).worth).max(0.0);
        for cell in each(game.frontier(viewer)) {
            let after = explored(game, cell);
            let mut found = plain_with_rest(&after, viewer, NONE);
            let there = kinds.iter().map(|&card| colonising(&after, card, cell));
            let kept = if comes_again(game, viewer, viewer) { HELD_NODE } else { 0.0 };
            found.worth = there.fold(found.worth + more, f32::max) - kept;
            same(&prospect.exploring(cell, rest, |_, _| ()), &found);
            seen += 1;
        }
    });
    assert!(seen > 100, "{seen}");
}

#[test]
fn the_last_turn_is_the_one_behind_which_no_other_comes() {
    states(300, |game| {
        let left = usize::from(game.turn_limit - 1 - game.turn).min(game.deck.len());
        for viewer in seats(game) {
            let seat = |ahead: usize| (game.actor() + ahead) % usize::from(game.players);
            let turns = (0..=left).filter(|&ahead| seat(ahead) == viewer).count();
            assert_eq!(Prospect::new(game, viewer).in_last_turn(), turns <= 1);
        }
    });
}

fn written(game: &Colony, viewer: usize) -> Vec<f32> {
    let rules = ColonyRules { players: game.players, ..ColonyRules::default() };
    let spec = Colony::spec(&rules);
    let mut out = vec![f32::NAN; spec.insights.len() - spec.observation.len()];
    game.write_insights(viewer, &mut out);
    out
}

#[test]
fn a_first_colony_wins_its_node() {
    let game = Colony::deal(&ColonyRules::default(), &mut Rng::keyed(Purpose::Deal, 0, 0, 0));
    let mut out = written(&game, 0);
    let fields = Fields::new(&mut out);
    assert_eq!(fields.at_risk, [0.0, 0.0]);
    for kind in 0..KINDS {
        let level = Card::new(kind).level() as f32;
        let expected = if game.hands[0][kind] > 0 { (SAFE + LEVEL * level) * GAIN_SCALE } else { 0.0 };
        assert!(near(fields.gain_kinds[kind], expected), "kind {kind}");
        assert_eq!(fields.worth_kinds[kind] > 0.0, expected > 0.0, "kind {kind}");
    }
    assert!(fields.first.iter().chain(&*fields.more).flatten().all(|&number| number == 0.0));
    assert_eq!(game.to_move(), Some(Seat(0)));
}

/// What every legal action looks like by the prospect alone, and what is written where nothing can be foreseen; what the plans
/// that were looked at lead to where it can.
#[test]
fn the_best_actions_are_those_worth_most() {
    let mut looked_at = 0;
    states(300, |game| {
        let viewer = game.actor();
        let prospect = Prospect::new(game, viewer);
        let mut legal = Mask::EMPTY;
        game.options(&mut legal);
        let scene = &prospect.scene;
        let mut list = Shortlist::new();
        let mut keep = |worth, plan| list.add(worth, plan);
        let without = prospect.without_exploring(&mut Shortlist::new());
        let mut looks = |action: Action| match (game.phase, Step::of(action)) {
            (Phase::Explore, Step::Cell(cell)) => {
                prospect.exploring(cell, prospect.rest(without), |_, _| ()).worth
            }
            (Phase::Explore, _) => without,
            (_, Step::Card(card)) => prospect.colonising_with(card, &mut Shortlist::new())[0].worth,
            (Phase::Colonise, _) => prospect.without_colonising(&mut Shortlist::new()),
            (Phase::ColoniseAt, Step::Cell(cell)) => {
                prospect.colonising(scene, Card::new(game.chosen.into()), cell, &mut keep).worth
            }
            (Phase::Move, Step::Cell(from)) => prospect.moving_from(from, &mut Shortlist::new())[0].worth,
            (Phase::MoveTo, Step::Cell(to)) => {
                let worth = prospect.moving(scene, game.chosen.into(), to).worth;
                keep(worth, Plan { from: game.chosen, to: to as u8, ..Plan::NOTHING });
                worth
            }
            _ => prospect.staying().worth,
        };
        let looks: Vec<(Action, f32)> = legal.iter().map(|action| (action, looks(action))).collect();
        let mut out = written(game, viewer);
        let mut fields = Fields::new(&mut out);
        let worths: Vec<f32> = looks.iter().map(|&(action, _)| *fields.of(action)[0]).collect();
        let highest = worths.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let (mut sum, mut first) = (0.0, false);
        for (&(action, _), &worth) in looks.iter().zip(&worths) {
            let best = *fields.of(action)[1];
            first |= best == 1.0;
            if worth.abs() < 1.0 && highest < 1.0 {
                assert!(near(best, (1.0 - 16.0 * (highest - worth)).max(0.0)));
            }
            sum += best;
        }
        let all = fields.more[BEST].iter().chain(&*fields.best_kinds).sum::<f32>() + *fields.best_skip;
        assert!(near(all, sum) && first, "actions that are not legal are not among the best");
        if !matches!(game.phase, Phase::ColoniseAt | Phase::MoveTo) || looks.len() == 1 {
            return;
        }
        let foreseen = prospect.foresee(&list);
        for (&(action, looks), &worth) in looks.iter().zip(&worths) {
            let found = foreseen.as_ref().map_or(looks, |foreseen| foreseen.of(action.index(), looks));
            assert!(near(worth, (prospect.rise(found) / 4.0).clamp(-1.0, 1.0)));
            looked_at += 1;
        }
    });
    assert!(looked_at > 100, "{looked_at}");
}

#[test]
fn what_is_written_lies_between_minus_one_and_one_but_for_a_few() {
    let (mut beyond, mut all) = (0, 0);
    states(500, |game| {
        for viewer in seats(game) {
            let out = written(game, viewer);
            beyond += out.iter().filter(|number| number.abs() > 1.0).count();
            all += out.len();
            assert!(out.iter().all(|number| number.abs() <= 2.0));
        }
    });
    assert!(beyond * 1000 < all, "{beyond} of {all}");
}
