//! Positions made for a test, and what is asked of them.

#![allow(dead_code)]

use std::collections::BTreeSet;

use nodarium_env::conformance::rules;
use nodarium_env::games::colony::{COUNTS, Card, Colony, ColonyPosition};
use nodarium_env::{Game, Seat, Text, record};
use serde_json::{Value, json};

pub const SORTED: [&str; 10] = ["N", "C1", "C2", "C3", "M1", "M2", "M3", "E1", "E2", "E3"];

pub fn card(text: &str) -> Card {
    text.parse().unwrap()
}

pub fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// The box without these cards.
pub fn box_without(used: &[String]) -> Vec<String> {
    let mut rest = Vec::new();
    for kind in SORTED.into_iter().rev() {
        let count = usize::from(COUNTS[card(kind).index()]);
        let gone = used.iter().filter(|text| *text == kind).count();
        assert!(gone <= count, "more {kind} than the box has");
        rest.extend(std::iter::repeat_n(kind.to_owned(), count - gone));
    }
    rest
}

/// A position: `table` like `e5 0:C1 1:M2, f5`; the deck begins with `deck` and goes on with what is left of the box;
/// a hand that ends in `*` is filled up from there first, Colonies before Nodes.
pub fn scene(options: &str, turn: usize, table: &str, hands: &[&str], deck: &str, more: &Value) -> Colony {
    let rules = rules::<Colony>(options);
    let mut stacks = serde_json::Map::new();
    let mut used = words(&deck.replace('*', ""));
    for entry in table.split(',') {
        let mut parts = words(entry).into_iter();
        let (cell, stack) = (parts.next().unwrap(), parts.collect::<Vec<_>>());
        used.push("N".to_owned());
        used.extend(stack.iter().map(|text| text[2..].to_owned()));
        stacks.insert(cell, json!(stack));
    }
    hands.iter().for_each(|hand| used.extend(words(&hand.replace('*', ""))));
    let mut rest = box_without(&used);
    let layout = match options {
        _ if options.contains("plus5") => 5,
        _ if options.contains("diamond13") => 13,
        _ => 9,
    };
    let deck_size = 60 - layout - 5 * hands.len() - turn - 1;
    let missing = deck_size - words(deck).len();
    let filler = rest.drain(..rest.len() - missing).collect::<Vec<_>>();
    assert!(filler.is_empty() || hands.iter().any(|hand| hand.ends_with('*')), "cards left over: {filler:?}");
    let hands: Vec<Vec<String>> = hands
        .iter()
        .map(|hand| {
            let mut cards = words(&hand.replace('*', ""));
            if hand.ends_with('*') {
                cards.extend(filler.clone());
            }
            cards.sort_by_key(|text| SORTED.iter().position(|kind| kind == text));
            cards
        })
        .collect();
    let deck = [words(deck), rest].concat();
    let mut position = json!({
        "table": stacks, "hands": hands, "deck": deck, "turn": turn, "done": [],
        "placed": null, "phase": "colonise", "chosen": null, "to_move": turn % hands.len(),
    });
    for (key, value) in more.as_object().unwrap() {
        position[key] = value.clone();
    }
    let position: ColonyPosition = serde_json::from_value(position).unwrap();
    Colony::from_position(&rules, &position).unwrap_or_else(|error| panic!("{error}"))
}

/// A fresh deal with these hands (seat 0 has drawn its sixth card) and these cards on top of the deck.
pub fn deal(options: &str, hands: &[&str], deck: &str) -> Colony {
    let table = match options {
        _ if options.contains("plus5") => "f5, e6, f6, g6, f7",
        _ => "e5, f5, g5, e6, f6, g6, e7, f7, g7",
    };
    scene(options, 0, table, hands, deck, &json!({}))
}

pub fn play(game: &mut Colony, moves: &str) {
    for text in moves.split(',').map(str::trim) {
        let action = game.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        game.apply(action);
    }
}

pub fn legal(game: &Colony) -> BTreeSet<String> {
    record::legal_moves(game).into_iter().collect()
}

pub fn set(moves: &str) -> BTreeSet<String> {
    moves.split(',').map(|text| text.trim().to_owned()).collect()
}

pub fn state(game: &Colony) -> Value {
    serde_json::to_value(game.position()).unwrap()
}

pub fn end(game: &Colony, options: &str) -> Option<&'static str> {
    game.end().map(|end| Colony::spec(&rules::<Colony>(options)).ends[end.index()])
}

pub fn returns(game: &Colony, players: usize) -> Vec<f32> {
    let mut out = vec![f32::NAN; players];
    game.returns(&mut out);
    out
}

pub fn view(game: &Colony, seat: u8, players: u8) -> Vec<f32> {
    let spec = Colony::spec(&rules::<Colony>(&format!("{{\"players\": {players}}}")));
    let mut out = vec![f32::NAN; spec.observation.len()];
    game.observe(Seat(seat), &mut out);
    out
}
