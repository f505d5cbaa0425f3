//! Looks for better weights of `colony`'s odds by play, beginning with those that ship, for three or four players:
//!
//! ```text
//! cargo run --release -p nodarium-train --example judge_colony -- 3 > three.rs
//! mv three.rs env/src/games/colony/insight/weights/
//! ```
//!
//! The odds play games with `uct` in the other seats. In every turn the plans that look best are tried in worlds that are dealt anew:
//! `uct` answers for the others, and how likely a win then looks in the player's next turn is what the plan has led to. The weights are
//! fitted to that, and to who won. Behind the number of players may come the number of games; 600 take five minutes on two cores.

mod fit;
mod play;
mod write;

use std::time::Instant;

use nodarium_env::games::colony::odds::{FOR_FOUR, FOR_THREE};

use self::play::Study;

const GAMES: u64 = 600;
const USAGE: &str = "expected the number of players, 3 or 4, and behind it perhaps the number of games";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words = std::env::args().skip(1).map(|word| word.parse());
    let (players, games) = match words.collect::<Result<Vec<u64>, _>>().map_err(|_| USAGE)?[..] {
        [players @ 3..=4] => (players as u8, GAMES),
        [players @ 3..=4, games] if games > 0 => (players as u8, games),
        _ => return Err(USAGE.into()),
    };
    let weights = if players == 3 { &FOR_THREE } else { &FOR_FOUR };
    let start = Instant::now();
    let lessons = Study { players, weights }.play(games);
    eprintln!("{} turns of {games} games, {:.0} s", lessons.turns.len(), start.elapsed().as_secs_f64());
    let fitted = fit::fit(weights, &lessons);
    eprintln!("{:.0} s in all", start.elapsed().as_secs_f64());
    print!("{}", write::source(players, &fitted));
    Ok(())
}
