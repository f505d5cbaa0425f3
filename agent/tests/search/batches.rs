//! Answers belong to the query alone.

use nodarium_agent::search::{Found, Gumbel, Options, Search};
use nodarium_agent::{Agent, Query};
use nodarium_env::calibration::connect_four::ConnectFour;
use nodarium_env::calibration::leduc::Leduc;
use nodarium_env::games::shuter::Shuter;
use nodarium_env::{Action, Game, Mask, catalog, with_game};

use crate::evaluators::{Judge, noise};
use crate::{deal, random_states, uniform};

/// Something to disagree about.
fn opinionated<G: Game>() -> impl nodarium_agent::Evaluator {
    Judge::new::<G>(|view, logits, values| {
        for (i, logit) in logits.iter_mut().enumerate() {
            *logit = 2.0 * noise(view, i as u64);
        }
        values[0] = noise(view, 1_000);
        values[1] = -values[0];
    })
}

/// What is found about one game, alone in its arrays.
fn row(found: &Found, game: usize, seats: usize) -> Found {
    let range = found.row(game);
    Found {
        actions: vec![found.actions[game]],
        first: vec![0, range.len()],
        legal: found.legal[range.clone()].to_vec(),
        policy: found.policy[range.clone()].to_vec(),
        visits: found.visits[range.clone()].to_vec(),
        q: found.q[range].to_vec(),
        values: found.values[game * seats..][..seats].to_vec(),
    }
}

fn answers_are_the_same<G: Game>(games: u64, rollouts: u32) {
    let seats = G::spec(&G::Rules::default()).seats;
    let states = random_states::<G>(games);
    let queries: Vec<_> =
        states.iter().enumerate().map(|(i, game)| Query { game, key: i as u64 % 7, ply: i as u32 }).collect();
    let options = Options { simulations: 24, rollouts, seed: 4, ..Options::default() };
    let new = || Search::new(&G::Rules::default(), options).expect("the options are good");
    let evaluator = opinionated::<G>();
    let (mut together, mut alone) = (Found::default(), Found::default());
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool starts");
    pool(1).install(|| new().run(&evaluator, &queries, &mut together)).expect("the evaluator fits");
    for threads in [2, 5] {
        let mut other = Found::default();
        pool(threads).install(|| new().run(&evaluator, &queries, &mut other)).expect("the evaluator fits");
        assert!(together == other, "{threads} threads find something else");
    }
    // One search object for all, so that memory of one game would leak into the next.
    let mut search = new();
    for (i, query) in queries.iter().enumerate().rev() {
        search.run(&evaluator, std::slice::from_ref(query), &mut alone).expect("the evaluator fits");
        assert_eq!(alone, row(&together, i, seats), "query {i} alone");
    }
}

#[test]
fn neighbours_and_threads_change_nothing_in_connect_four() {
    answers_are_the_same::<ConnectFour>(8, 0);
    answers_are_the_same::<ConnectFour>(4, 3);
}

#[test]
fn neighbours_and_threads_change_nothing_in_shuter() {
    answers_are_the_same::<Shuter>(3, 0);
}

#[test]
fn neighbours_and_threads_change_nothing_in_leduc() {
    answers_are_the_same::<Leduc>(40, 0);
    answers_are_the_same::<Leduc>(20, 2);
}

#[test]
fn policies_sum_to_one_and_visits_to_the_simulations() {
    let options = Options { simulations: 20, ..Options::default() };
    let mut search = Search::new(&Default::default(), options).expect("the options are good");
    let mut found = Found::default();
    for game in random_states::<Shuter>(3) {
        let query = Query { game: &game, key: 1, ply: 0 };
        search.run(&opinionated::<Shuter>(), &[query], &mut found).expect("the evaluator fits");
        assert!((found.policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let spent = if found.legal.len() > 1 { 20 } else { 0 };
        assert_eq!(found.visits.iter().sum::<u32>(), spent);
        let tried = found.visits.iter().filter(|&&n| n > 0).count();
        assert_eq!(tried, found.legal.len().min(16) * usize::from(spent > 0));
        assert!((found.values[0] + found.values[1]).abs() < 1e-4, "values stay zero-sum");
    }
}

/// One search of a few states of every game.
fn searches<G: Game>() {
    let states: Vec<G> = random_states(1).into_iter().step_by(5).collect();
    let queries: Vec<_> = states.iter().zip(0..).map(|(game, key)| Query { game, key, ply: 0 }).collect();
    let mut search = Search::new(&G::Rules::default(), Options::default()).expect("the options are good");
    let mut found = Found::default();
    search.run(&opinionated::<G>(), &queries, &mut found).expect("the evaluator fits");
    for (i, game) in states.iter().enumerate() {
        let mut mask = Mask::EMPTY;
        game.legal(&mut mask);
        let row = found.row(i);
        assert_eq!(found.legal[row.clone()], mask.iter().collect::<Vec<_>>(), "state {i}");
        assert!(mask.contains(found.actions[i]), "state {i}");
        assert!((found.policy[row.clone()].iter().sum::<f32>() - 1.0).abs() < 1e-4, "state {i}");
        assert_eq!(found.visits[row].iter().sum::<u32>(), if mask.count() > 1 { 32 } else { 0 }, "state {i}");
    }
}

#[test]
fn every_game_of_the_catalogue_can_be_searched() {
    for &id in catalog::IDS {
        with_game!(id, G => searches::<G>()).expect("a known game");
    }
}

#[test]
fn a_forced_ply_costs_one_look_and_no_simulation() {
    // Eight cells are taken and nobody has won.
    let game: nodarium_env::calibration::tictactoe::TicTacToe = crate::played(&[0, 1, 2, 4, 3, 5, 7, 6]);
    let judge = Judge::new::<nodarium_env::calibration::tictactoe::TicTacToe>(|_, _, values| {
        values.copy_from_slice(&[0.25, -0.25]);
    });
    let found = crate::search(&game, &judge, Options::default());
    assert_eq!((found.actions, found.policy, found.visits), (vec![Action(8)], vec![1.0], vec![0]));
    assert_eq!(found.values, [0.25, -0.25]);
}

#[test]
fn the_agent_thinks_what_it_plays() {
    let games: Vec<ConnectFour> = vec![deal(0); 3];
    let queries: Vec<_> = games.iter().zip(0..).map(|(game, key)| Query { game, key, ply: 0 }).collect();
    let mut agent =
        Gumbel::new(&Default::default(), uniform::<ConnectFour>(), Options::default()).expect("it fits");
    let (mut actions, mut again, mut thoughts) = (Vec::new(), Vec::new(), Vec::new());
    agent.act(&queries, &mut actions);
    agent.think(&queries, &mut thoughts);
    agent.act(&queries, &mut again);
    assert_eq!(actions, again);
    for (thought, action) in thoughts.iter().zip(&actions) {
        assert_eq!((thought.policy.len(), thought.value.len()), (7, 2));
        assert_eq!(thought.visits.iter().sum::<u32>(), 32);
        let most = thought.visits.iter().max();
        let chosen = thought.policy.iter().position(|(a, _)| a == action).expect("it is legal");
        assert_eq!(Some(&thought.visits[chosen]), most, "sequential halving leaves the choice most visits");
    }
    agent.act(&[], &mut actions);
    assert!(actions.is_empty(), "no question, no answer");
}
