//! The playing loop: same deals for everybody, any seats, and no agent can break it.

use nodarium_agent::bots::{GreedyBot, Random};
use nodarium_agent::play::{Pairing, PlayError, play};
use nodarium_agent::{Agent, AgentName, Query, Thought, build, duel};
use nodarium_env::calibration::leduc::Leduc;
use nodarium_env::calibration::tictactoe::TicTacToe;
use nodarium_env::games::colony::Colony;
use nodarium_env::games::shuter::Shuter;
use nodarium_env::{Action, Game, catalog, conformance, with_game};

/// Always the same action, legal or not; or no answer at all.
struct Stubborn(Option<Action>);

impl<G: Game> Agent<G> for Stubborn {
    fn act(&mut self, queries: &[Query<'_, G>], actions: &mut Vec<Action>) {
        actions.clear();
        actions.extend(queries.iter().filter_map(|_| self.0));
    }

    fn think(&mut self, _queries: &[Query<'_, G>], _thoughts: &mut Vec<Thought>) {}
}

fn pairing(deal: u64, seats: &[usize]) -> Pairing {
    Pairing { deal, seats: seats.to_vec() }
}

#[test]
fn an_illegal_action_is_reported_with_its_game_and_agent() {
    let mut stubborn = Stubborn(Some(Action(4)));
    let played = play::<TicTacToe>(&Default::default(), 0, 0, &mut [&mut stubborn], &[pairing(0, &[0, 0])]);
    let error = played.unwrap_err().to_string();
    assert_eq!(
        error,
        "game 0, ply 1: agent 0 at seat 1 played what is not legal there: action 4 is not legal here"
    );
}

#[test]
fn an_agent_without_an_answer_is_reported() {
    let mut silent = Stubborn(None);
    let played = play::<TicTacToe>(&Default::default(), 0, 0, &mut [&mut silent], &[pairing(0, &[0, 0])]);
    assert_eq!(played, Err(PlayError::Answers { agent: 0, given: 0, asked: 1 }));
}

#[test]
fn seats_that_do_not_fit_are_refused() {
    let mut random = Random::new(0);
    for seats in [&[0][..], &[0, 1], &[0, 0, 0]] {
        let played = play::<TicTacToe>(&Default::default(), 0, 0, &mut [&mut random], &[pairing(0, seats)]);
        let expected = PlayError::Seats { game: 0, seats: seats.to_vec(), expected: 2, agents: 1 };
        assert_eq!(played, Err(expected));
    }
}

#[test]
fn any_number_of_threads_plays_the_same_games() {
    let run = |threads| {
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
        pool.install(|| {
            let rules = Default::default();
            let mut greedy = GreedyBot::<Shuter>::new(&rules, 1);
            let mut random = Random::new(2);
            let pairings: Vec<_> = (0..300).map(|i| pairing(i / 2, &[(i % 2) as usize, 1])).collect();
            play::<Shuter>(&rules, 1, 0, &mut [&mut greedy, &mut random], &pairings)
        })
    };
    let one = run(1).expect("bots keep the rules");
    assert_eq!(one.len(), 300);
    assert!(one.iter().all(|outcome| outcome.plies > 8));
    assert_eq!(Ok(&one), run(2).as_ref());
    assert_eq!(Ok(&one), run(8).as_ref());
}

#[test]
fn four_seats_can_be_taken_in_any_way() {
    let rules = conformance::rules::<Colony>(r#"{"players": 4}"#);
    let mut greedy = GreedyBot::<Colony>::new(&rules, 1);
    let mut random = Random::new(2);
    let pairings: Vec<_> = (0..40).map(|i| pairing(i, &[1, 1, 0, 1])).collect();
    let outcomes = play::<Colony>(&rules, 1, 0, &mut [&mut greedy, &mut random], &pairings);
    let won: f32 = outcomes.expect("bots keep the rules").iter().map(|outcome| outcome.returns[2]).sum();
    assert!(won > 20.0, "the greedy seat won {won} of 40");
}

#[test]
fn a_duel_of_equals_on_equal_deals_is_even() {
    // Leduc's seat 0 and seat 1 play the same deals with the same deterministic rule: what one wins the other loses.
    let rules = Default::default();
    let (mut a, mut b) = (Stubborn(Some(Action(1))), Stubborn(Some(Action(1))));
    let told = duel::<Leduc>(&rules, 1, &mut a, &mut b, 200).expect("calling is always legal");
    assert_eq!(told.scores.len(), 200);
    assert!(told.scores.iter().all(|&score| score == 0.5));
    assert_eq!(told.mean_return().mean, 0.0);
}

#[test]
fn greedy_beats_random_in_every_two_seat_game() {
    for &id in catalog::IDS {
        let pairs = if matches!(id, "kuhn" | "leduc") { 2_000 } else { 25 };
        let told = with_game!(id, G => {
            let rules = conformance::rules::<G>("{}");
            let agent = |name: &str, seed| {
                let name: AgentName = name.parse().expect("the name is good");
                build::<G>(&name, &rules, seed).expect("it is a bot")
            };
            duel::<G>(&rules, 7, agent("greedy", 1).as_mut(), agent("random", 2).as_mut(), pairs)
        });
        let told = told.expect("the catalogue knows its games").expect("bots keep the rules");
        assert!(told.mean_return().is_above(0.0), "{id}: {}", told.mean_return());
        assert!(told.score().is_above(0.5), "{id}: {}", told.score());
    }
}
