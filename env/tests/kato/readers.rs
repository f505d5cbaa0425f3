//! What is read from outside: rules, positions, moves. Bad ones are refused with a sentence, and nothing panics.

use nodarium_env::rules::no_files;
use nodarium_env::{record::simulate, rules_from};
use proptest::prelude::{ProptestConfig, prop, prop_assert_eq, proptest};

use super::*;

#[test]
fn bad_rules_are_refused_with_a_sentence() {
    let refused = |given: Value| match given {
        Value::Object(given) => rules_from::<KatoRules>(&given, &no_files).unwrap_err().to_string(),
        _ => unreachable!("rules are a map"),
    };
    let size = "expected a whole number from 4 to 8";
    assert_eq!(refused(json!({"size": 3})), format!("rule option `size` is 3: {size}"));
    assert_eq!(refused(json!({"size": 9})), format!("rule option `size` is 9: {size}"));
    assert_eq!(refused(json!({"size": -1})), format!("rule option `size` is -1: {size}"));
    assert_eq!(refused(json!({"swap": 1})), "rule option `swap` is 1: expected true or false");
    assert!(refused(json!({"sise": 6})).contains("did you mean `size`?"));
}

#[test]
fn bad_moves_are_refused_with_the_legal_ones() {
    let game = played(SMALL, "a2 g4 d7 b1");
    let error = game.parse_move("d4").unwrap_err().to_string();
    assert_eq!(error, "`d4` is not a legal move here; legal are: b2, b3, c2");
}

#[test]
fn bad_positions_are_refused_with_a_sentence() {
    let refused =
        |options: &str, rows: &str, rest: Value| try_drawn(options, rows, &rest).unwrap_err().to_string();
    let empty = ".... ..... ...... ....... ...... ..... ....";
    let first = "w... ..... ...... ....... ...... ..... ....";
    let prepared = ".w.. ..... ...... ......b ...... ..... ...b";
    let cases = [
        (refused(SMALL, "....", json!(["prepare", null, 0])), "`cells`: 4 cells: expected 37"),
        (
            refused(SMALL, &empty.replacen('.', "x", 1), json!(["prepare", null, 0])),
            "`cells`: `x` at a1: expected . w b",
        ),
        (refused(SMALL, empty, json!(["prepare", null, 1])), "`to_move`: 1: seat 0 prepares now"),
        (refused(SMALL, empty, json!(["prepare", null, 2])), "`to_move`: 2: expected 0, 1 or null"),
        (refused(SMALL, empty, json!(["prepare", null, null])), "`to_move`: null: nobody has won yet"),
        (refused(SMALL, first, json!(["prepare", null, 0])), "`to_move`: 0: seat 1 prepares now"),
        (
            refused(SMALL, &first.replace('w', "b"), json!(["prepare", null, 0])),
            "`cells`: 0 w and 1 b: White prepares one piece, Black two",
        ),
        (
            refused(SMALL, ".... .w... ...... ....... ...... ..... ....", json!(["prepare", null, 1])),
            "`cells`: a node before the preparation is over",
        ),
        (
            refused(SMALL, prepared, json!(["anchor", "a2", 0])),
            "`anchor`: \"a2\": expected null: no node is owed",
        ),
        (refused(SMALL, prepared, json!(["node", "a9", 0])), "`anchor`: \"a9\": not a cell of this board"),
        (refused(SMALL, prepared, json!(["node", "b2", 0])), "`anchor`: \"b2\": expected an outer cell"),
        (refused(SMALL, prepared, json!(["node", "d7", 0])), "`anchor`: \"d7\": expected a piece of seat 0"),
        (refused(SMALL, prepared, json!(["node", null, 0])), "`phase`: seat 0 has no cell for a node"),
        (
            refused(SMALL, prepared, json!(["anchor", null, 1])),
            "`cells`: 1 anchors and 0 nodes of White, 2 and 0 of Black: no alternating turns lead here",
        ),
        (
            refused(SMALL, ".w.. .w... ...... ......b ...... ..... ...b", json!(["anchor", null, 1])),
            "`cells`: the node at b2 lacks anchors on two lines",
        ),
        (
            refused(SMALL, ALONG_THE_RIM, json!(["anchor", null, 1])),
            "`cells`: 6 anchors and 0 nodes of White, 7 and 0 of Black: no alternating turns lead here",
        ),
        (
            refused(
                SMALL,
                &ALONG_THE_RIM.replacen(". . . . . . .", ". . . . . . w", 1),
                json!(["anchor", null, 1]),
            ),
            "`to_move`: 1: the game is won, expected null",
        ),
        (
            refused(
                SMALL,
                &ALONG_THE_RIM.replacen(". . . . . . .", ". . . . . . w", 1),
                json!(["node", null, null]),
            ),
            "`phase`: no piece placed in this phase can have won the game",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
    let full_ring = "w b w b
                    b b w b b
                   b b w w b w
                  w w w . b w w
                   w w b w w b
                    b b b b w
                     b b b w";
    let blocked =
        refused(SMALL, &full_ring.replacen("w w b w w b", "w w b w w w", 1), json!(["anchor", null, 1]));
    assert_eq!(blocked, "`to_move`: seat 1 can do nothing: it passes");
}

#[test]
fn a_won_position_names_the_phase_of_its_last_piece() {
    let game = follow(drawn(SMALL, ALONG_THE_RIM, &json!(["anchor", null, 0])), "d7");
    let options = rules::<Kato>(SMALL);
    assert_eq!(Kato::from_position(&options, &game.position()), Ok(game));
    // Without any one of White's pieces the ring would still be closed far enough.
    let ring = "wwww w...w w....w w.....w w....w w...w wbbw";
    let error = try_drawn(SMALL, ring, &json!(["anchor", null, null])).unwrap_err().to_string();
    assert_eq!(error, "`phase`: no piece placed in this phase can have won the game");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_text_is_no_move_and_no_panic(text in ".{0,8}") {
        let game = played(SMALL, "a2 g4 d7 b1");
        prop_assert_eq!(game.parse_move(&text).is_ok(), ["b2", "b3", "c2"].contains(&text.as_str()));
    }

    #[test]
    fn arbitrary_positions_never_panic(
        cells in "[.wbx]{35,39}",
        phase in prop::sample::select(vec!["prepare", "anchor", "node"]),
        anchor in prop::option::of("[a-h][0-9]?"),
        to_move in prop::option::of(0_u8..4),
    ) {
        let json = json!({"cells": cells, "phase": phase, "anchor": anchor, "to_move": to_move});
        let position: KatoPosition = serde_json::from_value(json).unwrap();
        goes_on(SMALL, &position);
    }

    #[test]
    fn real_positions_with_changes_never_panic(
        index in 0_u64..50,
        ply in 0_usize..200,
        changes in prop::collection::vec((0_usize..61, prop::sample::select(vec!['.', 'w', 'b'])), 0..3),
        seat in prop::option::of(0_u8..2),
        phase in prop::option::of(prop::sample::select(vec!["prepare", "anchor", "node"])),
    ) {
        const OPTIONS: &str = r#"{"size": 5, "swap": true}"#;
        let told = simulate::<Kato>(&rules::<Kato>(OPTIONS), 5, index);
        let mut json = serde_json::to_value(&told.plies[ply % told.plies.len()].state).unwrap();
        let mut cells: Vec<char> = json["cells"].as_str().unwrap().chars().collect();
        for (at, letter) in changes {
            cells[at] = letter;
        }
        json["cells"] = cells.into_iter().collect::<String>().into();
        if let Some(seat) = seat {
            json["to_move"] = seat.into();
        }
        if let Some(phase) = phase {
            json["phase"] = phase.into();
        }
        goes_on(OPTIONS, &serde_json::from_value(json).unwrap());
    }
}

/// A position that is accepted can be written, seen, and played to the end.
fn goes_on(options: &str, position: &KatoPosition) {
    let options = rules::<Kato>(options);
    let Ok(mut game) = Kato::from_position(&options, position) else { return };
    assert_eq!(&game.position(), position);
    let mut view = vec![f32::NAN; Kato::spec(&options).observation.len()];
    game.observe(Seat(0), &mut view);
    assert!(view.iter().all(|x| x.is_finite()));
    let mut choices = Rng::keyed(Purpose::Choice, 0, 0, 0);
    assert_eq!(game.to_move().is_none(), legal(&game).is_empty());
    while let Some(action) = random_action(&game, &mut choices) {
        game.apply(action);
    }
    assert!(game.end().is_some());
}
