//! How far the players are from connecting: the cheapest ways over the board from each of its sides.

use super::cells::Cells;
use super::geometry::{Board, MAX_CELLS};

/// What a cell costs on a way: an own piece, an empty cell where a piece can go at once, one that lacks one anchor, one
/// that lacks two. No bridges: every cell is paid for.
const OWN: u8 = 0;
const OPEN: u8 = 2;
const LACKS_ONE: u8 = 3;
const LACKS_TWO: u8 = 4;
/// No way. Sums stop here.
const BLOCKED: u8 = u8::MAX;

/// What a cell costs by four facts, the first one the highest bit: the other player stands there, the player does, a piece can go
/// there at once, at most one anchor is lacking.
static COSTS: [u8; 16] = {
    let mut costs = [BLOCKED; 16];
    let mut facts = 0;
    while facts < 8 {
        costs[facts] = match facts {
            4..8 => OWN,
            2..4 => OPEN,
            1 => LACKS_ONE,
            _ => LACKS_TWO,
        };
        facts += 1;
    }
    costs
};

/// The sides that have to be connected: two opposite ones, or every other one.
const GOALS: [&[usize]; 5] = [&[0, 3], &[1, 4], &[2, 5], &[0, 2, 4], &[1, 3, 5]];
/// How many of them ask for opposite sides; they come first.
const OPPOSITE: usize = 3;

/// Numbers of one player in a lane: six sides and two to fill up.
const HALF: usize = 8;
/// For each cell, both players and all sides next to each other, so that one vector holds them.
type Lanes = [u8; 2 * HALF];

/// The cheapest ways of both players from every side to every cell, the cell included.
pub struct Ways {
    board: &'static Board,
    /// What each cell costs, in every lane of the player's half.
    costs: [Lanes; MAX_CELLS],
    lanes: [Lanes; MAX_CELLS],
}

impl Ways {
    /// The ways on a board with these pieces and these inner cells with anchors on one and on two lines through them.
    pub(super) fn new(
        board: &'static Board,
        pieces: [Cells; 2],
        once: [Cells; 2],
        twice: [Cells; 2],
    ) -> Self {
        let none = [[BLOCKED; 2 * HALF]; MAX_CELLS];
        let mut ways = Self { board, costs: none, lanes: none };
        for (cell, costs) in ways.costs[..board.cells].iter_mut().enumerate() {
            let cost = |player: usize| {
                let bit = |set: Cells| set.bit(cell) as usize;
                COSTS[bit(pieces[1 - player]) << 3
                    | bit(pieces[player]) << 2
                    | bit(twice[player] | board.outer) << 1
                    | bit(once[player])]
            };
            costs[..HALF].fill(cost(0));
            costs[HALF..].fill(cost(1));
        }
        for (side, cells) in board.sides.iter().enumerate() {
            for cell in cells.iter() {
                for lane in [side, HALF + side] {
                    ways.lanes[cell][lane] = ways.costs[cell][lane];
                }
            }
        }
        ways.settle();
        ways
    }

    /// The same for what a view shows: pieces and lines, one number a cell, the viewer's first.
    ///
    /// # Panics
    /// When no board has that many cells.
    pub fn seen(pieces: [&[f32]; 2], lines: [&[f32]; 2]) -> Self {
        let set = |numbers: &[f32], least: f32| {
            numbers.iter().enumerate().filter(|&(_, &number)| number >= least).map(|(cell, _)| cell).collect()
        };
        let board = Board::with_cells(pieces[0].len()).expect("as many numbers as a board has cells");
        Self::new(
            board,
            pieces.map(|of| set(of, 1.0)),
            lines.map(|of| set(of, 0.5)),
            lines.map(|of| set(of, 1.0)),
        )
    }

    /// Whether a cell lies on the rim.
    pub fn is_outer(&self, cell: usize) -> bool {
        self.board.outer.contains(cell)
    }

    /// Sweeps over the board, there and back, until no way gets cheaper.
    fn settle(&mut self) {
        let cells = self.board.cells;
        while self.shorten(0..cells) && self.shorten((0..cells).rev()) {}
    }

    /// Lets the ways to each of these cells come over its neighbours; says whether one got cheaper.
    #[inline]
    fn shorten(&mut self, cells: impl Iterator<Item = usize>) -> bool {
        let mut saved: Lanes = [0; 2 * HALF];
        for cell in cells {
            let around = self.board.around[cell].map(|neighbour| self.lanes[usize::from(neighbour)]);
            let [a, b, c, d, e, f] = around;
            let nearest = least(least(least(a, b), least(c, d)), least(e, f));
            let before = self.lanes[cell];
            let after = least(before, sum(nearest, self.costs[cell]));
            self.lanes[cell] = after;
            for (saved, (before, after)) in saved.iter_mut().zip(before.into_iter().zip(after)) {
                *saved |= before ^ after;
            }
        }
        saved != [0; 2 * HALF]
    }

    /// The cost of a goal through a cell: the ways to its sides meet there, and the cell is paid once.
    #[inline]
    fn through(&self, player: usize, goal: &[usize], cell: usize) -> u16 {
        let cost = u16::from(self.costs[cell][player * HALF]);
        if cost == u16::from(BLOCKED) {
            return BLOCKED.into();
        }
        let ways: u16 = goal.iter().map(|&side| u16::from(self.lanes[cell][player * HALF + side])).sum();
        (ways - (goal.len() as u16 - 1) * cost).min(BLOCKED.into())
    }

    /// The cost of every goal, opposite sides first.
    pub fn distances(&self, player: usize) -> [u16; GOALS.len()] {
        let cheapest =
            |goal: &[usize]| (0..self.board.cells).map(|cell| self.through(player, goal, cell)).min();
        GOALS.map(|goal| cheapest(goal).unwrap_or(BLOCKED.into()))
    }

    /// The cost of the cheapest goal through each cell, into `out`; says the least for opposite sides and for three sides.
    pub(super) fn nearest(&self, player: usize, out: &mut [u16]) -> [u16; 2] {
        let mut least = [u16::from(BLOCKED); 2];
        for (cell, nearest) in out[..self.board.cells].iter_mut().enumerate() {
            let cost = |goal: &&[usize]| self.through(player, goal, cell);
            let min = |goals: &[&[usize]]| goals.iter().map(cost).min().unwrap_or(BLOCKED.into());
            let both = [min(&GOALS[..OPPOSITE]), min(&GOALS[OPPOSITE..])];
            least = [least[0].min(both[0]), least[1].min(both[1])];
            *nearest = both[0].min(both[1]);
        }
        least
    }
}

/// Lane by lane the smaller number. Plain loops, which become one instruction.
#[inline]
fn least(mut a: Lanes, b: Lanes) -> Lanes {
    for (a, b) in a.iter_mut().zip(b) {
        *a = (*a).min(b);
    }
    a
}

/// Lane by lane the sum, [`BLOCKED`] at most.
#[inline]
fn sum(mut a: Lanes, b: Lanes) -> Lanes {
    for (a, b) in a.iter_mut().zip(b) {
        *a = a.saturating_add(b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::super::geometry::SIDES;
    use super::*;
    use crate::games::kato::{Kato, KatoRules};
    use crate::rng::Purpose;
    use crate::{Game, Rng, random_action};

    /// Ways as a textbook finds them: every cell again and again until nothing changes.
    fn plain(board: &Board, costs: &[Lanes], player: usize, side: usize) -> Vec<u16> {
        let cost = |cell: usize| u16::from(costs[cell][player * HALF]);
        let free = |cell: &usize| costs[*cell][player * HALF] != BLOCKED;
        let start = |cell: usize| if board.sides[side].contains(cell) { cost(cell) } else { BLOCKED.into() };
        let mut ways: Vec<u16> = (0..board.cells).map(start).collect();
        for _ in 0..board.cells {
            for cell in (0..board.cells).filter(free) {
                let over = board.neighbours[cell].iter().map(|from| ways[from]).min().unwrap();
                ways[cell] = ways[cell].min(over + cost(cell)).min(BLOCKED.into());
            }
        }
        ways
    }

    #[test]
    fn the_ways_are_those_of_a_plain_search() {
        for index in 0..20 {
            let rules = KatoRules { size: 4 + (index % 5) as u8, swap: false };
            let mut rng = Rng::keyed(Purpose::Choice, 1, index, 0);
            let mut game = Kato::deal(&rules, &mut rng);
            for _ in 0..index {
                let Some(action) = random_action(&game, &mut rng) else { break };
                game.apply(action);
            }
            let ways = Ways::new(game.board, game.pieces, game.once, game.twice);
            for (player, side) in (0..2).flat_map(|player| (0..SIDES).map(move |side| (player, side))) {
                let expected = plain(game.board, &ways.costs, player, side);
                let found: Vec<u16> = ways.lanes[..game.board.cells]
                    .iter()
                    .map(|lanes| lanes[player * HALF + side].into())
                    .collect();
                assert_eq!(found, expected, "game {index}, player {player}, side {side}");
            }
        }
    }

    #[test]
    fn on_an_empty_board_the_cheapest_way_runs_along_the_rim() {
        let game = Kato::start(&KatoRules::default());
        let ways = Ways::new(game.board, game.pieces, game.once, game.twice);
        // From corner to corner over two sides; through the middle nine of eleven cells would lack both anchors.
        assert_eq!(ways.distances(0)[..OPPOSITE], [11 * 2; OPPOSITE]);
        assert_eq!(ways.through(0, GOALS[0], 45), 2 * 2 + 9 * 4);
        assert_eq!(ways.distances(0), ways.distances(1));
    }
}
