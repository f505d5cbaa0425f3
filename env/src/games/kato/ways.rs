//! How far the players are from connecting: the cheapest ways over the board from each of its sides.

use super::cells::Cells;
use super::geometry::{Board, MAX_CELLS};
use super::rules::Kato;

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
/// How much less a goal counts for every step that it is further away: the `greedy` bot's constant.
const DECAY: f32 = 0.35;

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
        for player in 0..2 {
            let (own, other) = (pieces[player], pieces[1 - player]);
            for (cell, costs) in ways.costs[..board.cells].iter_mut().enumerate() {
                let cost = cost(board, cell, [own, other], once[player], twice[player]);
                costs[player * HALF..][..HALF].fill(cost);
            }
            ways.begin(player);
        }
        ways.settle();
        ways
    }

    /// Lets the ways of a player begin at every cell of the rim.
    fn begin(&mut self, player: usize) {
        self.board.outer.iter().for_each(|cell| self.begin_at(player, cell));
    }

    /// Lets them begin at this cell, from the sides that it is part of.
    #[inline]
    fn begin_at(&mut self, player: usize, cell: usize) {
        for (side, cells) in self.board.sides.iter().enumerate() {
            if cells.contains(cell) {
                let lane = player * HALF + side;
                self.lanes[cell][lane] = self.costs[cell][lane];
            }
        }
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
        let mut distances = [u16::from(BLOCKED); GOALS.len()];
        let cells = self.board.cells;
        for (lanes, costs) in self.lanes[..cells].iter().zip(&self.costs[..cells]) {
            let cost = u16::from(costs[player * HALF]);
            if cost == u16::from(BLOCKED) {
                continue;
            }
            // What the way from each side costs up to the cell.
            let ways: [u16; HALF] = std::array::from_fn(|side| u16::from(lanes[player * HALF + side]) - cost);
            for (distance, goal) in distances.iter_mut().zip(GOALS) {
                let sum = goal.iter().fold(cost, |sum, &side| sum + ways[side]);
                *distance = sum.min(*distance);
            }
        }
        distances
    }

    /// How near a player is to a win: every goal counts, the nearest most. The same on a board that is turned or mirrored, to the last bit.
    pub fn nearness(&self, player: usize) -> f32 {
        let mut distances = self.distances(player);
        // A symmetry swaps goals, and a sum of such numbers depends on their order.
        distances.sort_unstable();
        distances.map(|distance| (-DECAY * f32::from(distance)).exp()).iter().sum::<f32>().ln()
    }

    /// The cells of one cheapest way to each goal of a player: while a piece takes none of them, no goal moves away.
    fn needed(&self, player: usize) -> Cells {
        let mut needed = Cells::EMPTY;
        for (goal, distance) in GOALS.into_iter().zip(self.distances(player)) {
            if distance == u16::from(BLOCKED) {
                continue;
            }
            let meeting = (0..self.board.cells).find(|&cell| self.through(player, goal, cell) == distance);
            let meeting = meeting.expect("the distance is that through a cell");
            for side in goal {
                self.walk_back(player * HALF + side, meeting, &mut needed);
            }
        }
        needed
    }

    /// Adds the cells of one cheapest way to this cell, and own pieces that it might run over.
    fn walk_back(&self, lane: usize, cell: usize, out: &mut Cells) {
        let mut walked = Cells::EMPTY;
        let mut ahead = Cells::of(cell);
        while let Some(cell) = ahead.pop() {
            walked.insert(cell);
            let (way, cost) = (self.lanes[cell][lane], self.costs[cell][lane]);
            if way == cost && self.board.sides[lane % HALF].contains(cell) {
                break;
            }
            let from = (self.board.neighbours[cell] & !walked).iter();
            for next in from.filter(|&next| self.lanes[next][lane] == way - cost) {
                // Only from one own piece to the next might the way lead back.
                if cost != OWN || self.costs[next][lane] != OWN {
                    ahead = Cells::of(next);
                    break;
                }
                ahead.insert(next);
            }
        }
        *out |= walked;
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

/// Pieces of one player tried one at a time: how near both players are with each of them.
pub(super) struct Trial<'a> {
    before: &'a Ways,
    game: &'a Kato,
    player: usize,
    nearness: [f32; 2],
    /// The cells that the opponent's cheapest ways need.
    needed: Cells,
    after: Ways,
}

impl<'a> Trial<'a> {
    /// `before` are the ways of the game as it stands.
    pub(super) fn new(game: &'a Kato, before: &'a Ways, player: usize) -> Self {
        let none = [[BLOCKED; 2 * HALF]; MAX_CELLS];
        Self {
            before,
            game,
            player,
            nearness: [before.nearness(player), before.nearness(1 - player)],
            needed: before.needed(1 - player),
            after: Ways { board: game.board, costs: none, lanes: none },
        }
    }

    /// How much nearer to a win a piece there brings the player, and how much further away the opponent; nothing when it wins.
    pub(super) fn gains(&mut self, cell: usize) -> Option<[f32; 2]> {
        let (player, other) = (self.player, 1 - self.player);
        let mut game = self.game.clone();
        if game.put(player, cell).is_some() {
            return None;
        }
        let blocks = self.needed.contains(cell);
        self.rewrite(&game, cell, blocks);
        self.after.settle();
        let nearer = self.after.nearness(player) - self.nearness[0];
        let further = if blocks { self.nearness[1] - self.after.nearness(other) } else { 0.0 };
        Some([nearer, further])
    }

    /// Costs of the game with the piece, and ways that are not settled. The player's costs only fall, so that its ways go on from
    /// what they were; the opponent's begin anew if the piece `blocks` them, and are left wrong otherwise.
    fn rewrite(&mut self, game: &Kato, cell: usize, blocks: bool) {
        let (board, player, other) = (game.board, self.player, 1 - self.player);
        let after = &mut self.after;
        after.costs[..board.cells].copy_from_slice(&self.before.costs[..board.cells]);
        after.lanes[..board.cells].copy_from_slice(&self.before.lanes[..board.cells]);
        let (once, twice) = (game.once[player], game.twice[player]);
        let lines = once & !self.game.once[player] | twice & !self.game.twice[player];
        for changed in (lines | Cells::of(cell)).iter() {
            let cost = cost(board, changed, [game.pieces[player], game.pieces[other]], once, twice);
            after.costs[changed][player * HALF..][..HALF].fill(cost);
        }
        after.costs[cell][other * HALF..][..HALF].fill(BLOCKED);
        after.begin_at(player, cell);
        if blocks {
            for lanes in &mut after.lanes[..board.cells] {
                lanes[other * HALF..][..HALF].fill(BLOCKED);
            }
            after.begin(other);
        }
    }
}

/// What a cell costs a player with these pieces, its own first, and anchors on one and on two lines through these cells.
#[inline]
fn cost(board: &Board, cell: usize, [own, other]: [Cells; 2], once: Cells, twice: Cells) -> u8 {
    let bit = |set: Cells| set.bit(cell) as usize;
    COSTS[bit(other) << 3 | bit(own) << 2 | bit(twice | board.outer) << 1 | bit(once)]
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
