//! The ladder of the bots: `cargo run --release -p nodarium-agent --example ladder [-- WORD [FIRST SECOND PAIRS]]`.
//!
//! For every two-seat game whose id contains the word, `greedy` plays `random` and `uct:1000` plays `greedy`: every deal
//! twice, with the seats exchanged. With two more words it is those agents that play.

use std::time::Instant;

use nodarium_agent::{AgentName, Playable, build, duel};
use nodarium_env::{catalog, conformance, with_game};

/// Not the seed that the judgements were tuned on.
const SEED: u64 = 2;

/// Who plays whom, and how many pairs of games.
const STEPS: [(&str, &str, usize); 2] = [("greedy", "random", 500), ("uct:1000", "greedy", 100)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let word = args.first().map_or("", String::as_str);
    println!(
        "| game | agent | against | games | score | mean return | plies | seconds |\n|---|---|---|---|---|---|---|---|"
    );
    for &id in catalog::IDS.iter().filter(|id| id.contains(word)) {
        match &args[..] {
            [_, first, second, pairs] => with_game!(id, G => row::<G>(id, first, second, pairs.parse()?)?)?,
            _ => {
                for (first, second, pairs) in STEPS {
                    // Where two sensible players differ little, it takes more games to see it; these are short.
                    let short = matches!(id, "tictactoe" | "kuhn" | "leduc");
                    let pairs = if short { 20 * pairs } else { pairs };
                    with_game!(id, G => row::<G>(id, first, second, pairs)?)?;
                }
            }
        }
    }
    Ok(())
}

fn row<G: Playable>(
    id: &str,
    first: &str,
    second: &str,
    pairs: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let rules = conformance::rules::<G>("{}");
    let names: [AgentName; 2] = [first.parse()?, second.parse()?];
    let mut players = [build::<G>(&names[0], &rules, SEED)?, build::<G>(&names[1], &rules, SEED + 1)?];
    let [a, b] = &mut players;
    let start = Instant::now();
    let duel = duel::<G>(&rules, SEED, a.as_mut(), b.as_mut(), pairs)?;
    println!(
        "| `{id}` | `{first}` | `{second}` | {} | {:.3} | {:.3} | {:.1} | {:.0} |",
        2 * pairs,
        duel.score(),
        duel.mean_return(),
        duel.plies,
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
