//! Every game by its id.

use crate::rules::nearest;

/// The ids of all games, the four tabletop games first.
pub const IDS: &[&str] =
    &["shuter", "kato", "colony", "starduel", "tictactoe", "connect_four", "kuhn", "leduc"];

/// Runs an expression with a type alias bound to the game with that id; an unknown id gives an [`UnknownGame`].
///
/// ```
/// use nodarium_env::{Game, with_game};
/// let seats = with_game!("tictactoe", G => G::spec(&Default::default()).seats)?;
/// assert_eq!(seats, 2);
/// # Ok::<(), nodarium_env::catalog::UnknownGame>(())
/// ```
#[macro_export]
macro_rules! with_game {
    ($id:expr, $G:ident => $body:expr) => {
        $crate::with_game!(@match $id, $G, $body,
            "shuter" => $crate::games::shuter::Shuter,
            "kato" => $crate::games::kato::Kato,
            "colony" => $crate::games::colony::Colony,
            "starduel" => $crate::games::starduel::StarDuel,
            "tictactoe" => $crate::calibration::tictactoe::TicTacToe,
            "connect_four" => $crate::calibration::connect_four::ConnectFour,
            "kuhn" => $crate::calibration::kuhn::Kuhn,
            "leduc" => $crate::calibration::leduc::Leduc,
        )
    };
    (@match $id:expr, $G:ident, $body:expr, $($known:literal => $game:ty,)+) => {
        match $id {
            $($known => {
                type $G = $game;
                Ok($body)
            })+
            other => Err($crate::catalog::UnknownGame { id: other.to_owned() }),
        }
    };
}

/// A game id that is not in the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown game `{id}`{}; the games are: {}", suggestion(.id), IDS.join(", "))]
pub struct UnknownGame {
    /// What was asked for.
    pub id: String,
}

fn suggestion(id: &str) -> String {
    nearest(id, IDS.iter().copied()).map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;

    #[test]
    fn every_listed_id_names_a_game_that_calls_itself_so() {
        for &id in IDS {
            assert_eq!(with_game!(id, G => G::spec(&Default::default()).id), Ok(id));
        }
    }

    #[test]
    fn an_unknown_game_is_answered_with_the_nearest_one() {
        let error = with_game!("tictacto", G => G::spec(&Default::default()).seats).unwrap_err();
        assert!(error.to_string().contains("did you mean `tictactoe`?"), "{error}");
    }
}
