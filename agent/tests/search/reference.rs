//! The same search once more, written for clarity instead of speed: formulas over all legal actions, as mctx has them.

use nodarium_env::calibration::connect_four::ConnectFour;
use nodarium_env::calibration::tictactoe::TicTacToe;
use nodarium_env::{Action, Game, Mask};

use crate::evaluators::{Judge, noise};
use crate::{greedy, random_states, search};

struct Node<G> {
    game: G,
    legal: Vec<Action>,
    logits: Vec<f64>,
    raw: f64,
    visits: Vec<u32>,
    sums: Vec<f64>,
    children: Vec<Option<usize>>,
}

fn judged(view: &[f32], logits: &mut [f32], values: &mut [f32]) {
    for (i, logit) in logits.iter_mut().enumerate() {
        *logit = 1.5 * noise(view, i as u64);
    }
    values[0] = noise(view, 1_000);
    values[1] = -values[0];
}

fn softmax(logits: &[f64]) -> Vec<f64> {
    let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logits.iter().map(|x| (x - most).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

impl<G: Game> Node<G> {
    fn new(game: G) -> Self {
        let spec = G::spec(&G::Rules::default());
        let mut mask = Mask::EMPTY;
        game.legal(&mut mask);
        let legal: Vec<Action> = mask.iter().collect();
        let mut view = vec![0.0; spec.observation.len()];
        let (mut logits, mut values) = (vec![0.0; spec.actions()], vec![0.0; 2]);
        if let Some(seat) = game.to_move() {
            game.observe(seat, &mut view);
            judged(&view, &mut logits, &mut values);
        }
        let n = legal.len();
        let logits = legal.iter().map(|a| f64::from(logits[a.index()])).collect();
        let raw = f64::from(values[0]);
        Self { game, legal, logits, raw, visits: vec![0; n], sums: vec![0.0; n], children: vec![None; n] }
    }

    /// `logits + sigma(completed Q)`.
    fn improved(&self) -> Vec<f64> {
        let prior = softmax(&self.logits);
        let tried: Vec<usize> = (0..self.legal.len()).filter(|&i| self.visits[i] > 0).collect();
        let q = |i: usize| self.sums[i] / f64::from(self.visits[i]);
        let visits: u32 = self.visits.iter().sum();
        let mass: f64 = tried.iter().map(|&i| prior[i]).sum();
        let mean: f64 = tried.iter().map(|&i| prior[i] * q(i) / mass).sum();
        let mixed = (self.raw + f64::from(visits) * mean) / f64::from(visits + 1);
        let completed: Vec<f64> =
            (0..self.legal.len()).map(|i| if self.visits[i] > 0 { q(i) } else { mixed }).collect();
        let low = completed.iter().copied().fold(f64::INFINITY, f64::min);
        let high = completed.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let scale = (50.0 + f64::from(self.visits.iter().copied().max().unwrap_or(0))) * 0.1;
        let sigma = completed.iter().map(|q| scale * (q - low) / (high - low).max(1e-4));
        self.logits.iter().zip(sigma).map(|(logit, sigma)| logit + sigma).collect()
    }
}

fn argmax(scores: impl Iterator<Item = f64>) -> usize {
    let best = scores.enumerate().reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.expect("something is legal").0
}

/// Visits of the root's actions.
fn reference<G: Game>(game: &G, considered: usize, simulations: usize) -> (Vec<u32>, Vec<f64>) {
    let mut nodes = vec![Node::new(game.clone())];
    let m = considered.min(nodes[0].legal.len());
    // Sequential halving by its phases.
    let halvings = (m as f64).log2().ceil().max(1.0) as usize;
    let mut wanted = Vec::new();
    let (mut left, mut count) = (m, 0);
    while wanted.len() < simulations {
        for _ in 0..(simulations / (halvings * left)).max(1) {
            wanted.extend(std::iter::repeat_n(count, left));
            count += 1;
        }
        left = (left / 2).max(2);
    }
    for &wanted in &wanted[..simulations] {
        let (mut path, mut node) = (Vec::new(), 0);
        let values = loop {
            let here = &nodes[node];
            let improved = here.improved();
            let choice = if node == 0 {
                argmax(
                    (0..m.max(improved.len()))
                        .map(|i| if here.visits[i] == wanted { improved[i] } else { f64::NEG_INFINITY }),
                )
            } else {
                let all = f64::from(here.visits.iter().sum::<u32>() + 1);
                let share = softmax(&improved);
                argmax(share.iter().zip(&here.visits).map(|(p, &n)| p - f64::from(n) / all))
            };
            path.push((node, choice));
            if let Some(child) = here.children[choice] {
                node = child;
                if nodes[node].game.to_move().is_some() {
                    continue;
                }
            } else {
                let mut next = here.game.clone();
                next.apply(here.legal[choice]);
                let child = nodes.len();
                nodes[node].children[choice] = Some(child);
                nodes.push(Node::new(next));
                node = child;
            }
            let leaf = &nodes[node];
            break match leaf.game.to_move() {
                None => {
                    let mut returns = [0.0; 2];
                    leaf.game.returns(&mut returns);
                    returns.map(f64::from)
                }
                Some(seat) if seat.0 == 0 => [leaf.raw, -leaf.raw],
                Some(_) => [-leaf.raw, leaf.raw],
            };
        };
        for (node, choice) in path {
            let seat = nodes[node].game.to_move().expect("it goes on").index();
            nodes[node].visits[choice] += 1;
            nodes[node].sums[choice] += values[seat];
        }
    }
    let policy = softmax(&nodes[0].improved());
    (nodes[0].visits.clone(), policy)
}

fn both_agree<G: Game>(games: u64, simulations: u32) {
    let judge = Judge::new::<G>(judged);
    let mut states = 0;
    for game in random_states::<G>(games) {
        let found = search(&game, &judge, greedy(simulations));
        if found.legal.len() > 1 {
            let (visits, policy) = reference(&game, 16, simulations as usize);
            assert_eq!(found.visits, visits, "in {game:?}");
            let near = found.policy.iter().zip(&policy).all(|(&a, b)| (f64::from(a) - b).abs() < 1e-4);
            assert!(near, "{:?} against {policy:?} in {game:?}", found.policy);
            states += 1;
        }
    }
    assert!(states > 50, "only {states} states");
}

#[test]
fn tictactoe_is_searched_as_the_plain_formulas_say() {
    both_agree::<TicTacToe>(30, 60);
}

#[test]
fn connect_four_is_searched_as_the_plain_formulas_say() {
    both_agree::<ConnectFour>(8, 100);
}
