//! Star Duel: the laws of the contract, the rulings, and the readers.

use nodarium_env::games::starduel::StarDuel;

nodarium_env::conformance! {
    standard: StarDuel = "{}";
    one_round: StarDuel = r#"{"round_limit": 1}"#;
    long: StarDuel = r#"{"round_limit": 150}"#;
}
