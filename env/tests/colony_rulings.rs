//! The rulings of Node and Colony on cards, deal and turns, C-01 to C-10, each proved by positions and moves made for
//! it. How games end is in `colony_ends.rs`.

mod colony_scene;

use std::collections::BTreeSet;

use colony_scene::*;
use nodarium_env::conformance::rules;
use nodarium_env::games::colony::{COUNTS, Card, Colony, KINDS, first_player};
use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Rng, Seat};
use serde_json::json;

#[test]
fn the_box_has_21_nodes_and_39_colonies() {
    let counts: Vec<u8> = SORTED.iter().map(|kind| COUNTS[card(kind).index()]).collect();
    assert_eq!(counts, [21, 7, 4, 2, 7, 4, 2, 7, 4, 2]);
}

#[test]
fn c01_type_and_level_decide_and_nine_pairs_stand_off() {
    let beats = |x: &str, y: &str| card(x).beats(card(y));
    assert!(beats("C2", "C1") && !beats("C1", "C2") && !beats("C2", "C2"));
    assert!(
        beats("C1", "M1") && beats("M1", "E1") && beats("E1", "C1"),
        "each trumps the next at equal level"
    );
    assert!(beats("C3", "M2") && beats("M3", "E1") && beats("E2", "C1"), "and at a lower one");
    assert!(!beats("C1", "M2") && !beats("M2", "C1"), "a weaker trump stands off");
    assert!(!beats("M3", "C1") && !beats("C1", "E1") && !beats("E3", "M3"), "no level beats a trump of it");
    let kinds: Vec<Card> = (0..KINDS).map(Card::new).collect();
    let mut stand_offs = 0;
    for (i, x) in kinds.iter().enumerate() {
        for y in &kinds[..i] {
            assert!(!(x.beats(*y) && y.beats(*x)), "{x} and {y} beat each other");
            stand_offs += usize::from(!x.beats(*y) && !y.beats(*x));
        }
    }
    assert_eq!(stand_offs, 9, "of the 36 pairs");
}

#[test]
fn c02_the_layout_lies_unoccupied_in_the_middle_and_the_other_nodes_are_in_the_deck() {
    for (layout, cells) in [
        ("grid9", "e5 f5 g5 e6 f6 g6 e7 f7 g7"),
        ("plus5", "f5 e6 f6 g6 f7"),
        ("diamond13", "f4 e5 f5 g5 d6 e6 f6 g6 h6 e7 f7 g7 f8"),
    ] {
        let rules = rules::<Colony>(&format!("{{\"layout\": \"{layout}\"}}"));
        let start = state(&Colony::deal(&rules, &mut Rng::keyed(Purpose::Deal, 1, 0, 0)));
        let table = start["table"].as_object().unwrap();
        assert_eq!(table.keys().cloned().collect::<Vec<_>>(), words(cells), "{layout}");
        assert!(table.values().all(|stack| *stack == json!([])));
        let hidden = format!("{}{}", start["hands"], start["deck"]);
        assert_eq!(hidden.matches("\"N\"").count(), 21 - table.len(), "{layout}");
    }
}

#[test]
fn c03_nothing_is_explored_beyond_the_table() {
    let hands = &["N N N N C1 C1", "N N N N M1"];
    let setup = "card C1, at g6, card M1, at e5";
    for (table, cells) in [(3, None), (5, Some("explore h6, skip")), (11, Some("explore h6, skip"))] {
        let options = format!("{{\"table\": {table}}}");
        let mut game = deal(&options, hands, "C1 E1 E1 E1");
        play(&mut game, setup);
        match cells {
            Some(cells) => assert_eq!(legal(&game), set(cells), "table {table}"),
            None => assert_eq!(state(&game)["phase"], "colonise", "exploring is passed over"),
        }
    }
    let mut game = deal(r#"{"table": 5}"#, hands, "C1 E1 E1 E1");
    play(&mut game, setup);
    play(&mut game, "explore h6, card C1, at h6, skip, skip, skip, from e5, to f5");
    assert_eq!(legal(&game), set("explore h5, explore h7, skip"), "i6 is beyond the table");
}

#[test]
fn c04_the_colony_that_beats_every_other_card_starts_and_a_node_loses_to_any() {
    let first = |cards: &str| first_player(&words(cards).iter().map(|text| card(text)).collect::<Vec<_>>());
    assert_eq!(first("C1 M1"), Some(0));
    assert_eq!(first("M1 C1"), Some(1));
    assert_eq!(first("C1 C1"), None, "a stand-off is drawn again");
    assert_eq!(first("C1 M2"), None);
    assert_eq!(first("N E1"), Some(1));
    assert_eq!(first("N N"), None);
    assert_eq!(first("C1 M1 E1"), None, "each beats one");
    assert_eq!(first("C3 M1 C2"), Some(0));
    assert_eq!(first("N N M1 N"), Some(2));
    assert_eq!(first("N M1 M1 N"), None);
    let game = Colony::deal(&Default::default(), &mut Rng::keyed(Purpose::Deal, 1, 0, 0));
    assert_eq!(game.to_move(), Some(Seat(0)), "the first player is seat 0");
}

#[test]
fn c05_every_dealt_hand_has_five_cards_and_a_colony() {
    // Sixteen Nodes among 55 cards: without dealing again, one hand in 800 would have none.
    let rules = rules::<Colony>(r#"{"players": 4, "layout": "plus5"}"#);
    let mut orders = BTreeSet::new();
    for index in 0..5_000 {
        let start = state(&Colony::deal(&rules, &mut Rng::keyed(Purpose::Deal, 2, index, 0)));
        for (seat, hand) in start["hands"].as_array().unwrap().iter().enumerate() {
            let hand = hand.as_array().unwrap();
            assert_eq!(hand.len(), if seat == 0 { 6 } else { 5 }, "seat 0 has drawn");
            assert!(hand.iter().any(|card| card != "N"), "deal {index}: a hand of Nodes");
        }
        orders.insert(start["deck"].to_string());
    }
    assert_eq!(orders.len(), 5_000, "every deck is shuffled");
}

#[test]
fn c06_a_turn_draws_one_card_and_goes_through_the_phases_in_order() {
    let mut game = deal("{}", &["N C1 C2 C3 M1 M2", "N E1 E1 E1 E1"], "E2 N M1 M1");
    assert_eq!(state(&game)["phase"], "colonise", "nobody controls a Node yet");
    assert_eq!(
        legal(&game),
        set("card C1, card C2, card C3, card M1, card M2"),
        "nothing else to do: no skip"
    );
    play(&mut game, "card C1");
    assert!(!legal(&game).contains("skip"), "a chosen card is put down");
    play(&mut game, "at f5");
    assert_eq!(state(&game)["turn"], 1, "the placed Colony may not move, so the turn is over");
    assert_eq!(state(&game)["hands"][1], json!(["N", "E1", "E1", "E1", "E1", "E2"]), "seat 1 has drawn");
    play(&mut game, "card E1, at g7");
    assert_eq!(state(&game)["hands"][0], json!(["N", "N", "C2", "C3", "M1", "M2"]));
    assert_eq!(legal(&game), set("explore f4, skip"));
    play(&mut game, "explore f4");
    assert_eq!(state(&game)["phase"], "colonise", "exploring once is enough");
    assert_eq!(state(&game)["done"], json!(["explore"]));
    play(&mut game, "skip, from f5");
    assert!(!legal(&game).contains("skip"), "a chosen card moves");
    play(&mut game, "to f4");
    assert_eq!(state(&game)["turn"], 3);
}

#[test]
fn c06_skip_needs_something_done_or_still_to_do() {
    // Seat 0 alone in the corner of a 3×3 table, walled in by Military: it can only colonise.
    let options = r#"{"table": 3}"#;
    let walls = "e5 0:E1, f5 1:M1, g5, e6 1:M1, f6, g6, e7, f7, g7";
    let game = scene(options, 4, walls, &["N C1 *", "N N M2 M2 M3"], "", &json!({}));
    assert!(!legal(&game).contains("skip"), "no move could follow");
    let free = "e5 0:E1, f5 1:M1, g5, e6, f6 1:M1, g6, e7, f7, g7";
    let mut game = scene(options, 4, free, &["N C1 *", "N N M2 M2 M3"], "", &json!({}));
    assert!(legal(&game).contains("skip"), "e5 can move to e6");
    play(&mut game, "skip");
    assert_eq!(legal(&game), set("from e5"), "now it must");
    // On a larger table the same corner can explore, and do nothing else with a hand of Nodes.
    let nodes = &["N N N N N N N", "M2 M2 M3 *"];
    let game = scene("{}", 4, walls, nodes, "", &json!({"phase": "explore"}));
    assert_eq!(legal(&game), set("explore d5, explore e4"), "exploring is all that can be done");
    let game = scene("{}", 4, free, nodes, "", &json!({"phase": "explore"}));
    assert_eq!(legal(&game), set("explore d5, explore e4, skip"));
}

#[test]
fn c06_after_exploring_every_later_phase_may_be_skipped() {
    let walls = "e5 0:E1, f5 1:M1, g5, e6 1:M1, f6, g6, e7, f7, g7";
    let mut game = scene("{}", 4, walls, &["N C1 *", "N N M2 M2 M3"], "", &json!({"phase": "explore"}));
    play(&mut game, "explore e4");
    assert!(legal(&game).contains("skip"));
    play(&mut game, "skip");
    assert_eq!(legal(&game), set("from e5, skip"));
    play(&mut game, "skip");
    assert_eq!(state(&game)["turn"], 5);
}

#[test]
fn c07_only_cells_next_to_a_controlled_node_are_explored() {
    let table = "e5 0:C1, f5, g5, e6, f6, g6, e7, f7, g7 1:M1";
    let mut game = scene("{}", 2, table, &["N N *", "N N N E1 E1"], "", &json!({"phase": "explore"}));
    assert_eq!(legal(&game), set("explore d5, explore e4, skip"));
    play(&mut game, "explore d5");
    assert_eq!(state(&game)["table"]["d5"], json!([]), "an unoccupied Node");
    assert_eq!(state(&game)["hands"][0].to_string().matches("\"N\"").count(), 1, "it came from the hand");
}

#[test]
fn c08_colonies_go_on_controlled_nodes_and_unoccupied_neighbours() {
    let table = "e5 0:C1, f5 1:M1, g5, e6, f6, g6, e7, f7, g7";
    let mut game = scene("{}", 2, table, &["C2 C3 *", "N N N E1 E1"], "", &json!({}));
    play(&mut game, "card C2");
    assert_eq!(legal(&game), set("at e5, at e6"), "not on f5, which another controls, nor on g5, far away");
    play(&mut game, "at e5");
    assert_eq!(state(&game)["table"]["e5"], json!(["0:C1", "0:C2"]), "it becomes the top card");
}

#[test]
fn c08_the_first_turn_of_each_player_takes_any_unoccupied_node() {
    let mut game =
        deal(r#"{"players": 3}"#, &["N N N C1 C1 C1", "N M1 M1 M1 M1", "N E1 E1 E1 E1"], "E2 M2 C2");
    play(&mut game, "card C1, at e5, card M1");
    assert_eq!(legal(&game).len(), 8, "all but e5");
    play(&mut game, "at g7, card E1");
    assert_eq!(legal(&game).len(), 7);
    play(&mut game, "at e7, skip, card C1");
    assert_eq!(legal(&game), set("at e5, at f5, at e6"), "the second turn is bound");
}

#[test]
fn c09_an_oppressed_card_regains_control_when_the_top_card_leaves() {
    let table = "e5 0:C2, f5 1:M1, g5, e6, f6, g6, e7, f7, g7 1:E1";
    let mut game = scene("{}", 4, table, &["C1 *", "E1 E1 E1 E1 E2"], "E1 N", &json!({"phase": "move"}));
    play(&mut game, "from e5, to f5");
    assert_eq!(state(&game)["table"]["f5"], json!(["1:M1", "0:C2"]));
    play(&mut game, "skip");
    assert_eq!(legal(&game), set("from g7"), "an oppressed card does not move");
    play(&mut game, "from g7, to g6, skip, skip, from f5, to e5");
    assert_eq!(state(&game)["table"]["f5"], json!(["1:M1"]), "it belongs to seat 1 for good");
    play(&mut game, "skip");
    assert_eq!(legal(&game), set("from f5, from g6"), "and is in control again");
}

#[test]
fn c09_a_node_whose_last_card_leaves_is_unoccupied() {
    let table = "e5 0:C2, f5, g5, e6, f6, g6, e7, f7, g7 1:E1";
    let mut game = scene("{}", 2, table, &["C1 *", "E1 E1 E1 E1 E2"], "E1 N", &json!({"phase": "move"}));
    play(&mut game, "from e5, to f5, card E1");
    assert_eq!(state(&game)["table"]["e5"], json!([]));
}

#[test]
fn c10_a_colony_passes_what_it_beats_and_stops_before_what_it_does_not() {
    let table = "d6, e5, f5, g5, e6 0:C2, f6 1:M2, g6 0:C1, h6 1:C2, e7 1:E2, f7, g7, i6";
    let mut game = scene("{}", 8, table, &["C3 *", "N N E1 E1 E1 E1"], "", &json!({"phase": "move"}));
    assert_eq!(legal(&game), set("from e6, from g6"));
    play(&mut game, "from e6");
    assert_eq!(
        legal(&game),
        set("to d6, to e5, to f6, to g6"),
        "over the beaten M2 and its own C1, not onto its equal h6 or over it, nor onto the trump e7"
    );
    play(&mut game, "to f6");
    assert_eq!(state(&game)["table"]["f6"], json!(["1:M2", "0:C2"]), "the beaten card is oppressed");
    assert_eq!(state(&game)["table"]["e6"], json!([]));
}

#[test]
fn c10_the_colony_placed_this_turn_stays_but_others_move() {
    let table = "e5 0:C1, f5, g5, e6, f6, g6, e7, f7, g7 1:M1";
    let mut game = scene("{}", 2, table, &["C2 *", "N N N E1 E1"], "", &json!({}));
    play(&mut game, "card C2, at e6");
    assert_eq!(legal(&game), set("from e5, skip"));
    let mut game = scene("{}", 2, table, &["C2 *", "N N N E1 E1"], "", &json!({}));
    play(&mut game, "card C2, at e5");
    assert_eq!(state(&game)["turn"], 3, "the only top card was placed this turn: nothing can move");
}

#[test]
fn c10_path_movement_turns_and_never_ends_where_it_began() {
    let table = "e5 0:C2, f5 1:M1, g5, e6 1:C2, f6 1:C2, g6 1:M2, e7, f7, g7 1:E2";
    let hands = &["C3 *", "N E1 E1 E1 E1"];
    let mut game = scene("{}", 10, table, hands, "", &json!({"phase": "move"}));
    play(&mut game, "from e5");
    assert_eq!(legal(&game), set("to f5, to g5"));
    let mut game = scene(r#"{"movement": "path"}"#, 10, table, hands, "", &json!({"phase": "move"}));
    play(&mut game, "from e5");
    assert_eq!(legal(&game), set("to f5, to g5, to g6"), "round the corner, not past E2");
    let ring = "e5 0:C2, f5, g5, e6, f6, g6, e7, f7, g7 1:M1";
    let mut game =
        scene(r#"{"movement": "path"}"#, 2, ring, &["C3 *", "N N N E1 E1"], "", &json!({"phase": "move"}));
    play(&mut game, "from e5");
    assert_eq!(legal(&game).len(), 8, "everywhere but e5 itself");
}
