//! The rulings of Node about the board, S-01 to S-07 and S-11 to S-13, each on positions made for it.

mod shuter_support;

use nodarium_env::games::shuter::Shuter;
use nodarium_env::{Game, Text};
use shuter_support::naive::Naive;
use shuter_support::{deal, manual, moves, play, position, returns, with_post};

/// Two purple nodes out of the way, at the lower tip of the board.
fn purple_aside(naive: &mut Naive<'_>) {
    naive.pieces_of(2, &[22, 23], &[33, 34]);
}

fn may(game: &Shuter, text: &str) -> bool {
    moves(game).iter().any(|m| m == text)
}

/// The moves that start with that letter, numbers only.
fn numbers(game: &Shuter, letter: char) -> Vec<u32> {
    moves(game).iter().filter_map(|m| m.strip_prefix(letter)).filter_map(|n| n.parse().ok()).collect()
}

#[test]
fn s01_the_second_player_places_twice_in_a_row_and_then_moves_first() {
    let mut game = deal(&manual());
    let mut seats = Vec::new();
    for text in "n07 b10 n22 b33 n23 b34 n13 b21".split(' ') {
        seats.push(game.to_move().map(|seat| seat.0));
        play(&mut game, text);
    }
    assert_eq!(seats, [0, 0, 1, 1, 1, 1, 0, 0].map(Some));
    let state = game.position();
    assert_eq!(state.to_move, Some(1));
    assert_eq!(state.cubes, [[0; 4], [0, 2, 0, 0]], "seat 1 has collected from y3, seat 0 not yet");
}

#[test]
fn s01_a_starting_node_may_stand_next_to_any_other() {
    let mut game = deal(&manual());
    assert_eq!(numbers(&game, 'n'), (0..24).collect::<Vec<_>>());
    play(&mut game, "n07 b10");
    let others: Vec<u32> = (0..24).filter(|&corner| corner != 7).collect();
    assert_eq!(numbers(&game, 'n'), others);
}

#[test]
fn s01_the_starting_branch_touches_the_node_just_placed() {
    let mut game = deal(&manual());
    play(&mut game, "n07");
    assert_eq!(moves(&game), ["b06", "b10", "b11", "b16"]);
    play(&mut game, "b11 n08 b12 n14");
    assert_eq!(moves(&game), ["b17", "b22", "b23", "b27"], "not at corner 8, though that node is purple too");
}

#[test]
fn s01_a_corner_without_an_empty_edge_takes_no_starting_node() {
    let mut game = deal(&manual());
    play(&mut game, "n01 b00 n03");
    assert!(may(&game, "b01"));
    play(&mut game, "b01");
    assert!(!may(&game, "n00"), "corner 0 is empty, both its edges are not");
    assert!(may(&game, "n02"));
}

#[test]
fn s02_a_branch_continues_past_the_other_colours_node() {
    let game = position(&manual(), |naive| {
        naive.pieces_of(1, &[7, 6], &[10, 11]);
        naive.pieces_of(2, &[8, 22], &[17, 33]);
        naive.cubes = [[1, 0, 1, 0], [0; 4]];
        naive.to_move = Some(0);
    });
    assert_eq!(numbers(&game, 'b'), [6, 7, 12, 15, 16], "edges at corners 6, 7 and 8 that are empty");
}

#[test]
fn s02_a_branch_costs_one_red_and_one_blue() {
    let with = |cubes| {
        position(&manual(), |naive| {
            naive.pieces_of(1, &[6, 7], &[10, 11]);
            purple_aside(naive);
            naive.cubes = [cubes, [0; 4]];
            naive.to_move = Some(0);
        })
    };
    let mut game = with([2, 1, 3, 1]);
    play(&mut game, "b12");
    assert_eq!(game.position().cubes[0], [1, 1, 2, 1]);
    assert!(numbers(&with([0, 9, 9, 9]), 'b').is_empty());
    assert!(numbers(&with([9, 9, 0, 9]), 'b').is_empty());
}

#[test]
fn s03_a_node_goes_to_the_end_of_an_own_branch_for_two_yellow_and_two_green() {
    let with = |cubes| {
        position(&manual(), |naive| {
            naive.pieces_of(1, &[6, 7], &[10, 11, 12]);
            naive.pieces_of(2, &[9, 14], &[18, 17]);
            naive.cubes = [cubes, [0; 4]];
            naive.to_move = Some(0);
        })
    };
    let mut game = with([0, 3, 0, 2]);
    assert_eq!(numbers(&game, 'n'), [8], "9 has a purple node, 15 only a purple branch");
    play(&mut game, "n08");
    assert_eq!(game.position().cubes[0], [0, 1, 0, 0]);
    assert!(numbers(&with([9, 1, 9, 9]), 'n').is_empty());
    assert!(numbers(&with([9, 9, 9, 1]), 'n').is_empty());
}

/// The manual's example.
fn manual_example(more: impl FnOnce(&mut Naive<'_>)) -> Shuter {
    position(&manual(), |naive| {
        naive.pieces_of(1, &[7, 13], &[10, 21]);
        more(naive);
    })
}

#[test]
fn s04_the_manuals_example_pays_three_green_two_yellow_one_blue() {
    let mut game = manual_example(purple_aside);
    play(&mut game, "e");
    assert_eq!(game.position().cubes, [[0, 2, 1, 3], [0; 4]], "and nothing to purple, whose turn it is not");
}

#[test]
fn s04_vacant_square_and_trading_post_never_pay() {
    for rules in [manual(), with_post("classic")] {
        let mut game = position(&rules, |naive| {
            // Orange has captured the square in the middle, purple is aside.
            naive.pieces_of(1, &[9, 15], &[12, 17, 18, 23]);
            purple_aside(naive);
        });
        play(&mut game, "e");
        // Corner 9: b2 r3 g3. Corner 15: g3 r1 b1.
        assert_eq!(game.position().cubes[0], [2, 0, 2, 2]);
    }
}

#[test]
fn s05_one_node_too_many_of_any_colour_exhausts_a_square() {
    let mut game = manual_example(|naive| naive.pieces_of(2, &[8, 23], &[12, 34]));
    play(&mut game, "e");
    // g1 has two nodes, y2 three; g2 has exactly two and pays.
    assert_eq!(game.position().cubes[0], [0, 0, 1, 2]);
}

#[test]
fn s05_captured_square_pays_its_owner_only() {
    let mut game = position(&manual(), |naive| {
        naive.pieces_of(1, &[6, 12], &[10, 15, 16, 21]);
        naive.pieces_of(2, &[7, 18], &[11, 26]);
        naive.to_move = Some(0);
    });
    assert_eq!(&game.position().captured[4..5], "1");
    play(&mut game, "e");
    // Corner 7: g1 and y2, not the captured g2. Corner 18: b3.
    assert_eq!(game.position().cubes[1], [0, 1, 1, 1]);
    play(&mut game, "e");
    assert_eq!(game.position().cubes[0], [0, 0, 0, 2], "three nodes on g2, but captured it has no limit");
}

#[test]
fn s05_capture_removes_the_limit_for_good() {
    let mut game = position(&manual(), |naive| {
        naive.pieces_of(1, &[2, 7], &[3, 6, 7]);
        purple_aside(naive);
        naive.cubes = [[1, 2, 1, 2], [0; 4]];
        naive.to_move = Some(0);
    });
    let greens = |game: &Shuter| game.position().cubes[0][3];
    let mut uncaptured = game.clone();
    play(&mut uncaptured, "e e");
    assert_eq!(greens(&uncaptured), 2 + 1, "g1 with two nodes is exhausted, g2 pays corner 7");
    play(&mut game, "b11 n03 e e");
    assert_eq!(greens(&game), 3 + 1, "g1 pays three nodes, g2 one");
}

/// Orange around squares 0 and 2, all but edge 12; `more` adds purple.
fn nearly_two_squares(more: impl FnOnce(&mut Naive<'_>)) -> Shuter {
    position(&manual(), |naive| {
        naive.pieces_of(1, &[0, 1], &[0, 1, 2, 7, 8]);
        more(naive);
        naive.cubes = [[3, 0, 3, 0], [0; 4]];
        naive.to_move = Some(0);
    })
}

#[test]
fn s06_four_branches_capture_a_square() {
    let mut game = nearly_two_squares(purple_aside);
    assert_eq!(game.position().captured, "0000000000000");
    play(&mut game, "b04");
    assert_eq!(game.position().captured, "1000000000000");
    play(&mut game, "b12");
    assert_eq!(game.position().captured, "1010000000000");
}

#[test]
fn s06_a_larger_perimeter_captures_all_squares_inside() {
    let mut game = nearly_two_squares(purple_aside);
    let before = game.position().score[0];
    play(&mut game, "b12");
    assert_eq!(game.position().captured, "1010000000000");
    assert_eq!(game.position().score[0], before + 2);
    play(&mut game, "b04");
    assert_eq!(game.position().captured, "1010000000000", "a branch inside changes nothing");
}

#[test]
fn s06_an_opposing_branch_inside_keeps_the_region_open() {
    let mut game = nearly_two_squares(|naive| naive.pieces_of(2, &[3, 23], &[4, 34]));
    play(&mut game, "b12");
    assert_eq!(game.position().captured, "0000000000000");
}

#[test]
fn s06_an_opposing_node_on_the_perimeter_does_not_keep_it_open() {
    let mut game = nearly_two_squares(|naive| naive.pieces_of(2, &[3, 23], &[3, 34]));
    play(&mut game, "b12");
    assert_eq!(game.position().captured, "1010000000000");
}

#[test]
fn s06_an_opposing_branch_in_the_perimeter_leaves_a_gap() {
    let mut game = nearly_two_squares(|naive| naive.pieces_of(2, &[9, 23], &[12, 34]));
    assert!(!may(&game, "b12"));
    // Edge 4 now parts the two squares: the upper one is whole, the lower one ends at the purple branch.
    play(&mut game, "b04");
    assert_eq!(game.position().captured, "1000000000000");
}

#[test]
fn s06_the_border_is_closed_by_own_branches_only() {
    let mut game = position(&manual(), |naive| {
        naive.pieces_of(1, &[3, 4], &[1, 2, 4]);
        purple_aside(naive);
        naive.cubes = [[1, 0, 1, 0], [0; 4]];
        naive.to_move = Some(0);
    });
    assert_eq!(game.position().captured, "0000000000000", "edge 0 is the rim of the board");
    play(&mut game, "b00");
    assert_eq!(game.position().captured, "1000000000000");
}

#[test]
fn s06_starting_branches_are_walls_like_any_other() {
    let mut game = deal(&manual());
    play(&mut game, "n00 b00 n22 b33 n23 b34 n01 b02");
    let mut state = game.position();
    state.cubes = [[0; 4], [0; 4]];
    state.cubes[0] = [2, 0, 2, 0];
    state.to_move = Some(0);
    let mut game = Shuter::from_position(&manual(), &state).expect("a position");
    play(&mut game, "b01 b04");
    assert_eq!(game.position().captured, "1000000000000");
}

/// Orange holds squares 0 and 2; purple stands at the perimeter's corner 3 with branch 3.
fn two_squares_held(seat: usize) -> Shuter {
    position(&manual(), |naive| {
        naive.pieces_of(1, &[0, 1], &[0, 1, 2, 7, 8, 12]);
        naive.pieces_of(2, &[2, 23], &[3, 34]);
        naive.cubes = [[1, 2, 1, 2]; 2];
        naive.to_move = Some(seat);
    })
}

#[test]
fn s07_edges_between_captured_squares_are_closed_to_the_other_colour() {
    let game = two_squares_held(1);
    assert_eq!(numbers(&game, 'b'), [6, 28, 31, 32, 35], "not 4, which is empty and next to branch 3");
    assert!(may(&two_squares_held(0), "b04"), "the owner may build inside");
}

#[test]
fn s07_perimeter_corners_stay_open_to_a_node_from_outside() {
    let mut game = two_squares_held(1);
    assert_eq!(numbers(&game, 'n'), [3, 20]);
    play(&mut game, "n03");
    assert_eq!(game.position().captured, "1010000000000");
}

#[test]
fn s11_the_24th_branch_is_the_last() {
    let rim = [0, 1, 2, 3, 5, 6, 9, 10, 14, 15, 20, 21, 25, 26, 29, 30, 32, 33, 34, 35];
    let with = |inner: &[usize]| {
        position(&manual(), |naive| {
            naive.pieces_of(2, &[8, 9], &[17, 18]);
            naive.pieces_of(1, &[0, 1], &[&rim, inner].concat());
            naive.cubes = [[2, 0, 2, 0], [0; 4]];
            naive.to_move = Some(0);
        })
    };
    let mut game = with(&[7, 8, 27]);
    assert!(may(&game, "b28") && may(&game, "b04"));
    play(&mut game, "b28");
    assert!(numbers(&game, 'b').is_empty(), "red and blue are there, branches are not");
    assert_eq!(game.position().captured, "0000000000000");
}

#[test]
fn s12_one_starting_branch_against_none_has_the_two_points() {
    let mut game = deal(&manual());
    let mut scores = Vec::new();
    for text in "n07 b10 n22 b33 n23 b34".split(' ') {
        play(&mut game, text);
        scores.push(game.position().score);
    }
    // A tie after the fourth ply; purple's two branches do not touch.
    assert_eq!(scores, [[1, 0], [3, 0], [3, 1], [1, 1], [1, 2], [1, 2]]);
}

fn score(orange: &[usize], purple: &[usize], nodes: [&[usize]; 2]) -> [u32; 2] {
    let game = position(&manual(), |naive| {
        naive.pieces_of(1, nodes[0], orange);
        naive.pieces_of(2, nodes[1], purple);
    });
    game.position().score
}

#[test]
fn s12_a_network_counts_its_branches_not_its_longest_path() {
    let star = [6, 10, 11, 16];
    assert_eq!(score(&star, &[33, 34, 35], [&[7, 6], &[22, 23]]), [4, 2]);
}

#[test]
fn s12_only_the_largest_of_two_networks_counts() {
    assert_eq!(score(&[10, 11, 24, 25], &[33, 34, 35], [&[7, 16], &[22, 23]]), [2, 4]);
    assert_eq!(score(&[10, 11, 12, 24, 25], &[33, 34, 35], [&[7, 16], &[22, 23]]), [2, 2], "a tie");
}

#[test]
fn s12_networks_join_through_the_other_colours_node() {
    assert_eq!(score(&[11, 12], &[17, 33], [&[7, 9], &[8, 22]]), [4, 2]);
}

/// Orange has nine points and may buy a tenth with a node at corner 5.
fn nine_points(variant: &str, seat: usize) -> Shuter {
    position(&with_post(variant), |naive| {
        naive.pieces_of(1, &[2, 6, 7, 8, 9, 10, 11], &[6, 9, 10, 11, 12, 13, 14]);
        purple_aside(naive);
        naive.cubes = [[5; 4], [4; 4]];
        naive.to_move = Some(seat);
    })
}

#[test]
fn s13_ten_points_win_at_once_in_the_middle_of_a_turn() {
    let mut game = nine_points("classic", 0);
    assert_eq!(game.position().score, [9, 2]);
    play(&mut game, "tyyyr n05");
    assert_eq!((game.to_move(), moves(&game).len()), (None, 0));
    assert_eq!(returns(&game), ([1.0, -1.0], "ten points"));
    let last = game.position();
    assert!(last.three_used && last.placed, "the last turn stays as it was");
    assert_eq!(last.cubes, [[6, 0, 5, 3], [4; 4]], "and nobody collects");
}

#[test]
fn s13_in_advanced_the_colour_with_ten_points_loses() {
    for (seat, text) in [(0, "n05"), (1, "N05")] {
        let mut game = nine_points("advanced", seat);
        play(&mut game, text);
        assert_eq!(returns(&game), ([-1.0, 1.0], "ten points"), "whoever placed the node");
    }
}

#[test]
fn s13_a_placement_takes_the_two_points_from_the_other_colour_but_gives_it_none() {
    let mut game = position(&manual(), |naive| {
        naive.pieces_of(1, &[6, 7], &[10, 11]);
        naive.pieces_of(2, &[22, 23], &[33, 34]);
        naive.cubes = [[0; 4], [2, 0, 2, 0]];
    });
    assert_eq!(game.position().score, [4, 2]);
    play(&mut game, "b35");
    assert_eq!(game.position().score, [2, 4], "33 and 34 are joined");
}
