//! The observation: seven planes of one number a cell, row by row, then eight single numbers.

use super::cells::Cells;
use super::geometry::{Board, cells};
use super::rules::{Kato, Phase};
use crate::grid::HEXAGON;
use crate::{Grid, Layout, Seat};

const PLANES: usize = 7;
/// Numbers behind the planes.
const SINGLES: usize = 8;
/// Planes are written eight numbers at a time; what spills over is written again by what follows.
const STEP: usize = 8;
const _: () = assert!(SINGLES >= STEP - 1, "the last plane spills into the single numbers");

pub(super) fn layout(board: &Board) -> Layout {
    let n = board.cells;
    Layout::default()
        .field("own", n, "1 where the viewer has a piece, row by row")
        .field("other", n, "1 where the opponent has one")
        .field("own.lines", n, "inner cells: 0.5 a line through it with an anchor of the viewer's, at most 1: there a node can go while it is empty")
        .field("other.lines", n, "the same for the opponent")
        .field("own.wins", n, "1 on empty cells where one more piece of the viewer's would connect enough sides")
        .field("other.wins", n, "the same for the opponent")
        .field("placeable", n, "1 where the viewer may place a piece now; 0 everywhere when it is not to act")
        .field("phase", 3, "one of: prepare, anchor, node")
        .field("to_act", 1, "1 when the viewer acts")
        .field("swap", 1, "1 when the seat to act may swap")
        .field("ring", 1, "empty outer cells, as a share of all outer cells")
        .field("own.open", 1, "empty inner cells where the viewer could place a node without an anchor, as a share of all inner cells")
        .field("other.open", 1, "the same for the opponent")
}

/// How many numbers it has.
#[inline]
pub(super) fn len(board: &Board) -> usize {
    PLANES * board.cells + SINGLES
}

/// The hexagon under the planes.
pub(super) fn grid(board: &Board, layout: &Layout) -> Grid {
    let places: Vec<_> = (0..board.cells).map(|cell| board.axial(cell)).collect();
    Grid::new(layout, &places, &HEXAGON, |field| {
        (field.range.len() == board.cells).then(|| (0..board.cells).collect())
    })
}

/// Every size has its own copy of the code, with constant lengths that unroll.
#[inline]
pub(super) fn observe(game: &Kato, seat: Seat, out: &mut [f32]) {
    match game.board.size {
        4 => write::<{ cells(4) }>(game, seat, out),
        5 => write::<{ cells(5) }>(game, seat, out),
        6 => write::<{ cells(6) }>(game, seat, out),
        7 => write::<{ cells(7) }>(game, seat, out),
        8 => write::<{ cells(8) }>(game, seat, out),
        size => unreachable!("no game is played on size {size}"),
    }
}

#[inline]
fn write<const N: usize>(game: &Kato, seat: Seat, out: &mut [f32]) {
    let (own, other) = (seat.index(), 1 - seat.index());
    let acts = game.to_act() == Some(seat);
    let placeable = if acts { game.placeable() } else { Cells::EMPTY };
    plane::<N, 0>(game.pieces[own], out);
    plane::<N, 1>(game.pieces[other], out);
    half_planes::<N, 2>(game.once[own], game.twice[own], out);
    half_planes::<N, 3>(game.once[other], game.twice[other], out);
    plane::<N, 4>(game.winning(own), out);
    plane::<N, 5>(game.winning(other), out);
    plane::<N, 6>(placeable, out);
    let share = |part: Cells, of: Cells| part.count() as f32 / of.count() as f32;
    let flag = |on: bool| f32::from(u8::from(on));
    let (outer, inner) = (game.board.outer, game.board.inner);
    out[PLANES * N..].copy_from_slice(&[
        flag(game.phase == Phase::Prepare),
        flag(game.phase == Phase::Anchor),
        flag(game.phase == Phase::Node),
        flag(acts),
        flag(game.may_swap()),
        share(game.free() & outer, outer),
        share(game.open(own), inner),
        share(game.open(other), inner),
    ]);
}

/// Writes the plane with number `P`, and a few numbers beyond it.
#[inline]
fn plane<const N: usize, const P: usize>(set: Cells, out: &mut [f32]) {
    let out = &mut out[P * N..P * N + N.next_multiple_of(STEP)];
    for (step, byte) in out.chunks_exact_mut(STEP).zip(set.bytes()) {
        step.copy_from_slice(&EXPANDED[usize::from(byte)]);
    }
}

/// The same for two sets that count half each.
#[inline]
fn half_planes<const N: usize, const P: usize>(a: Cells, b: Cells, out: &mut [f32]) {
    let out = &mut out[P * N..P * N + N.next_multiple_of(STEP)];
    for ((step, a), b) in out.chunks_exact_mut(STEP).zip(a.bytes()).zip(b.bytes()) {
        let (a, b) = (&EXPANDED[usize::from(a)], &EXPANDED[usize::from(b)]);
        for ((x, a), b) in step.iter_mut().zip(a).zip(b) {
            *x = (a + b) * 0.5;
        }
    }
}

/// The eight numbers of every byte.
static EXPANDED: [[f32; STEP]; 256] = {
    let mut table = [[0.0; STEP]; 256];
    let mut i = 0;
    while i < 256 * STEP {
        if (i / STEP) >> (i % STEP) & 1 == 1 {
            table[i / STEP][i % STEP] = 1.0;
        }
        i += 1;
    }
    table
};
