//! Tree search: finds what is forced, never peeks, gives the same answers in any company.

use nodarium_agent::bots::{Budget, Greedy, GreedyBot, MonteCarlo, Random, Uct};
use nodarium_agent::{Agent, Query};
use nodarium_env::calibration::connect_four::ConnectFour;
use nodarium_env::calibration::kuhn::Kuhn;
use nodarium_env::calibration::leduc::Leduc;
use nodarium_env::calibration::tictactoe::TicTacToe;
use nodarium_env::games::colony::Colony;
use nodarium_env::games::shuter::Shuter;
use nodarium_env::games::starduel::StarDuel;
use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Game, Mask, Rng, Text, conformance, random_action};

fn deal<G: Game>(index: u64) -> G {
    let rules = conformance::rules::<G>("{}");
    G::deal(&rules, &mut Rng::keyed(Purpose::Deal, 3, index, 0))
}

fn uct<G: Game>(simulations: u32, seed: u64) -> Uct<G> {
    Uct::new(&conformance::rules::<G>("{}"), Budget::Simulations(simulations), seed)
}

fn judged<G: Greedy>(simulations: u32, seed: u64) -> Uct<G> {
    uct::<G>(simulations, seed).as_judged(&conformance::rules::<G>("{}"))
}

/// The state after some moves by their texts, with the number of plies.
fn after<G: Text>(moves: &str) -> (G, u32) {
    let mut game = deal::<G>(0);
    for text in moves.split_whitespace() {
        let action = game.parse_move(text).expect("the move is legal");
        game.apply(action);
    }
    (game, moves.split_whitespace().count() as u32)
}

fn ask<G: Game>(agent: &mut dyn Agent<G>, game: &G, key: u64, ply: u32) -> Action {
    let mut actions = Vec::new();
    agent.act(&[Query { game, key, ply }], &mut actions);
    actions[0]
}

#[track_caller]
fn plays<G: Text>(moves: &str, simulations: u32, expected: &str) {
    let (game, ply) = after::<G>(moves);
    for seed in 0..5 {
        let action = ask(&mut uct::<G>(simulations, seed), &game, 0, ply);
        assert_eq!(game.move_text(action), expected, "after {moves}, seed {seed}");
    }
}

#[test]
fn a_win_is_taken_and_a_loss_is_stopped_in_tic_tac_toe() {
    plays::<TicTacToe>("a1 b1 a2 b2", 300, "a3");
    plays::<TicTacToe>("a1 c3 a2", 300, "a3");
}

#[test]
fn a_win_is_taken_and_a_loss_is_stopped_in_connect_four() {
    plays::<ConnectFour>("a b a b a b", 300, "a");
    plays::<ConnectFour>("a b a b a", 1_000, "a");
}

#[test]
fn a_win_in_three_plies_is_found_in_connect_four() {
    // d and e on the bottom row: a third stone beside them, open on both sides, cannot be stopped.
    let (game, ply) = after::<ConnectFour>("d d e e");
    for seed in 0..5 {
        let action = ask(&mut uct::<ConnectFour>(5_000, seed), &game, 0, ply);
        assert!(["c", "f"].contains(&&*game.move_text(action)), "seed {seed}: {}", game.move_text(action));
    }
}

/// The return of seat 0 when both play perfectly.
fn value(game: &TicTacToe) -> f32 {
    let mut returns = [0.0; 2];
    game.returns(&mut returns);
    let Some(seat) = game.to_move() else { return returns[0] };
    let sign = if seat.0 == 0 { 1.0 } else { -1.0 };
    sign * successors(game).map(|(_, next)| sign * value(&next)).fold(-1.0, f32::max)
}

fn successors<G: Game>(game: &G) -> impl Iterator<Item = (Action, G)> {
    let mut mask = Mask::EMPTY;
    game.legal(&mut mask);
    let game = game.clone();
    mask.iter().map(move |action| {
        let mut next = game.clone();
        next.apply(action);
        (action, next)
    })
}

#[test]
fn tic_tac_toe_is_never_lost_against_perfect_play() {
    let mut agent = uct::<TicTacToe>(2_000, 1);
    for key in 0..30 {
        let seat = (key % 2) as u8;
        let mut rng = Rng::keyed(Purpose::Choice, 9, key, 0);
        let (mut game, mut ply) = (deal::<TicTacToe>(0), 0);
        while let Some(to_move) = game.to_move() {
            let action = if to_move.0 == seat {
                ask(&mut agent, &game, key, ply)
            } else {
                let best: Vec<_> =
                    successors(&game).filter(|(_, next)| value(next) == value(&game)).collect();
                best[rng.below(best.len() as u32) as usize].0
            };
            game.apply(action);
            ply += 1;
        }
        let mut returns = [0.0; 2];
        game.returns(&mut returns);
        assert_eq!(returns, [0.0, 0.0], "game {key}");
    }
}

/// Plays a game at random and asks in the middle of it, with and without another hidden world.
fn does_not_peek<G: Greedy>(simulations: u32) {
    let rules = conformance::rules::<G>("{}");
    let mut compared = 0;
    for index in 0..8 {
        let mut game = deal::<G>(index);
        let mut rng = Rng::keyed(Purpose::Choice, 5, index, 0);
        let mut ply = 0;
        while let Some(seat) = game.to_move() {
            if ply < 30 {
                let mut other = game.clone();
                other.redeal_hidden(seat, &mut rng);
                compared += u32::from(other != game);
                let budget = Budget::Simulations(simulations);
                let bots: [&dyn Fn() -> Box<dyn Agent<G>>; 4] = [
                    &|| Box::new(uct::<G>(simulations, 1)),
                    &|| Box::new(judged::<G>(simulations, 1)),
                    &|| Box::new(MonteCarlo::new::<G>(&rules, budget, 1)),
                    &|| Box::new(GreedyBot::<G>::new(&rules, 1)),
                ];
                for (i, bot) in bots.iter().enumerate() {
                    let answer = |game: &G| ask(bot().as_mut(), game, index, ply);
                    assert_eq!(answer(&game), answer(&other), "bot {i}, deal {index}, ply {ply}");
                }
            }
            let action = random_action(&game, &mut rng).expect("the game goes on");
            game.apply(action);
            ply += 1;
        }
    }
    assert!(compared > 3, "the worlds differed {compared} times");
}

#[test]
fn answers_do_not_depend_on_the_hidden_card_of_kuhn() {
    does_not_peek::<Kuhn>(200);
}

#[test]
fn answers_do_not_depend_on_the_hidden_cards_of_leduc() {
    does_not_peek::<Leduc>(200);
}

#[test]
fn answers_do_not_depend_on_the_hidden_cards_of_colony() {
    does_not_peek::<Colony>(30);
}

#[test]
fn star_duel_search_does_not_look_at_what_is_hidden() {
    does_not_peek::<StarDuel>(30);
}

/// The answers to several games, ply by ply, while one bot plays all seats.
fn answers<G: Game>(agent: &mut dyn Agent<G>, keys: &[u64], plies: u32) -> Vec<(u64, u32, Action)> {
    let mut games: Vec<(u64, G)> = keys.iter().map(|&key| (key, deal::<G>(key))).collect();
    let (mut told, mut actions) = (Vec::new(), Vec::new());
    for ply in 0..plies {
        games.retain(|(_, game)| game.to_move().is_some());
        let queries: Vec<_> = games.iter().map(|(key, game)| Query { game, key: *key, ply }).collect();
        agent.act(&queries, &mut actions);
        for ((key, game), &action) in games.iter_mut().zip(&actions) {
            game.try_apply(action).expect("answers are legal");
            told.push((*key, ply, action));
        }
    }
    told.sort_by_key(|&(key, ply, _)| (key, ply));
    told
}

fn same_in_any_company<G: Game>() {
    let all = [0, 1, 2, 3, 4];
    let threads = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads can be started");
    let one = threads(1).install(|| answers::<G>(&mut uct::<G>(60, 1), &all, 12));
    for n in [2, 8] {
        assert_eq!(one, threads(n).install(|| answers::<G>(&mut uct::<G>(60, 1), &all, 12)), "{n} threads");
    }
    let apart: Vec<_> = all.iter().flat_map(|&key| answers::<G>(&mut uct::<G>(60, 1), &[key], 12)).collect();
    assert_eq!(one, apart, "asked one game at a time");
    let mut agent = uct::<G>(60, 1);
    answers::<G>(&mut agent, &all, 3);
    all.iter().for_each(|&key| Agent::<G>::forget(&mut agent, key));
    assert_eq!(one, answers::<G>(&mut agent, &all, 12), "asked after other games were forgotten");
}

#[test]
fn answers_are_the_same_in_any_batch_and_for_any_number_of_threads() {
    same_in_any_company::<Shuter>();
    same_in_any_company::<TicTacToe>();
    same_in_any_company::<Leduc>();
    same_in_any_company::<StarDuel>();
}

#[test]
fn what_was_found_out_is_kept_for_the_next_ply() {
    fn visits<G: Game>(agent: &mut Uct<G>, game: &G, ply: u32) -> u32 {
        let mut thoughts = Vec::new();
        agent.think(&[Query { game, key: 0, ply }], &mut thoughts);
        thoughts[0].visits.iter().sum()
    }
    fn kept<G: Game>() {
        let mut agent = uct::<G>(500, 1);
        let game = deal::<G>(0);
        assert_eq!(visits(&mut agent, &game, 0), 500);
        assert_eq!(visits(&mut agent, &game, 0), 500, "the same question is answered from memory");
        let action = ask(&mut agent, &game, 0, 0);
        let mut next = game.clone();
        next.apply(action);
        // With hidden information each seat remembers for itself.
        if next.to_move() == game.to_move() || G::spec(&conformance::rules::<G>("{}")).seats == 2 {
            let grown = visits(&mut agent, &next, 1);
            assert!(grown >= 500, "{grown}");
        }
    }
    kept::<TicTacToe>();
    kept::<Leduc>();
    let mut agent = uct::<TicTacToe>(500, 1);
    let (game, _) = after::<TicTacToe>("");
    let (next, _) = after::<TicTacToe>("b2");
    visits(&mut agent, &game, 0);
    assert!(visits(&mut agent, &next, 1) > 500, "the visits below the centre stay");
    let (other, _) = after::<TicTacToe>("a1 a2 a3 b2");
    assert!(visits(&mut agent, &other, 3) >= 500, "a state that cannot follow begins afresh");
}

/// How often the seat to act bets or calls in Kuhn poker, of 150 searches with that card (0 jack, 1 queen, 2 king) after
/// those actions.
fn bets(card: usize, before: &[u16]) -> f64 {
    let spec = Kuhn::spec(&Default::default());
    let field = spec.observation.range("card").expect("a seat sees its card");
    let games = (0..).filter_map(|key| {
        let mut game = deal::<Kuhn>(key);
        before.iter().for_each(|&action| game.apply(Action(action)));
        let mut seen = vec![0.0; spec.observation.len()];
        game.observe(game.to_move()?, &mut seen);
        (seen[field.start + card] == 1.0).then_some((key, game))
    });
    let mut agent = uct::<Kuhn>(1_000, 1);
    let bet = |(key, game): (u64, Kuhn)| ask(&mut agent, &game, key, before.len() as u32) == Action(1);
    games.take(150).map(bet).filter(|&bet| bet).count() as f64 / 150.0
}

/// Perfect play: a bet is a king three times as often as a jack, so a queen calls one bet in three.
#[test]
fn kuhn_is_played_with_bluffs_and_with_respect_for_bets() {
    const PASS: u16 = 0;
    const BET: u16 = 1;
    let [jack, queen, king] = [0, 1, 2];
    for before in [&[BET][..], &[PASS, BET]] {
        assert_eq!(bets(jack, before), 0.0, "a jack gives up");
        assert_eq!(bets(king, before), 1.0, "a king calls");
    }
    assert_eq!(bets(king, &[PASS]), 1.0, "a king bets last");
    let bluffs = bets(jack, &[PASS]);
    assert!((0.1..0.6).contains(&bluffs), "a jack bluffs with {bluffs}");
    let calls = bets(queen, &[BET]);
    assert!((0.1..0.6).contains(&calls), "a queen calls with {calls}");
}

/// Whoever counts plies otherwise gets an answer all the same.
#[test]
fn a_state_that_no_deal_leads_to_in_so_many_plies_is_answered() {
    let game = deal::<Kuhn>(0);
    let mut agent = uct::<Kuhn>(50, 1);
    for ply in [1, 2, 100] {
        let mut mask = Mask::EMPTY;
        game.legal(&mut mask);
        assert!(mask.contains(ask(&mut agent, &game, 0, ply)));
    }
}

#[test]
fn colony_is_played_by_three_and_four() {
    for players in [3, 4] {
        let rules = conformance::rules::<Colony>(&format!(r#"{{"players": {players}}}"#));
        let mut game = Colony::deal(&rules, &mut Rng::keyed(Purpose::Deal, 1, 0, 0));
        let mut searching = Uct::new(&rules, Budget::Simulations(50), 1);
        let mut random = Random::new(1);
        let mut ply = 0;
        while let Some(seat) = game.to_move() {
            let agent: &mut dyn Agent<Colony> = if seat.0 == 0 { &mut searching } else { &mut random };
            let action = ask(agent, &game, 0, ply);
            game.try_apply(action).expect("answers are legal");
            ply += 1;
        }
        let mut thoughts = Vec::new();
        let fresh = Colony::deal(&rules, &mut Rng::keyed(Purpose::Deal, 1, 1, 0));
        searching.think(&[Query { game: &fresh, key: 7, ply: 0 }], &mut thoughts);
        assert_eq!(thoughts[0].value.len(), players);
        assert!(thoughts[0].value.iter().sum::<f32>().abs() < 1e-3, "returns sum to zero");
    }
}
