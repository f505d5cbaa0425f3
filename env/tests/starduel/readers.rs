//! Positions and moves that are read: wrong ones are refused with a sentence, and nothing makes a reader panic.

use std::sync::LazyLock;

use nodarium_env::games::starduel::{StarDuel, StarDuelPosition, StarDuelRules};
use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Paint, Rng, Seat, Text, random_action, record};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::board::{Board, read};

/// A state in the middle of a turn: Kurth has programmed 22 and acts.
fn acting() -> Board {
    let board = Board::start().owned("11", 0).has(0, [3, 3, 5]).set("programs", json!([22, 53]));
    let board = board.set("acting", json!(0)).set("left", json!(["execute", "exhaust", "move"]));
    board.set("phase", json!("act")).set("to_move", json!(0))
}

#[test]
fn the_made_up_position_is_sound() {
    assert_eq!(acting().game().to_move(), Some(Seat(0)));
}

#[test]
fn positions_that_cannot_be_are_refused_with_the_reason() {
    let start = Board::start;
    let over = |board: Board| board.set("to_move", Value::Null);
    let faults = [
        (start().node("14", "A", None), "spaces", "there is no space `14`"),
        (start().node("011", "A", None), "spaces", "there is no space `011`"),
        (start().node("11", "Z", None), "spaces", "there is no card `Z`"),
        (start().down("11", "A"), "spaces", "Tier 1 nodes lie face up"),
        (
            start().node("21", "N", None).open("31"),
            "spaces",
            "an inactive Tier 3 node where Tier 2 was dealt",
        ),
        (start().node("11", "B", None).open("52"), "spaces", "twice in Kurth's home row"),
        (start().node("21", "E", Some(0)), "spaces", "card `E` is there 2 times"),
        (start().node("21", "J", Some(0)), "spaces", "card `J` is there 2 times"),
        (start().node("11", "A", Some(2)), "spaces", "owner 2 at 11"),
        (start().set("spares", json!({"2": ["N"], "3": []})), "spares", "`N` is no Tier 2 card"),
        (start().set("spares", json!({"2": [], "3": ["R", "S", "R"]})), "spares", "3 of Tier 3: at most 2"),
        (start().has(0, [13, 0, 0]), "players", "seat 0 has 13 of a resource"),
        (start().set("round", json!(0)), "round", "0: expected 1 to 60"),
        (start().set("round", json!(61)), "round", "61: expected 1 to 60"),
        (start().set("went_second", json!(2)), "went_second", "2: expected 0 or 1"),
        (start().set("went_second", json!(1)), "went_second", "1 in the first round"),
        (start().set("programs", json!([14, 12])), "programs", "seat 1 has programmed"),
        (start().set("programs", json!([25, null])), "programs", "25 cannot be programmed"),
        (start().set("acting", json!(0)), "phase", "nobody acts while programming"),
        (start().set("left", json!(["move"])), "phase", "nobody acts while programming"),
        (start().set("to_move", json!(1)), "to_move", "where the rest says Some(0)"),
        (over(start()), "to_move", "nothing has ended the game"),
        (acting().set("programs", json!([22, null])), "programs", "both are set"),
        (acting().set("acting", Value::Null), "acting", "expected 0 or 1"),
        (acting().set("left", json!(["move", "execute"])), "left", "in that order"),
        (acting().set("left", json!(["move", "move"])), "left", "at most once"),
        (acting().set("left", json!([])), "left", "the turn would be over"),
        (acting().set("activated", json!("11")), "activated", "the program is not executed"),
        (acting().set("activated", json!("12")), "activated", "does not control"),
        (acting().set("activated", json!("99")), "activated", "there is no space `99`"),
        (acting().set("moving", json!("11")), "moving", "null elsewhere"),
        (acting().set("phase", json!("move-to")), "moving", "expected a space in the phase"),
        (acting().set("phase", json!("move-to")).set("moving", json!("11")), "moving", "nowhere to go"),
        (
            acting().set("phase", json!("move-to")).set("moving", json!("12")),
            "moving",
            "cannot move that node",
        ),
        (over(acting()), "to_move", "None where the rest says Some(0)"),
        (
            acting()
                .set("left", json!(["exhaust"]))
                .set("activated", json!("11"))
                .set("programs", json!([14, 53])),
            "activated",
            "the program targets none",
        ),
        (acting().set("left", json!(["move"])).set("activated", json!("11")), "activated", "none has moved"),
        (acting().owned("22", 1).set("left", json!(["exhaust"])), "spaces", "has Population left"),
        (
            over(Board::bare().node("11", "A", Some(0)).set("programs", json!([12, null]))),
            "programs",
            "was over",
        ),
    ];
    for (board, key, problem) in faults {
        let error = read(&board.value()).expect_err(problem);
        assert_eq!(error.key, key, "{error}");
        assert!(error.problem.contains(problem), "{error}\nlacks: {problem}");
    }
    let mut wrong = start().value();
    wrong["players"][1]["influence"] = json!(1);
    assert!(read(&wrong).expect_err("no node").problem.contains("seat 1 has Influence 1 but 0 nodes"));
    let mut wrong = start().value();
    wrong["spaces"]["21"]["owner"] = json!(0);
    assert!(read(&wrong).expect_err("face down").problem.contains("21 is face down and controlled"));
}

#[test]
fn unknown_keys_and_words_are_no_position() {
    for (key, value) in [("extra", json!(1)), ("phase", json!("sleep")), ("left", json!(["rest"]))] {
        let board = Board::start().set(key, value).value();
        assert!(serde_json::from_value::<StarDuelPosition>(board).is_err(), "{key}");
    }
}

#[test]
fn a_wrong_move_is_answered_with_the_legal_ones() {
    let error = acting().game().parse_move("attack p2").expect_err("nothing to attack");
    assert_eq!(
        error.to_string(),
        "`attack p2` is not a legal move here; legal are: execute, exhaust 11, end"
    );
}

/// Reads a position, and if it can be, does everything with it that a game can.
fn exercise(value: &Value, rng: &mut Rng) {
    let Ok(position) = serde_json::from_value::<StarDuelPosition>(value.clone()) else { return };
    let Ok(mut game) = StarDuel::from_position(&StarDuelRules::default(), &position) else { return };
    assert_eq!(game.position(), position);
    let mut view = vec![0.0; StarDuel::spec(&StarDuelRules::default()).observation.len()];
    for _ in 0..6 {
        for seat in [0, 1].map(Seat) {
            game.observe(seat, &mut view);
            game.draw(Some(seat), Paint::Colour);
            game.clone().redeal_hidden(seat, rng);
        }
        let Some(action) = random_action(&game, rng) else { return };
        assert!(!game.move_text(action).is_empty());
        game.apply(action);
    }
}

/// Every state of some random games.
static STATES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let games = (0..60).map(|index| record::simulate::<StarDuel>(&StarDuelRules::default(), 21, index));
    let states = games.flat_map(|told| told.plies.into_iter().map(|ply| ply.state));
    states.map(|state| serde_json::to_value(state).expect("a position is JSON")).collect()
});

/// Every place of a JSON value, as a pointer.
fn places(value: &Value, at: &str, out: &mut Vec<String>) {
    out.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| places(item, &format!("{at}/{i}"), out));
        }
        Value::Object(items) => {
            items.iter().for_each(|(key, item)| places(item, &format!("{at}/{key}"), out));
        }
        _ => {}
    }
}

fn piece() -> impl Strategy<Value = Value> {
    let words =
        ["A", "D", "N", "S", "11", "22", "53", "execute", "exhaust", "move", "act", "move-to", "program"];
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0_u64..16).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop::sample::select(words.to_vec()).prop_map(Value::from),
        "\\PC{0,6}".prop_map(Value::from),
        prop::collection::vec(prop::sample::select(vec!["execute", "exhaust", "move"]), 0..4)
            .prop_map(|v| json!(v)),
        prop::collection::vec(prop::option::of(11_u8..54), 2).prop_map(|v| json!(v)),
        Just(json!({"card": "A", "up": true, "owner": 1})),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn an_altered_position_is_refused_or_played(
        state in prop::sample::select(&STATES[..]),
        seed in any::<u64>(),
        changes in prop::collection::vec((0.0_f64..1.0, piece()), 0..4),
    ) {
        let mut value = state;
        for (at, piece) in changes {
            let mut all = Vec::new();
            places(&value, "", &mut all);
            let place = &all[(all.len() as f64 * at) as usize];
            *value.pointer_mut(place).expect("a place of the value") = piece;
        }
        exercise(&value, &mut Rng::keyed(Purpose::Choice, seed, 0, 0));
    }

    #[test]
    fn no_text_is_read_with_a_panic(text in "\\PC{0,80}") {
        let _ = serde_json::from_str::<StarDuelPosition>(&text);
        let _ = record::replay::<StarDuel>(&text, &nodarium_env::rules::no_files);
        prop_assert!(Board::start().game().parse_move(&text).is_err());
    }
}
