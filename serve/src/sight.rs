//! A position as one seat may see it.
//!
//! What is hidden is left out on the server: a page cannot show, or keep, what it never got. Text of another kind, the
//! game's own drawing, is hidden by the games themselves.

use nodarium_agent::Playable;
use nodarium_env::games::colony::Colony;
use nodarium_env::games::kato::Kato;
use nodarium_env::games::shuter::{Shuter, ShuterRules};
use nodarium_env::games::starduel::StarDuel;
use nodarium_env::{Game, Seat, Text};
use serde_json::{Value, json};

/// A game that can be shown to one seat.
pub trait Sight: Playable {
    /// The position as `seat` sees it; `None` sees everything. It has the keys of the record format; null where the
    /// page has no board for the game.
    fn sight(&self, _seat: Option<Seat>) -> Value {
        Value::Null
    }
}

fn whole<G: Text>(game: &G) -> Value {
    serde_json::to_value(game.position()).expect("positions are written to records as JSON")
}

impl Sight for Kato {
    fn sight(&self, _: Option<Seat>) -> Value {
        whole(self)
    }
}

impl Sight for Shuter {
    /// With what follows from the position and is tedious to count: exhausted squares, incomes, networks.
    fn sight(&self, _: Option<Seat>) -> Value {
        let layout = Self::spec(&ShuterRules::default()).observation;
        let mut seen = vec![0.0; layout.len()];
        self.observe(Seat(0), &mut seen);
        let field = |name: &str, scale: f32| -> Vec<u32> {
            let range = layout.range(name).expect("the observation has this field");
            seen[range].iter().map(|number| (number * scale).round() as u32).collect()
        };
        let mut told = whole(self);
        told["exhausted"] = json!(field("exhausted", 1.0));
        told["income"] = json!([field("own.income", 10.0), field("other.income", 10.0)]);
        told["network"] = json!(field("network", 24.0));
        told["bank"] = json!(field("bank", 10.0));
        told["two_trades"] = json!(field("two_trades", 4.0));
        told
    }
}

impl Sight for Colony {
    /// Other hands and the deck as numbers of cards; of another's turn only what lies on the table.
    fn sight(&self, seat: Option<Seat>) -> Value {
        let mut told = whole(self);
        let Some(viewer) = seat else { return told };
        let count = |cards: &Value| json!(cards.as_array().map_or(0, Vec::len));
        if let Some(hands) = told["hands"].as_array_mut() {
            let others = hands.iter_mut().enumerate().filter(|(seat, _)| *seat != viewer.index());
            others.for_each(|(_, hand)| *hand = count(hand));
        }
        told["deck"] = count(&told["deck"]);
        if self.to_move() != Some(viewer) {
            for key in ["done", "placed", "phase", "chosen"] {
                told[key] = Value::Null;
            }
        }
        told
    }
}

impl Sight for StarDuel {
    /// Face-down cards without their names, spares as numbers, the other's program only once both are shown.
    fn sight(&self, seat: Option<Seat>) -> Value {
        let mut told = whole(self);
        let Some(viewer) = seat else { return told };
        for (_, space) in told["spaces"].as_object_mut().into_iter().flatten() {
            if space["up"] == json!(false) {
                space["card"] = Value::Null;
            }
        }
        for (_, spares) in told["spares"].as_object_mut().into_iter().flatten() {
            *spares = json!(spares.as_array().map_or(0, Vec::len));
        }
        let other = 1 - viewer.index();
        if told["phase"] == json!("program") && !told["programs"][other].is_null() {
            told["programs"][other] = json!("?");
        }
        told
    }
}

/// The games without a board of their own on the page are shown by their drawing alone.
mod drawn {
    use nodarium_env::calibration::connect_four::ConnectFour;
    use nodarium_env::calibration::kuhn::Kuhn;
    use nodarium_env::calibration::leduc::Leduc;
    use nodarium_env::calibration::tictactoe::TicTacToe;

    use super::Sight;

    impl Sight for TicTacToe {}
    impl Sight for ConnectFour {}
    impl Sight for Kuhn {}
    impl Sight for Leduc {}
}
