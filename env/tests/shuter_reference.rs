//! Recorded games of Node, followed ply by ply by a second, naive implementation of its rules.

mod shuter_support;

use nodarium_env::Rng;
use nodarium_env::games::shuter::{Shuter, ShuterRules};
use nodarium_env::record::{self, Record};
use nodarium_env::rng::Purpose;
use serde_json::Value;
use shuter_support::board::Board;
use shuter_support::naive::Naive;
use shuter_support::seen::Seen;
use shuter_support::{MANUAL, rules, weighted};

const GAMES: u64 = 300;

const BIASED_GAMES: u64 = 100;

const VARIANTS: [&str; 3] =
    [r#"{"variant": "basic"}"#, r#"{"variant": "classic"}"#, r#"{"variant": "advanced"}"#];

/// Follows a record; what the two implementations see differently is a panic.
fn follow(board: &Board, record: &Value, seen: Seen) -> Seen {
    let options = &record["rules"];
    let index = &record["index"];
    let squares: Vec<String> = serde_json::from_value(record["start"]["squares"].clone()).expect("squares");
    check_deal(&squares, options);
    let advanced = options["variant"] == "advanced";
    let stalemate_turns = options["stalemate_turns"].as_u64().expect("a number") as u32;
    let mut naive = Naive::new(board, advanced, stalemate_turns, squares);
    naive.seen = seen;
    // As text, so that the order of the keys counts.
    assert_eq!(record["start"].to_string(), naive.state().to_string(), "{options} game {index}: the start");
    for (number, ply) in record["plies"].as_array().expect("plies").iter().enumerate() {
        let place = || format!("{options} game {index} ply {number}: {}", ply["move"]);
        assert_eq!(ply["seat"].as_u64().map(|s| s as usize), naive.to_move, "{}", place());
        let mut legal: Vec<String> = serde_json::from_value(ply["legal"].clone()).expect("texts");
        legal.sort_unstable();
        assert_eq!(legal, naive.legal(), "{}: left the record, right the naive rules", place());
        let played = ply["move"].as_str().expect("a text");
        assert!(legal.iter().any(|m| m == played), "{}: not legal", place());
        naive.play(played);
        assert_eq!(ply["state"], naive.state(), "{}", place());
    }
    assert_eq!(record["end"].as_str(), naive.end, "{options} game {index}: the end");
    let returns: Vec<f64> = serde_json::from_value(record["returns"].clone()).expect("numbers");
    assert_eq!(returns, naive.returns, "{options} game {index}: the returns");
    naive.seen
}

/// Thirteen different squares of the variant's box; the given ones if they were given.
fn check_deal(squares: &[String], options: &Value) {
    let mut sorted = squares.to_vec();
    sorted.sort_unstable();
    let mut box_of_squares: Vec<String> =
        "bgry".chars().flat_map(|c| (1..=3).map(move |n| format!("{c}{n}"))).collect();
    box_of_squares.push("v0".to_owned());
    if options["variant"] != "basic" {
        box_of_squares.push("p0".to_owned());
    }
    sorted.dedup();
    assert_eq!(sorted.len(), 13, "a square lies twice: {squares:?}");
    assert!(sorted.iter().all(|s| box_of_squares.contains(s)), "a square of no box: {squares:?}");
    if !options["layout"].is_null() {
        assert_eq!(serde_json::to_value(squares).expect("texts"), options["layout"]);
    }
}

fn value(record: &Record<<Shuter as nodarium_env::Text>::Position>) -> Value {
    serde_json::to_value(record).expect("a record is JSON")
}

fn follow_random_games(options: &str) -> Seen {
    let (board, rules) = (Board::read(), rules(options));
    (0..GAMES).fold(Seen::default(), |seen, index| {
        follow(&board, &value(&record::simulate::<Shuter>(&rules, 11, index)), seen)
    })
}

/// Games in which the seats prefer some kinds of moves, by the first letter of their text.
fn follow_biased_games(rules: &ShuterRules, weight: impl Fn(u8) -> u32) -> Seen {
    let board = Board::read();
    (0..BIASED_GAMES).fold(Seen::default(), |seen, index| {
        let mut choices = Rng::keyed(Purpose::Choice, 12, index, 0);
        let record = record::record::<Shuter>(rules, 12, index, |game| weighted(game, &mut choices, &weight));
        follow(&board, &value(&record), seen)
    })
}

#[test]
fn the_picture_shows_24_corners_36_edges_13_squares() {
    let board = Board::read();
    let touching = |lists: &[Vec<usize>], corner| lists.iter().filter(|l| l.contains(&corner)).count();
    let corners = |lists: &[Vec<usize>], n| (0..24).filter(|&c| touching(lists, c) == n).count();
    assert!(board.edge_corners.iter().all(|l| l.len() == 2));
    assert!(board.square_corners.iter().all(|l| l.len() == 4));
    assert!(board.square_edges.iter().all(|l| l.len() == 4));
    assert_eq!(board.edge_squares.iter().filter(|l| l.len() == 1).count(), 20);
    assert_eq!(board.edge_squares.iter().filter(|l| l.len() == 2).count(), 16);
    assert_eq!([2, 4].map(|n| corners(&board.edge_corners, n)), [12, 12]);
    assert_eq!([1, 3, 4].map(|n| corners(&board.square_corners, n)), [12, 8, 4]);
}

#[test]
fn random_basic_games_follow_the_naive_rules() {
    let seen = follow_random_games(r#"{"variant": "basic"}"#);
    assert!(seen.ten_points > 100 && seen.stalemates > 3, "{seen:?}");
    assert!(seen.captured_pays_again > 100 && seen.ties > 100, "{seen:?}");
}

#[test]
fn random_classic_games_follow_the_naive_rules() {
    let seen = follow_random_games(r#"{"variant": "classic"}"#);
    assert!(seen.two_for_one > 1_000, "{seen:?}");
}

#[test]
fn random_advanced_games_follow_the_naive_rules() {
    let seen = follow_random_games(r#"{"variant": "advanced"}"#);
    assert!(seen.other_colour > 1_000 && seen.closed_edges_that_mattered > 30, "{seen:?}");
}

#[test]
fn random_games_on_a_fixed_layout_follow_the_naive_rules() {
    let seen = follow_random_games(&format!(r#"{{"variant": "basic", "layout": "{MANUAL}"}}"#));
    assert!(seen.ten_points > 100, "{seen:?}");
}

#[test]
fn random_games_with_a_short_stalemate_follow_the_naive_rules() {
    let seen = follow_random_games(r#"{"variant": "classic", "stalemate_turns": 3}"#);
    assert!(seen.stalemates > 100 && seen.ten_points > 3, "{seen:?}");
}

/// S-06, S-07, S-11.
#[test]
fn games_of_many_branches_follow_the_naive_rules() {
    for variant in VARIANTS {
        let seen = follow_biased_games(&rules(variant), |letter| match letter {
            b'b' | b'B' => 200,
            b'n' | b'N' => 1,
            b'e' => 20,
            _ => 2,
        });
        assert!(seen.regions_of_several_squares > 20, "{seen:?}");
        assert!(seen.regions_kept_open_by_a_branch_inside > 20, "{seen:?}");
        assert!(seen.closed_edges_that_mattered > 3, "{seen:?}");
        assert!(seen.branch_limits > 20, "{seen:?}");
    }
}

/// S-10, S-14.
#[test]
fn games_of_hoarded_cubes_follow_the_naive_rules() {
    for variant in VARIANTS {
        let seen = follow_biased_games(&rules(variant), |letter| match letter {
            b'e' => 400,
            b'n' | b'N' => 30,
            b'b' | b'B' => 4,
            _ => 1,
        });
        assert!(seen.taken_from_the_opponent > 100, "{seen:?}");
        assert!(seen.lost_because_the_opponent_holds_no_more > 100, "{seen:?}");
        assert!(seen.stalemates > 20, "{seen:?}");
    }
}
