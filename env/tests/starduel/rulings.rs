//! The rulings, one by one.

use nodarium_env::games::starduel::{StarDuel, StarDuelRules};
use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Rng, Seat};
use serde_json::{Value, json};

use crate::board::{Board, ending, legal, legal_of, play, resources, state};

#[test]
fn d01_the_start_has_three_energy_tiers_in_their_rows_and_two_spares_of_each() {
    for index in 0..200 {
        let game = StarDuel::deal(&StarDuelRules::default(), &mut Rng::keyed(Purpose::Deal, 5, index, 0));
        let dealt = state(&game);
        assert_eq!([resources(&game, 0), resources(&game, 1)], [[0, 0, 0, 3]; 2]);
        let card = |at: &str| dealt["spaces"][at]["card"].as_str().expect("a card").to_owned();
        let row = |row: u32, width: u32| -> Vec<String> {
            (1..=width).map(|column| card(&format!("{row}{column}"))).collect()
        };
        for home in [row(1, 3), row(5, 3)] {
            assert!(["A", "B", "C"].iter().all(|name| home.contains(&(*name).to_owned())));
        }
        let spare = |tier: &str| dealt["spares"][tier].as_array().expect("a list").clone();
        let mut tier_2 = [row(2, 4), row(4, 4)].concat();
        tier_2.extend(spare("2").iter().map(|card| card.as_str().expect("a card").to_owned()));
        tier_2.sort_unstable();
        assert_eq!(tier_2.concat(), "DEFGHIJKLM");
        let mut tier_3 = row(3, 4);
        tier_3.extend(spare("3").iter().map(|card| card.as_str().expect("a card").to_owned()));
        tier_3.sort_unstable();
        assert_eq!(tier_3.concat(), "NOPQRS");
        for (at, node) in dealt["spaces"].as_object().expect("a map") {
            assert_eq!(node["up"], json!(at.starts_with('1') || at.starts_with('5')), "{at}");
        }
    }
}

#[test]
fn d02_twenty_numbers_can_be_programmed_and_the_lower_one_goes_first() {
    let mut game = Board::start().game();
    let numbers: Vec<String> = legal(&game);
    assert_eq!(numbers.len(), 20);
    for not_offered in [25, 35, 45, 54, 55, 10, 16] {
        assert!(!numbers.contains(&format!("program {not_offered}")));
    }
    for offered in [11, 14, 15, 24, 34, 44, 53] {
        assert!(numbers.contains(&format!("program {offered}")));
    }
    play(&mut game, &["program 13"]);
    assert_eq!(game.to_move(), Some(Seat(1)));
    play(&mut game, &["program 12"]);
    assert_eq!(state(&game)["acting"], json!(1), "12 is lower than 13");
    play(&mut game, &["end"]);
    assert_eq!(state(&game)["acting"], json!(0));
}

#[test]
fn d02_a_number_is_in_the_players_own_coordinates() {
    let mut game = Board::start().after(&["program 12", "program 12"]);
    play(&mut game, &["execute"]);
    assert_eq!(state(&game)["spaces"]["12"]["owner"], json!(0));
    play(&mut game, &["execute"]);
    assert_eq!(state(&game)["spaces"]["52"]["owner"], json!(1), "Enate 12 is Kurth 52");
}

#[test]
fn d03_equal_numbers_let_go_first_who_went_second_before_and_kurth_in_round_one() {
    let mut game = Board::start().after(&["program 15", "program 15"]);
    assert_eq!((&state(&game)["acting"], &state(&game)["went_second"]), (&json!(0), &json!(0)));
    play(&mut game, &["execute", "execute"]);
    assert_eq!((&state(&game)["round"], &state(&game)["went_second"]), (&json!(2), &json!(1)));
    play(&mut game, &["program 15", "program 15"]);
    assert_eq!(state(&game)["acting"], json!(1), "Enate went second");
    play(&mut game, &["execute"]);
    assert_eq!((&state(&game)["acting"], &state(&game)["went_second"]), (&json!(0), &json!(1)));
    play(&mut game, &["end"]);
    assert_eq!(state(&game)["went_second"], json!(0));
}

#[test]
fn d04_each_action_is_done_at_most_once_and_in_any_order() {
    let board = || Board::bare().node("11", "A", Some(0)).node("12", "B", Some(0)).node("41", "D", Some(1));
    let mut game = board().after(&["program 15", "program 21", "from 11", "to 33"]);
    assert_eq!(state(&game)["left"], json!(["execute", "exhaust"]));
    assert!(legal_of(&game, "from").is_empty());
    play(&mut game, &["exhaust 33"]);
    assert_eq!(legal(&game), ["execute", "end"]);
    play(&mut game, &["execute"]);
    assert_eq!(state(&game)["acting"], json!(1), "all three are used: the turn ends by itself");

    let game = board().after(&["program 15", "program 21", "execute", "from 11"]);
    assert!(legal(&game).iter().all(|text| text.starts_with("to ")), "a node on the move must land");
    assert_eq!(state(&game)["left"], json!(["exhaust", "move"]), "`move` is used at `to`");
    assert_eq!(state(&game)["phase"], json!("move-to"));
}

#[test]
fn d04_a_turn_with_nothing_to_do_passes_by_itself() {
    let game = Board::start().after(&["program 53", "program 52"]);
    assert_eq!((&state(&game)["round"], &state(&game)["phase"]), (&json!(2), &json!("program")));
    assert_eq!(state(&game)["programs"], json!([null, null]));
    assert_eq!(state(&game)["went_second"], json!(0), "52 went before 53");
}

#[test]
fn d05_the_way_costs_one_energy_a_space_and_the_row_is_the_distance() {
    let mut game = Board::start().open("11").has(0, [5, 5, 3]).after(&["program 22", "program 53"]);
    play(&mut game, &["execute"]);
    assert_eq!(resources(&game, 0)[3], 1, "22 costs 2, and E pays no Energy");
    for (energy, legal) in [(4, false), (5, true)] {
        let board = Board::bare().node("53", "C", Some(1)).has(0, [3, 3, energy]);
        let game = board.node("11", "A", Some(0)).after(&["program 53", "program 53"]);
        assert_eq!(!legal_of(&game, "attack").is_empty(), legal, "row 5 with {energy} Energy");
    }
}

#[test]
fn d05_inactive_and_opposing_nodes_block_while_own_nodes_and_open_spaces_do_not() {
    let reach = |board: Board| {
        let game = board.has(0, [5, 5, 12]).node("24", "G", Some(0)).after(&["program 22", "program 53"]);
        !legal_of(&game, "execute").is_empty()
    };
    assert!(!reach(Board::start()), "all of row 1 is inactive");
    assert!(reach(Board::start().owned("11", 0)));
    assert!(reach(Board::start().open("12")));
    assert!(!reach(Board::start().owned("11", 1).owned("12", 1)));
    assert!(!reach(Board::start().owned("13", 0)), "13 is not next to 22, and 23 is inactive");
    assert!(reach(Board::start().owned("13", 0).owned("23", 0)));
}

#[test]
fn d05_a_way_round_costs_what_it_is_long() {
    let board = Board::start().owned("13", 0).owned("23", 0).has(0, [5, 5, 3]);
    let mut game = board.after(&["program 22", "program 53", "execute"]);
    assert_eq!(resources(&game, 0)[3], 0, "13, 23, 22");
    assert_eq!(state(&game)["spaces"]["22"]["owner"], json!(0));
    play(&mut game, &["end"]);
}

#[test]
fn d05_an_impossible_program_costs_nothing_and_cannot_be_executed() {
    let board = || Board::start().owned("11", 0).has(0, [5, 5, 5]);
    for target in [11, 33, 53] {
        let game = board().after(&[&format!("program {target}"), "program 53"]);
        assert!(legal_of(&game, "execute").is_empty() && legal_of(&game, "attack").is_empty(), "{target}");
        assert_eq!(resources(&game, 0)[3], 5);
    }
    let game = board().open("12").after(&["program 12", "program 53"]);
    assert!(legal_of(&game, "execute").is_empty(), "nothing is there");
    let mut game = board().after(&["program 12", "program 53"]);
    play(&mut game, &["end"]);
    assert_eq!(resources(&game, 0)[3], 5, "an unwanted program costs nothing");
}

#[test]
fn d06_activation_needs_are_met_not_spent_and_linked_face_down_nodes_are_flipped() {
    let board = |have| Board::start().owned("11", 0).up("22").has(0, have);
    for short in [[0, 5, 5], [5, 0, 5]] {
        assert!(
            legal_of(&board(short).after(&["program 22", "program 53"]), "execute").is_empty(),
            "{short:?}"
        );
    }
    let game = board([1, 1, 5]).after(&["program 22", "program 53", "execute"]);
    assert_eq!(resources(&game, 0), [2, 2, 3, 3], "E gives 1/2/0 and asks for 1/1");
    let now = state(&game);
    assert_eq!(now["activated"], json!("22"));
    for (at, node) in now["spaces"].as_object().expect("a map") {
        let linked = ["21", "23", "32"].contains(&at.as_str());
        let home = at.starts_with('1') || at.starts_with('5');
        assert_eq!(node["up"], json!(linked || home || at == "22"), "{at}");
    }
}

#[test]
fn d06_a_tier_one_node_of_the_other_side_can_be_activated() {
    let board = Board::start().open("12").open("23").open("33").open("43").has(0, [0, 0, 5]);
    let game = board.after(&["program 52", "program 53", "execute"]);
    assert_eq!(state(&game)["spaces"]["52"]["owner"], json!(0));
    assert_eq!(resources(&game, 0), [1, 0, 2, 0]);
}

#[test]
fn d07_a_face_down_node_is_flipped_and_activated_only_if_its_needs_are_met() {
    let board = |have| Board::start().owned("11", 0).has(0, have);
    let game = board([0, 3, 3]).after(&["program 22", "program 53", "execute"]);
    let now = state(&game);
    assert_eq!(now["spaces"]["22"], json!({"card": "E", "up": true, "owner": null}));
    assert_eq!(resources(&game, 0), [1, 0, 3, 1], "the Energy is paid");
    assert_eq!((&now["activated"], &now["spaces"]["21"]["up"]), (&Value::Null, &json!(false)));
    let game = board([1, 1, 3]).after(&["program 22", "program 53", "execute"]);
    assert_eq!(state(&game)["spaces"]["22"]["owner"], json!(0));
    assert_eq!(state(&game)["spaces"]["21"]["up"], json!(true));
}

#[test]
fn d08_an_attack_is_paid_in_any_mix_that_adds_up_to_the_defence() {
    let board = |population, minerals| {
        let board = Board::start().owned("11", 0).owned("22", 1).owned("51", 1);
        board.has(0, [population, minerals, 4]).after(&["program 22", "program 53"])
    };
    assert_eq!(legal_of(&board(5, 5), "attack"), ["attack p0", "attack p1", "attack p2", "attack p3"]);
    assert_eq!(legal_of(&board(2, 2), "attack"), ["attack p1", "attack p2"]);
    assert_eq!(legal_of(&board(0, 3), "attack"), ["attack p0"]);
    assert!(legal_of(&board(1, 1), "attack").is_empty());
    let mut game = board(5, 5);
    play(&mut game, &["attack p1"]);
    assert_eq!(resources(&game, 0), [1, 4, 3, 2]);
    assert_eq!(resources(&game, 1)[0], 1);
    assert!(state(&game)["spaces"].get("22").is_none(), "the node leaves the game");
    assert_eq!(state(&game)["activated"], Value::Null);
}

#[test]
fn d09_replace_takes_the_next_spare_of_the_tier_for_an_inactive_face_up_node() {
    let board = || Board::start().owned("11", 0).up("21").up("32").owned("24", 0).owned("44", 1);
    let mut game = board().after(&["program 14", "program 53"]);
    assert_eq!(legal_of(&game, "replace"), ["replace 21", "replace 32"]);
    play(&mut game, &["replace 21"]);
    let now = state(&game);
    assert_eq!(now["spaces"]["21"], json!({"card": "J", "up": true, "owner": null}));
    assert_eq!(now["spares"], json!({"2": ["K"], "3": ["R", "S"]}));
    assert_eq!(resources(&game, 0)[3], 3, "no Energy");
    assert!(legal_of(&game, "replace").is_empty());

    let game = board().set("spares", json!({"2": [], "3": ["R"]})).after(&["program 14", "program 53"]);
    assert_eq!(legal_of(&game, "replace"), ["replace 32"], "none left, none replaced");
    let far = Board::start().up("44").owned("11", 0).after(&["program 14", "program 53"]);
    assert_eq!(legal_of(&far, "replace"), ["replace 44"], "no way is needed");
}

#[test]
fn d10_produce_gives_two_energy_up_to_the_limit() {
    let board =
        |energy| Board::start().owned("11", 0).has(0, [0, 0, energy]).after(&["program 15", "program 53"]);
    for (before, after) in [(0, 2), (10, 12), (11, 12)] {
        let mut game = board(before);
        play(&mut game, &["execute"]);
        assert_eq!(resources(&game, 0)[3], after);
    }
    assert!(legal_of(&board(12), "execute").is_empty());
}

#[test]
fn d11_exhausting_costs_influence_pays_the_bonus_and_removes_the_node() {
    let mut game = Board::start().owned("11", 0).owned("12", 0).after(&["program 53", "program 53"]);
    assert_eq!(legal_of(&game, "exhaust"), ["exhaust 11", "exhaust 12"]);
    play(&mut game, &["exhaust 11"]);
    assert_eq!(resources(&game, 0), [1, 0, 1, 5]);
    assert!(state(&game)["spaces"].get("11").is_none());
    assert!(legal_of(&game, "exhaust").is_empty(), "one a turn");
}

#[test]
fn d11_the_node_activated_this_turn_cannot_be_exhausted_even_after_a_move() {
    let board = Board::start().owned("12", 0).open("13");
    let mut game = board.after(&["program 11", "program 53", "execute"]);
    assert_eq!(legal_of(&game, "exhaust"), ["exhaust 12"]);
    play(&mut game, &["from 11", "to 13"]);
    assert_eq!(state(&game)["activated"], json!("13"));
    assert_eq!(legal_of(&game, "exhaust"), ["exhaust 12"]);

    let mut game = Board::start().owned("12", 0).after(&["program 11", "program 53", "execute"]);
    play(&mut game, &["from 12", "to 11"]);
    assert_eq!(state(&game)["activated"], json!("12"), "it follows a swap too");
    assert_eq!(legal_of(&game, "exhaust"), ["exhaust 11"]);
}

#[test]
fn d12_a_node_moves_over_open_spaces_and_own_nodes_and_flips_nothing() {
    let board = Board::start().owned("11", 0).owned("12", 0).open("22").open("32").owned("31", 1);
    let mut game = board.after(&["program 53", "program 53"]);
    assert_eq!(legal_of(&game, "from"), ["from 11", "from 12"]);
    play(&mut game, &["from 11"]);
    assert_eq!(legal(&game), ["to 12", "to 22", "to 32"]);
    play(&mut game, &["to 32"]);
    let now = state(&game);
    assert_eq!(now["spaces"]["32"], json!({"card": "A", "up": true, "owner": 0}));
    assert!(now["spaces"].get("11").is_none());
    assert_eq!(now["spaces"]["33"]["up"], json!(false), "moving flips nothing");
}

#[test]
fn d12_a_node_that_is_shut_in_cannot_be_picked_up() {
    let mut game =
        Board::start().owned("11", 0).owned("13", 0).open("23").after(&["program 53", "program 53"]);
    assert_eq!(legal_of(&game, "from"), ["from 13"]);
    play(&mut game, &["from 13"]);
    assert_eq!(legal(&game), ["to 23"]);
}

#[test]
fn d12_two_like_cards_can_be_swapped() {
    let board = Board::start().node("11", "A", Some(0)).node("12", "A", Some(0));
    let mut game = board.open("51").after(&["program 53", "program 53"]);
    let before = state(&game)["spaces"].clone();
    play(&mut game, &["from 12", "to 11"]);
    assert_eq!(state(&game)["spaces"], before);
    assert_eq!(state(&game)["left"], json!(["execute", "exhaust"]));
}

#[test]
fn d12_no_way_leads_over_a_home_world() {
    let board = Board::start().owned("11", 0).owned("13", 0);
    let game = board.after(&["program 53", "program 53"]);
    assert!(legal_of(&game, "from").is_empty(), "11 and 13 are joined by the home world only");
}

#[test]
fn d13_exhausting_the_last_node_loses_after_it_was_carried_out_in_full() {
    let game = Board::start().owned("11", 0).after(&["program 53", "program 53", "exhaust 11"]);
    assert_eq!(ending(&game), Some(("influence", [-1.0, 1.0])));
    assert_eq!(resources(&game, 0), [0, 0, 1, 5]);
    let now = state(&game);
    assert_eq!((&now["phase"], &now["acting"]), (&json!("act"), &json!(0)));
    assert_eq!((&now["programs"], &now["to_move"]), (&json!([53, 53]), &Value::Null));
    assert_eq!(now["left"], json!(["execute", "move"]));
}

#[test]
fn d13_losing_the_last_node_to_an_attack_loses_at_once() {
    let board = Board::start().owned("11", 0).owned("22", 1).has(0, [3, 3, 4]);
    let game = board.after(&["program 22", "program 53", "attack p2"]);
    assert_eq!(ending(&game), Some(("influence", [1.0, -1.0])));
    assert_eq!(resources(&game, 1)[0], 0);
}

#[test]
fn d13_paying_the_last_population_loses_even_in_an_attack_that_would_have_won() {
    let board = Board::start().owned("11", 0).owned("22", 1).has(0, [2, 3, 4]);
    let game = board.after(&["program 22", "program 53", "attack p2"]);
    assert_eq!(ending(&game), Some(("population", [-1.0, 1.0])));
    assert_eq!(resources(&game, 0), [1, 0, 2, 2], "the payment is made");
    assert_eq!(state(&game)["spaces"]["22"]["owner"], json!(1), "the node still stands");
    assert_eq!(resources(&game, 1)[0], 1);
}

#[test]
fn d13_having_no_population_is_no_loss_without_a_decrease() {
    let board = Board::start().owned("11", 0).owned("22", 1).owned("51", 1).has(0, [0, 3, 4]);
    let game = board.after(&["program 22", "program 53", "attack p0"]);
    assert_eq!(ending(&game), None);
    assert_eq!(ending(&Board::start().game()), None, "nor is Influence 0 at the start");
}

#[test]
fn d14_gains_stop_at_twelve_and_influence_counts_the_nodes() {
    let board = Board::start().owned("11", 0).owned("12", 0).has(0, [11, 11, 11]);
    let mut game = board.after(&["program 13", "program 53", "execute"]);
    assert_eq!(resources(&game, 0), [3, 12, 11, 12], "C gives 1/0/2 after 1 Energy was paid");
    play(&mut game, &["exhaust 11"]);
    assert_eq!(resources(&game, 0), [2, 12, 12, 12]);
}

#[test]
fn d14_a_bonus_does_not_pay_for_its_own_way() {
    let board = Board::start().owned("12", 0).has(0, [0, 0, 0]);
    assert!(legal_of(&board.after(&["program 13", "program 53"]), "execute").is_empty());
}

#[test]
fn d15_controlling_every_node_wins_at_the_end_of_the_round() {
    let board = || Board::bare().node("11", "A", Some(0)).node("53", "C", None).has(0, [0, 0, 5]);
    let mut game = board().after(&["program 53", "program 53", "execute"]);
    assert_eq!(ending(&game), None, "not inside the round");
    play(&mut game, &["end"]);
    assert_eq!(ending(&game), Some(("all nodes", [1.0, -1.0])));
    let now = state(&game);
    assert_eq!((&now["phase"], &now["round"]), (&json!("program"), &json!(1)));
    assert_eq!((&now["programs"], &now["acting"]), (&json!([null, null]), &Value::Null));
    assert_eq!((&now["went_second"], &now["left"]), (&json!(1), &json!([])));

    let mut game = board().down("32", "N").after(&["program 53", "program 53", "execute"]);
    play(&mut game, &["end"]);
    assert_eq!(ending(&game), None, "a face-down node counts");
    let mut game = Board::bare().after(&["program 15", "program 15", "execute"]);
    play(&mut game, &["execute"]);
    assert_eq!(ending(&game), None, "on an empty map nobody controls anything");
}

#[test]
fn d16_after_the_last_round_influence_decides_then_the_sum_of_the_rest() {
    let last = |board: Board| {
        let mut game = board.set("round", json!(60)).after(&["program 15", "program 15"]);
        while game.to_move().is_some() {
            play(&mut game, &["end"]);
        }
        assert_eq!(state(&game)["round"], json!(60));
        ending(&game)
    };
    let board = || Board::start().has(0, [1, 2, 3]).has(1, [3, 2, 1]);
    assert_eq!(last(board()), Some(("round limit", [0.0, 0.0])));
    assert_eq!(last(board().has(0, [0, 0, 7])), Some(("round limit", [1.0, -1.0])));
    assert_eq!(last(board().has(0, [4, 4, 4]).owned("51", 1)), Some(("round limit", [-1.0, 1.0])));
    let board = Board::bare().node("51", "A", Some(1)).node("53", "C", None).has(0, [12, 12, 12]);
    let mut game = board.set("round", json!(60)).after(&["program 14", "program 11", "execute"]);
    play(&mut game, &["end"]);
    assert_eq!(ending(&game), Some(("all nodes", [-1.0, 1.0])), "D-15 is tested before");
}
