//! The ways to turn the game over: a turn of the board, and colours that exchange their parts.
//!
//! A branch costs as much red as blue and a node as much yellow as green (S-02, S-03), and the box holds the same squares of
//! every colour: to exchange the two colours of a piece leaves every rule as it is.

use super::actions::{BRANCH, Cubes, END, NODE, OTHER_BRANCH, OTHER_NODE, THREE, Trade, cube, trades};
use super::geometry::{TURNS, Turn, image};
use super::observe::{self, Place};
use super::options::{Colour, Square, Variant};
use super::pieces::Ground;
use super::rules::Shuter;
use crate::Symmetry;

/// All symmetries of the game.
pub(super) const SYMMETRIES: usize = TURNS * EXCHANGES.len();

/// The exchanges by name, with the colour that each colour becomes.
const EXCHANGES: [(&str, [Colour; 4]); 4] = {
    use Colour::{Blue, Green, Red, Yellow};
    [
        ("identity", [Red, Yellow, Blue, Green]),
        ("red with blue", [Blue, Yellow, Red, Green]),
        ("yellow with green", [Red, Green, Blue, Yellow]),
        ("red with blue, yellow with green", [Blue, Green, Red, Yellow]),
    ]
};

/// Where a symmetry takes everything.
#[derive(Clone, Debug)]
pub(super) struct Transform {
    name: String,
    turn: Turn,
    /// The colour that each colour becomes.
    colours: [Colour; 4],
}

impl Transform {
    /// The symmetry with that number below [`SYMMETRIES`]: the exchanges of one turn of the board follow each other.
    pub(super) fn new(number: usize) -> Self {
        let turn = Turn::new(number / EXCHANGES.len());
        let (exchange, colours) = EXCHANGES[number % EXCHANGES.len()];
        let name = match (turn.name, exchange) {
            (only, "identity") | ("identity", only) => only.to_owned(),
            (turn, exchange) => format!("{turn}, {exchange}"),
        };
        Self { name, turn, colours }
    }

    /// The permutations of the spec.
    pub(super) fn symmetry(&self, variant: Variant) -> Symmetry {
        let layout = observe::insights();
        let observation = layout.fields().iter().flat_map(|field| {
            let to =
                layout.range(&self.field(&field.name)).expect("every colour has the fields of the others");
            self.places(observe::place_of(&field.name))
                .into_iter()
                .map(move |place| (to.start + place) as u32)
        });
        Symmetry {
            observation: observation.collect(),
            actions: self.actions(variant),
            seats: vec![0, 1],
            name: self.name.clone(),
        }
    }

    /// The field that a field becomes: one that ends in the name of a colour belongs to that colour.
    fn field(&self, name: &str) -> String {
        let (stem, last) = name.split_at(name.rfind('.').map_or(0, |dot| dot + 1));
        let colour = Colour::ALL.into_iter().find(|colour| colour.name() == last);
        stem.to_owned() + colour.map_or(last, |colour| self.colours[colour as usize].name())
    }

    /// Where the numbers of a field, or the actions of a kind, go among themselves.
    fn places(&self, place: Place) -> Vec<usize> {
        match place {
            Place::Squares => self.turn.squares.to_vec(),
            Place::Corners => self.turn.corners.to_vec(),
            Place::Edges => self.turn.edges.to_vec(),
            Place::Colours => self.colours.map(|colour| colour as usize).to_vec(),
            Place::Trades => trades().map(|trade| self.trade(trade)).collect(),
            Place::Nowhere(len) => (0..len).collect(),
        }
    }

    fn actions(&self, variant: Variant) -> Vec<u16> {
        let kinds = [
            (NODE, Place::Corners),
            (BRANCH, Place::Edges),
            (THREE, Place::Trades),
            (END, Place::Nowhere(1)),
            (OTHER_NODE, Place::Corners),
            (OTHER_BRANCH, Place::Edges),
        ];
        kinds
            .into_iter()
            .filter(|&(first, _)| first < OTHER_NODE || variant == Variant::Advanced)
            .flat_map(|(first, place)| self.places(place).into_iter().map(move |to| (first + to) as u16))
            .collect()
    }

    fn cubes(&self, cubes: Cubes) -> Cubes {
        let counts = self.colours.into_iter().zip(cubes.to_le_bytes());
        counts.map(|(colour, count)| Cubes::from(count) * cube(colour as usize)).sum()
    }

    /// The place of the trade that a trade becomes.
    fn trade(&self, trade: Trade) -> usize {
        let image = Trade { gives: self.cubes(trade.gives), receives: self.cubes(trade.receives) };
        trades().position(|known| known == image).expect("trades become trades")
    }

    fn square(&self, square: Square) -> Square {
        match square {
            Square::Coloured(colour, limit) => Square::Coloured(self.colours[colour as usize], limit),
            Square::Vacant | Square::TradingPost => square,
        }
    }
}

impl Shuter {
    /// The image under a symmetry.
    pub(super) fn transformed(&self, transform: &Transform) -> Self {
        let turn = &transform.turn;
        let mut squares = self.ground.squares();
        for (from, square) in self.ground.squares().into_iter().enumerate() {
            squares[turn.squares[from]] = transform.square(square);
        }
        let mut game = self.clone();
        game.ground = Ground::new(&squares);
        for (to, from) in game.sides.iter_mut().zip(&self.sides) {
            to.nodes = image(from.nodes.into(), &turn.corners) as u32;
            to.branches = image(from.branches, &turn.edges);
            to.cubes = transform.cubes(from.cubes);
        }
        game.owed = self.owed.map(|corner| turn.corners[usize::from(corner)] as u8);
        game.derive().expect("a turned board has as many networks as before");
        game
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::{BRANCH_COST, NODE_COST};
    use super::*;

    #[test]
    fn there_are_32_symmetries_and_all_are_different() {
        let all: Vec<Symmetry> =
            (0..SYMMETRIES).map(|number| Transform::new(number).symmetry(Variant::Classic)).collect();
        assert_eq!(all.len(), 32);
        for (i, symmetry) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|other| other.name != symmetry.name));
            assert!(all[..i].iter().all(|other| other.observation != symmetry.observation));
            assert!(all[..i].iter().all(|other| other.actions != symmetry.actions));
        }
        assert_eq!(
            [0, 1, 8, 11].map(|number| all[number].name.as_str()),
            ["identity", "red with blue", "half turn", "half turn, red with blue, yellow with green"]
        );
    }

    #[test]
    fn pieces_cost_the_same_after_an_exchange_of_colours() {
        for transform in (0..SYMMETRIES).map(Transform::new) {
            assert_eq!([BRANCH_COST, NODE_COST].map(|cost| transform.cubes(cost)), [BRANCH_COST, NODE_COST]);
        }
    }

    #[test]
    fn fields_of_a_colour_become_those_of_the_other() {
        let transform = Transform::new(3);
        let fields = ["red", "own.earns.green", "own.captured", "bank", "trade.nodes"];
        let images = ["blue", "own.earns.yellow", "own.captured", "bank", "trade.nodes"];
        assert_eq!(fields.map(|name| transform.field(name)), images);
    }
}
