//! Kato's Node: how far each side is from connecting enough of the border.

use std::array;

use nodarium_env::games::kato::Kato;

use super::hexagon::{Hexagon, SIDES};
use super::{Greedy, View};

/// What a cell costs on a way: an own piece, an empty cell where a piece can go at once, one that lacks one anchor, one
/// that lacks two. No bridges: every cell is paid for.
const OWN: usize = 0;
const OPEN: usize = 2;
const LACKS_ONE: usize = 3;
const LACKS_TWO: usize = 4;
/// No way.
const BLOCKED: usize = 200;

/// The sides that have to be connected: two opposite ones, or every other one.
const GOALS: [&[usize]; 5] = [&[0, 3], &[1, 4], &[2, 5], &[0, 2, 4], &[1, 3, 5]];

/// What each cell costs a player; `None` where the opponent stands.
fn costs(board: &Hexagon, own: &[f32], other: &[f32], lines: &[f32]) -> Vec<Option<usize>> {
    let cost = |cell: usize| match () {
        () if own[cell] > 0.0 => Some(OWN),
        () if other[cell] > 0.0 => None,
        () if !board.sides[cell].is_empty() || lines[cell] == 1.0 => Some(OPEN),
        () if lines[cell] > 0.0 => Some(LACKS_ONE),
        () => Some(LACKS_TWO),
    };
    (0..board.sides.len()).map(cost).collect()
}

/// The cost of the cheapest way from a side to each cell, the cell included; cells by rising cost, in buckets.
fn ways_from(board: &Hexagon, costs: &[Option<usize>], side: usize) -> Vec<usize> {
    let mut ways = vec![BLOCKED; costs.len()];
    let mut buckets: [Vec<usize>; LACKS_TWO + 1] = array::from_fn(|_| Vec::new());
    let mut waiting = 0;
    for cell in (0..costs.len()).filter(|&cell| board.sides[cell].contains(&side)) {
        if let Some(cost) = costs[cell] {
            ways[cell] = cost;
            buckets[cost].push(cell);
            waiting += 1;
        }
    }
    let mut at = 0;
    while waiting > 0 {
        while let Some(cell) = buckets[at % (LACKS_TWO + 1)].pop() {
            waiting -= 1;
            if ways[cell] != at {
                continue;
            }
            for &next in &board.neighbours[cell] {
                if let Some(cost) = costs[next].filter(|cost| at + cost < ways[next]) {
                    ways[next] = at + cost;
                    buckets[(at + cost) % (LACKS_TWO + 1)].push(next);
                    waiting += 1;
                }
            }
        }
        at += 1;
    }
    ways
}

/// How near a player is to a win: every goal counts, the nearest most.
fn nearness(board: &Hexagon, costs: &[Option<usize>]) -> f32 {
    let ways: [Vec<usize>; SIDES] = array::from_fn(|side| ways_from(board, costs, side));
    // The ways to all sides meet in a cell, which is paid once.
    let distance = |goal: &[usize]| {
        let through = |(cell, cost): (usize, &Option<usize>)| {
            let paid = (goal.len() - 1) * (*cost)?;
            Some(goal.iter().map(|&side| ways[side][cell]).sum::<usize>() - paid)
        };
        costs.iter().enumerate().filter_map(through).min().unwrap_or(BLOCKED)
    };
    GOALS.iter().map(|goal| (-0.35 * distance(goal) as f32).exp()).sum::<f32>().ln()
}

impl Greedy for Kato {
    /// The viewer's nearness against the opponent's. A cell where the opponent could win at once has to be taken, and one
    /// where the viewer could is worth keeping.
    fn appraise(view: &View<'_>) -> f32 {
        let (own, other) = (view.field("own"), view.field("other"));
        let board = Hexagon::with_cells(own.len());
        let (own_lines, other_lines) = (view.field("own.lines"), view.field("other.lines"));
        let near = nearness(&board, &costs(&board, own, other, own_lines));
        let far = nearness(&board, &costs(&board, other, own, other_lines));
        let acts = view.flag("to_act", 0);
        let placeable = view.field("placeable");
        // The opponent completes a turn before the viewer acts again, unless the viewer still has a node to place.
        let within_reach = |lines: &[f32], cell: usize| !board.sides[cell].is_empty() || lines[cell] > 0.0;
        let threats = (0..own.len())
            .filter(|&cell| view.flag("other.wins", cell) && within_reach(other_lines, cell))
            .count();
        let wins =
            (0..own.len()).filter(|&cell| view.flag("own.wins", cell) && placeable[cell] > 0.0).count();
        let answered =
            acts && (0..own.len()).any(|cell| view.flag("other.wins", cell) && placeable[cell] > 0.0);
        let open_threats = threats - usize::from(answered && threats > 0);
        let win = if acts && wins > 0 { 1_000.0 } else { 0.0 };
        near - far + win - 20.0 * open_threats as f32
    }
}
