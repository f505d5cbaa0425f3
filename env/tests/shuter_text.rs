//! Node written down: the one-line notation, positions and rules that cannot be, and texts made to break the readers.

mod shuter_support;

use nodarium_env::games::shuter::{
    Shuter, ShuterPosition, ShuterRules, parse_line, parse_line_move, write_line, write_line_move,
};
use nodarium_env::rng::Purpose;
use nodarium_env::rules::no_files;
use nodarium_env::{Action, BadRules, Game, Rng, Seat, Text, random_action, rules_from};
use proptest::prelude::*;
use serde_json::{Value, json};
use shuter_support::{deal, legal, manual, play, position, rules, with_post};

/// The public example of the rules page.
const EXAMPLE: &str = "r2g1b2r3g2y2v0g3y1b3r1b1y3\
    000000000202000000000110\
    000000000000000000202000000001000001\
    2\
    0001010002000200\
    1";

const VARIANTS: [&str; 3] =
    [r#"{"variant": "basic"}"#, r#"{"variant": "classic"}"#, r#"{"variant": "advanced"}"#];

fn basic() -> ShuterRules {
    rules(VARIANTS[0])
}

/// The game with that index after some random plies, at most to its end.
fn after(rules: &ShuterRules, index: u64, plies: usize) -> Shuter {
    let mut game = Shuter::deal(rules, &mut Rng::keyed(Purpose::Deal, 21, index, 0));
    let mut choices = Rng::keyed(Purpose::Choice, 21, index, 0);
    for _ in 0..plies {
        let Some(action) = random_action(&game, &mut choices) else { break };
        game.apply(action);
    }
    game
}

/// A state that somebody wrote can be played, seen, drawn and written.
fn is_playable(rules: &ShuterRules, game: &Shuter) {
    assert_eq!(legal(game).is_empty(), game.to_move().is_none(), "{game:?}");
    assert_eq!(game.to_move().is_none(), game.end().is_some(), "{game:?}");
    let mut view = vec![f32::NAN; Shuter::spec(rules).observation.len()];
    for seat in [Seat(0), Seat(1)] {
        game.observe(seat, &mut view);
        assert!(view.iter().all(|x| x.is_finite()), "{game:?}");
    }
    for action in legal(game).iter() {
        game.clone().apply(action);
    }
    assert!(!game.draw(None, nodarium_env::Paint::Plain).is_empty());
    assert_eq!(parse_line(rules, &write_line(game)).as_ref(), Ok(game));
    assert_eq!(Shuter::from_position(rules, &game.position()).as_ref(), Ok(game));
}

#[test]
fn the_public_example_reads_and_writes_exactly() {
    let game = parse_line(&basic(), EXAMPLE).expect("the example is a position");
    assert_eq!(write_line(&game), EXAMPLE);
    let state = game.position();
    assert_eq!(state.cubes, [[0, 1, 1, 0], [0, 0, 2, 2]], "r y b g, from green yellow blue red");
    assert_eq!((state.to_move, state.three_used, state.score), (Some(1), true, [2, 2]));
    assert_eq!((&state.corners[9..12], &state.edges[18..21]), ("202", "202"));
    is_playable(&basic(), &game);
}

#[test]
fn every_ply_of_random_games_survives_being_written_on_a_line() {
    for variant in VARIANTS {
        let rules = rules(variant);
        for index in 0..40 {
            let mut game = after(&rules, index, 0);
            let mut choices = Rng::keyed(Purpose::Choice, 22, index, 0);
            loop {
                let line = write_line(&game);
                assert_eq!(parse_line(&rules, &line).as_ref(), Ok(&game), "{variant}: {line}");
                for action in legal(&game).iter() {
                    let text = write_line_move(&game, action, None);
                    assert_eq!(parse_line_move(&game, &text), Ok(vec![action]), "{line} {text}");
                }
                let Some(action) = random_action(&game, &mut choices) else { break };
                game.apply(action);
            }
        }
    }
}

#[test]
fn a_starting_move_is_two_plies() {
    let mut whole = deal(&manual());
    let mut single = whole.clone();
    for (text, plies) in
        [("s0710", "n07 b10"), ("s2233", "n22 b33"), ("s2334", "n23 b34"), ("s1321", "n13 b21")]
    {
        let actions = parse_line_move(&whole, text).expect("a starting move");
        assert_eq!(write_line_move(&whole, actions[0], Some(actions[1])), text);
        actions.into_iter().for_each(|action| whole.apply(action));
        play(&mut single, plies);
        assert_eq!(whole, single);
    }
}

#[test]
fn cubes_in_a_start_line_are_ignored() {
    let mut game = deal(&manual());
    play(&mut game, "n07 b10");
    let line = write_line(&game);
    assert_eq!(&line[87..], "00000000000000000");
    let public = format!("{}01020304050607080", &line[..87]);
    assert_eq!(parse_line(&manual(), &public).as_ref(), Ok(&game));
}

#[test]
fn what_public_lines_do_not_say_follows_behind() {
    let mut game = position(&with_post("classic"), |naive| {
        naive.pieces_of(1, &[8, 10], &[11, 13]);
        naive.pieces_of(2, &[22, 23], &[33, 34]);
        (naive.cubes, naive.idle_turns, naive.to_move) = ([[4, 0, 1, 0], [0; 4]], 3, Some(0));
    });
    assert!(write_line(&game).contains("p0") && write_line(&game).ends_with("0;i3"));
    play(&mut game, "drrb");
    assert!(write_line(&game).ends_with("0;d1;i3"));
    play(&mut game, "b12");
    assert!(write_line(&game).ends_with("0;d1;p"));
    let mut start = deal(&manual());
    play(&mut start, "n07");
    assert!(write_line(&start).ends_with("0;o07"));
}

#[test]
fn a_bad_line_is_refused_where_it_is_wrong() {
    let with =
        |at: usize, text: &str| format!("{}{text}{}", &EXAMPLE[..at - 1], &EXAMPLE[at - 1 + text.len()..]);
    let cases = [
        (String::new(), 1, "ends after 0 characters: expected 104"),
        (EXAMPLE[..100].to_owned(), 101, "ends after 100 characters: expected 104"),
        (with(9, "x2"), 9, "`x2` is no square"),
        (with(1, "R2"), 1, "`R2` is no square"),
        (with(1, "r4"), 1, "`r4` is no square"),
        (with(1, "g1"), 1, "g1 is there twice"),
        (with(1, "p0"), 1, "p0 is not in the box"),
        (format!("{}y4{}", &EXAMPLE[..26], &EXAMPLE[26..]), 27, "`y` at place 0: expected 0, 1 or 2"),
        (with(32, "3"), 32, "`3` at place 5: expected 0, 1 or 2"),
        (with(60, "x"), 60, "`x` at place 9: expected 0, 1 or 2"),
        (with(27, "1"), 27, "the node of orange at 0 has no branch"),
        (with(51, "1"), 51, "more than two networks"),
        (with(87, "3"), 87, "`3` moves: expected 1, 2"),
        (with(87, "0"), 87, "the game is not over"),
        (with(88, "0b"), 88, "13 cubes g are held: there are 10"),
        (with(92, "+1"), 92, "`+1` cubes: expected two hexadecimal digits"),
        (with(104, "2"), 104, "expected 1 if the 3:1 trade is used"),
        (format!("{EXAMPLE}0"), 105, "expected the end"),
        (format!("{EXAMPLE};"), 106, "d, i or o with a number, or p"),
        (format!("{EXAMPLE};x1"), 106, "one of d i p o"),
        (format!("{EXAMPLE};i+1"), 106, "d, i or o with a number, or p"),
        (format!("{EXAMPLE};i99999999999"), 106, "the number of idle turns"),
        (format!("{EXAMPLE};i1;i2"), 109, "each once and in this order"),
        (format!("{EXAMPLE};i1;d1"), 109, "each once and in this order"),
        (format!("{EXAMPLE};d1"), 105, "the nodes on the trading post allow 0"),
        (format!("{EXAMPLE};i20"), 87, "expected null, the game is over"),
        (format!("{EXAMPLE};p"), 105, "only the starting pieces"),
        (format!("{EXAMPLE};o07"), 27, "expected null in the regular turns"),
        (EXAMPLE.replacen('b', "é", 1), 5, "plain letters and digits"),
    ];
    for (line, at, problem) in cases {
        let error = parse_line(&basic(), &line).expect_err(&line);
        assert!(error.at == at && error.problem.contains(problem), "{line}: {error}");
    }
    let error = parse_line(&manual(), &with(1, "y3r1").replacen("r1b1y3", "g1b1r2", 1)).unwrap_err();
    assert_eq!(error.to_string(), "at character 1: `squares`: the rules name another layout");
}

#[test]
fn a_bad_move_is_refused_where_it_is_wrong() {
    let start = deal(&manual());
    for (text, at, problem) in [
        ("s07", 2, "`07`: expected a two-digit corner and a two-digit edge"),
        ("s071a", 2, "expected a two-digit corner"),
        ("s2410", 1, "`n24` is not a legal move here"),
        ("s0712", 4, "`b12` is not a legal move here; legal are: b06, b10, b11, b16"),
        ("e", 1, "`e` is not a legal move here"),
        ("", 1, "`` is not a legal move here"),
    ] {
        let error = parse_line_move(&start, text).expect_err(text);
        assert!(error.at == at && error.problem.contains(problem), "{text}: {error}");
    }
    let play = position(&manual(), |naive| {
        naive.pieces_of(1, &[6, 7], &[10, 11]);
        naive.pieces_of(2, &[22, 23], &[33, 34]);
        naive.cubes = [[2; 4], [0; 4]];
        naive.to_move = Some(0);
    });
    assert!(parse_line_move(&play, "n08").is_ok() && parse_line_move(&play, "b12").is_ok());
    let error = parse_line_move(&play, "s0812").unwrap_err();
    assert_eq!(error.to_string(), "at character 1: `s` places the starting pieces: the start is over");
}

fn refused(rules: &ShuterRules, base: &Shuter, key: &str, value: &Value) -> String {
    let mut state = serde_json::to_value(base.position()).expect("JSON");
    state[key] = value.clone();
    let position: ShuterPosition = serde_json::from_value(state).expect("the types are right");
    let error = Shuter::from_position(rules, &position).expect_err(&format!("{key}: {value}"));
    error.key.to_owned()
}

#[test]
fn a_bad_position_is_refused_by_its_key() {
    let (rules, mut game) = (with_post("classic"), deal(&with_post("classic")));
    play(&mut game, "n07 b10 n22");
    for (key, value) in [
        ("corners", json!("00000001000000000000000")),
        ("corners", json!("200000010000000000000020")),
        ("cubes", json!([[1, 0, 0, 0], [0, 0, 0, 0]])),
        ("three_used", json!(true)),
        ("two_used", json!(1)),
        ("idle_turns", json!(1)),
        ("placed", json!(true)),
        ("owed", json!(null)),
        ("owed", json!(7)),
        ("owed", json!(200)),
        ("phase", json!("play")),
        ("to_move", json!(0)),
        ("to_move", json!(null)),
    ] {
        assert_eq!(refused(&rules, &game, key, &value), key);
    }
    play(&mut game, "b33 n23 b34 n13 b21");
    for (key, value) in [
        ("squares", json!(["r2"])),
        ("squares", json!(["r2", "g1", "b2", "r3", "g2", "y2", "v0", "g3", "y1", "b3", "r1", "b1", "y3"])),
        ("corners", json!("30000001000001000000000022")),
        ("corners", json!("000000030000010000000022")),
        ("corners", json!("100000010000010000000022")),
        ("edges", json!("0")),
        ("edges", json!("000000000010000000000100000000000a20")),
        ("edges", json!("100000000010000000000100000000000220")),
        ("captured", json!("1000000000000")),
        ("cubes", json!([[0, 0, 0, 11], [0, 0, 0, 0]])),
        ("cubes", json!([[0, 0, 6, 0], [0, 0, 5, 0]])),
        ("score", json!([4, 2])),
        ("two_used", json!(1)),
        ("idle_turns", json!(21)),
        ("placed", json!(true)),
        ("owed", json!(7)),
        ("phase", json!("start")),
        ("to_move", json!(2)),
        ("to_move", json!(null)),
    ] {
        assert_eq!(refused(&rules, &game, key, &value), key);
    }
    assert_eq!(refused(&rules, &game, "idle_turns", &json!(20)), "to_move", "a stalemate has nobody to act");
}

#[test]
fn keys_that_are_missing_or_unknown_are_named() {
    let state = serde_json::to_value(deal(&manual()).position()).expect("JSON");
    for key in state.as_object().expect("a map").keys() {
        let mut less = state.clone();
        less.as_object_mut().expect("a map").remove(key);
        let error = serde_json::from_value::<ShuterPosition>(less).unwrap_err().to_string();
        assert!(error.contains(&format!("missing field `{key}`")), "{error}");
    }
    let mut more = state.clone();
    more["colour"] = json!(1);
    let error = serde_json::from_value::<ShuterPosition>(more).unwrap_err().to_string();
    assert!(error.contains("unknown field `colour`"), "{error}");
}

#[test]
fn bad_rules_are_refused_in_one_sentence() {
    let reds = json!(vec!["r1"; 14]);
    let twice = json!("R2 / G1 B2 R3 / G2 Y2 V G3 Y1 / B3 R1 B1 / R2");
    let post = json!("R2 / G1 B2 R3 / G2 Y2 P G3 Y1 / B3 R1 B1 / Y3");
    for (given, parts) in [
        (json!({"varient": "basic"}), ["`varient`", "did you mean `variant`?"]),
        (json!({"zzz": 1}), ["`zzz`;", "variant, stalemate_turns, layout"]),
        (json!({"variant": "simple"}), ["`variant` is \"simple\"", "basic, classic or advanced"]),
        (json!({"stalemate_turns": 0}), ["`stalemate_turns` is 0", "from 1 to"]),
        (json!({"stalemate_turns": -1}), ["`stalemate_turns` is -1", "from 1 to"]),
        (json!({"stalemate_turns": 1_000_001}), ["`stalemate_turns` is 1000001", "from 1 to"]),
        (json!({"stalemate_turns": 2.5}), ["`stalemate_turns` is 2.5", "from 1 to"]),
        (json!({"layout": reds}), ["`layout` is", "these are 14 squares, not 13"]),
        (json!({"layout": twice}), ["`layout` is", "r2 is there twice"]),
        (json!({"layout": "r9"}), ["`layout` is \"r9\"", "13 different squares"]),
        (json!({"variant": "basic", "layout": post}), ["`layout` is", "p0 is not in the box"]),
    ] {
        let map = given.as_object().expect("a map");
        let error: Result<ShuterRules, BadRules> = rules_from(map, &no_files);
        let error = error.expect_err(&given.to_string()).to_string();
        assert!(parts.iter().all(|part| error.contains(part)) && !error.contains('\n'), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_texts_never_panic(text in "\\PC{0,120}", tail in "[;dipo0-9+]{0,12}", index in 0..9_u64) {
        let game = after(&basic(), index, 8 * index as usize);
        let _ = parse_line(&basic(), &text);
        let _ = parse_line(&basic(), &format!("{EXAMPLE}{tail}"));
        let _ = parse_line_move(&game, &text);
        let _ = parse_line_move(&game, &format!("s{tail}"));
        let _ = Shuter::from_position(&basic(), &ShuterPosition { edges: text, ..game.position() });
    }

    #[test]
    fn whatever_parses_of_a_changed_line_is_playable(
        variant in 0..3_usize,
        index in 0..50_u64,
        plies in 0..120_usize,
        changes in prop::collection::vec((0..115_usize, "[012]|[rybgvp]|[0-9a-f]|[;dipo]"), 0..4),
    ) {
        let rules = rules(VARIANTS[variant]);
        let mut line = write_line(&after(&rules, index, plies));
        for (at, letter) in changes {
            let at = at % line.len();
            line.replace_range(at..=at, &letter);
        }
        if let Ok(game) = parse_line(&rules, &line) {
            is_playable(&rules, &game);
        }
    }

    #[test]
    fn whatever_reads_of_a_changed_position_is_playable(
        variant in 0..3_usize,
        index in 0..50_u64,
        plies in 0..120_usize,
        cubes in prop::option::of(prop::array::uniform2(prop::array::uniform4(0..=7_u8))),
        flags in any::<[bool; 2]>(),
        counts in (0..3_u8, prop::sample::select(vec![0, 1, 19, 20, u32::MAX])),
        seat in prop::option::of(0..3_u8),
        owed in prop::option::of(0..30_u8),
    ) {
        let rules = rules(VARIANTS[variant]);
        let mut state = after(&rules, index, plies).position();
        state.cubes = cubes.unwrap_or(state.cubes);
        [state.three_used, state.placed] = flags;
        (state.two_used, state.idle_turns) = counts;
        (state.to_move, state.owed) = (seat, owed.filter(|_| state.owed.is_some()));
        if let Ok(game) = Shuter::from_position(&rules, &state) {
            is_playable(&rules, &game);
        }
    }
}

#[test]
fn actions_beyond_the_last_are_no_moves() {
    let game = parse_line(&basic(), EXAMPLE).expect("the example is a position");
    assert!(
        game.clone().try_apply(Action(185)).is_err() && game.clone().try_apply(Action(u16::MAX)).is_err()
    );
}
