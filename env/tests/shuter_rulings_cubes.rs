//! The rulings of Node about cubes, turns and matches, S-08 to S-10 and S-14 to S-16, each on positions made for it.

mod shuter_support;

use nodarium_env::games::shuter::{Series, SeriesLength, Shuter};
use nodarium_env::{Game, Text};
use shuter_support::naive::Naive;
use shuter_support::{MANUAL, WITH_POST, deal, manual, moves, play, position, returns, rules, with_post};

/// The moves that start with that letter.
fn starting_with(game: &Shuter, letter: char) -> Vec<String> {
    moves(game).into_iter().filter(|m| m.starts_with(letter)).collect()
}

fn may(game: &Shuter, text: &str) -> bool {
    moves(game).iter().any(|m| m == text)
}

/// Orange to act with these cubes; it has branches at the corners 8 and 9 of the middle square, its nodes elsewhere.
fn trader(variant: &str, cubes: [[u32; 4]; 2], nodes: &[usize]) -> Shuter {
    position(&with_post(variant), |naive| {
        naive.pieces_of(1, &[&[7, 10], nodes].concat(), &[11, 13]);
        naive.pieces_of(2, &[22, 23], &[33, 34]);
        naive.cubes = cubes;
        naive.to_move = Some(0);
    })
}

#[test]
fn s08_three_cubes_of_any_colours_buy_one_of_another() {
    let game = trader("classic", [[1, 1, 2, 0], [0; 4]], &[]);
    let trades = starting_with(&game, 't');
    // Received red, yellow, blue, green; never a colour that is given.
    assert_eq!(trades, ["tybbr", "trbby", "trybg", "trbbg", "tybbg"]);
    assert!(starting_with(&game, 'd').is_empty(), "no node on the trading post");
}

#[test]
fn s08_the_three_for_one_trade_is_free_again_next_turn() {
    let mut game = trader("classic", [[9, 0, 0, 0], [0; 4]], &[]);
    play(&mut game, "trrrg");
    assert_eq!(game.position().cubes[0], [6, 0, 0, 1]);
    assert!(game.position().three_used && starting_with(&game, 't').is_empty());
    play(&mut game, "e");
    assert!(!game.position().three_used);
    play(&mut game, "e");
    assert!(may(&game, "trrrb"));
}

#[test]
fn s08_the_bank_must_hold_the_received_colour() {
    let game = trader("classic", [[3, 0, 0, 2], [0, 0, 9, 8]], &[8, 9]);
    assert_eq!(starting_with(&game, 't'), ["trrry", "trrgy", "trggy", "trrrb", "trrgb", "trggb"]);
    let game = trader("classic", [[3, 0, 0, 2], [0, 10, 10, 8]], &[8, 9]);
    assert!(starting_with(&game, 't').is_empty());
    assert_eq!(starting_with(&game, 'd'), ["dggr"]);
}

#[test]
fn s08_a_new_node_on_the_trading_post_trades_at_once() {
    let mut game = trader("classic", [[4, 2, 0, 4], [0; 4]], &[]);
    assert!(starting_with(&game, 'd').is_empty());
    play(&mut game, "n08");
    assert_eq!(starting_with(&game, 'd'), ["dggr", "drry", "drgy", "dggy", "drrb", "drgb", "dggb", "drrg"]);
    play(&mut game, "drrb");
    assert_eq!((game.position().two_used, game.position().cubes[0]), (1, [2, 0, 1, 2]));
    assert!(starting_with(&game, 'd').is_empty(), "one node, one trade");
    assert!(may(&game, "trrbg"), "the 3:1 trade is apart from it");
}

#[test]
fn s08_each_node_on_the_trading_post_gives_one_trade_a_turn() {
    let mut game = trader("classic", [[8, 0, 0, 0], [0; 4]], &[8, 9]);
    play(&mut game, "drrb trrrg drrb");
    assert!(starting_with(&game, 'd').is_empty());
    assert_eq!(game.position().two_used, 2);
    play(&mut game, "e");
    assert_eq!(game.position().two_used, 0);
    assert!(starting_with(&game, 'd').is_empty(), "the nodes are orange");
}

#[test]
fn s09_a_captured_trading_post_trades_for_any_node_on_it() {
    let mut game = position(&with_post("classic"), |naive| {
        naive.pieces_of(1, &[9, 15], &[12, 17, 18]);
        naive.pieces_of(2, &[8, 22], &[11, 33]);
        naive.cubes = [[1, 0, 1, 0], [2, 0, 0, 0]];
        naive.to_move = Some(0);
    });
    let before = game.position().score[0];
    play(&mut game, "b23");
    assert_eq!(&game.position().captured[6..7], "1");
    assert_eq!(game.position().score[0], before + 1, "the trading post is a point");
    play(&mut game, "e");
    assert!(may(&game, "drrg"), "purple still trades");
}

#[test]
fn s09_the_vacant_square_is_a_point_when_captured() {
    let mut game = position(&manual(), |naive| {
        naive.pieces_of(1, &[9, 15], &[12, 17, 18]);
        naive.pieces_of(2, &[22, 23], &[33, 34]);
        naive.cubes = [[1, 0, 1, 0], [0; 4]];
        naive.to_move = Some(0);
    });
    assert_eq!(game.position().score[0], 4);
    play(&mut game, "b23");
    assert_eq!(game.position().score[0], 5);
}

/// Orange is owed two yellow, one blue, three green, as in the manual's example; the cubes after it has collected.
fn collected(cubes: [[u32; 4]; 2]) -> [[u8; 4]; 2] {
    let mut game = position(&manual(), |naive| {
        naive.pieces_of(1, &[7, 13], &[10, 21]);
        naive.pieces_of(2, &[22, 23], &[33, 34]);
        naive.cubes = cubes;
    });
    play(&mut game, "e");
    game.position().cubes
}

#[test]
fn s10_the_bank_pays_while_it_can() {
    assert_eq!(collected([[0, 0, 0, 3], [0, 8, 0, 4]]), [[0, 2, 1, 6], [0, 8, 0, 4]], "to the last cube");
}

#[test]
fn s10_an_opponent_with_strictly_more_pays_what_the_bank_cannot() {
    assert_eq!(collected([[0, 0, 0, 2], [0, 0, 0, 7]]), [[0, 2, 1, 5], [0, 0, 0, 5]]);
}

#[test]
fn s10_the_hands_are_compared_after_the_banks_cubes_are_taken() {
    assert_eq!(collected([[0, 0, 0, 4], [0, 0, 0, 5]]), [[0, 2, 1, 5], [0, 0, 0, 5]], "5 against 5");
    assert_eq!(collected([[0, 0, 0, 5], [0, 0, 0, 5]]), [[0, 2, 1, 5], [0, 0, 0, 5]], "an equal hand");
    assert_eq!(collected([[0, 0, 0, 8], [0, 0, 0, 1]]), [[0, 2, 1, 9], [0, 0, 0, 1]], "a smaller hand");
}

#[test]
fn s10_the_hands_are_compared_once_and_not_cube_by_cube() {
    assert_eq!(collected([[0, 0, 0, 4], [0, 0, 0, 6]]), [[0, 2, 1, 7], [0, 0, 0, 3]]);
}

#[test]
fn s10_every_colour_is_settled_by_itself() {
    let before = [[0, 3, 2, 0], [0, 7, 8, 9]];
    // Yellow: two from purple. Blue: one from purple. Green: one from the bank, two from purple.
    assert_eq!(collected(before), [[0, 5, 3, 3], [0, 5, 7, 7]]);
}

#[test]
fn s10_an_opponent_pays_as_far_as_its_cubes_go() {
    let layout = "R2 / Y1 B2 R3 / G2 G3 V Y2 Y3 / G1 R1 B1 / B3";
    let mut game = position(&rules(&format!(r#"{{"variant": "basic", "layout": "{layout}"}}"#)), |naive| {
        // Three, two and two green from the corners 13, 7 and 14; g1 is captured.
        naive.pieces_of(1, &[7, 13, 14], &[16, 22, 26, 27, 30]);
        naive.pieces_of(2, &[22, 23], &[33, 34]);
        naive.cubes = [[0, 0, 0, 4], [0, 0, 0, 6]];
    });
    play(&mut game, "e");
    assert_eq!(game.position().cubes.map(|hand| hand[3]), [10, 0], "seven are owed, six are there");
}

#[test]
fn s10_paid_cubes_go_back_to_the_bank() {
    let mut game = trader("classic", [[3, 2, 0, 2], [0, 0, 0, 8]], &[]);
    assert!(!may(&game, "trrrg"), "no green in the bank");
    play(&mut game, "n08");
    assert!(may(&game, "trrrg"));
}

/// Both sides with room to build, seat 1 to act.
fn idle(idle_turns: u32, placed: bool) -> Shuter {
    let rules = rules(&format!(r#"{{"variant": "basic", "layout": "{MANUAL}", "stalemate_turns": 3}}"#));
    position(&rules, |naive| {
        naive.pieces_of(1, &[7, 13], &[10, 21]);
        naive.pieces_of(2, &[22, 23], &[33, 34]);
        naive.cubes = [[0; 4], [4, 0, 1, 0]];
        (naive.idle_turns, naive.placed) = (idle_turns, placed);
    })
}

#[test]
fn s14_turns_of_both_players_without_a_placement_make_a_draw() {
    let mut game = idle(0, false);
    play(&mut game, "e e");
    assert_eq!((game.position().idle_turns, game.end()), (2, None));
    play(&mut game, "trrrg e");
    assert_eq!(returns(&game), ([0.0, 0.0], "stalemate"));
    let last = game.position();
    assert_eq!((last.idle_turns, last.to_move, last.three_used), (3, None, true));
    assert_eq!(last.cubes[0], [0, 2, 1, 3], "only the income of its one turn: the end comes first");
}

#[test]
fn s14_a_placement_sets_the_count_to_zero_and_its_turn_does_not_count() {
    let mut game = idle(2, false);
    play(&mut game, "b35");
    assert_eq!((game.position().idle_turns, game.position().placed), (0, true));
    play(&mut game, "e");
    assert_eq!((game.position().idle_turns, game.position().placed), (0, false));
    play(&mut game, "e e");
    assert_eq!((game.position().idle_turns, game.end()), (2, None));
}

#[test]
fn s14_trades_do_not_break_the_count() {
    let mut game = idle(2, false);
    play(&mut game, "trrrg e");
    assert_eq!(returns(&game).1, "stalemate");
}

#[test]
fn s14_twenty_turns_are_the_default() {
    let mut game = deal(&rules(&format!(r#"{{"layout": "{WITH_POST}"}}"#)));
    play(&mut game, "n07 b10 n22 b33 n23 b34 n13 b21");
    for turn in 0..20 {
        assert_eq!((game.position().idle_turns, game.end()), (turn, None));
        play(&mut game, "e");
    }
    assert_eq!(returns(&game), ([0.0, 0.0], "stalemate"));
}

/// Seat 0 to act in `advanced`: purple holds squares 0 and 2, orange stands before its perimeter.
fn either_colour(change: impl FnOnce(&mut Naive<'_>)) -> Shuter {
    position(&with_post("advanced"), |naive| {
        naive.pieces_of(2, &[0, 1], &[0, 1, 2, 7, 8, 12]);
        naive.pieces_of(1, &[2, 23], &[3, 34]);
        naive.cubes = [[1, 4, 1, 4], [0; 4]];
        naive.to_move = Some(0);
        change(naive);
    })
}

#[test]
fn s15_only_advanced_sells_pieces_of_the_other_colour() {
    let other = |game: &Shuter| moves(game).iter().any(|m| m.starts_with(['N', 'B']));
    assert!(other(&either_colour(|_| ())));
    assert!(!other(&trader("classic", [[5; 4], [0; 4]], &[])));
    assert!(!other(&deal(&rules(r#"{"variant": "advanced"}"#))), "the start is of the own colour only");
}

#[test]
fn s15_a_piece_of_the_other_colour_is_legal_where_that_colour_may_place_it() {
    let game = either_colour(|_| ());
    assert_eq!(starting_with(&game, 'b'), ["b06", "b28", "b31", "b32", "b35"], "4 is closed to orange");
    assert_eq!(
        starting_with(&game, 'B'),
        ["B04", "B05", "B11", "B13", "B17", "B18"],
        "not to purple, whoever pays"
    );
    assert_eq!(starting_with(&game, 'N'), ["N03", "N04", "N08", "N09"]);
}

#[test]
fn s15_the_buyer_pays_and_the_piece_scores_for_its_colour() {
    let mut game = either_colour(|_| ());
    assert_eq!(game.position().score, [2, 6]);
    play(&mut game, "N08 B04");
    assert_eq!(game.position().cubes, [[0, 2, 0, 2], [0; 4]]);
    assert_eq!(game.position().score, [2, 7]);
    assert_eq!(&game.position().corners[8..9], "2");
    assert!(game.position().placed);
}

#[test]
fn s15_trade_rights_and_income_belong_to_the_colour_of_the_node() {
    let mut game = either_colour(|_| ());
    play(&mut game, "N08");
    assert!(starting_with(&game, 'd').is_empty(), "orange paid, the node on the trading post is purple");
    play(&mut game, "e");
    // Corners 0, 1: r2 each, captured. Corner 8: b2, captured, and y2; g1 is exhausted.
    assert_eq!(game.position().cubes[1], [2, 1, 1, 0]);
    assert!(may(&game, "drrg"));
}

#[test]
fn s15_a_capture_with_a_bought_branch_is_the_colours_own() {
    let mut game = either_colour(|naive| {
        naive.edges[12] = 0;
        naive.captured = vec![0; 13];
    });
    assert_eq!(game.position().captured, "0000000000000");
    play(&mut game, "B12");
    assert_eq!(game.position().captured, "2020000000000");
}

#[test]
fn s15_the_other_colours_supply_is_its_own_24_branches() {
    let rim = [0, 1, 2, 3, 5, 6, 9, 10, 14, 15, 20, 21, 25, 26, 29, 30, 32, 33, 34, 35];
    let mut game = position(&with_post("advanced"), |naive| {
        naive.pieces_of(1, &[8, 9], &[17, 18]);
        naive.pieces_of(2, &[0, 1], &[&rim[..], &[7, 8, 27]].concat());
        naive.cubes = [[2, 0, 2, 0], [0; 4]];
        naive.to_move = Some(0);
    });
    play(&mut game, "B28");
    assert!(starting_with(&game, 'B').is_empty() && !starting_with(&game, 'b').is_empty());
}

fn series(games: u8) -> Series {
    Series::new(SeriesLength::new(games).expect("an allowed length"))
}

#[test]
fn s16_a_match_has_1_3_5_or_7_games() {
    let allowed: Vec<u8> = (0..=255).filter(|&games| SeriesLength::new(games).is_some()).collect();
    assert_eq!(allowed, [1, 3, 5, 7]);
}

#[test]
fn s16_the_first_player_alternates_and_wins_follow_the_player_not_the_seat() {
    let mut series = series(5);
    let mut first = Vec::new();
    for returns in [[1.0, -1.0], [1.0, -1.0], [0.0, 0.0], [-1.0, 1.0], [-1.0, 1.0]] {
        first.push(series.first_player());
        series.count(returns);
    }
    assert_eq!(first, [0, 1, 0, 1, 0]);
    // Player 0 has won the first game as seat 0 and the fourth as seat 1; player 1 the second and the fifth.
    assert_eq!(series.wins(), [2, 2]);
    assert!(series.is_over());
    assert_eq!(series.winner(), None, "drawn");
}

#[test]
fn s16_more_than_half_of_the_games_decide_a_match() {
    let mut series = series(3);
    series.count([-1.0, 1.0]);
    assert_eq!((series.is_over(), series.winner()), (false, None));
    series.count([1.0, -1.0]);
    assert_eq!((series.is_over(), series.winner()), (true, Some(1)));
}
