//! Agents with a network, by name, from a checkpoint on disk.

use std::collections::BTreeMap;
use std::path::Path;

use nodarium_agent::checkpoint::{Contents, Plays, save};
use nodarium_agent::network::{NetworkConfig, Shape, Torso, Weights};
use nodarium_agent::{Agent, AgentName, Query, build, play::Pairing};
use nodarium_env::calibration::kuhn::Kuhn;
use nodarium_env::calibration::tictactoe::TicTacToe;
use nodarium_env::games::starduel::StarDuel;
use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Game, Rng};

fn checkpoint<G: Game>(folder: &Path) {
    checkpoint_of::<G>(folder, NetworkConfig { width: 32, ..NetworkConfig::default() });
}

fn checkpoint_of<G: Game>(folder: &Path, config: NetworkConfig) {
    let rules = G::Rules::default();
    let weights = Weights::draw(config, Shape::of(&G::spec(&rules)), 3).expect("a small network");
    let plays = Plays::of::<G>(&rules);
    let contents =
        Contents { plays: &plays, weights: &weights, search: None, counters: BTreeMap::new(), further: &[] };
    save(folder, &contents).expect("a scratch folder takes it");
}

fn agent<G: nodarium_agent::Playable>(name: &str) -> Box<dyn Agent<G>> {
    let name: AgentName = name.parse().expect("a good name");
    build::<G>(&name, &G::Rules::default(), 5).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_policy_and_a_search_play_whole_games_from_a_checkpoint() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let place = folder.path().join("1");
    checkpoint::<TicTacToe>(&place);
    let path = place.display();
    let mut policy = agent::<TicTacToe>(&format!("policy:{path}"));
    let mut search = agent::<TicTacToe>(&format!("gumbel:{path}@64"));
    let pairings: Vec<Pairing> =
        (0..40).map(|i| Pairing { deal: i, seats: vec![i as usize % 2, 1 - i as usize % 2] }).collect();
    let mut agents: [&mut dyn Agent<TicTacToe>; 2] = [&mut *policy, &mut *search];
    let outcomes = nodarium_agent::play(&Default::default(), 1, 0, &mut agents, &pairings)
        .expect("both play by the rules");
    let score = |agent: usize| -> f32 {
        outcomes.iter().zip(&pairings).map(|(o, p)| o.returns[usize::from(p.seats[1] == agent)]).sum()
    };
    assert!(score(1) > 0.0, "64 simulations should beat an untrained policy: {}", score(1));
}

#[test]
fn a_network_over_the_board_plays_from_a_checkpoint_where_the_game_has_one() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let config = NetworkConfig { torso: Torso::Grid, width: 8, layers: 2, ..NetworkConfig::default() };
    let first_move = |game: &str, place: &Path| {
        nodarium_env::with_game!(game, G => {
            checkpoint_of::<G>(place, config);
            let start = G::deal(&Default::default(), &mut Rng::keyed(Purpose::Deal, 0, 0, 0));
            let mut actions = Vec::new();
            let query = Query { game: &start, key: 0, ply: 0 };
            agent::<G>(&format!("policy:{}", place.display())).act(&[query], &mut actions);
            actions.len()
        })
    };
    for game in ["shuter", "kato", "colony", "tictactoe", "connect_four"] {
        assert_eq!(first_move(game, &folder.path().join(game)), Ok(1), "{game}");
    }
    for (game, shape) in [
        ("starduel", Shape::of(&StarDuel::spec(&Default::default()))),
        ("kuhn", Shape::of(&Kuhn::spec(&Default::default()))),
    ] {
        let refused = Weights::draw(config, shape, 1).unwrap_err().to_string();
        assert!(refused.contains("this game has no board"), "{game}: {refused}");
    }
}

#[test]
fn a_network_that_reads_insights_plays_beside_one_that_does_not() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    for (torso, width) in [(Torso::Mlp, 16), (Torso::Grid, 4)] {
        for game in ["shuter", "kato", "colony"] {
            let [plain, seeing] =
                ["plain", "seeing"].map(|name| folder.path().join(format!("{game}-{torso}-{name}")));
            let outcomes = nodarium_env::with_game!(game, G => {
                let config = NetworkConfig { torso, width, ..NetworkConfig::default() };
                checkpoint_of::<G>(&plain, config);
                checkpoint_of::<G>(&seeing, NetworkConfig { insights: true, ..config });
                let mut first = agent::<G>(&format!("policy:{}", seeing.display()));
                let mut second = agent::<G>(&format!("gumbel:{}@4", seeing.display()));
                let mut third = agent::<G>(&format!("gumbel:{}@4", plain.display()));
                let mut agents: [&mut dyn Agent<G>; 3] = [&mut *first, &mut *second, &mut *third];
                let pairings = [[0, 1], [2, 0], [1, 2]].map(|seats| Pairing { deal: 0, seats: seats.to_vec() });
                nodarium_agent::play(&Default::default(), 1, 0, &mut agents, &pairings).map(|outcomes| outcomes.len())
            });
            assert_eq!(outcomes.expect("a game").expect("they play by the rules"), 3, "{game}");
        }
    }
}

#[test]
fn a_policy_says_what_it_thinks_and_plays_the_likeliest() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let place = folder.path().join("1");
    checkpoint::<TicTacToe>(&place);
    let mut policy = agent::<TicTacToe>(&format!("policy:{}", place.display()));
    let mut game = TicTacToe::deal(&Default::default(), &mut Rng::keyed(Purpose::Deal, 0, 0, 0));
    game.apply(Action(4));
    let queries = [Query { game: &game, key: 0, ply: 1 }];
    let (mut thoughts, mut actions) = (Vec::new(), Vec::new());
    policy.think(&queries, &mut thoughts);
    policy.act(&queries, &mut actions);
    let thought = &thoughts[0];
    assert_eq!(thought.policy.len(), 8, "one share a legal action");
    assert!((thought.policy.iter().map(|(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-6);
    assert_eq!(thought.value.len(), 2);
    let likeliest = thought.policy.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("a policy");
    assert_eq!(actions, [likeliest.0]);
}

#[test]
fn with_hidden_cards_a_policy_is_sampled_in_its_own_shares() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let place = folder.path().join("1");
    checkpoint::<Kuhn>(&place);
    let mut policy = agent::<Kuhn>(&format!("policy:{}", place.display()));
    let game = Kuhn::deal(&Default::default(), &mut Rng::keyed(Purpose::Deal, 0, 0, 0));
    let queries: Vec<_> = (0..20_000).map(|key| Query { game: &game, key, ply: 0 }).collect();
    let (mut thoughts, mut actions) = (Vec::new(), Vec::new());
    policy.think(&queries[..1], &mut thoughts);
    policy.act(&queries, &mut actions);
    for &(action, share) in &thoughts[0].policy {
        let played = actions.iter().filter(|&&played| played == action).count() as f32 / 20_000.0;
        assert!((played - share).abs() < 0.02, "{action:?}: played {played}, share {share}");
    }
}

#[test]
fn a_checkpoint_of_another_game_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let place = folder.path().join("1");
    checkpoint::<Kuhn>(&place);
    let name: AgentName = format!("policy:{}", place.display()).parse().expect("a good name");
    let told = build::<TicTacToe>(&name, &Default::default(), 0).err().expect("another game").to_string();
    assert!(told.contains("kuhn") && told.contains("tictactoe"), "{told}");
}
