//! The geometry's totals, and what needs boards or pieces that no game has.

use super::cells::Cells;
use super::geometry::{Board, SIDES, SIZES, SYMMETRIES};
use super::rules::Kato;
use crate::Rng;
use crate::rng::Purpose;

fn boards() -> impl Iterator<Item = &'static Board> {
    SIZES.map(Board::of)
}

#[test]
fn the_boards_have_as_many_cells_as_the_page_says() {
    let totals: Vec<_> = boards().map(|b| (b.cells, b.outer.count(), b.inner.count())).collect();
    assert_eq!(totals, [(37, 18, 19), (61, 24, 37), (91, 30, 61), (127, 36, 91), (169, 42, 127)]);
}

#[test]
fn each_side_has_as_many_cells_as_the_board_is_large_and_shares_its_corners() {
    for board in boards() {
        for side in 0..SIDES {
            assert_eq!(board.sides[side].count() as usize, board.size);
            for other in 0..SIDES {
                let shared = (board.sides[side] & board.sides[other]).count() as usize;
                let expected = match (other + SIDES - side) % SIDES {
                    0 => board.size,
                    1 | 5 => 1,
                    _ => 0,
                };
                assert_eq!(shared, expected, "sides {side} and {other}");
            }
        }
    }
}

#[test]
fn the_sides_of_size_6_run_clockwise_from_the_top() {
    let board = Board::of(6);
    let ends: Vec<[String; 2]> = board
        .sides
        .iter()
        .map(|side| [side.iter().next(), side.iter().last()].map(|cell| board.name(cell.expect("a side"))))
        .collect();
    let expected = [["a1", "a6"], ["a6", "f11"], ["f11", "k6"], ["k1", "k6"], ["f1", "k1"], ["a1", "f1"]];
    assert_eq!(ends, expected);
}

#[test]
fn neighbours_are_mutual_and_six_inside() {
    for board in boards() {
        for cell in 0..board.cells {
            let sides = board.sides.iter().filter(|side| side.contains(cell)).count();
            let around = board.neighbours[cell];
            assert_eq!(around.count(), [6, 4, 3][sides], "{}", board.name(cell));
            assert!(around.iter().all(|next| board.neighbours[next].contains(cell)));
        }
    }
}

/// K-04
#[test]
fn a_corner_lies_on_one_inner_line_and_each_other_outer_cell_on_two() {
    for board in boards() {
        for cell in board.outer.iter() {
            let corner = board.sides.iter().filter(|side| side.contains(cell)).count() == 2;
            let lines = board.lines_through(cell).iter().filter(|line| !line.is_empty()).count();
            assert_eq!(lines, if corner { 1 } else { 2 }, "{}", board.name(cell));
        }
    }
}

#[test]
fn the_symmetries_are_twelve_and_keep_neighbours_and_lines() {
    for board in boards() {
        let mut images: Vec<Vec<usize>> = (0..SYMMETRIES)
            .map(|number| (0..board.cells).map(|cell| board.image(number, cell)).collect())
            .collect();
        for image in &images {
            for cell in 0..board.cells {
                let moved = |set: Cells| set.iter().map(|c| image[c]).collect::<Cells>();
                assert_eq!(moved(board.neighbours[cell]), board.neighbours[image[cell]]);
                assert_eq!(moved(board.in_line_with[cell]), board.in_line_with[image[cell]]);
            }
        }
        images.sort();
        images.dedup();
        assert_eq!(images.len(), SYMMETRIES);
    }
}

#[test]
fn names_are_read_back() {
    for board in boards() {
        assert!((0..board.cells).all(|cell| board.cell(&board.name(cell)) == Some(cell)));
    }
    assert_eq!(Board::of(6).name(90), "k6");
}

/// Whether somebody is connected when Black has the given cells and White all others.
fn somebody_wins(board: &'static Board, black: Cells) -> bool {
    let white = (board.outer | board.inner) & !black;
    let full = Kato::empty(board, false).with_pieces([white, black], None);
    full.won(0).is_some() || full.won(1).is_some()
}

#[test]
fn k09_every_filled_board_of_sizes_2_and_3_has_a_winner() {
    for size in [2, 3] {
        let board = Board::of(size);
        for black in 0..1 << board.cells {
            assert!(somebody_wins(board, Cells([black, 0, 0])), "size {size}: Black has {black:b}");
        }
    }
}

#[test]
fn k09_sampled_filled_boards_of_all_sizes_have_a_winner() {
    for board in boards() {
        let mut rng = Rng::keyed(Purpose::World, 0, board.size as u64, 0);
        for sample in 0..3_000 {
            // From even shares to one black cell in seven.
            let black: Cells = (0..board.cells).filter(|_| rng.below(2 + sample % 6) == 0).collect();
            assert!(somebody_wins(board, black), "size {}: Black has {black:?}", board.size);
        }
    }
}

/// K-07: why nobody is passed over twice in a row.
#[test]
fn with_a_full_ring_every_inner_cell_is_open_to_somebody() {
    for board in boards() {
        let mut rng = Rng::keyed(Purpose::World, 1, board.size as u64, 0);
        for _ in 0..2_000 {
            let black: Cells = board.outer.iter().filter(|_| rng.below(2) == 0).collect();
            let ring = Kato::empty(board, false).with_pieces([board.outer & !black, black], None);
            assert_eq!(ring.open(0) | ring.open(1), board.inner);
        }
    }
}
