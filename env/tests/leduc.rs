//! Leduc poker: the laws of the contract, the known tree, the rules one by one.

use nodarium_env::calibration::leduc::Leduc;
use nodarium_env::calibration::{EnumeratedDeals, NoOptions};
use nodarium_env::record::legal_moves;
use nodarium_env::{Game, Paint, Seat, Text};
use serde_json::json;

mod chance;

nodarium_env::conformance! {
    laws: Leduc = "{}";
}

fn read(cards: [&str; 3], history: [&str; 2], to_move: Option<u8>) -> Result<Leduc, String> {
    let json = json!({"cards": cards[..2], "public": cards[2], "history": history, "to_move": to_move});
    let position = serde_json::from_value(json).expect("the keys of a position");
    Leduc::from_position(&NoOptions {}, &position).map_err(|e| e.to_string())
}

fn returns(game: &Leduc) -> [f32; 2] {
    let mut out = [f32::NAN; 2];
    game.returns(&mut out);
    out
}

/// How many states of the tree go on, and how many are over.
fn tree(game: &Leduc) -> (usize, usize) {
    let (mut open, mut goes_on, mut over) = (vec![game.clone()], 0, 0);
    while let Some(state) = open.pop() {
        *(if state.to_move().is_some() { &mut goes_on } else { &mut over }) += 1;
        for text in legal_moves(&state) {
            let mut next = state.clone();
            next.apply(state.parse_move(&text).expect("a legal move"));
            open.push(next);
        }
    }
    (goes_on, over)
}

#[test]
fn the_tree_has_the_published_9457_histories() {
    // Of every deal: 6 decisions and 4 folds in a round, 5 ways from the first round to the second.
    let (round, folds, ways) = (6, 4, 5);
    for (_, deal) in Leduc::deals(&NoOptions {}) {
        assert_eq!(tree(&deal), (round + ways * round, folds + ways * (folds + ways)));
    }
    // Published trees deal card by card: the start, the first card, the second, the public one where it is needed.
    let dealing = 1 + 6 + 30 * ways;
    let (first, second) = (30 * (round + folds), 120 * ways * (round + folds + ways));
    assert_eq!(dealing + first + second, 9_457);
}

#[test]
fn fold_needs_a_raise_to_answer_and_a_round_has_two_raises() {
    for (history, legal) in [
        ("", ["call", "raise"].as_slice()),
        ("c", &["call", "raise"]),
        ("r", &["fold", "call", "raise"]),
        ("cr", &["fold", "call", "raise"]),
        ("rr", &["fold", "call"]),
        ("crr", &["fold", "call"]),
    ] {
        let to_move = Some(history.len() as u8 % 2);
        let first = read(["Js", "Kh", "Qs"], [history, ""], to_move).expect("the first round");
        assert_eq!(legal_moves(&first), legal, "{history}");
        let second = read(["Js", "Kh", "Qs"], ["rrc", history], to_move).expect("the second round");
        assert_eq!(legal_moves(&second), legal, "{history} in the second round");
    }
}

#[test]
fn raises_cost_2_then_4_and_the_loser_pays_its_stake() {
    for (history, won) in [
        (["rf", ""], 1.0),
        (["rrf", ""], -3.0),
        (["crf", ""], -1.0),
        (["crrf", ""], 3.0),
        (["cc", "cc"], -1.0),
        (["rc", "cc"], -3.0),
        (["rrc", "cc"], -5.0),
        (["crc", "rc"], -7.0),
        (["crrc", "crrc"], -13.0),
        (["rrc", "rrf"], -9.0),
        (["cc", "crrf"], 5.0),
    ] {
        let game = read(["Js", "Kh", "Qs"], history, None).expect("a game that is over");
        assert_eq!(returns(&game), [won, -won], "{history:?}");
        let end = Leduc::spec(&NoOptions {}).ends[game.end().expect("over").index()];
        assert_eq!(end, if history.concat().ends_with('f') { "fold" } else { "showdown" });
    }
}

#[test]
fn a_pair_beats_a_higher_rank_and_equal_ranks_share() {
    for (cards, won) in [
        (["Js", "Kh", "Jh"], 3.0),
        (["Ks", "Qh", "Qs"], -3.0),
        (["Ks", "Qh", "Js"], 3.0),
        (["Qs", "Kh", "Jh"], -3.0),
        (["Qs", "Qh", "Kh"], 0.0),
        (["Kh", "Ks", "Js"], 0.0),
    ] {
        let game = read(cards, ["rc", "cc"], None).expect("a showdown");
        assert_eq!(returns(&game), [won, -won], "{cards:?}");
    }
}

#[test]
fn the_120_deals_are_listed_and_dealt_equally_often() {
    chance::deals_are_uniform::<Leduc>(120);
}

#[test]
fn cards_that_are_not_seen_are_redealt_uniformly() {
    let worlds = |history, to_move, seat, worlds| {
        let game = read(["Js", "Kh", "Qs"], history, to_move).expect("a position");
        chance::redeals_are_uniform(&game, Seat(seat), worlds);
    };
    worlds(["c", ""], Some(1), 0, 5 * 4);
    worlds(["c", ""], Some(1), 1, 5 * 4);
    worlds(["rf", ""], None, 0, 5 * 4);
    worlds(["cc", "r"], Some(1), 1, 4);
    worlds(["cc", "rf"], None, 0, 4);
    worlds(["cc", "cc"], None, 0, 1);
}

#[test]
fn a_drawing_hides_what_the_seat_cannot_see() {
    let drawn = |history, to_move| {
        let game = read(["Js", "Kh", "Qs"], history, to_move).expect("a position");
        game.draw(Some(Seat(1)), Paint::Plain)
    };
    let first = drawn(["r", ""], Some(1));
    assert!(
        first.starts_with("public: ??\nseat 0: ??, 3 in the pot\nseat 1: Kh, 1 in the pot, to act\n"),
        "{first}"
    );
    assert!(drawn(["cc", "c"], Some(1)).starts_with("public: Qs\nseat 0: ??,"));
    assert!(drawn(["cc", "cc"], None).starts_with("public: Qs\nseat 0: Js,"));
}

#[test]
fn positions_that_no_game_leaves_behind_are_refused() {
    let refused = |cards, history, to_move| read(cards, history, to_move).expect_err("a bad position");
    let cards = ["Js", "Kh", "Qs"];
    assert!(refused(["J", "Kh", "Qs"], ["", ""], Some(0)).contains("`J`: expected one of Js, Jh"));
    assert!(refused(["Js", "Kh", "A"], ["", ""], Some(0)).starts_with("`public`: `A`"));
    assert!(refused(["Js", "Js", "Qs"], ["", ""], Some(0)).contains("dealt twice"));
    assert!(refused(["Js", "Kh", "Kh"], ["", ""], Some(0)).contains("dealt twice"));
    assert!(refused(cards, ["f", ""], Some(0)).contains("`f` at place 0 is not a legal move there"));
    assert!(refused(cards, ["rrr", ""], Some(0)).contains("`r` at place 2"));
    assert!(refused(cards, ["rfc", ""], None).contains("`c` at place 2"));
    assert!(refused(cards, ["ccr", ""], Some(1)).contains("the rounds are [\"cc\", \"r\"]"));
    assert!(refused(cards, ["c", ""], Some(0)).contains("the history says Some(1)"));
}

#[test]
fn a_playthrough_reads_as_before() {
    insta::assert_snapshot!(nodarium_env::text::playthrough::<Leduc>(&NoOptions {}, 1, 2));
}
