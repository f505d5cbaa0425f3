//! Hidden information: answers are a function of what the seat sees.

use nodarium_agent::Query;
use nodarium_agent::search::{Found, Options, Search};
use nodarium_env::calibration::EnumeratedDeals;
use nodarium_env::calibration::kuhn::Kuhn;
use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Game, Information, Rng};

use crate::evaluators::{Judge, noise};
use crate::toys::{GUESS, Toy};
use crate::{deal, greedy, search, uniform};

const PASS: usize = 0;
const BET: usize = 1;

/// Every state of Kuhn poker in which someone acts.
fn kuhn_states() -> Vec<Kuhn> {
    let histories: [&[u16]; 4] = [&[], &[0], &[1], &[0, 1]];
    let deals = Kuhn::deals(&Default::default());
    let states = deals.iter().flat_map(|(_, game)| {
        histories.map(|history| {
            let mut game = game.clone();
            history.iter().for_each(|&action| game.apply(Action(action)));
            game
        })
    });
    states.collect()
}

fn card(game: &Kuhn) -> usize {
    let mut view = [0.0; 10];
    game.observe(game.to_move().expect("it goes on"), &mut view);
    view[..3].iter().position(|&x| x == 1.0).expect("a card is held")
}

#[test]
fn what_the_seat_cannot_see_changes_no_answer() {
    assert_eq!(Kuhn::spec(&Default::default()).information, Information::Hidden);
    let judge = Judge::new::<Kuhn>(|view, logits, values| {
        logits.copy_from_slice(&[noise(view, 0), noise(view, 1)]);
        values.copy_from_slice(&[noise(view, 2), -noise(view, 2)]);
    });
    let mut search = Search::new(&Default::default(), Options::default()).expect("the options are good");
    let (mut before, mut after) = (Found::default(), Found::default());
    let mut rng = Rng::keyed(Purpose::World, 77, 0, 0);
    let mut changed = 0;
    for game in kuhn_states() {
        for _ in 0..4 {
            let mut world = game.clone();
            world.redeal_hidden(game.to_move().expect("it goes on"), &mut rng);
            changed += usize::from(world != game);
            search.run(&judge, &[Query { game: &game, key: 5, ply: 1 }], &mut before).expect("it fits");
            search.run(&judge, &[Query { game: &world, key: 5, ply: 1 }], &mut after).expect("it fits");
            assert_eq!(before, after, "{game:?} against {world:?}");
        }
    }
    assert!(changed > 20, "no hidden card was changed");
}

/// Against a bet: the king calls and wins 2, the jack folds and loses 1, the queen cannot tell a jack from a king and
/// has the mean of both for its call.
#[test]
fn against_a_bet_every_card_knows_what_it_is_worth() {
    for game in kuhn_states() {
        let mut view = [0.0; 10];
        game.observe(game.to_move().expect("it goes on"), &mut view);
        // The last ply told was a bet.
        if view[5] != 1.0 && view[7] != 1.0 {
            continue;
        }
        let found = search(&game, &uniform::<Kuhn>(), greedy(400));
        assert_eq!(found.q[PASS], -1.0, "a fold loses the ante");
        match card(&game) {
            0 => assert_eq!((found.actions[0].index(), found.q[BET]), (PASS, -2.0)),
            1 => assert!(found.actions[0].index() == BET && found.q[BET].abs() < 0.5, "{found:?}"),
            _ => assert_eq!((found.actions[0].index(), found.q[BET]), (BET, 2.0)),
        }
    }
}

/// A search that solved each re-dealt world by itself would see every guess come right. Joined per information set, the
/// guess is worth 0 and the sure half is taken.
#[test]
fn a_coin_that_nobody_sees_cannot_be_guessed() {
    let game: Toy<GUESS> = deal(0);
    for seed in 0..20 {
        let options = Options { seed, ..greedy(2_000) };
        let found = search(&game, &uniform::<Toy<GUESS>>(), options);
        assert_eq!((found.actions[0], found.q[0]), (Action(0), 0.5), "{found:?}");
        // 1,000 fair coins: four standard deviations.
        assert!(found.q[1].abs() < 0.13, "seed {seed} thinks that it sees the coin: {found:?}");
        assert_eq!(found, search(&game.turned(), &uniform::<Toy<GUESS>>(), options));
    }
}

/// With worlds of their own for each action, luck alone would tell two guesses apart; in the same ones the first is worth just
/// what the second is not.
#[test]
fn all_actions_are_tried_in_the_same_worlds() {
    let mut game: Toy<GUESS> = deal(0);
    game.apply(Action(1));
    for seed in 0..20 {
        let found = search(&game, &uniform::<Toy<GUESS>>(), Options { seed, ..greedy(50) });
        assert_eq!(found.visits, [25, 25]);
        assert!((found.q[0] + found.q[1]).abs() < 1e-5, "seed {seed}: {:?}", found.q);
    }
}
