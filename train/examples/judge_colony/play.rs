//! Games, and what the plans of their turns lead to.

use nodarium_agent::{Agent, AgentName, Query, build};
use nodarium_env::games::colony::odds::{COUNTS, Counts, Planned, SECOND, Weights};
use nodarium_env::games::colony::{Colony, ColonyRules};
use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Rng, Seat};
use rayon::prelude::*;

/// Not the seed of any match.
const SEED: u64 = 700;
/// Who sits in the other seats, and who answers for them in worlds that are dealt anew.
const OTHERS: [&str; 2] = ["uct:100", "uct:200"];
const ANSWERS: &str = "uct:30";
/// Plans that are tried: those that look best by the odds, and those by the worth of the table alone, so that what the odds have
/// learned to shun is tried again.
const BY_ODDS: usize = 10;
const BY_WORTH: usize = 4;
/// Worlds that each is tried in.
const WORLDS: usize = 3;

/// A plan that was tried: what can be counted behind it, the player's first and then in the order of play, and how likely a win was
/// that it led to.
pub struct Tried {
    pub counts: Vec<[f32; COUNTS]>,
    pub led_to: f32,
}

/// The end of a game, with what could be counted behind a plan of it: the part of the win that each seat had.
pub struct Ended {
    pub counts: Vec<[f32; COUNTS]>,
    pub shares: Vec<f32>,
}

/// What there is to learn.
#[derive(Default)]
pub struct Lessons {
    pub turns: Vec<Vec<Tried>>,
    pub ends: Vec<Ended>,
}

/// Games of the odds with these weights.
#[derive(Clone, Copy)]
pub struct Study {
    pub players: u8,
    pub weights: &'static Weights,
}

impl Study {
    pub fn play(self, games: u64) -> Lessons {
        // Odds hold on to their weights for as long as the program runs. With these everybody's are the same.
        let by_worth: &'static Weights =
            Box::leak(Box::new(Weights { last: [0.0; SECOND], straight: [0.0; COUNTS], ..*self.weights }));
        let played: Vec<Lessons> =
            (0..games).into_par_iter().map(|index| self.play_one(index, by_worth)).collect();
        played.into_iter().fold(Lessons::default(), |mut all, game| {
            all.turns.extend(game.turns);
            all.ends.extend(game.ends);
            all
        })
    }

    fn play_one(self, index: u64, by_worth: &'static Weights) -> Lessons {
        let rules = ColonyRules { players: self.players, ..ColonyRules::default() };
        let bot = |name: &str| -> Box<dyn Agent<Colony>> {
            let name: AgentName = name.parse().expect("the name of a bot");
            build(&name, &rules, index).expect("a bot needs nothing")
        };
        let players = u64::from(self.players);
        let viewer = Seat((index % players) as u8);
        let mut others = bot(OTHERS[(index / players) as usize % OTHERS.len()]);
        let mut trial = Trial { study: self, viewer, answers: bot(ANSWERS), worlds: 0 };
        let mut worlds = Rng::keyed(Purpose::World, SEED, index, 0);
        let mut game = Colony::deal(&rules, &mut Rng::keyed(Purpose::Deal, SEED, index, 0));
        let (mut lessons, mut behind) = (Lessons::default(), Vec::new());
        let mut action = Vec::new();
        for ply in 0.. {
            let Some(seat) = game.to_move() else { break };
            if seat != viewer {
                others.act(&[Query { game: &game, key: 0, ply }], &mut action);
                game.apply(action[0]);
                continue;
            }
            let plans = self.plans(&game, by_worth);
            let led_to = trial.of(&game, &plans, &mut worlds);
            let best = (0..plans.len()).max_by(|&one, &other| led_to[one].total_cmp(&led_to[other]));
            let best = &plans[best.expect("a turn has a plan")];
            best.play(&mut game);
            if game.to_move().is_some() {
                behind.push(self.seen(&best.counts, viewer));
            }
            let tried = plans.iter().zip(led_to);
            let tried = tried.map(|(plan, led_to)| Tried { counts: self.seen(&plan.counts, viewer), led_to });
            lessons.turns.push(tried.collect());
        }
        lessons.turns.retain(|turn: &Vec<Tried>| turn.len() > 1);
        let shares = self.shares(&game, viewer);
        lessons.ends = behind.into_iter().map(|counts| Ended { counts, shares: shares.clone() }).collect();
        lessons
    }

    /// The plans of a turn that are tried.
    fn plans(self, game: &Colony, by_worth: &'static Weights) -> Vec<Planned> {
        let mut plans = game.plans(self.weights);
        plans.truncate(BY_ODDS);
        for plan in game.plans(by_worth).into_iter().take(BY_WORTH) {
            if plans.iter().all(|other| other.counts != plan.counts) {
                plans.push(plan);
            }
        }
        plans
    }

    fn seen(self, counts: &Counts, viewer: Seat) -> Vec<[f32; COUNTS]> {
        self.seats_from(viewer).map(|seat| counts[seat]).collect()
    }

    /// C-12: the part of the win that each seat has; the returns sum to 0, and a sole winner has 1.
    fn shares(self, game: &Colony, viewer: Seat) -> Vec<f32> {
        let players = f32::from(self.players);
        let mut returns = vec![0.0; self.players.into()];
        game.returns(&mut returns);
        self.seats_from(viewer).map(|seat| (returns[seat] * (players - 1.0) + 1.0) / players).collect()
    }

    fn seats_from(self, viewer: Seat) -> impl Iterator<Item = usize> {
        let players = usize::from(self.players);
        (0..players).map(move |on| (viewer.index() + on) % players)
    }
}

/// Plans in worlds that are dealt anew.
struct Trial {
    study: Study,
    viewer: Seat,
    answers: Box<dyn Agent<Colony>>,
    /// Each is a game of its own to those who answer.
    worlds: u64,
}

impl Trial {
    /// How likely a win is that each of the plans leads to.
    fn of(&mut self, game: &Colony, plans: &[Planned], worlds: &mut Rng) -> Vec<f32> {
        let mut led_to = vec![0.0; plans.len()];
        for _ in 0..WORLDS {
            let mut world = game.clone();
            world.redeal_hidden(self.viewer, worlds);
            for (sum, plan) in led_to.iter_mut().zip(plans) {
                let mut world = world.clone();
                plan.play(&mut world);
                *sum += self.chance(world) / WORLDS as f32;
            }
        }
        led_to
    }

    /// How likely a win looks in the player's next turn, or what came of the game before.
    fn chance(&mut self, mut world: Colony) -> f32 {
        self.worlds += 1;
        let key = self.worlds;
        let mut action = Vec::new();
        for ply in 0.. {
            if world.to_move().is_none_or(|seat| seat == self.viewer) {
                break;
            }
            self.answers.act(&[Query { game: &world, key, ply }], &mut action);
            world.apply(action[0]);
        }
        self.answers.forget(key);
        match world.to_move() {
            Some(_) => world.plans(self.study.weights)[0].chance,
            None => self.study.shares(&world, self.viewer)[0],
        }
    }
}
