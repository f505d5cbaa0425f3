//! Thousands of games at once.

use std::ops::Range;

use ndarray::{Array1, Array2, ArrayViewMut1, ArrayViewMut2};

use crate::rng::Purpose;
use crate::{Action, Game, Layout, Mask, Rng, Seat, Spec};

/// Slots that one task of the thread pool steps in a row: enough to hide the cost of a task, few enough to share.
const CHUNK: usize = 64;

/// Steps many games in parallel and writes what a learner needs into flat arrays of the caller's.
///
/// Every slot plays one game after the other; a finished game is dealt again in the same step. Random streams are
/// keyed by (seed, slot, episode), so the games do not depend on the number of threads. No step allocates memory.
///
/// ```
/// use nodarium_env::{Batch, Frame, Rng, calibration::tictactoe::TicTacToe, rng::Purpose, random_member};
/// let mut batch = Batch::<TicTacToe>::new(&Default::default(), 256, 7);
/// let mut frame = Frame::new(batch.spec(), batch.len());
/// batch.observe(&mut frame.view_mut())?;
/// let mut rng = Rng::keyed(Purpose::Choice, 7, 0, 0);
/// for _ in 0..100 {
///     let actions: Vec<_> =
///         (0..batch.len()).map(|slot| random_member(batch.mask(slot), &mut rng).unwrap()).collect();
///     batch.step(&actions, &mut frame.view_mut())?;
/// }
/// # Ok::<(), nodarium_env::BatchError>(())
/// ```
pub struct Batch<G: Game> {
    rules: G::Rules,
    spec: Spec,
    seed: u64,
    slots: Vec<Slot<G>>,
    /// What is legal in each slot; apart from the slots, because whoever chooses and the check of a step read these
    /// alone.
    masks: Vec<Mask>,
}

/// One game of a batch.
#[derive(Clone)]
struct Slot<G> {
    game: G,
    seat: Seat,
    number: u64,
    episode: u64,
    plies: u32,
}

/// What one step tells, for `n` slots: arrays of the caller's own.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// `[n, observation]`: what the seat to act sees, with the game's insights or without.
    pub observations: Array2<f32>,
    /// `[n, actions]`: what it may do.
    pub masks: Array2<bool>,
    /// `[n]`: the seat to act.
    pub seats: Array1<u8>,
    /// `[n, seats]`: the returns of the game that this step ended, else zeros.
    pub rewards: Array2<f32>,
    /// `[n]`: whether this step ended a game; observation, mask and seat are then those of the next one.
    pub done: Array1<bool>,
    /// `[n]`: the reason that this step ended a game for, an index into [`Spec::ends`]; 0 where it ended none.
    pub ends: Array1<u8>,
    /// `[n]`: plies played in the slot's game; where it is done, in the game that ended.
    pub plies: Array1<u32>,
}

/// Borrowed arrays for [`Batch`] to write into; the fields are those of [`Frame`].
#[allow(missing_docs)]
pub struct FrameMut<'a> {
    pub observations: ArrayViewMut2<'a, f32>,
    pub masks: ArrayViewMut2<'a, bool>,
    pub seats: ArrayViewMut1<'a, u8>,
    pub rewards: ArrayViewMut2<'a, f32>,
    pub done: ArrayViewMut1<'a, bool>,
    pub ends: ArrayViewMut1<'a, u8>,
    pub plies: ArrayViewMut1<'a, u32>,
}

/// Why a batch refuses a call. Nothing was stepped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BatchError {
    /// An array that does not fit.
    #[error("array `{array}` has shape {found:?}: expected {expected:?}, rows one after the other in memory")]
    Shape {
        /// Its name in [`Frame`].
        array: &'static str,
        /// What it has.
        found: Vec<usize>,
        /// What it should have.
        expected: Vec<usize>,
    },
    /// Not one action a slot.
    #[error("{found} actions for {expected} slots")]
    Count {
        /// Actions given.
        found: usize,
        /// Slots there are.
        expected: usize,
    },
    /// An action that its slot does not allow.
    #[error("action {} is not legal in slot {slot}", .action.0)]
    Illegal {
        /// The slot.
        slot: usize,
        /// The action.
        action: Action,
    },
    /// A slot cannot be taken to the end of a game: there is nothing to play there.
    #[error("slot {slot} cannot be taken to a game that is over after {plies} plies")]
    Over {
        /// The slot.
        slot: usize,
        /// Actions given.
        plies: usize,
    },
}

impl Frame {
    /// Arrays of the right shapes for `n` slots.
    pub fn new(spec: &Spec, n: usize) -> Self {
        Self::seeing(spec, &spec.observation, n)
    }

    /// The same with room for [`Spec::insights`]: a batch then writes them too.
    pub fn with_insights(spec: &Spec, n: usize) -> Self {
        Self::seeing(spec, &spec.insights, n)
    }

    fn seeing(spec: &Spec, layout: &Layout, n: usize) -> Self {
        Self {
            observations: Array2::zeros((n, layout.len())),
            masks: Array2::from_elem((n, spec.actions()), false),
            seats: Array1::zeros(n),
            rewards: Array2::zeros((n, spec.seats)),
            done: Array1::from_elem(n, false),
            ends: Array1::zeros(n),
            plies: Array1::zeros(n),
        }
    }

    /// The arrays, borrowed.
    pub fn view_mut(&mut self) -> FrameMut<'_> {
        FrameMut {
            observations: self.observations.view_mut(),
            masks: self.masks.view_mut(),
            seats: self.seats.view_mut(),
            rewards: self.rewards.view_mut(),
            done: self.done.view_mut(),
            ends: self.ends.view_mut(),
            plies: self.plies.view_mut(),
        }
    }
}

impl<G: Game> Batch<G> {
    /// Deals `n` games. `rules` have passed [`Rules::check`](crate::Rules::check).
    pub fn new(rules: &G::Rules, n: usize, seed: u64) -> Self {
        Self::part(rules, 0..n as u64, seed)
    }

    /// The slots of that range of a larger batch, as a batch of their own: they play the same games there. One part a
    /// thread needs no meeting after every ply, which is the fastest way to keep several cores busy.
    pub fn part(rules: &G::Rules, numbers: Range<u64>, seed: u64) -> Self {
        let mut masks = vec![Mask::EMPTY; (numbers.end - numbers.start) as usize];
        let deal = |(number, mask)| Slot::deal(rules, seed, number, 0, mask);
        let slots = numbers.zip(&mut masks).map(deal).collect();
        Self { rules: rules.clone(), spec: G::spec(rules), seed, slots, masks }
    }

    /// How many slots there are.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is no slot.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// What is fixed about the game.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The game in a slot.
    pub fn game(&self, slot: usize) -> &G {
        &self.slots[slot].game
    }

    /// What is legal in a slot.
    pub fn mask(&self, slot: usize) -> &Mask {
        &self.masks[slot]
    }

    /// How many games a slot has finished.
    pub fn episode(&self, slot: usize) -> u64 {
        self.slots[slot].episode
    }

    /// Takes a slot to where it was: to the game that it plays after `episode` others, these actions on. With
    /// [`episode`](Self::episode) and the actions of the game that goes on, a batch can be left and taken up again.
    pub fn restore(&mut self, slot: usize, episode: u64, actions: &[Action]) -> Result<(), BatchError> {
        let mut mask = Mask::EMPTY;
        let mut fresh = Slot::<G>::deal(&self.rules, self.seed, self.slots[slot].number, episode, &mut mask);
        for &action in actions {
            if !mask.contains(action) {
                return Err(BatchError::Illegal { slot, action });
            }
            fresh.game.apply(action);
            fresh.game.legal(&mut mask);
        }
        let over = BatchError::Over { slot, plies: actions.len() };
        fresh.seat = fresh.game.to_move().ok_or(over)?;
        fresh.plies = actions.len() as u32;
        (self.slots[slot], self.masks[slot]) = (fresh, mask);
        Ok(())
    }

    /// Writes the current states without a step; rewards, `done` and `ends` are cleared.
    pub fn observe(&self, frame: &mut FrameMut<'_>) -> Result<(), BatchError> {
        let mut rows = Rows::new(frame, &self.spec, self.slots.len())?;
        for (slot, mask) in self.slots.iter().zip(&self.masks) {
            slot.write(mask, &mut rows.next());
        }
        Ok(())
    }

    /// Plays one action in every slot, then deals finished games again, and writes what came of it. An action
    /// that is not legal stops the call before anything is played.
    pub fn step(&mut self, actions: &[Action], frame: &mut FrameMut<'_>) -> Result<(), BatchError> {
        if actions.len() != self.slots.len() {
            return Err(BatchError::Count { found: actions.len(), expected: self.slots.len() });
        }
        let rows = Rows::new(frame, &self.spec, self.slots.len())?;
        for (slot, (mask, &action)) in self.masks.iter().zip(actions).enumerate() {
            if !mask.contains(action) {
                return Err(BatchError::Illegal { slot, action });
            }
        }
        step_all(&self.rules, self.seed, &mut self.slots, &mut self.masks, actions, rows);
        Ok(())
    }
}

/// Halves the work until a task is small. Plain recursion over slices: nothing is allocated.
fn step_all<G: Game>(
    rules: &G::Rules,
    seed: u64,
    slots: &mut [Slot<G>],
    masks: &mut [Mask],
    actions: &[Action],
    mut rows: Rows<'_>,
) {
    if slots.len() <= CHUNK || rayon::current_num_threads() == 1 {
        for ((slot, mask), &action) in slots.iter_mut().zip(masks).zip(actions) {
            slot.step(rules, seed, action, mask, &mut rows.next());
        }
        return;
    }
    let half = slots.len() / 2;
    let (slots_a, slots_b) = slots.split_at_mut(half);
    let (masks_a, masks_b) = masks.split_at_mut(half);
    let (actions_a, actions_b) = actions.split_at(half);
    let (rows_a, rows_b) = rows.split_at(half);
    rayon::join(
        || step_all(rules, seed, slots_a, masks_a, actions_a, rows_a),
        || step_all(rules, seed, slots_b, masks_b, actions_b, rows_b),
    );
}

impl<G: Game> Slot<G> {
    fn deal(rules: &G::Rules, seed: u64, number: u64, episode: u64, mask: &mut Mask) -> Self {
        let game = G::deal(rules, &mut Rng::keyed(Purpose::Deal, seed, number, episode));
        let seat = game.to_move().expect("a fresh game has a seat to act");
        game.legal(mask);
        Self { game, seat, number, episode, plies: 0 }
    }

    #[inline]
    fn step(&mut self, rules: &G::Rules, seed: u64, action: Action, mask: &mut Mask, row: &mut Row<'_>) {
        self.game.apply(action);
        self.plies += 1;
        if let Some(seat) = self.game.to_move() {
            self.seat = seat;
            self.game.legal(mask);
            self.write(mask, row);
        } else {
            let (end, plies) = (self.game.end().map_or(0, |end| end.0), self.plies);
            let ended = self.game.clone();
            *self = Self::deal(rules, seed, self.number, self.episode + 1, mask);
            self.write(mask, row);
            ended.returns(row.rewards);
            (*row.done, *row.ends, *row.plies) = (true, end, plies);
        }
    }

    #[inline]
    fn write(&self, mask: &Mask, row: &mut Row<'_>) {
        self.game.observe(self.seat, row.observations);
        mask.write(row.masks);
        row.rewards.fill(0.0);
        (*row.seats, *row.done, *row.ends, *row.plies) = (self.seat.0, false, 0, self.plies);
    }
}

/// The arrays of a frame as plain slices that can be split and walked row by row.
struct Rows<'a> {
    widths: [usize; 3],
    observations: &'a mut [f32],
    masks: &'a mut [bool],
    rewards: &'a mut [f32],
    seats: &'a mut [u8],
    done: &'a mut [bool],
    ends: &'a mut [u8],
    plies: &'a mut [u32],
}

/// What belongs to one slot.
struct Row<'a> {
    observations: &'a mut [f32],
    masks: &'a mut [bool],
    rewards: &'a mut [f32],
    seats: &'a mut u8,
    done: &'a mut bool,
    ends: &'a mut u8,
    plies: &'a mut u32,
}

impl<'a> Rows<'a> {
    fn new(frame: &'a mut FrameMut<'_>, spec: &Spec, n: usize) -> Result<Self, BatchError> {
        let with_insights = frame.observations.shape()[1] == spec.insights.len();
        let widths = [spec.layout(with_insights).len(), spec.actions(), spec.seats];
        // Errors are made only where there is one: a step allocates nothing.
        macro_rules! flat {
            ($array:ident, $expected:expr) => {{
                if frame.$array.shape() == $expected && frame.$array.is_standard_layout() {
                    frame.$array.as_slice_mut().expect("an array in standard layout is one slice")
                } else {
                    let found = frame.$array.shape().to_vec();
                    let (array, expected) = (stringify!($array), $expected.to_vec());
                    return Err(BatchError::Shape { array, found, expected });
                }
            }};
        }
        Ok(Self {
            widths,
            observations: flat!(observations, [n, widths[0]]),
            masks: flat!(masks, [n, widths[1]]),
            rewards: flat!(rewards, [n, widths[2]]),
            seats: flat!(seats, [n]),
            done: flat!(done, [n]),
            ends: flat!(ends, [n]),
            plies: flat!(plies, [n]),
        })
    }

    fn split_at(self, rows: usize) -> (Self, Self) {
        let widths = self.widths;
        let (observations, observations_b) = self.observations.split_at_mut(rows * widths[0]);
        let (masks, masks_b) = self.masks.split_at_mut(rows * widths[1]);
        let (rewards, rewards_b) = self.rewards.split_at_mut(rows * widths[2]);
        let (seats, seats_b) = self.seats.split_at_mut(rows);
        let (done, done_b) = self.done.split_at_mut(rows);
        let (ends, ends_b) = self.ends.split_at_mut(rows);
        let (plies, plies_b) = self.plies.split_at_mut(rows);
        (
            Self { widths, observations, masks, rewards, seats, done, ends, plies },
            Self {
                widths,
                observations: observations_b,
                masks: masks_b,
                rewards: rewards_b,
                seats: seats_b,
                done: done_b,
                ends: ends_b,
                plies: plies_b,
            },
        )
    }

    /// The first row; the rest stays.
    #[inline]
    fn next(&mut self) -> Row<'a> {
        fn take<'a, T>(slice: &mut &'a mut [T], n: usize) -> &'a mut [T] {
            slice.split_off_mut(..n).expect("there is a row for every slot")
        }
        Row {
            observations: take(&mut self.observations, self.widths[0]),
            masks: take(&mut self.masks, self.widths[1]),
            rewards: take(&mut self.rewards, self.widths[2]),
            seats: &mut take(&mut self.seats, 1)[0],
            done: &mut take(&mut self.done, 1)[0],
            ends: &mut take(&mut self.ends, 1)[0],
            plies: &mut take(&mut self.plies, 1)[0],
        }
    }
}
