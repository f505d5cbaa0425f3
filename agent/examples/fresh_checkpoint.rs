//! Writes a checkpoint that has learned nothing, to try exports and agents with:
//! `cargo run --example fresh_checkpoint -- GAME FOLDER [SEED] [WIDTH] [LAYERS] [mlp|direct|grid]`
//!
//! Every weight, biases and heads included, is moved away from its first value, so that the policy is far from uniform and
//! an error in any tensor shows.

use std::collections::BTreeMap;
use std::path::Path;

use nodarium_agent::checkpoint::{Contents, Plays, save};
use nodarium_agent::network::{NetworkConfig, Torso, Weights};
use nodarium_env::rng::Purpose;
use nodarium_env::{Rng, with_game};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, folder, sizes @ ..] = &arguments[..] else {
        return Err("expected GAME FOLDER [SEED] [WIDTH] [LAYERS] [mlp|direct|grid]".into());
    };
    let number = |place: usize, usual: usize| sizes.get(place).map_or(Ok(usual), |text| text.parse());
    let (seed, width, layers) = (number(0, 1)?, number(1, 256)?, number(2, 2)?);
    let game = game.as_str();
    let plays = with_game!(game, G => Plays::of::<G>(&Default::default()))?;
    let (torso, direct) = match sizes.get(3).map(String::as_str) {
        None | Some("mlp") => (Torso::Mlp, false),
        Some("direct") => (Torso::Mlp, true),
        Some("grid") => (Torso::Grid, false),
        Some(other) => {
            return Err(format!("no network is called {other}: expected mlp, direct or grid").into());
        }
    };
    let config = NetworkConfig { torso, width, layers, direct, ..NetworkConfig::default() };
    let mut weights = Weights::draw(config, plays.shape.clone(), seed as u64)?;
    let mut rng = Rng::keyed(Purpose::Weights, seed as u64, 2, 0);
    for (_, _, numbers) in weights.tensors_mut() {
        numbers.iter_mut().for_each(|number| *number += 0.2 * (rng.unit() - 0.5));
    }
    let contents =
        Contents { plays: &plays, weights: &weights, search: None, counters: BTreeMap::new(), further: &[] };
    save(Path::new(folder), &contents)?;
    Ok(())
}
