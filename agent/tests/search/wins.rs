//! Search finds what is forced.

use nodarium_env::calibration::connect_four::ConnectFour;
use nodarium_env::calibration::tictactoe::TicTacToe;
use nodarium_env::games::shuter::Shuter;
use nodarium_env::{Action, Game, Mask};

use crate::evaluators::{exact, exact_after};
use crate::{greedy, played, random_states, search, uniform};

/// In every state of random games in which an action wins at once, the choice does.
fn takes_wins_in_one<G: Game>(games: u64) {
    let seats = G::spec(&G::Rules::default()).seats;
    let mut seen = 0;
    for game in random_states::<G>(games) {
        let seat = game.to_move().expect("the state goes on").index();
        let wins = |action: Action| {
            let mut next = game.clone();
            next.apply(action);
            let mut returns = vec![0.0; seats];
            next.returns(&mut returns);
            next.to_move().is_none() && returns[seat] > 0.0
        };
        let mut mask = Mask::EMPTY;
        game.legal(&mut mask);
        // Without knowledge only considered actions can be found out.
        if mask.count() > 1 && mask.count() <= 16 && mask.iter().any(wins) {
            seen += 1;
            let found = search(&game, &uniform::<G>(), greedy(32));
            assert!(wins(found.actions[0]), "{:?} does not win in {game:?}", found.actions[0]);
            let chosen = found.legal.iter().position(|&a| a == found.actions[0]).expect("it is legal");
            assert_eq!(found.q[chosen], 1.0, "a game that is over has its exact return");
        }
    }
    assert!(seen > 20, "only {seen} states had a win in one");
}

#[test]
fn a_win_in_one_is_taken_in_tictactoe() {
    takes_wins_in_one::<TicTacToe>(60);
}

#[test]
fn a_win_in_one_is_taken_in_connect_four() {
    takes_wins_in_one::<ConnectFour>(60);
}

#[test]
fn a_win_in_one_is_taken_in_shuter() {
    takes_wins_in_one::<Shuter>(150);
}

#[test]
fn forced_wins_of_tictactoe_are_found() {
    let mut seen = 0;
    for game in random_states::<TicTacToe>(60).into_iter().filter(|game| exact(game) == 1.0) {
        let found = search(&game, &uniform::<TicTacToe>(), greedy(512));
        assert_eq!(exact_after(&game, found.actions[0]), 1.0, "{:?} in {game:?}", found.actions[0]);
        seen += 1;
    }
    assert!(seen > 100, "only {seen} states were won");
}

/// Draws are held by refuting every reply, and means over replies forget slowly: a few slip through.
#[test]
fn without_knowledge_nearly_every_choice_in_tictactoe_is_optimal() {
    let states = random_states::<TicTacToe>(60);
    let wrong = states.iter().filter(|game| {
        let found = search(*game, &uniform::<TicTacToe>(), greedy(2_048));
        exact_after(game, found.actions[0]) != exact(game)
    });
    let wrong = wrong.count();
    assert!(wrong * 20 < states.len(), "wrong in {wrong} of {} states", states.len());
}

/// Two stones side by side on an empty bottom row: a third makes a three that is open on both sides.
#[test]
fn the_open_three_of_connect_four_is_found() {
    let game: ConnectFour = played(&[2, 2, 3, 3]);
    let found = search(&game, &uniform::<ConnectFour>(), greedy(800));
    assert!([1, 4].contains(&found.actions[0].0), "{found:?}");
    assert!(found.values[0] > 0.3 && found.values[1] < -0.3, "{:?}", found.values);
    let after: ConnectFour = played(&[2, 2, 3, 3, found.actions[0].0]);
    let found = search(&after, &uniform::<ConnectFour>(), greedy(800));
    assert!(found.values[1] < -0.5, "the other seat knows that it has lost: {:?}", found.values);
}

#[test]
fn a_threat_of_connect_four_is_parried() {
    // x has three on the bottom row, closed by o on one side.
    let game: ConnectFour = played(&[1, 0, 2, 0, 3]);
    let found = search(&game, &uniform::<ConnectFour>(), greedy(200));
    assert_eq!(found.actions[0], Action(4));
}

#[test]
fn more_simulations_make_the_winning_move_surer() {
    // x: 0 and 1; o: 3 and 4; only 2 wins.
    let game: TicTacToe = played(&[0, 3, 1, 4]);
    assert!([5, 6, 7, 8].into_iter().all(|other| exact_after(&game, Action(other)) < 1.0));
    let mut before = 1.0 / 5.0;
    for simulations in [4, 16, 64, 256, 1_024] {
        let found = search(&game, &uniform::<TicTacToe>(), greedy(simulations));
        let place = found.legal.iter().position(|&a| a == Action(2)).expect("it is legal");
        assert!(found.policy[place] >= before, "{simulations} simulations: {found:?}");
        before = found.policy[place];
    }
    assert!(before > 0.999, "{before}");
}
