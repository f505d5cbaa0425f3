//! Beginning with the weights of a checkpoint.

use std::path::Path;

use nodarium_agent::checkpoint::{self, Contents, Plays};
use nodarium_agent::network::{NetworkConfig, Shape, Torso, Weights};
use nodarium_agent::search::Settings;
use nodarium_env::Game;
use nodarium_env::calibration::tictactoe::TicTacToe;
use nodarium_env::games::shuter::Shuter;
use nodarium_train::{Config, learner};

const NETWORK: NetworkConfig = NetworkConfig {
    torso: Torso::Mlp,
    width: 8,
    layers: 2,
    insights: false,
    direct: false,
    value_scale: 1.0,
};

/// A checkpoint of a game under its usual rules; its weights.
fn saved<G: Game>(folder: &Path) -> Weights {
    let rules = Default::default();
    let weights = Weights::draw(NETWORK, Shape::of(&G::spec(&rules)), 99).expect("it can be built");
    let plays = Plays::of::<G>(&rules);
    let contents = Contents {
        plays: &plays,
        weights: &weights,
        search: None,
        counters: Default::default(),
        further: &[],
    };
    checkpoint::save(folder, &contents).expect("the checkpoint can be written");
    weights
}

fn config(game: &str, rest: &str, from: &Path) -> Config {
    let text = format!(
        "game = '{game}'\niterations = 1\nbegin_with = '{}'\nnetwork = {{ width = 8, layers = 2 }}\n{rest}",
        from.display()
    );
    toml::from_str(&text).expect("the config is right")
}

#[test]
fn both_ways_of_learning_begin_with_the_weights_of_the_checkpoint() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let weights = saved::<TicTacToe>(folder.path());
    for way in ["ppo = {}", "gumbel = {}"] {
        let learner = learner(&config("tictactoe", way, folder.path())).expect("the run can start");
        assert_eq!(*learner.weights(), weights, "{way}");
    }
}

#[test]
fn policy_gradients_carry_on_how_a_checkpoint_wants_to_be_searched_with_and_search_says_its_own() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    saved::<TicTacToe>(folder.path());
    let says =
        |way: &str| learner(&config("tictactoe", way, folder.path())).expect("the run can start").search();
    let own = "gumbel = { considered = 5, c_scale = 0.3, rescale = false }";
    let gumbel = Some(Settings { considered: 5, c_scale: 0.3, rescale: false });
    assert_eq!((says("ppo = {}"), says(own)), (None, gumbel));
    let told = checkpoint::set_search(folder.path(), &"c_scale=0.7".parse().expect("a good setting"))
        .expect("the manifest can be written");
    assert_eq!((says("ppo = {}"), says(own)), (Some(told), gumbel));
    let fresh: Config = toml::from_str("game = 'tictactoe'\niterations = 1\nppo = {}").expect("it is right");
    assert_eq!(learner(&fresh).expect("the run can start").search(), None);
}

#[test]
fn other_rules_of_the_same_game_are_a_beginning_too() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let weights = saved::<Shuter>(folder.path());
    let config = config("shuter", "ppo = {}\nrules = { variant = 'basic' }", folder.path());
    assert_eq!(*learner(&config).expect("the run can start").weights(), weights);
}

#[test]
fn a_larger_network_begins_with_what_a_smaller_one_has_learned() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let small = saved::<TicTacToe>(folder.path());
    for way in ["ppo = {}", "gumbel = {}"] {
        let mut larger = config("tictactoe", way, folder.path());
        (larger.network.width, larger.network.layers) = (16, 3);
        let weights = learner(&larger).expect("the run can start").weights().clone();
        assert_eq!(weights, small.grown(larger.network, larger.seed).expect("it fits"), "{way}");
    }
}

#[test]
fn what_is_no_beginning_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    saved::<TicTacToe>(folder.path());
    let refusal = |config: &Config| learner(config).err().expect("nothing to begin with").to_string();
    let other_game = refusal(&config("connect_four", "ppo = {}", folder.path()));
    assert!(other_game.starts_with("begin_with: ") && other_game.contains("tictactoe"), "{other_game}");
    let mut narrower = config("tictactoe", "gumbel = {}", folder.path());
    narrower.network.width = 4;
    assert_eq!(
        refusal(&narrower),
        "begin_with: the network of the checkpoint is mlp with 2 layers of 8, without insights, values up to 1: expected that of \
         the config, mlp with 2 layers of 4, without insights, values up to 1, or a smaller one"
    );
    let nothing = refusal(&config("tictactoe", "ppo = {}", &folder.path().join("none")));
    assert!(nothing.starts_with("begin_with: ") && nothing.contains("manifest.json"), "{nothing}");
}
