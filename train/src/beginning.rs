//! The weights that a run begins with.

use nodarium_agent::checkpoint::{self, CheckpointError, Plays};
use nodarium_agent::network::{BadNetwork, NetworkConfig, Weights};
use nodarium_agent::search::Settings;
use nodarium_env::Game;

use crate::Config;

/// A run that has nothing to begin with.
#[derive(Debug, thiserror::Error)]
pub enum NoBeginning {
    /// The network cannot be built.
    #[error(transparent)]
    Network(#[from] BadNetwork),
    /// The checkpoint does not load, or is one of another game.
    #[error("begin_with: {0}")]
    Checkpoint(#[from] Box<CheckpointError>),
    /// The network of the config has no room for that of the checkpoint.
    #[error(
        "begin_with: the network of the checkpoint is {found}: expected that of the config, {expected}, or a smaller one"
    )]
    Other {
        /// What the checkpoint has.
        found: String,
        /// What the config says.
        expected: String,
    },
}

/// What a number of the game's advice adds to the logit of its action at first: it is followed nearly always where it is clear,
/// and what is learned can still speak against it.
const ADVICE: f32 = 8.0;

/// What a run begins with.
pub(crate) struct Beginning {
    pub weights: Weights,
    /// How the checkpoint that they are from wants to be searched with.
    pub search: Option<Settings>,
}

/// Weights drawn by the seed, where the heads read insights with an ear for the game's advice, or those of the checkpoint that
/// the config names.
pub(crate) fn beginning<G: Game>(rules: &G::Rules, config: &Config) -> Result<Beginning, NoBeginning> {
    let plays = Plays::of::<G>(rules);
    let Some(folder) = config.begin_with.as_deref() else {
        let mut weights = Weights::draw(config.network, plays.shape, config.seed)?;
        if let (true, Some(direct)) = (config.network.insights, &mut weights.direct) {
            for (number, action) in G::advice(rules) {
                direct.weight[number * direct.outputs + action.index()] = ADVICE;
            }
        }
        return Ok(Beginning { weights, search: None });
    };
    // What was learned under other rules is a beginning too, as long as it sees and does the same.
    let told = checkpoint::describe(folder).map_err(Box::new)?.manifest.plays.rules;
    let checkpoint = checkpoint::load(folder, &Plays { rules: told, ..plays }).map_err(Box::new)?;
    let (weights, search) = (checkpoint.weights, checkpoint.manifest.search);
    if !weights.fits_into(&config.network) {
        let (found, expected) = (words(weights.config()), words(&config.network));
        return Err(NoBeginning::Other { found, expected });
    }
    Ok(Beginning { weights: weights.grown(config.network, config.seed)?, search })
}

fn words(network: &NetworkConfig) -> String {
    let NetworkConfig { torso, width, layers, insights, direct, value_scale } = network;
    let sees = if *insights { "with" } else { "without" };
    let way = if *direct { ", a direct way to the heads" } else { "" };
    format!("{torso} with {layers} layers of {width}, {sees} insights{way}, values up to {value_scale}")
}

#[cfg(test)]
mod tests {
    use nodarium_agent::Evaluator as _;
    use nodarium_agent::network::Inference;
    use nodarium_env::games::colony::Colony;
    use nodarium_env::rng::Purpose;
    use nodarium_env::{Action, Mask, Rng, random_action};

    use super::*;

    fn config(direct: bool) -> Config {
        toml::from_str(&format!(
            "game = 'colony'\nseed = 1\niterations = 1\nnetwork = {{ width = 8, layers = 1, insights = true, direct = {direct} }}\n[ppo]"
        ))
        .expect("the config is right")
    }

    /// The action that a fresh network takes for the best, and whether the advice is clear enough to say so.
    fn likeliest(network: &Inference, game: &Colony, advice: &[(usize, Action)]) -> Option<(Action, Action)> {
        let mut observation = vec![0.0; network.observation()];
        game.observe(game.to_move()?, &mut observation);
        let (mut logits, mut values) = (vec![0.0; network.actions()], vec![0.0; network.seats()]);
        network.evaluate(&observation, &mut logits, &mut values);
        let mut legal = Mask::EMPTY;
        game.legal(&mut legal);
        let best = legal.iter().max_by(|a, b| logits[a.index()].total_cmp(&logits[b.index()]))?;
        let told = |action: &Action| Some(observation[advice.iter().find(|(_, of)| of == action)?.0]);
        let mut told: Vec<(f32, Action)> =
            legal.iter().filter_map(|action| Some((told(&action)?, action))).collect();
        told.sort_by(|a, b| b.0.total_cmp(&a.0));
        (told.len() > 1 && told[0].0 > told[1].0 + 0.1).then_some((best, told[0].1))
    }

    #[test]
    fn a_fresh_network_with_a_direct_way_follows_the_games_advice() {
        let rules = nodarium_env::conformance::rules::<Colony>("{}");
        let advice = Colony::advice(&rules);
        let fresh = |direct| {
            Inference::new(&beginning::<Colony>(&rules, &config(direct)).expect("it can be drawn").weights)
        };
        let (listens, does_not) = (fresh(true), fresh(false));
        let (mut clear, mut same_without) = (0, 0);
        for index in 0..20 {
            let mut rng = Rng::keyed(Purpose::Choice, 1, index, 0);
            let mut game = Colony::deal(&rules, &mut rng);
            while let Some(action) = random_action(&game, &mut rng) {
                if let Some((best, told)) = likeliest(&listens, &game, &advice) {
                    assert_eq!(best, told, "game {index}: {game:?}");
                    clear += 1;
                    same_without += u32::from(likeliest(&does_not, &game, &advice) == Some((told, told)));
                }
                game.apply(action);
            }
        }
        assert!(clear > 200 && same_without < clear / 2, "{same_without} of {clear}");
    }
}
