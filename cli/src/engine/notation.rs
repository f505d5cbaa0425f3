//! The one-line notation that other programs for a game share, where there is one: today for shuter.

use std::any::Any;

use nodarium_env::games::shuter::{self, BadLine, Shuter};
use nodarium_env::{Action, Game, Text as _};

/// Whether the game has such a notation.
pub fn has_line<G: Game>(game: &G) -> bool {
    (game as &dyn Any).is::<Shuter>()
}

/// The position on one line.
pub fn write_position<G: Game>(game: &G) -> Option<String> {
    (game as &dyn Any).downcast_ref().map(shuter::write_line)
}

/// The state behind a line.
pub fn read_position<G: Game>(rules: &G::Rules, line: &str) -> Option<Result<G, BadLine>> {
    let rules = (rules as &dyn Any).downcast_ref()?;
    let state = shuter::parse_line(rules, line);
    Some(state.map(|state| {
        let state: Box<dyn Any> = Box::new(state);
        *state.downcast().expect("only the rules of this game are of this type")
    }))
}

/// The plies of a move, which may be two.
pub fn read_move<G: Game>(game: &G, text: &str) -> Option<Result<Vec<Action>, BadLine>> {
    (game as &dyn Any).downcast_ref().map(|game| shuter::parse_line_move(game, text))
}

/// The text of one or two plies that make one move.
pub fn write_move<G: Game>(game: &G, plies: &[Action]) -> Option<String> {
    let game = (game as &dyn Any).downcast_ref()?;
    Some(shuter::write_line_move(game, plies[0], plies.get(1).copied()))
}

/// Whether the move that led here goes on with the next ply: a starting node, and its branch with it.
pub fn goes_on<G: Game>(game: &G) -> bool {
    (game as &dyn Any).downcast_ref().is_some_and(|game: &Shuter| game.position().owed.is_some())
}
