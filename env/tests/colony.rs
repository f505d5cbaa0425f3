//! Node and Colony: the laws of the contract, the numbers that pin the game down, and what its readers refuse. The
//! rulings are in `colony_rulings.rs` and `colony_ends.rs`, the second implementation in `colony_reference.rs`.

use nodarium_env::conformance::{perft_counts_hold, rules, the_page_shows_the_tables};
use nodarium_env::games::colony::{Colony, ColonyPosition, ColonyRules};
use nodarium_env::measure::signature;
use nodarium_env::rules::no_files;
use nodarium_env::text::playthrough;
use nodarium_env::{Game, Mask, Paint, Rng, Seat, Text, record, rng::Purpose, rules_from};
use proptest::prelude::*;
use serde_json::{Value, json};

nodarium_env::conformance! {
    two: Colony = "{}";
    three: Colony = r#"{"players": 3}"#;
    four: Colony = r#"{"players": 4}"#;
    plus: Colony = r#"{"layout": "plus5", "table": 5}"#;
    plus_four: Colony = r#"{"players": 4, "layout": "plus5", "table": 3}"#;
    diamond: Colony = r#"{"players": 3, "layout": "diamond13", "table": 7}"#;
    path: Colony = r#"{"movement": "path"}"#;
    short: Colony = r#"{"players": 4, "movement": "path", "turn_limit": 6}"#;
}

#[test]
fn perft_counts_stay_as_they_were() {
    perft_counts_hold::<Colony>(include_str!("data/colony.perft.json"));
}

#[test]
fn the_page_shows_colonys_tables() {
    the_page_shows_the_tables::<Colony>(&ColonyRules::default(), include_str!("../docs/colony.md"));
}

#[test]
fn the_page_draws_the_position_that_it_tells() {
    let page = include_str!("../docs/colony.md");
    let block = |kind: &str| page.split_once(kind).and_then(|(_, rest)| rest.split_once("```")).unwrap().0;
    let game = read(&serde_json::from_str(block("```json")).unwrap()).unwrap();
    assert_eq!(game.draw(Some(Seat(1)), Paint::Plain), block("```text\n"));
}

#[test]
fn the_signature_is_pinned() {
    let of = |options| format!("{:016x}", signature::<Colony>(&rules::<Colony>(options), 100));
    let found = [
        of("{}"),
        of(r#"{"players": 3, "layout": "diamond13", "table": 7}"#),
        of(r#"{"players": 4}"#),
        of(r#"{"layout": "plus5", "movement": "path"}"#),
    ];
    assert_eq!(found, ["2a44cc5768353664", "f046193da0adc64b", "1b942549540784f0", "425b5b37e3d266ee"]);
}

#[test]
fn a_playthrough_of_two_reads_as_before() {
    insta::assert_snapshot!(playthrough::<Colony>(&ColonyRules::default(), 1, 30));
}

#[test]
fn a_playthrough_of_four_on_a_small_table_reads_as_before() {
    let rules = rules::<Colony>(r#"{"players": 4, "layout": "plus5", "table": 5, "movement": "path"}"#);
    insta::assert_snapshot!(playthrough::<Colony>(&rules, 2, 20));
}

#[test]
fn a_seat_sees_its_own_hand_in_the_drawing_and_no_other() {
    let game = deal(3);
    let own = game.draw(Some(Seat(1)), Paint::Plain);
    assert!(own.contains("seat 0: 0 Nodes, levels 0, hand 6 cards"), "{own}");
    assert!(own.contains("deck: 40 cards\n") && own.contains("seat 0 acts"), "{own}");
    let hand: Vec<String> = game.position().hands[1].iter().map(|card| card.to_string()).collect();
    assert!(own.contains(&hand.join(" ")), "{own}");
    assert!(game.draw(None, Paint::Colour).contains("\u{1b}["), "colours where they are asked for");
}

#[test]
fn a_state_is_small() {
    assert!(size_of::<Colony>() <= 304, "{} bytes", size_of::<Colony>());
}

#[test]
fn the_rules_are_written_in_a_fixed_order() {
    let written = serde_json::to_string(&ColonyRules::default()).unwrap();
    let expected = r#"{"players":2,"layout":"grid9","table":11,"movement":"line","turn_limit":200}"#;
    assert_eq!(written, expected);
}

#[test]
fn bad_rules_are_refused_with_a_sentence() {
    for (given, sentence) in [
        (json!({"players": 5}), "rule option `players` is 5: expected 2, 3 or 4"),
        (json!({"players": 1}), "rule option `players` is 1: expected 2, 3 or 4"),
        (json!({"layout": "ring"}), "rule option `layout` is \"ring\": expected \"grid9\""),
        (json!({"table": 4}), "rule option `table` is 4: expected an odd number"),
        (json!({"table": 13}), "rule option `table` is 13: expected an odd number"),
        (json!({"table": 1}), "rule option `table` is 1"),
        (json!({"table": 3, "layout": "diamond13"}), "rule option `table` is 3"),
        (json!({"movement": "jump"}), "rule option `movement` is \"jump\": expected \"line\" or \"path\""),
        (json!({"turn_limit": 0}), "rule option `turn_limit` is 0: expected a number from 1 on"),
        (json!({"turn_limit": -3}), "rule option `turn_limit` is -3"),
        (json!({"player": 2}), "did you mean `players`?"),
    ] {
        let error = rules_from::<ColonyRules>(given.as_object().unwrap(), &no_files).unwrap_err();
        assert!(error.to_string().contains(sentence), "{error}");
    }
}

fn deal(index: u64) -> Colony {
    Colony::deal(&ColonyRules::default(), &mut Rng::keyed(Purpose::Deal, 0, index, 0))
}

/// A position in the middle of a random game.
fn middle(index: u64, ply: usize) -> Value {
    let mut game = deal(index);
    let mut choices = Rng::keyed(Purpose::Choice, 0, index, 0);
    for _ in 0..ply {
        let mut next = game.clone();
        let Some(action) = nodarium_env::random_action(&game, &mut choices) else { break };
        next.apply(action);
        game = next;
    }
    serde_json::to_value(game.position()).unwrap()
}

fn read(position: &Value) -> Result<Colony, String> {
    let position: ColonyPosition = serde_json::from_value(position.clone()).map_err(|e| e.to_string())?;
    Colony::from_position(&ColonyRules::default(), &position).map_err(|e| e.to_string())
}

#[test]
fn bad_positions_are_refused_with_a_sentence() {
    let start = middle(0, 0);
    read(&start).unwrap();
    let table = |cell: &str, stack: Value| {
        let mut table = start["table"].clone();
        table[cell] = stack;
        table
    };
    for (key, value, sentence) in [
        ("table", table("z9", json!([])), "`z9` is no cell: expected a1 to k11"),
        ("table", table("e5", json!(["C1"])), "`C1` is no Colony with its owner"),
        ("table", table("e5", json!(["0:N"])), "`0:N` is no Colony with its owner"),
        ("table", table("e5", json!(["4:C1"])), "`4:C1` is no Colony with its owner"),
        ("table", table("e4", json!([])), "22 cards N on the table, in hands and in the deck: expected 21"),
        ("hands", json!([["N"]]), "1 hands: expected 2"),
        ("hands", json!([["X1"], []]), "`X1` is no card"),
        ("deck", json!([]), "on the table, in hands and in the deck"),
        ("turn", json!(1), "cards in turn 1: expected 41 less one a turn"),
        ("turn", json!(200), "200: the turn limit is 200"),
        ("to_move", json!(1), "expected 0 or null in turn 0"),
        ("to_move", json!(null), "phase"),
        ("done", json!(["explore"]), "drew 6 cards"),
        ("done", json!(["colonise"]), "`done`: lists what comes later"),
        ("done", json!(["move"]), "a turn that has moved is over"),
        ("done", json!(["dance"]), "unknown variant"),
        ("placed", json!("e5"), "expected a cell when `done` lists colonise, else null"),
        ("phase", json!("explore"), "the acting player can do nothing in this phase"),
        ("phase", json!("move"), "the acting player can do nothing in this phase"),
        ("phase", json!("colonise-at"), "expected a kind of Colony in this phase"),
        ("phase", json!("move-to"), "expected a cell in this phase"),
        ("chosen", json!("C1"), "expected null in this phase"),
        ("extra", json!(1), "unknown field `extra`"),
    ] {
        let mut position = start.clone();
        position[key] = value.clone();
        let error = read(&position).expect_err(&format!("{key} {value}"));
        assert!(error.contains(sentence), "{key} {value}: {error}");
    }
}

#[test]
fn positions_that_contradict_the_turns_are_refused() {
    // Seat 0 has colonised once and is to act in its second turn.
    let position = middle(0, 4);
    assert_eq!(position["turn"], 2);
    read(&position).unwrap();
    let mut moved = position.clone();
    let card = moved["deck"][0].take();
    moved["hands"][0].as_array_mut().unwrap().push(card);
    moved["deck"].as_array_mut().unwrap().remove(0);
    assert!(read(&moved).unwrap_err().contains("expected 41 less one a turn"));
    let taken = moved["hands"][1].as_array_mut().unwrap().remove(0);
    moved["deck"].as_array_mut().unwrap().push(taken);
    assert!(read(&moved).unwrap_err().contains("seat 0 drew 7 cards, holds 7"), "{:?}", read(&moved));
    let mut far = position.clone();
    let free = far["table"].as_object_mut().unwrap();
    free.insert("a1".to_owned(), json!([]));
    let nodes = far["hands"][0].as_array().unwrap().iter().position(|card| card == "N");
    if let Some(at) = nodes {
        far["hands"][0].as_array_mut().unwrap().remove(at);
        assert!(read(&far).unwrap_err().contains("do not hang together"));
    }
}

#[test]
fn a_move_that_is_not_legal_is_answered_with_those_that_are() {
    let error = deal(0).parse_move("explore a1").unwrap_err().to_string();
    assert!(error.starts_with("`explore a1` is not a legal move here; legal are: card "), "{error}");
}

/// Whatever the reader lets through can be played.
fn plays_on(position: &Value) {
    if let Ok(game) = read(position) {
        let mut mask = Mask::EMPTY;
        game.legal(&mut mask);
        assert_eq!(mask.is_empty(), game.to_move().is_none());
        for action in mask.iter() {
            let mut next = game.clone();
            next.apply(action);
            assert!(
                read(&serde_json::to_value(next.position()).unwrap()).is_ok(),
                "play leads to readable states"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn mixed_positions_are_refused_or_playable(a in 0..20_u64, b in 0..20_u64, ply in 0..140_usize, other in 0..140_usize, keys in 0..512_u32) {
        let (mut position, donor) = (middle(a, ply), middle(b, other));
        for (i, (key, value)) in donor.as_object().unwrap().iter().enumerate() {
            if keys >> i & 1 == 1 {
                position[key] = value.clone();
            }
        }
        plays_on(&position);
    }

    #[test]
    fn turns_told_otherwise_are_refused_or_playable(
        index in 0..20_u64,
        ply in 0..140_usize,
        phase in prop::sample::select(vec!["explore", "colonise", "colonise-at", "move", "move-to"]),
        chosen in prop::sample::select(vec!["", "C1", "M1", "E2", "N", "f6", "e5", "g7", "k11"]),
        done in prop::sample::subsequence(vec!["explore", "colonise", "move"], 0..=3),
        placed in prop::sample::select(vec!["", "e5", "f6", "g7"]),
        over in any::<bool>(),
    ) {
        let text = |text: &str| if text.is_empty() { Value::Null } else { json!(text) };
        let mut position = middle(index, ply);
        position["phase"] = json!(phase);
        position["chosen"] = text(chosen);
        position["done"] = json!(done);
        position["placed"] = text(placed);
        if over {
            position["to_move"] = Value::Null;
        }
        plays_on(&position);
    }

    #[test]
    fn any_text_is_refused_without_a_panic(text in ".{0,40}", at in 0..2_000_usize, index in 0..5_u64) {
        prop_assert!(deal(index).parse_move(&text).is_err());
        let mut json = middle(index, 20).to_string();
        let at = (0..=at.min(json.len())).rev().find(|&i| json.is_char_boundary(i)).unwrap_or(0);
        json.insert_str(at, &text);
        if let Ok(position) = serde_json::from_str::<ColonyPosition>(&json) {
            let _ = Colony::from_position(&ColonyRules::default(), &position);
        }
        let _ = record::replay::<Colony>(&json, &no_files);
    }
}
