//! Evaluators made of a function, and perfect knowledge of tic-tac-toe.

use std::sync::OnceLock;

use nodarium_agent::Evaluator;
use nodarium_env::calibration::tictactoe::TicTacToe;
use nodarium_env::{Action, Game, Mask, Seat};

/// Judges each row by a function of (view, logits, values); logits and values are zeros before.
pub struct Judge<F> {
    sizes: [usize; 3],
    judge: F,
}

impl<F: Fn(&[f32], &mut [f32], &mut [f32]) + Send + Sync> Judge<F> {
    /// For the game with its default rules.
    pub fn new<G: Game>(judge: F) -> Self {
        let spec = G::spec(&G::Rules::default());
        Self { sizes: [spec.observation.len(), spec.actions(), spec.seats], judge }
    }
}

impl<F: Fn(&[f32], &mut [f32], &mut [f32]) + Send + Sync> Evaluator for Judge<F> {
    fn observation(&self) -> usize {
        self.sizes[0]
    }

    fn actions(&self) -> usize {
        self.sizes[1]
    }

    fn seats(&self) -> usize {
        self.sizes[2]
    }

    fn evaluate(&self, observations: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let [observation, actions, seats] = self.sizes;
        assert_eq!(observations.len() / observation, logits.len() / actions, "a row of logits a leaf");
        assert_eq!(observations.len() / observation, values.len() / seats, "a row of values a leaf");
        logits.fill(0.0);
        values.fill(0.0);
        let rows = logits.chunks_exact_mut(actions).zip(values.chunks_exact_mut(seats));
        for (view, (logits, values)) in observations.chunks_exact(observation).zip(rows) {
            (self.judge)(view, logits, values);
        }
    }
}

/// A number in [-1, 1) that depends on the view and on `salt` and looks random.
pub fn noise(view: &[f32], salt: u64) -> f32 {
    let mut hash = salt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for x in view {
        hash = (hash ^ u64::from(x.to_bits())).wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash ^= hash >> 29;
    }
    (hash >> 40) as f32 / (1 << 23) as f32 - 1.0
}

/// What the seat to act gets under perfect play.
pub fn exact(game: &TicTacToe) -> f32 {
    let mut view = [0.0; 18];
    let seat = game.to_move().expect("the game goes on");
    game.observe(seat, &mut view);
    exact_of_view(&view)
}

/// The same from what that seat sees; a game that is over has its return.
pub fn exact_of_view(view: &[f32]) -> f32 {
    static TABLE: OnceLock<Vec<Option<f32>>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = vec![None; 3_usize.pow(9)];
        solve(&crate::played(&[]), &mut table);
        table
    });
    // Positions that no game reaches are asked about and not used.
    table[place(view)].unwrap_or(0.0)
}

/// What the seat to act gets when it plays the action, and perfect play follows.
pub fn exact_after(game: &TicTacToe, action: Action) -> f32 {
    let seat = game.to_move().expect("the game goes on");
    let mut next = game.clone();
    next.apply(action);
    match next.to_move() {
        Some(_) => -exact(&next),
        None => returns(&next, seat),
    }
}

fn returns(game: &TicTacToe, seat: Seat) -> f32 {
    let mut out = [0.0; 2];
    game.returns(&mut out);
    out[seat.index()]
}

/// A view as a number in base 3.
fn place(view: &[f32]) -> usize {
    (0..9).fold(0, |place, i| place * 3 + view[i] as usize + 2 * view[9 + i] as usize)
}

fn solve(game: &TicTacToe, table: &mut [Option<f32>]) -> f32 {
    let seat = game.to_move().expect("the game goes on");
    let mut view = [0.0; 18];
    game.observe(seat, &mut view);
    if let Some(value) = table[place(&view)] {
        return value;
    }
    let mut mask = Mask::EMPTY;
    game.legal(&mut mask);
    let value = mask.iter().map(|action| {
        let mut next = game.clone();
        next.apply(action);
        if next.to_move().is_some() {
            -solve(&next, table)
        } else {
            let mut view = [0.0; 18];
            next.observe(Seat(1 - seat.0), &mut view);
            table[place(&view)] = Some(-returns(&next, seat));
            returns(&next, seat)
        }
    });
    let value = value.fold(f32::NEG_INFINITY, f32::max);
    table[place(&view)] = Some(value);
    value
}
