//! The rulings of Node and Colony, C-01 to C-13, each proved by positions and moves made for it.

use std::collections::BTreeSet;

use nodarium_env::conformance::rules;
use nodarium_env::games::colony::{COUNTS, Card, Colony, ColonyPosition, KINDS, first_player};
use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Rng, Seat, Text, record};
use serde_json::{Value, json};

const SORTED: [&str; 10] = ["N", "C1", "C2", "C3", "M1", "M2", "M3", "E1", "E2", "E3"];

fn card(text: &str) -> Card {
    text.parse().unwrap()
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// The box without these cards.
fn box_without(used: &[String]) -> Vec<String> {
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
fn scene(options: &str, turn: usize, table: &str, hands: &[&str], deck: &str, more: Value) -> Colony {
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
fn deal(options: &str, hands: &[&str], deck: &str) -> Colony {
    let table = match options {
        _ if options.contains("plus5") => "f5, e6, f6, g6, f7",
        _ => "e5, f5, g5, e6, f6, g6, e7, f7, g7",
    };
    scene(options, 0, table, hands, deck, json!({}))
}

fn play(game: &mut Colony, moves: &str) {
    for text in moves.split(',').map(str::trim) {
        let action = game.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        game.apply(action);
    }
}

fn legal(game: &Colony) -> BTreeSet<String> {
    record::legal_moves(game).into_iter().collect()
}

fn set(moves: &str) -> BTreeSet<String> {
    moves.split(',').map(|text| text.trim().to_owned()).collect()
}

fn state(game: &Colony) -> Value {
    serde_json::to_value(game.position()).unwrap()
}

fn end(game: &Colony, options: &str) -> Option<&'static str> {
    game.end().map(|end| Colony::spec(&rules::<Colony>(options)).ends[end.index()])
}

fn returns(game: &Colony, players: usize) -> Vec<f32> {
    let mut out = vec![f32::NAN; players];
    game.returns(&mut out);
    out
}

fn view(game: &Colony, seat: u8, players: u8) -> Vec<f32> {
    let spec = Colony::spec(&rules::<Colony>(&format!("{{\"players\": {players}}}")));
    let mut out = vec![f32::NAN; spec.observation.len()];
    game.observe(Seat(seat), &mut out);
    out
}

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
    let game = scene(options, 4, walls, &["N C1 *", "N N M2 M2 M3"], "", json!({}));
    assert!(!legal(&game).contains("skip"), "no move could follow");
    let free = "e5 0:E1, f5 1:M1, g5, e6, f6 1:M1, g6, e7, f7, g7";
    let mut game = scene(options, 4, free, &["N C1 *", "N N M2 M2 M3"], "", json!({}));
    assert!(legal(&game).contains("skip"), "e5 can move to e6");
    play(&mut game, "skip");
    assert_eq!(legal(&game), set("from e5"), "now it must");
    // On a larger table the same corner can explore, and do nothing else with a hand of Nodes.
    let nodes = &["N N N N N N N", "M2 M2 M3 *"];
    let game = scene("{}", 4, walls, nodes, "", json!({"phase": "explore"}));
    assert_eq!(legal(&game), set("explore d5, explore e4"), "exploring is all that can be done");
    let game = scene("{}", 4, free, nodes, "", json!({"phase": "explore"}));
    assert_eq!(legal(&game), set("explore d5, explore e4, skip"));
}

#[test]
fn c06_after_exploring_every_later_phase_may_be_skipped() {
    let walls = "e5 0:E1, f5 1:M1, g5, e6 1:M1, f6, g6, e7, f7, g7";
    let mut game = scene("{}", 4, walls, &["N C1 *", "N N M2 M2 M3"], "", json!({"phase": "explore"}));
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
    let mut game = scene("{}", 2, table, &["N N *", "N N N E1 E1"], "", json!({"phase": "explore"}));
    assert_eq!(legal(&game), set("explore d5, explore e4, skip"));
    play(&mut game, "explore d5");
    assert_eq!(state(&game)["table"]["d5"], json!([]), "an unoccupied Node");
    assert_eq!(state(&game)["hands"][0].to_string().matches("\"N\"").count(), 1, "it came from the hand");
}

#[test]
fn c08_colonies_go_on_controlled_nodes_and_unoccupied_neighbours() {
    let table = "e5 0:C1, f5 1:M1, g5, e6, f6, g6, e7, f7, g7";
    let mut game = scene("{}", 2, table, &["C2 C3 *", "N N N E1 E1"], "", json!({}));
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
    let mut game = scene("{}", 4, table, &["C1 *", "E1 E1 E1 E1 E2"], "E1 N", json!({"phase": "move"}));
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
    let mut game = scene("{}", 2, table, &["C1 *", "E1 E1 E1 E1 E2"], "E1 N", json!({"phase": "move"}));
    play(&mut game, "from e5, to f5, card E1");
    assert_eq!(state(&game)["table"]["e5"], json!([]));
}

#[test]
fn c10_a_colony_passes_what_it_beats_and_stops_before_what_it_does_not() {
    let table = "d6, e5, f5, g5, e6 0:C2, f6 1:M2, g6 0:C1, h6 1:C2, e7 1:E2, f7, g7, i6";
    let mut game = scene("{}", 8, table, &["C3 *", "N N E1 E1 E1 E1"], "", json!({"phase": "move"}));
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
    let mut game = scene("{}", 2, table, &["C2 *", "N N N E1 E1"], "", json!({}));
    play(&mut game, "card C2, at e6");
    assert_eq!(legal(&game), set("from e5, skip"));
    let mut game = scene("{}", 2, table, &["C2 *", "N N N E1 E1"], "", json!({}));
    play(&mut game, "card C2, at e5");
    assert_eq!(state(&game)["turn"], 3, "the only top card was placed this turn: nothing can move");
}

#[test]
fn c10_path_movement_turns_and_never_ends_where_it_began() {
    let table = "e5 0:C2, f5 1:M1, g5, e6 1:C2, f6 1:C2, g6 1:M2, e7, f7, g7 1:E2";
    let hands = &["C3 *", "N E1 E1 E1 E1"];
    let mut game = scene("{}", 10, table, hands, "", json!({"phase": "move"}));
    play(&mut game, "from e5");
    assert_eq!(legal(&game), set("to f5, to g5"));
    let mut game = scene(r#"{"movement": "path"}"#, 10, table, hands, "", json!({"phase": "move"}));
    play(&mut game, "from e5");
    assert_eq!(legal(&game), set("to f5, to g5, to g6"), "round the corner, not past E2");
    let ring = "e5 0:C2, f5, g5, e6, f6, g6, e7, f7, g7 1:M1";
    let mut game =
        scene(r#"{"movement": "path"}"#, 2, ring, &["C3 *", "N N N E1 E1"], "", json!({"phase": "move"}));
    play(&mut game, "from e5");
    assert_eq!(legal(&game).len(), 8, "everywhere but e5 itself");
}

const PLUS: &str = r#"{"layout": "plus5"}"#;

#[test]
fn c11_controlling_all_nodes_after_a_turn_is_domination_even_if_it_eradicates() {
    let table = "f5 0:C1, e6 0:C1, f6 0:C1 0:M1, g6 0:C1, f7 1:E1";
    let mut game = scene(PLUS, 10, table, &["N *", "N N N N E1 E1 E1 E1 E2"], "", json!({"phase": "move"}));
    play(&mut game, "from f6, to f7");
    assert_eq!(end(&game, PLUS), Some("domination"));
    assert_eq!(returns(&game, 2), [1.0, -1.0]);
    let last = state(&game);
    assert_eq!(
        (&last["to_move"], &last["phase"], &last["done"]),
        (&Value::Null, &json!("move"), &json!(["move"]))
    );
    assert_eq!(last["turn"], 10, "the turn that ended");
}

#[test]
fn c11_a_player_whose_cards_are_all_oppressed_is_eradicated() {
    let table = "f5 0:C1, e6, f6 0:C1 0:M1, g6 0:C1, f7 1:E1";
    let mut game = scene(PLUS, 10, table, &["N *", "N N N N E1 E1 E1 E1 E2"], "", json!({"phase": "move"}));
    play(&mut game, "from f6, to f7");
    assert_eq!(end(&game, PLUS), Some("eradication"), "e6 is unoccupied, so nothing is dominated");
}

#[test]
fn c11_who_owns_no_card_yet_is_not_eradicated() {
    let mut game = deal(r#"{"players": 3}"#, &["N N N C1 C1 C1", "N M1 M1 M1 M1", "N E1 E1 E1 E1"], "E2 M2");
    play(&mut game, "card C1, at e5");
    assert_eq!(game.to_move(), Some(Seat(1)));
}

#[test]
fn c11_a_player_without_any_action_after_the_draw_is_trapped_at_once() {
    let options = r#"{"table": 3}"#;
    let mut game = deal(options, &["M3 M1 M1 C1 C1 C1", "E1 N N N N"], "N C1 N");
    play(&mut game, "card M3, at f6, card E1, at e5, card M1, at e6, from f6, to f5");
    assert_eq!(end(&game, options), Some("trapped"));
    assert_eq!(returns(&game, 2), [1.0, -1.0]);
    let last = state(&game);
    assert_eq!(last["turn"], 3, "the trapped player's turn has begun");
    assert_eq!(last["hands"][1], json!(["N", "N", "N", "N", "N", "N"]), "with its draw");
    assert_eq!((&last["done"], &last["phase"]), (&json!([]), &json!("move")));
}

#[test]
fn c11_a_trapped_player_can_win() {
    let options = r#"{"players": 3, "table": 3}"#;
    let mut game = deal(options, &["M1 M2 C1 C1 C1 C1", "E3 N N N N", "M1 C2 C2 C2 C2"], "N E1 E1 N");
    play(&mut game, "card M1, at e6, card E3, at e5, card M1, at f5, card M2, at e6");
    assert_eq!(end(&game, options), Some("trapped"));
    assert_eq!(returns(&game, 3), [-0.5, 1.0, -0.5], "one Node each, and E3 has the highest level");
}

#[test]
fn c11_trapped_comes_before_the_empty_deck() {
    let options = r#"{"table": 3}"#;
    let mine =
        "0:C1 0:C1 0:C1 0:C1 0:C1 0:C1 0:C1 0:C2 0:C2 0:C2 0:C2 0:C3 0:C3 0:E1 0:E1 0:E1 0:E1 0:E1 0:E1 0:E3";
    let table = format!("e5 {mine}, f5 1:M1, g5, e6 1:M1, f6, g6, e7, f7, g7");
    let mut game = scene(options, 39, &table, &["N N N N N", "*"], "N", json!({}));
    play(&mut game, "card M2, at e6, skip");
    assert_eq!(end(&game, options), Some("trapped"));
    assert_eq!(state(&game)["deck"], json!([]), "the last card was drawn");
}

#[test]
fn c11_who_drew_the_last_card_finishes_the_turn() {
    let table = "e5 0:C1, f5, g5, e6, f6, g6, e7, f7, g7 1:M1";
    let hands =
        &["N N N N N N C1 *", "C1 C1 C1 C1 C1 C2 C2 C2 C2 C3 C3 M1 M1 M1 M1 M1 M1 M2 M2 M2 M2 M3 M3 N"];
    let mut game = scene("{}", 40, table, hands, "", json!({}));
    assert_eq!(state(&game)["deck"], json!([]));
    play(&mut game, "card E1, at e6");
    assert_eq!(game.end(), None, "the turn goes on");
    play(&mut game, "from e5, to f5");
    assert_eq!(end(&game, "{}"), Some("deck"));
    assert_eq!(returns(&game, 2), [1.0, -1.0]);
}

#[test]
fn c12_most_nodes_win_then_levels_then_it_is_shared() {
    let options = r#"{"players": 4, "turn_limit": 4}"#;
    let hands = |fourth| ["C1 C2 C1 C1 C1 C1", "M1 M2 M1 M1 M1", "E1 E2 E1 E1 E1", fourth];
    let play_out = |cards: [&str; 4]| {
        let mut game = deal(options, &hands("N N N E2 M3"), "N N N N");
        for (card, cell) in cards.into_iter().zip(["e5", "g5", "e7", "g7"]) {
            play(&mut game, &format!("card {card}, at {cell}"));
        }
        assert_eq!(end(&game, options), Some("turn limit"));
        returns(&game, 4)
    };
    let third = 1.0 / 3.0;
    assert_eq!(play_out(["C1", "M1", "E1", "M3"]), [-third, -third, -third, 1.0]);
    assert_eq!(play_out(["C2", "M1", "E1", "E2"]), [third, -third, -third, third], "two share");
    let three = play_out(["C2", "M2", "E1", "E2"]);
    assert!((three[0] - 1.0 / 9.0).abs() < 1e-6 && (three[2] + third).abs() < 1e-6, "three share: {three:?}");
    assert_eq!(play_out(["C2", "M2", "E2", "E2"]), [0.0; 4]);
}

#[test]
fn c12_more_nodes_outweigh_higher_levels() {
    let options = r#"{"turn_limit": 4}"#;
    let mut game = deal(options, &["C1 C1 N N N N", "M3 M3 N N N"], "N N N N");
    play(&mut game, "card C1, at e5, card M3, at g7, skip, card C1, at f5, skip, skip, card M3, at g7");
    assert_eq!(end(&game, options), Some("turn limit"));
    assert_eq!(returns(&game, 2), [1.0, -1.0]);
}

#[test]
fn c13_the_turn_limit_ends_the_game_but_the_deck_comes_first() {
    let ends = |limit: u32| -> BTreeSet<String> {
        let rules = rules::<Colony>(&format!("{{\"turn_limit\": {limit}}}"));
        (0..30).map(|index| record::simulate::<Colony>(&rules, 4, index).end).collect()
    };
    assert!(ends(41).contains("deck") && !ends(41).contains("turn limit"), "41 cards, 41 turns: the deck");
    assert!(!ends(40).contains("deck") && ends(40).contains("turn limit"));
    assert_eq!(ends(1), set("turn limit"));
}

#[test]
fn c13_two_to_four_players_take_turns() {
    for players in 2..=4_u8 {
        let rules = rules::<Colony>(&format!("{{\"players\": {players}}}"));
        let told = record::simulate::<Colony>(&rules, 4, 0);
        for pair in told.plies.windows(2) {
            let next = (pair[0].seat + 1) % players;
            assert!(pair[1].seat == pair[0].seat || pair[1].seat == next);
        }
        assert!((0..players).all(|seat| told.plies.iter().any(|ply| ply.seat == seat)));
    }
}

/// Hidden information: choices and skips of another's turn change nothing in a view.
#[test]
fn others_see_neither_a_skip_nor_a_chosen_card() {
    let table = "e5 0:C1, f5, g5, e6, f6, g6, e7, f7, g7 1:M1";
    let mut game = scene("{}", 2, table, &["N C2 *", "N N N E1 E1"], "", json!({"phase": "explore"}));
    let (before, own) = (view(&game, 1, 2), view(&game, 0, 2));
    play(&mut game, "skip");
    assert_eq!(view(&game, 1, 2), before);
    assert_ne!(view(&game, 0, 2), own, "the acting player sees its phase");
    play(&mut game, "card C2");
    assert_eq!(view(&game, 1, 2), before);
    play(&mut game, "at e6");
    assert_ne!(view(&game, 1, 2), before, "what lies on the table is seen");
}

/// Hidden information: every deal of the unseen cards is equally likely.
#[test]
fn redealing_is_uniform_by_chi_square() {
    // Seat 0 looks in the last turn but three: the 24 cards of seat 1 and three of the deck are unseen.
    let table = "e5 0:C1, f5, g5, e6, f6, g6, e7, f7, g7 1:M1";
    let mine = "C1 C1 C1 C1 C1 C1 C2 C2 C2 C2 C3 C3 M1 M1 M1 M1 M1 M1 M2 M2 M2 M2 M3 M3";
    let game = scene("{}", 38, table, &[mine, "*"], "E3 E3", json!({}));
    let unseen: Vec<usize> = vec![12, 7, 4, 2];
    let total: usize = unseen.iter().sum();
    let deck = state(&game)["deck"].as_array().unwrap().len();
    let kinds = ["N", "E1", "E2", "E3"];
    let draws = 40_000;
    let mut seen = [[0_u32; 4]; 4];
    let mut rng = Rng::keyed(Purpose::World, 1, 0, 0);
    for _ in 0..draws {
        let mut world = game.clone();
        world.redeal_hidden(Seat(0), &mut rng);
        let world = state(&world);
        assert_eq!(world["hands"][0], state(&game)["hands"][0], "the own hand stays");
        assert_eq!(world["hands"][1].as_array().unwrap().len(), total - deck, "sizes stay");
        let at = |i: usize| kinds.iter().position(|kind| world["deck"][i] == *kind).unwrap();
        seen[at(0)][at(1)] += 1;
    }
    let mut chi2 = 0.0;
    for (i, row) in seen.iter().enumerate() {
        for (j, &count) in row.iter().enumerate() {
            let second = unseen[j] - usize::from(i == j);
            let expected = f64::from(draws) * (unseen[i] * second) as f64 / (total * (total - 1)) as f64;
            chi2 += (f64::from(count) - expected).powi(2) / expected;
        }
    }
    assert!(chi2 < 37.7, "chi-square {chi2} with 15 degrees of freedom: beyond 1 in 1,000");
}

/// Hidden information: a world imagined in the middle of another's turn can be played on.
#[test]
fn a_redealt_world_goes_on_wherever_the_turn_stands() {
    let rules = rules::<Colony>(r#"{"players": 3}"#);
    let mut rng = Rng::keyed(Purpose::World, 2, 0, 0);
    for index in 0..30 {
        let mut game = Colony::deal(&rules, &mut Rng::keyed(Purpose::Deal, 6, index, 0));
        while let Some(action) = nodarium_env::random_action(&game, &mut rng) {
            for seat in 0..3 {
                let mut world = game.clone();
                world.redeal_hidden(Seat(seat), &mut rng);
                assert!(Colony::from_position(&rules, &world.position()).is_ok(), "a position that could be");
                while let Some(action) = nodarium_env::random_action(&world, &mut rng) {
                    world.apply(action);
                }
                assert!(world.end().is_some());
            }
            game.apply(action);
        }
    }
}
