//! Intervals hold the truth as often as they promise, on synthetic players of known strength.

use nodarium_env::Rng;
use nodarium_env::rng::Purpose;
use nodarium_eval::statistics::{
    Contest, Decision, Sprt, bootstrap_mean, expected_score, paired_score, rate,
};
use rayon::prelude::*;

/// Repetitions of every experiment.
const REPETITIONS: u64 = 1_000;

/// What two games with exchanged seats give a player who expects `score` of each and draws a share `draws` of those that
/// could go either way. In a share `tied` of the pairs the deal decides: what it gives in one game it takes in the other.
fn pair(rng: &mut Rng, score: f64, draws: f64, tied: f64) -> [f64; 2] {
    let drawn = draws * score.min(1.0 - score) * 2.0;
    let result = |luck: f64| match luck {
        luck if luck < score - drawn / 2.0 => 1.0,
        luck if luck < score + drawn / 2.0 => 0.5,
        _ => 0.0,
    };
    let luck = f64::from(rng.unit());
    let other = if f64::from(rng.unit()) < tied { 1.0 - luck } else { f64::from(rng.unit()) };
    [result(luck), result(other)]
}

#[track_caller]
fn promised(what: &str, covered: u32, of: u64) {
    let share = f64::from(covered) / of as f64;
    assert!((0.93..=0.97).contains(&share), "{what}: {share:.3} of the intervals hold the truth");
}

#[test]
fn intervals_of_a_score_hold_the_truth_with_and_without_dependence_in_pairs() {
    for (number, (score, draws, tied, pairs)) in [
        (0.5, 0.0, 0.0, 100),
        (0.6, 0.3, 0.0, 100),
        (0.65, 0.2, 0.7, 150),
        (0.8, 0.1, 0.3, 150),
        (0.92, 0.0, 0.0, 250),
    ]
    .into_iter()
    .enumerate()
    {
        let told = |repetition: u64| {
            let mut rng = Rng::keyed(Purpose::Choice, 1, number as u64, repetition);
            let mean = |[a, b]: [f64; 2]| (a + b) / 2.0;
            let scores: Vec<f64> = (0..pairs).map(|_| mean(pair(&mut rng, score, draws, tied))).collect();
            let wilson = paired_score(&scores).covers(score);
            // The bootstrap takes its time: two designs speak for it.
            let bootstrap = (1..=2).contains(&number) && bootstrap_mean(&scores, repetition).covers(score);
            (u32::from(wilson), u32::from(bootstrap))
        };
        let told = (0..REPETITIONS).into_par_iter().map(told);
        let (wilson, bootstrap) = told.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        promised(&format!("Wilson, expected score {score}, dependence {tied}"), wilson, REPETITIONS);
        if (1..=2).contains(&number) {
            promised(
                &format!("bootstrap, expected score {score}, dependence {tied}"),
                bootstrap,
                REPETITIONS,
            );
        }
    }
}

/// How often the interval of each entrant holds its true rating in tournaments of pairs, and at last that of the lead of entrant 3
/// over entrant 2.
fn covered_in_tournaments(truth: [f64; 5], deals: u64, tied: f64, stream: u64) -> [u32; 6] {
    let mut covered = [0; 6];
    for repetition in 0..REPETITIONS {
        let mut rng = Rng::keyed(Purpose::Choice, stream, (10.0 * tied) as u64, repetition);
        let mut contests = Vec::new();
        for a in 0..truth.len() {
            for b in a + 1..truth.len() {
                for cluster in 0..deals {
                    for result in pair(&mut rng, expected_score(truth[a] - truth[b]), 0.2, tied) {
                        let places = match result {
                            1.0 => vec![vec![a], vec![b]],
                            0.0 => vec![vec![b], vec![a]],
                            _ => vec![vec![a, b]],
                        };
                        contests.push(Contest { cluster, places });
                    }
                }
            }
        }
        let ratings = rate(truth.len(), 0, &contests);
        for entrant in 1..truth.len() {
            let rating = ratings.of(entrant).expect("everybody has met");
            covered[entrant] += u32::from(rating.covers(truth[entrant]));
        }
        let lead = ratings.difference(3, 2).expect("everybody has met");
        covered[5] += u32::from(lead.covers(truth[3] - truth[2]));
    }
    covered
}

#[test]
fn intervals_of_ratings_hold_the_truth_in_a_tournament_of_pairs() {
    for tied in [0.0, 0.6] {
        let covered = covered_in_tournaments([0.0, 80.0, 170.0, 240.0, 400.0], 60, tied, 2);
        for (entrant, &covered) in covered.iter().enumerate().take(5).skip(1) {
            promised(&format!("entrant {entrant}, dependence {tied}"), covered, REPETITIONS);
        }
        promised(&format!("the lead of 3 over 2, dependence {tied}"), covered[5], REPETITIONS);
    }
}

/// The prior pulls ratings together where there are few games, and widens intervals: they may hold the truth more often than promised.
#[test]
fn intervals_of_ratings_hold_the_truth_where_there_are_few_deals() {
    for (deals, tied) in [(3, 0.0), (3, 0.6), (6, 0.6)] {
        let covered = covered_in_tournaments([0.0, 30.0, 60.0, 100.0, 130.0], deals, tied, 5);
        for &covered in &covered[1..] {
            let share = f64::from(covered) / REPETITIONS as f64;
            assert!(
                share >= 0.93,
                "{deals} deals, dependence {tied}: {share:.3} of the intervals hold the truth"
            );
        }
    }
}

#[test]
fn intervals_of_ratings_hold_the_truth_at_tables_of_three() {
    let truth = [0.0_f64, 60.0, 150.0, 260.0];
    let mut covered = [0; 4];
    for repetition in 0..REPETITIONS {
        let mut rng = Rng::keyed(Purpose::Choice, 3, 0, repetition);
        let mut contests = Vec::new();
        for cluster in 0..80 {
            for absent in 0..4 {
                let mut rest: Vec<usize> = (0..4).filter(|&entrant| entrant != absent).collect();
                let mut places = Vec::new();
                while rest.len() > 1 {
                    let weight = |&entrant: &usize| 10_f64.powf(truth[entrant] / 400.0);
                    let mut luck = f64::from(rng.unit()) * rest.iter().map(weight).sum::<f64>();
                    let drawn = rest.iter().position(|entrant| {
                        luck -= weight(entrant);
                        luck < 0.0
                    });
                    places.push(vec![rest.remove(drawn.unwrap_or(0))]);
                }
                places.push(rest);
                contests.push(Contest { cluster, places });
            }
        }
        let ratings = rate(truth.len(), 0, &contests);
        for entrant in 1..truth.len() {
            let rating = ratings.of(entrant).expect("everybody has met");
            covered[entrant] += u32::from(rating.covers(truth[entrant]));
        }
    }
    for (entrant, &covered) in covered.iter().enumerate().skip(1) {
        promised(&format!("entrant {entrant} at tables of three"), covered, REPETITIONS);
    }
}

#[test]
fn the_sequential_test_errs_no_more_often_than_it_promises() {
    let test: Sprt = "elo0=0,elo1=40".parse().expect("a good test");
    for (truth, wrong) in [(test.elo0, Decision::Accepted), (test.elo1, Decision::Refused)] {
        let mut errors = 0;
        for repetition in 0..400 {
            let mut rng = Rng::keyed(Purpose::Choice, 4, truth as u64, repetition);
            let mut pairs = [0; 5];
            let decision = loop {
                for _ in 0..16 {
                    let [a, b] = pair(&mut rng, expected_score(truth), 0.1, 0.3);
                    pairs[(2.0 * (a + b)).round() as usize] += 1;
                }
                match test.decide(&pairs) {
                    Decision::Open => {}
                    decided => break decided,
                }
            };
            errors += u32::from(decision == wrong);
        }
        // 5 % are promised; 400 repetitions of that stay below 8 % but once in some thousand.
        assert!(errors < 32, "at {truth} Elo {errors} of 400 tests were wrong");
    }
}
