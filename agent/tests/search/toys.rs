//! Tiny games that show one thing each.

use nodarium_env::calibration::NoOptions;
use nodarium_env::{Action, ActionGroup, End, Game, Information, Layout, Mask, Rng, Seat, Spec, Symmetry};

/// Three binary choices in a row; `KIND` says whose they are and what they pay.
#[derive(Clone, Debug, PartialEq)]
pub struct Toy<const KIND: u8> {
    choices: [u8; 3],
    plies: u8,
    /// [`GUESS`]: what nobody sees.
    coin: u8,
}

/// Three seats choose in turn; [`PAYS`] tells what each gets.
pub const THREE_SEATS: u8 = 0;
/// Seat 0 chooses three times and wins with 1, 0, 1 only.
pub const IN_A_ROW: u8 = 1;
/// Seat 0 takes 0.5 for sure (choice 0) or guesses a hidden coin for 1 or -1.
pub const GUESS: u8 = 2;

/// What the seats get after the three choices, as an index of three bits, the first choice highest.
pub const PAYS: [[f32; 3]; 8] = [
    [0.2, -0.1, -0.1],
    [0.6, -0.9, 0.3],
    [-0.5, 0.1, 0.4],
    [0.9, 0.0, -0.9],
    [-0.3, 0.6, -0.3],
    [0.8, -0.7, -0.1],
    [0.1, 0.3, -0.4],
    [-0.6, 0.5, 0.1],
];

impl<const KIND: u8> Toy<KIND> {
    const SEATS: usize = if KIND == THREE_SEATS { 3 } else { 2 };

    /// The other coin.
    pub fn turned(&self) -> Self {
        Self { coin: 1 - self.coin, ..self.clone() }
    }

    fn over(&self) -> bool {
        match KIND {
            GUESS => self.plies == 2 || self.plies == 1 && self.choices[0] == 0,
            _ => self.plies == 3,
        }
    }
}

impl<const KIND: u8> Game for Toy<KIND> {
    type Rules = NoOptions;

    fn spec(_rules: &NoOptions) -> Spec {
        let observation = Layout::default().field("choices", 3, "0.5 or 1 for what was chosen").field(
            "seat",
            1,
            "the viewer",
        );
        Spec {
            id: "toy",
            version: 1,
            title: "Toy",
            seats: Self::SEATS,
            information: if KIND == GUESS { Information::Hidden } else { Information::Perfect },
            action_groups: vec![ActionGroup::new("choose", ["zero", "one"])],
            symmetries: vec![Symmetry::identity(observation.len(), 2, Self::SEATS)],
            insights: observation.clone(),
            observation,
            grid: None,
            longest_game: 3,
            ends: vec!["chosen"],
        }
    }

    fn deal(_rules: &NoOptions, rng: &mut Rng) -> Self {
        Self { choices: [0; 3], plies: 0, coin: rng.below(2) as u8 }
    }

    fn to_move(&self) -> Option<Seat> {
        (!self.over()).then_some(Seat(if KIND == THREE_SEATS { self.plies } else { 0 }))
    }

    fn legal(&self, mask: &mut Mask) {
        mask.clear();
        if !self.over() {
            mask.insert(Action(0));
            mask.insert(Action(1));
        }
    }

    fn apply(&mut self, action: Action) {
        self.choices[usize::from(self.plies)] = action.0 as u8;
        self.plies += 1;
    }

    fn returns(&self, out: &mut [f32]) {
        out.fill(0.0);
        if self.over() {
            let [a, b, c] = self.choices;
            match KIND {
                THREE_SEATS => out.copy_from_slice(&PAYS[usize::from(a << 2 | b << 1 | c)]),
                IN_A_ROW => out[0] = if self.choices == [1, 0, 1] { 1.0 } else { -1.0 },
                _ if a == 0 => out[0] = 0.5,
                _ => out[0] = if b == self.coin { 1.0 } else { -1.0 },
            }
            if Self::SEATS == 2 {
                out[1] = -out[0];
            }
        }
    }

    fn end(&self) -> Option<End> {
        self.over().then_some(End(0))
    }

    fn observe(&self, seat: Seat, out: &mut [f32]) {
        out.fill(0.0);
        for (out, choice) in out.iter_mut().zip(self.choices).take(self.plies.into()) {
            *out = 0.5 * f32::from(choice + 1);
        }
        out[3] = f32::from(seat.0);
    }

    fn redeal_hidden(&mut self, _seat: Seat, rng: &mut Rng) {
        if KIND == GUESS && !self.over() {
            self.coin = rng.below(2) as u8;
        }
    }

    fn transform(&self, _symmetry: usize) -> Self {
        self.clone()
    }
}
