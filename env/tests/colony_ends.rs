//! The rulings of Node and Colony on ends and payoffs, C-11 to C-13, and what is hidden from whom.

mod colony_scene;

use std::collections::BTreeSet;

use colony_scene::*;
use nodarium_env::conformance::rules;
use nodarium_env::games::colony::Colony;
use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Rng, Seat, Text, record};
use serde_json::{Value, json};

const PLUS: &str = r#"{"layout": "plus5"}"#;

#[test]
fn c11_controlling_all_nodes_after_a_turn_is_domination_even_if_it_eradicates() {
    let table = "f5 0:C1, e6 0:C1, f6 0:C1 0:M1, g6 0:C1, f7 1:E1";
    let mut game = scene(PLUS, 10, table, &["N *", "N N N N E1 E1 E1 E1 E2"], "", &json!({"phase": "move"}));
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
    let mut game = scene(PLUS, 10, table, &["N *", "N N N N E1 E1 E1 E1 E2"], "", &json!({"phase": "move"}));
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
    let mut game = scene(options, 39, &table, &["N N N N N", "*"], "N", &json!({}));
    play(&mut game, "card M2, at e6, skip");
    assert_eq!(end(&game, options), Some("trapped"));
    assert_eq!(state(&game)["deck"], json!([]), "the last card was drawn");
}

#[test]
fn c11_who_drew_the_last_card_finishes_the_turn() {
    let table = "e5 0:C1, f5, g5, e6, f6, g6, e7, f7, g7 1:M1";
    let hands =
        &["N N N N N N C1 *", "C1 C1 C1 C1 C1 C2 C2 C2 C2 C3 C3 M1 M1 M1 M1 M1 M1 M2 M2 M2 M2 M3 M3 N"];
    let mut game = scene("{}", 40, table, hands, "", &json!({}));
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
    let mut game = scene("{}", 2, table, &["N C2 *", "N N N E1 E1"], "", &json!({"phase": "explore"}));
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
    let game = scene("{}", 38, table, &[mine, "*"], "E3 E3", &json!({}));
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
