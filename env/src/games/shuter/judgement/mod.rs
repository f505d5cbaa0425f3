//! How good a position looks, and what each action of a turn is worth: what can be counted, weighed as many games taught.
//!
//! [`Looks`] has the counts of a position between two turns, [`WEIGHTS`] what each of them says about who wins, and [`Worths`] what
//! the actions of the seat to act lead to: the best rest of the turn, and the best reply to it. The weights are for the games in
//! which ten points win, `basic` and `classic`.

mod features;
mod start;
#[cfg(test)]
mod tests;
mod turn;
mod weights;
mod worths;

pub use self::features::FEATURES;
pub use self::weights::WEIGHTS;
pub use self::worths::Worths;

use self::features::Table;
use super::rules::Shuter;
use crate::Seat;

/// Numbers that are weighed: those of one side, those of the other, and one that is always 1.
pub const NUMBERS: usize = 2 * FEATURES + 1;
/// Stages of the game with weights of their own: behind each of the four placements of the start, then early, in the middle, late.
pub const STAGES: usize = 7;
/// The weights of every stage.
pub type Weights = [[f32; NUMBERS]; STAGES];

/// What a won game is worth, and the most that one is which goes on.
pub const WON: f32 = 100.0;
const AS_GOOD_AS_WON: f32 = 50.0;

/// Stages of the start, and where the others begin.
const START: usize = 4;
/// Nodes and captured squares on the board when the game is early, in the middle and late.
const EARLY: f32 = 4.0;
const MIDDLE: f32 = 9.0;
const LATE: f32 = 14.0;
/// Branches of both sides when the start is over.
const STARTING_BRANCHES: u32 = 4;

/// What is counted about a position between two turns, or behind a placement of the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Looks {
    /// The counts. Those of the side that acts next come second; in the start those of seat 1.
    pub numbers: [f32; NUMBERS],
    /// How much each stage has a say; together 1.
    pub stages: [f32; STAGES],
    /// The seat whose counts come first.
    pub first: Seat,
}

impl Looks {
    /// Looks at a game that goes on, at a moment when no placement of the start waits for its branch.
    ///
    /// # Panics
    /// When the game is over.
    pub fn new(game: &Shuter) -> Self {
        let next = game.to_move.expect("the game goes on").index();
        let first = if game.in_start() { 0 } else { 1 - next };
        let mut numbers = [0.0; NUMBERS];
        let table = Table::new(game);
        let (sides, _) = numbers.as_chunks_mut::<FEATURES>();
        table.write(first, &mut sides[0]);
        table.write(1 - first, &mut sides[1]);
        numbers[NUMBERS - 1] = 1.0;
        Self { numbers, stages: stages(game), first: Seat(first as u8) }
    }

    /// The weighed sum: the logarithm of how many times likelier the first side is to win than to lose.
    pub fn weighed(&self, weights: &Weights) -> f32 {
        let parts = weights.iter().zip(self.stages).filter(|&(_, part)| part > 0.0);
        parts.map(|(weights, part)| part * product(weights, &self.numbers)).sum()
    }
}

fn stages(game: &Shuter) -> [f32; STAGES] {
    let mut stages = [0.0; STAGES];
    let [a, b] = &game.sides;
    let branches = a.branches.count_ones() + b.branches.count_ones();
    let scored = [a, b].map(|side| side.nodes.count_ones() + side.captured.count_ones());
    let scored = (scored[0] + scored[1]) as f32;
    if branches <= STARTING_BRANCHES && scored <= EARLY {
        stages[branches.max(1) as usize - 1] = 1.0;
    } else {
        let middle = ((scored - EARLY) / (MIDDLE - EARLY)).clamp(0.0, 1.0);
        let late = ((scored - MIDDLE) / (LATE - MIDDLE)).clamp(0.0, 1.0);
        stages[START..].copy_from_slice(&[1.0 - middle, middle - late, late]);
    }
    stages
}

/// The sum of the products, in eight parts that a processor adds side by side.
fn product(a: &[f32; NUMBERS], b: &[f32; NUMBERS]) -> f32 {
    let ((a, last_a), (b, last_b)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f32>() + last_a.iter().zip(last_b).map(|(a, b)| a * b).sum::<f32>()
}

/// What a position between two turns is worth to a seat.
fn judged(game: &Shuter, weights: &Weights, seat: Seat) -> f32 {
    if game.to_move.is_none() {
        return game.winner().map_or(0.0, |winner| if winner == seat.index() { WON } else { -WON });
    }
    let looks = Looks::new(game);
    let weighed = looks.weighed(weights).clamp(-AS_GOOD_AS_WON, AS_GOOD_AS_WON);
    if looks.first == seat { weighed } else { -weighed }
}

/// Sorts by worth, the best first, and keeps at most that many. What is worth the same stays or goes together, for which of them
/// comes first would depend on how the board lies.
fn keep_best<T>(list: &mut [T], most: usize, worth: impl Fn(&T) -> f32) -> usize {
    list.sort_unstable_by(|a, b| worth(b).total_cmp(&worth(a)));
    if list.len() <= most {
        return list.len();
    }
    let first_left_out = worth(&list[most]);
    list[..most].iter().take_while(|kept| worth(kept) > first_left_out).count()
}
