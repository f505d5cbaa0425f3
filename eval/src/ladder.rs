//! The fixed ladder of bots for each game: what a new agent is measured against.

use nodarium_agent::AgentName;

/// The rungs of every game that has a ladder, weakest first as far as that is known. The first is the anchor. Weak searches
/// stand between `random` and `greedy`: the two alone would never lose to each other, and how far apart they are could not
/// be told. Where search judges its leaves (`colony`, `starduel`) a thousand simulations take seconds a game, and the
/// ladder ends below that.
const LADDERS: &[(&str, &[&str])] = &[
    ("shuter", &["random", "mc:20", "mc:100", "uct:100", "greedy", "uct:300", "uct:1000"]),
    ("kato", &["random", "uct:20", "uct:50", "mc:200", "greedy", "uct:300", "uct:1000"]),
    ("colony", &["random", "mc:20", "mc:100", "uct:5", "uct:20", "uct:100", "greedy", "uct:300"]),
    ("starduel", &["random", "mc:20", "uct:2", "uct:20", "uct:100", "greedy", "uct:300"]),
];

/// What every other game is measured against.
const PLAIN: &[&str] = &["random", "greedy", "uct:100", "uct:1000"];

/// The ladder of a game; `random` is its first rung.
pub fn ladder(game: &str) -> Vec<AgentName> {
    let rungs = LADDERS.iter().find(|(id, _)| *id == game).map_or(PLAIN, |(_, rungs)| rungs);
    rungs.iter().map(|rung| rung.parse().expect("the ladder names agents that exist")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_ladder_that_begins_with_random_and_is_made_of_bots() {
        for &game in nodarium_env::catalog::IDS {
            let rungs = ladder(game);
            assert_eq!(rungs[0], AgentName::Random, "{game}");
            assert!(rungs.len() >= 4, "{game}");
            assert!(rungs.iter().all(|name| name.checkpoint().is_none()), "{game}");
        }
    }
}
