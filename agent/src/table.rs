//! A game on the table: its states from the start on, and the agents that are asked about it.

use nodarium_env::record::{BadRecord, FORMAT, Ply, Record, legal_moves, options_of};
use nodarium_env::rng::Purpose;
use nodarium_env::rules::Reader;
use nodarium_env::{Action, IllegalAction, Rng, Spec};

use crate::BuildError;
use crate::{Agent, AgentName, Playable, Query, Thought, build};

/// The `end` of a record that was written before the game was over; `replay` says that it is not.
pub const UNFINISHED: &str = "unfinished";
/// Agents that are kept at once: each may hold a network or a tree.
const KEPT: usize = 4;
/// The number of a game that is only looked at, apart from the one on the table, whose tree grows from ply to ply.
const REVIEW: u64 = 1;

/// A game with everything that was played in it.
pub struct Table<G: Playable> {
    /// The rules, resolved.
    pub rules: G::Rules,
    /// What they fix.
    pub spec: Spec,
    /// The seed of the deal; of a position that was set, the one before.
    pub seed: u64,
    start: G,
    /// Each action with the state behind it. States are small plain values, so that going back is only a pop.
    plies: Vec<(Action, G)>,
}

impl<G: Playable> Table<G> {
    /// The first deal of the seed.
    pub fn deal(rules: G::Rules, seed: u64) -> Self {
        let start = G::deal(&rules, &mut Rng::keyed(Purpose::Deal, seed, 0, 0));
        Self { spec: G::spec(&rules), rules, seed, start, plies: Vec::new() }
    }

    /// Goes on where a record stops, finished or not.
    pub fn resume(record: &Record<G::Position>, read: &Reader<'_>) -> Result<Self, BadRecord> {
        let wrong = |key: String, problem: String| BadRecord::Wrong { key, problem };
        let rules = record.rules_of::<G>(read)?;
        let start = G::from_position(&rules, &record.start)
            .map_err(|e| wrong(format!("start.{}", e.key), e.problem))?;
        let mut table = Self { spec: G::spec(&rules), rules, seed: record.seed, start, plies: Vec::new() };
        for (number, ply) in record.plies.iter().enumerate() {
            let action = table.game().parse_move(&ply.played);
            let action = action.map_err(|e| wrong(format!("plies[{number}].move"), e.to_string()))?;
            table.play(action).expect("a move that was read is legal");
        }
        Ok(table)
    }

    /// Goes on from a position; what was played before is gone.
    pub fn set(&mut self, position: G) {
        self.start = position;
        self.plies.clear();
    }

    /// The state after everything that was played.
    pub fn game(&self) -> &G {
        self.before(self.plies.len())
    }

    /// The state before the ply with that number, counted from 0.
    pub fn before(&self, ply: usize) -> &G {
        ply.checked_sub(1).map_or(&self.start, |last| &self.plies[last].1)
    }

    /// Plies played since the start.
    pub fn len(&self) -> usize {
        self.plies.len()
    }

    /// Whether nothing was played yet.
    pub fn is_empty(&self) -> bool {
        self.plies.is_empty()
    }

    /// The action of the ply with that number.
    pub fn action(&self, ply: usize) -> Action {
        self.plies[ply].0
    }

    /// Plays an action, if it is legal.
    pub fn play(&mut self, action: Action) -> Result<(), IllegalAction> {
        let mut game = self.game().clone();
        game.try_apply(action)?;
        self.plies.push((action, game));
        Ok(())
    }

    /// Takes plies back until `len` are left.
    pub fn back_to(&mut self, len: usize) {
        self.plies.truncate(len);
    }

    /// Why the game is over and what each seat won; `None` while it goes on.
    pub fn outcome(&self) -> Option<(&'static str, Vec<f32>)> {
        let end = self.game().end()?;
        let mut returns = vec![0.0; self.spec.seats];
        self.game().returns(&mut returns);
        Some((self.spec.ends[end.index()], returns))
    }

    /// The game as a record. One that is not over has the end [`UNFINISHED`].
    pub fn record(&self) -> Record<G::Position> {
        let plies = self.plies.iter().enumerate().map(|(ply, (action, after))| {
            let before = self.before(ply);
            Ply {
                seat: before.to_move().expect("a ply was played here").0,
                legal: legal_moves(before),
                played: before.move_text(*action),
                state: after.position(),
            }
        });
        let (end, returns) = self.outcome().unwrap_or_else(|| (UNFINISHED, vec![0.0; self.spec.seats]));
        Record {
            format: FORMAT,
            game: self.spec.id.to_owned(),
            rules: options_of(&self.rules),
            seed: self.seed,
            index: 0,
            start: self.start.position(),
            plies: plies.collect(),
            returns,
            end: end.to_owned(),
        }
    }
}

/// The agents that were asked about a table so far: a network is loaded once, a tree is kept for the next ply.
pub struct Agents<G> {
    seed: u64,
    built: Vec<(AgentName, Box<dyn Agent<G>>)>,
}

impl<G: Playable> Agents<G> {
    /// Nobody yet; agents that are built have this seed.
    pub fn new(seed: u64) -> Self {
        Self { seed, built: Vec::new() }
    }

    /// What the named agent plays here.
    ///
    /// # Panics
    /// When the game is over.
    pub fn act(&mut self, name: &AgentName, table: &Table<G>) -> Result<Action, BuildError> {
        let mut actions = Vec::new();
        self.get(name, &table.rules)?.act(&[query(table)], &mut actions);
        Ok(actions[0])
    }

    /// What the named agent thinks of this.
    ///
    /// # Panics
    /// When the game is over.
    pub fn think(&mut self, name: &AgentName, table: &Table<G>) -> Result<Thought, BuildError> {
        let mut thoughts = Vec::new();
        self.get(name, &table.rules)?.think(&[query(table)], &mut thoughts);
        Ok(thoughts.swap_remove(0))
    }

    /// What the named agent thinks of any state after that many plies, whatever it was asked before.
    ///
    /// # Panics
    /// When the game is over there.
    pub fn review(
        &mut self,
        name: &AgentName,
        rules: &G::Rules,
        game: &G,
        ply: usize,
    ) -> Result<Thought, BuildError> {
        let agent = self.get(name, rules)?;
        let mut thoughts = Vec::new();
        agent.think(&[Query { game, key: REVIEW, ply: ply as u32 }], &mut thoughts);
        agent.forget(REVIEW);
        Ok(thoughts.swap_remove(0))
    }

    /// The game has gone another way than forward.
    pub fn forget(&mut self) {
        self.built.iter_mut().for_each(|(_, agent)| agent.forget(0));
    }

    /// The agent with that name, built if it is asked for the first time.
    pub fn get(&mut self, name: &AgentName, rules: &G::Rules) -> Result<&mut dyn Agent<G>, BuildError> {
        let place = match self.built.iter().position(|(known, _)| known == name) {
            Some(place) => place,
            None => {
                let agent = build::<G>(name, rules, self.seed)?;
                if self.built.len() == KEPT {
                    self.built.remove(0);
                }
                self.built.push((name.clone(), agent));
                self.built.len() - 1
            }
        };
        Ok(&mut *self.built[place].1)
    }
}

fn query<G: Playable>(table: &Table<G>) -> Query<'_, G> {
    Query { game: table.game(), key: 0, ply: table.len() as u32 }
}
