//! Kuhn poker: the laws of the contract, and every one of its 30 games.

use nodarium_env::calibration::NoOptions;
use nodarium_env::calibration::kuhn::Kuhn;
use nodarium_env::{Game, Paint, Seat, Text};
use serde_json::json;

mod chance;

nodarium_env::conformance! {
    laws: Kuhn = "{}";
}

fn read(cards: [&str; 2], history: &str, to_move: Option<u8>) -> Result<Kuhn, String> {
    let json = json!({"cards": cards, "history": history, "to_move": to_move});
    let position = serde_json::from_value(json).expect("the keys of a position");
    Kuhn::from_position(&NoOptions {}, &position).map_err(|e| e.to_string())
}

#[test]
fn every_game_pays_as_kuhn_says() {
    // The history, how it ends, what seat 0 wins with the higher card and with the lower one.
    let games = [
        ("pp", "showdown", 1.0, -1.0),
        ("bb", "showdown", 2.0, -2.0),
        ("bp", "fold", 1.0, 1.0),
        ("pbb", "showdown", 2.0, -2.0),
        ("pbp", "fold", -1.0, -1.0),
    ];
    let ends = Kuhn::spec(&NoOptions {}).ends;
    for (first, second) in [("J", "Q"), ("J", "K"), ("Q", "J"), ("Q", "K"), ("K", "J"), ("K", "Q")] {
        let higher = "JQK".find(first) > "JQK".find(second);
        for (history, end, with_higher, with_lower) in games {
            let game = read([first, second], history, None).expect("a game that is over");
            let mut returns = [f32::NAN; 2];
            game.returns(&mut returns);
            let expected = if higher { with_higher } else { with_lower };
            assert_eq!(returns, [expected, -expected], "{first} {second} {history}");
            assert_eq!(game.end().map(|end| ends[end.index()]), Some(end), "{first} {second} {history}");
        }
    }
}

#[test]
fn four_histories_leave_a_choice() {
    for (history, to_move) in [("", 0), ("p", 1), ("b", 1), ("pb", 0)] {
        let game = read(["J", "K"], history, Some(to_move)).expect("a game that goes on");
        assert_eq!(nodarium_env::record::legal_moves(&game), ["pass", "bet"]);
    }
}

#[test]
fn the_six_deals_are_listed_and_dealt_equally_often() {
    chance::deals_are_uniform::<Kuhn>(6);
}

#[test]
fn a_card_that_is_not_seen_is_redealt_uniformly() {
    chance::redeals_are_uniform(&read(["Q", "K"], "p", Some(1)).expect("a position"), Seat(1), 2);
    chance::redeals_are_uniform(&read(["Q", "K"], "bp", None).expect("a fold"), Seat(0), 2);
    chance::redeals_are_uniform(&read(["Q", "K"], "bb", None).expect("a showdown"), Seat(0), 1);
}

#[test]
fn a_drawing_hides_the_others_card_until_the_showdown() {
    let game = read(["J", "K"], "pb", Some(0)).expect("a position");
    let drawn = game.draw(Some(Seat(0)), Paint::Plain);
    assert_eq!(drawn, "seat 0: J, 1 in the pot, to act\nseat 1: ?, 2 in the pot\nmoves: pass bet\n");
    let drawn = read(["J", "K"], "pbb", None).expect("a showdown").draw(Some(Seat(0)), Paint::Plain);
    assert_eq!(drawn, "seat 0: J, 2 in the pot\nseat 1: K, 2 in the pot\nmoves: pass bet bet\n");
}

#[test]
fn positions_that_no_game_leaves_behind_are_refused() {
    let refused = |cards, history, to_move| read(cards, history, to_move).expect_err("a bad position");
    assert!(refused(["J", "A"], "", Some(0)).contains("`A`: expected one of J, Q, K"));
    assert!(refused(["J", "J"], "", Some(0)).contains("dealt twice"));
    assert!(refused(["J", "Q"], "px", Some(0)).contains("`x` at place 1 is not a legal move there"));
    assert!(refused(["J", "Q"], "bpp", None).contains("`p` at place 2 is not a legal move there"));
    assert!(refused(["J", "Q"], "p", Some(0)).contains("the history says Some(1)"));
}

#[test]
fn a_playthrough_reads_as_before() {
    insta::assert_snapshot!(nodarium_env::text::playthrough::<Kuhn>(&NoOptions {}, 1, 1));
}
