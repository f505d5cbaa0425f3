//! Node by Kanare Kato: the laws of the contract, the rulings, the numbers that pin the game down.

use std::collections::BTreeSet;

use nodarium_env::conformance::{perft_counts_hold, rules, the_page_shows_the_tables};
use nodarium_env::games::kato::{Kato, KatoPosition, KatoRules};
use nodarium_env::measure::signature;
use nodarium_env::record::legal_moves;
use nodarium_env::rng::Purpose;
use nodarium_env::text::playthrough;
use nodarium_env::{BadPosition, Game, Mask, Rng, Seat, Text, random_action};
use serde_json::{Value, json};

#[path = "kato/readers.rs"]
mod readers;

nodarium_env::conformance! {
    size_4: Kato = r#"{"size": 4}"#;
    size_5_with_swap: Kato = r#"{"size": 5, "swap": true}"#;
    size_6: Kato = "{}";
    size_7: Kato = r#"{"size": 7}"#;
    size_8: Kato = r#"{"size": 8}"#;
}

const SMALL: &str = r#"{"size": 4}"#;
const SMALL_WITH_SWAP: &str = r#"{"size": 4, "swap": true}"#;

fn dealt(options: &str) -> Kato {
    Kato::deal(&rules::<Kato>(options), &mut Rng::keyed(Purpose::Deal, 0, 0, 0))
}

/// The game after these moves, each of them legal.
fn played(options: &str, moves: &str) -> Kato {
    follow(dealt(options), moves)
}

fn follow(mut game: Kato, moves: &str) -> Kato {
    for text in moves.split_whitespace() {
        let action = game.parse_move(text).unwrap_or_else(|e| panic!("{e}"));
        game.apply(action);
    }
    game
}

/// A position from rows of cells, which may be drawn with blanks between them.
fn try_drawn(options: &str, rows: &str, rest: &Value) -> Result<Kato, BadPosition> {
    let cells: String = rows.split_whitespace().collect();
    let (phase, anchor, to_move) = (&rest[0], &rest[1], &rest[2]);
    let position = json!({"cells": cells, "phase": phase, "anchor": anchor, "to_move": to_move});
    let position: KatoPosition = serde_json::from_value(position).unwrap();
    Kato::from_position(&rules::<Kato>(options), &position)
}

fn drawn(options: &str, rows: &str, rest: &Value) -> Kato {
    try_drawn(options, rows, rest).unwrap_or_else(|e| panic!("{e}"))
}

/// Phase, anchor and seat to act, as the record has them.
fn turn(game: &Kato) -> Value {
    let position = serde_json::to_value(game.position()).unwrap();
    json!([position["phase"], position["anchor"], position["to_move"]])
}

fn legal(game: &Kato) -> BTreeSet<String> {
    legal_moves(game).into_iter().collect()
}

fn set(moves: &str) -> BTreeSet<String> {
    moves.split_whitespace().map(str::to_owned).collect()
}

fn result(game: &Kato, options: &str) -> (&'static str, [f32; 2]) {
    let mut returns = [f32::NAN; 2];
    game.returns(&mut returns);
    (Kato::spec(&rules::<Kato>(options)).ends[game.end().expect("the game is over").index()], returns)
}

const RING_OF_SIZE_4: &str = "a1 a2 a3 a4 b1 b5 c1 c6 d1 d7 e1 e6 f1 f5 g1 g2 g3 g4";

#[test]
fn k01_white_prepares_one_piece_and_black_two_on_the_outer_area() {
    let mut game = dealt(SMALL);
    for (expected, piece) in [(0, "a1"), (1, "g4"), (1, "d7")] {
        assert_eq!(turn(&game), json!(["prepare", null, expected]));
        let mut ring = set(RING_OF_SIZE_4);
        ring.retain(|cell| game.parse_move(cell).is_ok());
        assert_eq!(legal(&game), ring, "outer cells only");
        game = follow(game, piece);
        assert!(game.parse_move(piece).is_err(), "{piece} is taken");
    }
    assert_eq!(turn(&game), json!(["anchor", null, 0]), "White has the first main turn");
    assert_eq!(legal(&game).len(), 15);
}

#[test]
fn k02_a_turn_is_an_anchor_and_a_node_or_a_node_alone() {
    let game = played(SMALL, "a2 g4 d7 b1");
    assert_eq!(turn(&game), json!(["node", "b1", 0]));
    let game = follow(game, "b3");
    assert_eq!(turn(&game), json!(["anchor", null, 1]));
    assert!(legal(&game).is_superset(&set("a1 -")));
    let game = follow(game, "-");
    assert_eq!(turn(&game), json!(["node", null, 1]));
    let game = follow(game, "d4");
    assert_eq!(turn(&game), json!(["anchor", null, 0]));
}

#[test]
fn k03_pieces_do_not_block_a_line() {
    let rows = ". w . .
               . . . . w
              . . . . . .
             . . . . w . b
              w . . w . .
               . . . . .
                b . . b";
    let game = drawn(SMALL, rows, &json!(["anchor", null, 1]));
    // White's d5 stands between d7 and d4, and e4 between g4 and d4.
    assert_eq!(legal(&follow(game, "-")), set("d4"));
}

#[test]
fn k04_a_node_needs_the_new_anchor_and_another_on_different_lines() {
    // a2: a2 b2 c2 d2 e1 and a2 b3 c4 d5 e5 f5. b1: row b and b1 c2 d3 e3 f3 g3.
    assert_eq!(legal(&played(SMALL, "a2 g4 d7 b1")), set("b2 b3 c2"));
    let game = played(SMALL, "e1 a1 a2 e6");
    assert_eq!(turn(&game)[2], 1, "e1 and e6 share row e and cross nowhere: no node, and Black is to act");
}

#[test]
fn k04_two_other_anchors_may_not_stand_in_for_the_new_one() {
    let game = played(SMALL, "a2 g4 d7 b1 b3");
    assert_eq!(legal(&follow(game.clone(), "-")), set("d4"), "where g4 and d7 cross");
    // c1: row c and c1 d2 e2 f2 g2, which meet g4's diagonal in c3 and row d in d2.
    assert_eq!(legal(&follow(game, "c1")), set("c3 d2"));
}

#[test]
fn k05_a_node_without_an_anchor_needs_two_lines_with_own_anchors() {
    let game = played(SMALL, "a2 g4 d7 b1 b3 - d4 -");
    assert_eq!(turn(&game), json!(["node", null, 0]));
    assert_eq!(legal(&game), set("b2 c2"), "a2 and b1 cross in b2, b3 and c2, of which b3 is taken");
}

#[test]
fn k06_the_node_is_left_out_only_when_there_is_no_cell_for_it() {
    let none = played(SMALL, "e1 a1 a2 e6");
    assert_eq!(turn(&none), json!(["anchor", null, 1]), "e1 and e6 share a line and cross nowhere else");
    let some = played(SMALL, "e1 a1 a2 f5");
    assert_eq!(turn(&some), json!(["node", "f5", 0]));
    assert!(some.parse_move("-").is_err(), "a node that can be placed is compulsory");
}

#[test]
fn k06_the_anchor_may_be_skipped_only_when_a_node_can_be_placed() {
    assert!(!legal(&played(SMALL, "a2 g4 d7")).contains("-"), "one anchor opens nothing");
    assert!(legal(&played(SMALL, "a2 g4 d7 b1 b3")).contains("-"), "d7 and g4 cross at d4");
}

#[test]
fn k07_a_seat_with_nothing_to_do_is_passed_over() {
    let rows = "w b w b
               b b w b b
              b b w w b w
             w w w . b w w
              w w b w w .
               b b b b w
                b b b w";
    let game = drawn(SMALL, rows, &json!(["anchor", null, 0]));
    assert_eq!(legal(&game), set("e6 -"), "a legal action exists, so there is no pass");
    let game = follow(game, "e6");
    assert_eq!(turn(&game), json!(["anchor", null, 0]), "no node for e6, nothing for Black: White again");
    assert_eq!(legal(&game), set("-"));
    let rows = "b w w w
               w . w w b
              w w b w b b
             b b w . . b b
              w w w . w w
               b b b b w
                b b w b";
    let game = follow(drawn(SMALL, rows, &json!(["node", null, 1])), "b2");
    assert_eq!(turn(&game), json!(["anchor", null, 1]), "White is passed over after a node too");
}

/// White has the whole top side and two cells more, with neither seat connected.
const ALONG_THE_RIM: &str = "w w w w
                            b . . . w
                           b . . . . w
                          . . . . . . .
                           b . . . . b
                            . . . . b
                             b . b .";

#[test]
fn k08_a_chain_along_the_ring_connects_opposite_sides_by_its_corners() {
    let game = drawn(SMALL, ALONG_THE_RIM, &json!(["anchor", null, 0]));
    assert_eq!(game.end(), None, "a whole side with its neighbours is not enough");
    let game = follow(game, "d7");
    assert_eq!(result(&game, SMALL), ("opposite sides", [1.0, -1.0]), "a1 is on side 5, d7 on side 2");
    assert_eq!(turn(&game), json!(["anchor", null, null]), "at once: no node is owed");
    assert_eq!(legal(&game), set(""));
}

#[test]
fn k08_a_node_connects_three_sides_that_do_not_touch() {
    let rows = "b . w b
               b b w . b
              b b . w b b
             . . w w . . w
              w w b w . b
               . . b . w
                w w b .";
    let game = drawn(SMALL, rows, &json!(["node", null, 0]));
    let won = follow(game.clone(), "e5");
    assert_eq!(result(&won, SMALL), ("three sides", [1.0, -1.0]), "sides 0, 2 and 4");
    assert_eq!(turn(&won), json!(["node", null, null]));
    assert_eq!(follow(game, "b4").end(), None, "b4 joins no third side");
    let rows = "w b w b
               w w b w .
              w . . b w b
             w b b b b w b
              b . w w . .
               b w . . b
                w w . w";
    let won = follow(drawn(SMALL, rows, &json!(["node", null, 1])), "e5");
    assert_eq!(result(&won, SMALL), ("three sides", [-1.0, 1.0]), "sides 0, 2 and 4 for Black");
}

#[test]
fn k08_the_odd_sides_win_as_the_even_ones_do() {
    let rows = "b . w b
               b b w . b
              b b . w b b
             . . w w . . w
              w w b w . b
               . . b . w
                w w b .";
    let mut game = drawn(SMALL, rows, &json!(["node", null, 0]));
    game.apply(game.parse_move("e5").unwrap());
    let turned = game.transform(1);
    assert_eq!(result(&turned, SMALL), ("three sides", [1.0, -1.0]), "a sixth of a turn: sides 1, 3 and 5");
    assert_eq!(Kato::from_position(&rules::<Kato>(SMALL), &turned.position()), Ok(turned));
}

#[test]
fn k08_the_first_three_pieces_are_too_few_to_win_on_any_board() {
    for size in 4..=8 {
        let mut open = vec![dealt(&json!({"size": size, "swap": true}).to_string())];
        while let Some(game) = open.pop() {
            assert_eq!(game.end(), None, "{game:?}");
            if turn(&game)[0] == "prepare" {
                let mut mask = Mask::EMPTY;
                game.legal(&mut mask);
                open.extend(mask.iter().map(|action| {
                    let mut next = game.clone();
                    next.apply(action);
                    next
                }));
            }
        }
    }
}

/// Plays at random without winning for as long as that is possible.
fn play_to_the_last_cell(options: &str, index: u64) -> Kato {
    let mut game = dealt(options);
    let mut choices = Rng::keyed(Purpose::Choice, 9, index, 0);
    while game.to_move().is_some() {
        let mut next = game.clone();
        for _ in 0..50 {
            next = game.clone();
            next.apply(random_action(&game, &mut choices).unwrap());
            if next.end().is_none() {
                break;
            }
        }
        game = next;
    }
    game
}

#[test]
fn k09_a_game_that_nobody_wants_to_win_still_has_a_winner() {
    for (options, least_full) in [(SMALL, 36), ("{}", 85), (r#"{"size": 8}"#, 150)] {
        let games: Vec<Kato> = (0..50).map(|index| play_to_the_last_cell(options, index)).collect();
        let fullest = games.iter().map(|game| {
            let position = serde_json::to_value(game.position()).unwrap();
            position["cells"].as_str().unwrap().chars().filter(|&letter| letter != '.').count()
        });
        assert!(fullest.max().unwrap() >= least_full, "{options}: the boards were not full enough to tell");
        assert!(games.iter().all(|game| game.end().is_some()));
    }
}

#[test]
fn k10_after_a_swap_black_has_the_piece_and_white_prepares_two() {
    let game = played(SMALL_WITH_SWAP, "a2");
    assert!(legal(&game).contains("swap"));
    let game = follow(game, "swap");
    assert_eq!(turn(&game), json!(["prepare", null, 0]));
    assert!(serde_json::to_value(game.position()).unwrap()["cells"].as_str().unwrap().starts_with(".b.."));
    assert_eq!(legal(&game).len(), 17, "no second swap");
    let game = follow(game, "g4");
    assert_eq!(turn(&game), json!(["prepare", null, 0]));
    let game = follow(game, "d7");
    assert_eq!(turn(&game), json!(["anchor", null, 1]), "Black has the first main turn");
    // The piece opens lines for Black now.
    assert_eq!(legal(&follow(game.clone(), "b1")), set("b2 b3 c2"));
    let same =
        drawn(SMALL_WITH_SWAP, ".b.. ..... ...... ......w ...... ..... ...w", &json!(["anchor", null, 1]));
    assert_eq!(same, game, "a swapped game is the mirror of a plain one and nothing more");
}

#[test]
fn k10_black_swaps_as_its_first_ply_or_never() {
    assert!(!legal(&dealt(SMALL_WITH_SWAP)).contains("swap"));
    assert!(!legal(&played(SMALL_WITH_SWAP, "a2 g4")).contains("swap"));
    assert!(!legal(&played(SMALL_WITH_SWAP, "a2 g4 d7")).contains("swap"));
    assert!(!legal(&played(SMALL, "a2")).contains("swap"));
    assert_eq!(
        Kato::spec(&rules::<Kato>(SMALL)).actions() + 1,
        Kato::spec(&rules::<Kato>(SMALL_WITH_SWAP)).actions()
    );
}

#[test]
fn k11_skipping_the_anchor_is_a_ply_even_when_nothing_else_is_legal() {
    let rows = "b w b w
               b b w b b
              w w w w . b
             w b b b w w b
              w w . b b b
               w . . . w
                b b w w";
    let game = drawn(SMALL, rows, &json!(["anchor", null, 1]));
    assert_eq!(legal(&game), set("-"));
    assert_eq!(turn(&follow(game, "-")), json!(["node", null, 1]));
}

#[test]
fn k11_a_piece_that_wins_in_both_ways_is_named_by_the_opposite_sides() {
    let rows = "w b b b
               b b b . w
              . b . . . .
             w . b w w w w
              . . b w w w
               b . . w w
                . b b b";
    let game = follow(drawn(SMALL, rows, &json!(["node", "g2", 1])), "f3");
    // Black's group touches sides 0, 1, 2, 3 and 5.
    assert_eq!(result(&game, SMALL), ("opposite sides", [-1.0, 1.0]));
}

#[test]
fn the_observation_shows_both_sides_of_the_board() {
    let options = rules::<Kato>(SMALL);
    let spec = Kato::spec(&options);
    let game = drawn(SMALL, ALONG_THE_RIM, &json!(["anchor", null, 0]));
    let mut views = [vec![0.0; spec.observation.len()], vec![0.0; spec.observation.len()]];
    for (seat, view) in views.iter_mut().enumerate() {
        game.observe(Seat(seat as u8), view);
    }
    let names: Vec<&str> = spec.action_names().collect();
    let marked = |view: &[f32], field: &str, value: f32| {
        let part = &view[spec.observation.range(field).unwrap()];
        (0..part.len()).filter(|&i| part[i] == value).map(|i| names[i].to_owned()).collect::<BTreeSet<_>>()
    };
    assert_eq!(marked(&views[0], "own", 1.0), set("a1 a2 a3 a4 b5 c6"));
    assert_eq!(marked(&views[1], "own", 1.0), set("b1 c1 e1 e6 f5 g1 g3"));
    for (own, other) in [("own", "other"), ("own.lines", "other.lines"), ("own.wins", "other.wins")] {
        let range = |name| spec.observation.range(name).unwrap();
        assert_eq!(views[0][range(own)], views[1][range(other)]);
        assert_eq!(views[0][range(other)], views[1][range(own)]);
    }
    assert_eq!(marked(&views[0], "own.wins", 1.0), set("d7"));
    assert_eq!(marked(&views[0], "placeable", 1.0), set("d1 d7 f1 g2 g4"));
    assert_eq!(marked(&views[1], "placeable", 1.0), set(""));
    let open = legal(&follow(game, "-"));
    assert_eq!(marked(&views[0], "own.lines", 1.0), open);
    assert_eq!(views[0][spec.observation.range("ring").unwrap()], [5.0 / 18.0]);
    assert_eq!(views[0][spec.observation.range("own.open").unwrap()], [open.len() as f32 / 19.0]);
}

#[test]
fn perft_counts_are_those_on_file() {
    perft_counts_hold::<Kato>(include_str!("data/kato.perft.json"));
}

#[test]
fn signatures_are_pinned() {
    let signatures: Vec<String> =
        [SMALL, SMALL_WITH_SWAP, r#"{"size": 5}"#, "{}", r#"{"size": 7}"#, r#"{"size": 8}"#]
            .iter()
            .map(|options| format!("{options} {:016x}", signature::<Kato>(&rules::<Kato>(options), 100)))
            .collect();
    insta::assert_snapshot!(signatures.join("\n"));
}

#[test]
fn a_playthrough_reads_as_before() {
    insta::assert_snapshot!(playthrough::<Kato>(&rules::<Kato>(SMALL_WITH_SWAP), 3, 6));
}

#[test]
fn a_playthrough_on_the_default_board_reads_as_before() {
    insta::assert_snapshot!(playthrough::<Kato>(&KatoRules::default(), 1, 30));
}

#[test]
fn the_page_is_up_to_date() {
    the_page_shows_the_tables::<Kato>(&KatoRules::default(), include_str!("../docs/kato.md"));
}

#[test]
fn a_drawing_shows_cells_the_owing_anchor_and_who_acts() {
    let picture = played(SMALL, "a2 g4 d7 b1").draw(None, nodarium_env::Paint::Plain);
    insta::assert_snapshot!(picture);
}
