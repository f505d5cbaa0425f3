//! Positions made on purpose.

use nodarium_env::games::starduel::{StarDuel, StarDuelPosition, StarDuelRules};
use nodarium_env::{BadPosition, Game, Text, record};
use serde_json::{Value, json};

/// The cards of [`Board::start`] in the order of the spaces.
const CARDS: [(&str, &str); 18] = [
    ("11", "A"),
    ("12", "B"),
    ("13", "C"),
    ("21", "D"),
    ("22", "E"),
    ("23", "F"),
    ("24", "G"),
    ("31", "N"),
    ("32", "O"),
    ("33", "P"),
    ("34", "Q"),
    ("41", "H"),
    ("42", "I"),
    ("43", "L"),
    ("44", "M"),
    ("51", "A"),
    ("52", "B"),
    ("53", "C"),
];

/// A position under construction.
#[derive(Clone)]
pub struct Board(pub Value);

impl Board {
    /// The first round, before anybody has programmed. Spares: J, K and R, S.
    pub fn start() -> Self {
        let spaces: serde_json::Map<String, Value> = CARDS
            .iter()
            .map(|&(at, card)| {
                (at.to_owned(), json!({"card": card, "up": "ABC".contains(card), "owner": null}))
            })
            .collect();
        let player = json!({"influence": 0, "population": 0, "minerals": 0, "energy": 3});
        Self(json!({
            "spaces": spaces, "spares": {"2": ["J", "K"], "3": ["R", "S"]}, "players": [player, player],
            "round": 1, "went_second": 0, "programs": [null, null], "acting": null, "left": [],
            "activated": null, "moving": null, "phase": "program", "to_move": 0,
        }))
    }

    /// The start without any card.
    pub fn bare() -> Self {
        let mut board = Self::start();
        board.0["spaces"] = json!({});
        board
    }

    pub fn set(mut self, key: &str, value: Value) -> Self {
        self.0[key] = value;
        self
    }

    /// Puts a face-up card there.
    pub fn node(mut self, at: &str, card: &str, owner: Option<usize>) -> Self {
        self.0["spaces"][at] = json!({"card": card, "up": true, "owner": owner});
        self
    }

    /// Puts a face-down card there.
    pub fn down(mut self, at: &str, card: &str) -> Self {
        self.0["spaces"][at] = json!({"card": card, "up": false, "owner": null});
        self
    }

    /// Turns the card there face up.
    pub fn up(mut self, at: &str) -> Self {
        self.0["spaces"][at]["up"] = json!(true);
        self
    }

    /// Gives the node there to a seat.
    pub fn owned(self, at: &str, seat: usize) -> Self {
        let mut board = self.up(at);
        board.0["spaces"][at]["owner"] = json!(seat);
        board
    }

    /// Takes the card there away.
    pub fn open(mut self, at: &str) -> Self {
        self.0["spaces"].as_object_mut().expect("a map").remove(at);
        self
    }

    /// Population, Minerals, Energy.
    pub fn has(mut self, seat: usize, [population, minerals, energy]: [u8; 3]) -> Self {
        let player = &mut self.0["players"][seat];
        player["population"] = json!(population);
        player["minerals"] = json!(minerals);
        player["energy"] = json!(energy);
        self
    }

    /// The position, with the Influence that the nodes give.
    pub fn value(mut self) -> Value {
        for seat in 0..2 {
            let nodes = self.0["spaces"].as_object().expect("a map").values();
            let influence = nodes.filter(|node| node["owner"] == json!(seat)).count();
            self.0["players"][seat]["influence"] = json!(influence);
        }
        self.0
    }

    pub fn game(self) -> StarDuel {
        read(&self.value()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The state after these moves.
    pub fn after(self, moves: &[&str]) -> StarDuel {
        let mut game = self.game();
        play(&mut game, moves);
        game
    }
}

pub fn read(value: &Value) -> Result<StarDuel, BadPosition> {
    let position: StarDuelPosition = serde_json::from_value(value.clone()).expect("the form of a position");
    StarDuel::from_position(&StarDuelRules::default(), &position)
}

pub fn play(game: &mut StarDuel, moves: &[&str]) {
    for text in moves {
        let action = game.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        game.apply(action);
    }
}

pub fn state(game: &StarDuel) -> Value {
    serde_json::to_value(game.position()).expect("a position is JSON")
}

/// Influence, Population, Minerals, Energy.
pub fn resources(game: &StarDuel, seat: usize) -> [u64; 4] {
    let player = &state(game)["players"][seat];
    ["influence", "population", "minerals", "energy"].map(|key| player[key].as_u64().expect("a number"))
}

pub fn legal(game: &StarDuel) -> Vec<String> {
    record::legal_moves(game)
}

/// The legal moves that begin so.
pub fn legal_of(game: &StarDuel, verb: &str) -> Vec<String> {
    legal(game).into_iter().filter(|text| text.split(' ').next() == Some(verb)).collect()
}

pub fn ending(game: &StarDuel) -> Option<(&'static str, [f32; 2])> {
    let mut returns = [0.0; 2];
    game.returns(&mut returns);
    let ends = StarDuel::spec(&StarDuelRules::default()).ends;
    game.end().map(|end| (ends[end.index()], returns))
}
