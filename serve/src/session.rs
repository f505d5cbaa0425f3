//! One game on the server's table: who sits where, and what each of them may see and do.

use std::time::{Duration, Instant};

use nodarium_agent::{AgentName, Agents, Table, Thought, is_seen};
use nodarium_env::record::{self, BadRecord, Record};
use nodarium_env::rules::no_files;
use nodarium_env::{Information, Mask, Paint, Seat, rules_from, with_game};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Refusal;
use crate::roster::{Listed, Roster};
use crate::sessions::Viewer;
use crate::sight::Sight;

/// The longest line that is told behind a move.
const LINE: usize = 4;
/// Moves of a thought that get a line.
const LINES: usize = 3;

/// What can be done with a game, whichever it is. What is refused has changed nothing.
pub trait Session: Send {
    /// Who gets a key: every person, or one who watches.
    fn viewers(&self) -> Vec<Viewer>;

    /// What the viewer sees of the state before a ply; of the newest one without a number.
    fn state(&mut self, viewer: Viewer, ply: Option<usize>) -> Result<Value, Refusal>;

    /// A person's move. `ply` is how many plies the person has seen played.
    fn play(&mut self, viewer: Viewer, ply: usize, text: &str) -> Result<(), Refusal>;

    /// Lets the agent to act play; how long it thought.
    fn advance(&mut self, ply: usize) -> Result<Duration, Refusal>;

    /// Back to the last ply that the person played.
    fn undo(&mut self, viewer: Viewer) -> Result<(), Refusal>;

    /// What an agent thinks of the state before a ply; with `lines`, how play might go on.
    fn think(&mut self, viewer: Viewer, ply: usize, agent: &Listed, lines: bool) -> Result<Value, Refusal>;

    /// The game as a record.
    fn record(&self, viewer: Viewer) -> Result<String, Refusal>;
}

/// A new game as a page asks for it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    game: String,
    #[serde(default)]
    rules: Map<String, Value>,
    #[serde(default)]
    seed: Option<u64>,
    /// The agent at each seat by its number in the list; null is a person.
    seats: Vec<Option<usize>>,
    /// A position to go on from.
    #[serde(default)]
    position: Option<Value>,
}

/// Deals a new game. `chance` is the seed where the page names none.
pub fn start(start: &Start, roster: &Roster, chance: u64) -> Result<Box<dyn Session>, Refusal> {
    with_game!(start.game.as_str(), G => seat::<G>(start, roster, chance))?
}

fn seat<G: Sight>(start: &Start, roster: &Roster, chance: u64) -> Result<Box<dyn Session>, Refusal> {
    let rules: G::Rules = rules_from(&start.rules, &no_files)?;
    let mut table = Table::<G>::deal(rules, start.seed.unwrap_or(chance));
    let expected = table.spec.seats;
    if start.seats.len() != expected {
        let problem = format!(
            "{} is for {expected} seats under these rules, not for {}",
            start.game,
            start.seats.len()
        );
        return Err(Refusal::Impossible(problem));
    }
    let listed = |index: usize| {
        roster.get(index).ok_or_else(|| Refusal::Impossible(format!("there is no agent {index} in the list")))
    };
    let seats = start.seats.iter().map(|agent| agent.map(|index| listed(index).cloned()).transpose());
    let seats = seats.collect::<Result<Vec<_>, _>>()?;
    let mut agents = Agents::new(table.seed);
    // An agent that cannot be had is named before the first move.
    for agent in seats.iter().flatten() {
        agents.get(&agent.name, &table.rules)?;
    }
    if let Some(position) = &start.position {
        let position = serde_json::from_value(position.clone())
            .map_err(|error| Refusal::Impossible(format!("not a position of {}: {error}", start.game)))?;
        let game = G::from_position(&table.rules, &position)
            .map_err(|error| Refusal::Impossible(format!("not a position of {}: {error}", start.game)))?;
        table.set(game);
    }
    // Whoever knows the seed of hidden cards knows the cards.
    let open = table.spec.information == Information::Perfect;
    let seed = (start.position.is_none()).then_some(Seed { told: open || start.seed.is_some() });
    let seen = vec![Vec::new(); expected];
    Ok(Box::new(Seated { table, agents, seats, recorded: false, seed, seen }))
}

/// Opens a recorded game to look at.
pub fn load(line: &str) -> Result<Box<dyn Session>, Refusal> {
    let game = record::game_of(line)?;
    with_game!(game.as_str(), G => read::<G>(line))?
}

fn read<G: Sight>(line: &str) -> Result<Box<dyn Session>, Refusal> {
    let told: Record<G::Position> =
        serde_json::from_str(line).map_err(|error| BadRecord::Unreadable(error.to_string()))?;
    let table = Table::<G>::resume(&told, &no_files)?;
    if table.outcome().is_some() {
        record::check::<G>(&told, &no_files)?;
    }
    let seats = vec![None; table.spec.seats];
    let (agents, seen) = (Agents::new(table.seed), vec![Vec::new(); table.spec.seats]);
    // Its seed may be that of a series, of which this is not the first deal.
    Ok(Box::new(Seated { table, agents, seats, recorded: true, seed: None, seen }))
}

/// Whether a game that was dealt tells its seed before it is over.
#[derive(Clone, Copy)]
struct Seed {
    told: bool,
}

struct Seated<G: Sight> {
    table: Table<G>,
    agents: Agents<G>,
    /// The agent at each seat; `None` is a person.
    seats: Vec<Option<Listed>>,
    /// Whether the game was played elsewhere, so that nobody sits here.
    recorded: bool,
    /// `None` when the game does not begin with the deal of its seed.
    seed: Option<Seed>,
    /// For each seat, whether it has seen each ply.
    seen: Vec<Vec<bool>>,
}

impl<G: Sight> Seated<G> {
    fn is_open(&self) -> bool {
        self.table.spec.information == Information::Perfect || self.table.outcome().is_some()
    }

    /// Through whose eyes the viewer looks; `None` sees everything.
    fn eyes(&self, viewer: Viewer) -> Option<Seat> {
        match viewer {
            Viewer::Seat(seat) if !self.is_open() => Some(seat),
            _ => None,
        }
    }

    fn check_ply(&self, ply: usize) -> Result<(), Refusal> {
        match self.table.len() {
            len if ply == len => Ok(()),
            len => Err(Refusal::OutOfTurn(format!("the game is at ply {len}, not at ply {ply}"))),
        }
    }

    fn to_act(&self) -> Result<Seat, Refusal> {
        self.table.game().to_move().ok_or_else(|| Refusal::OutOfTurn("the game is over".to_owned()))
    }

    /// The moves up to a ply, those that the viewer has not seen without their text.
    fn moves(&mut self, viewer: Viewer, ply: usize) -> Value {
        if let Some(seat) = self.eyes(viewer) {
            let (table, seen) = (&self.table, &mut self.seen[seat.index()]);
            for ply in seen.len()..table.len() {
                seen.push(is_seen(&table.spec, table.before(ply), table.action(ply), seat, table.seed));
            }
        }
        let eyes = self.eyes(viewer);
        let told = (0..ply).map(|ply| {
            let before = self.table.before(ply);
            let text = eyes
                .is_none_or(|seat| self.seen[seat.index()][ply])
                .then(|| before.move_text(self.table.action(ply)));
            json!({"seat": before.to_move().map(|seat| seat.0), "move": text})
        });
        told.collect()
    }

    /// The legal moves, those that do the same kind of thing together.
    fn legal(&self) -> Value {
        let game = self.table.game();
        let mut mask = Mask::EMPTY;
        game.legal(&mut mask);
        let mut first = 0;
        let mut groups = Vec::new();
        for group in &self.table.spec.action_groups {
            let range = first..first + group.names.len();
            first = range.end;
            let here: Vec<String> = mask
                .iter()
                .filter(|action| range.contains(&action.index()))
                .map(|action| game.move_text(action))
                .collect();
            if !here.is_empty() {
                groups.push(json!({"about": group.about, "moves": here}));
            }
        }
        groups.into()
    }

    /// The line goes on with what the agent thinks best.
    fn go_on(
        &mut self,
        agent: &AgentName,
        mut game: G,
        ply: usize,
        line: &mut Vec<String>,
    ) -> Result<(), Refusal> {
        while line.len() < LINE && game.to_move().is_some() {
            let thought = self.agents.review(agent, &self.table.rules, &game, ply + line.len())?;
            let best = thought.policy.iter().max_by(|a, b| a.1.total_cmp(&b.1));
            let &(action, _) = best.expect("a game that goes on has a legal action");
            line.push(game.move_text(action));
            game.apply(action);
        }
        Ok(())
    }

    fn check_reached(&self, ply: usize) -> Result<(), Refusal> {
        match self.table.len() {
            len if ply <= len => Ok(()),
            len => Err(Refusal::Impossible(format!("the game has {len} plies, there is no ply {ply}"))),
        }
    }
}

impl<G: Sight> Session for Seated<G> {
    fn viewers(&self) -> Vec<Viewer> {
        let persons = (0..self.seats.len()).filter(|&seat| self.seats[seat].is_none() && !self.recorded);
        let viewers: Vec<Viewer> = persons.map(|seat| Viewer::Seat(Seat(seat as u8))).collect();
        if viewers.is_empty() { vec![Viewer::All] } else { viewers }
    }

    fn state(&mut self, viewer: Viewer, ply: Option<usize>) -> Result<Value, Refusal> {
        let len = self.table.len();
        let ply = ply.unwrap_or(len);
        self.check_reached(ply)?;
        let moves = self.moves(viewer, ply);
        let eyes = self.eyes(viewer);
        let spec = &self.table.spec;
        let game = self.table.before(ply);
        let seat = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::All => None,
        };
        let yours = ply == len && seat.is_some() && game.to_move() == seat;
        let outcome = (ply == len).then(|| self.table.outcome()).flatten();
        let seed = self.seed.filter(|seed| seed.told || self.table.outcome().is_some());
        Ok(json!({
            "game": spec.id,
            "title": spec.title,
            "hidden": spec.information == Information::Hidden,
            "rules": record::options_of(&self.table.rules),
            "seed": seed.map(|_| self.table.seed),
            "seats": self.seats.iter().map(|agent| agent.as_ref().map(|agent| &agent.label)).collect::<Vec<_>>(),
            "recorded": self.recorded,
            "viewer": seat.map(|seat| seat.0),
            "open": eyes.is_none(),
            "ply": ply,
            "plies": len,
            "to_move": game.to_move().map(|seat| seat.0),
            "yours": yours,
            "legal": if yours { self.legal() } else { json!([]) },
            "position": game.sight(eyes),
            "drawing": game.draw(eyes, Paint::Plain),
            "moves": moves,
            "over": self.table.outcome().is_some(),
            "outcome": outcome.map(|(end, returns)| json!({"end": end, "returns": returns})),
        }))
    }

    fn play(&mut self, viewer: Viewer, ply: usize, text: &str) -> Result<(), Refusal> {
        self.check_ply(ply)?;
        let seat = self.to_act()?;
        if viewer != Viewer::Seat(seat) {
            return Err(Refusal::OutOfTurn(format!("it is the turn of seat {}", seat.0)));
        }
        let action = self.table.game().parse_move(text);
        // The text that was sent may be anything; it is not sent back.
        let action = action.map_err(|_| Refusal::Impossible("this is not a legal move here".to_owned()))?;
        self.table.play(action).expect("a move that was read is legal");
        Ok(())
    }

    fn advance(&mut self, ply: usize) -> Result<Duration, Refusal> {
        self.check_ply(ply)?;
        let seat = self.to_act()?;
        let Some(agent) = &self.seats[seat.index()] else {
            return Err(Refusal::OutOfTurn(format!("no agent is to act, but seat {}", seat.0)));
        };
        let start = Instant::now();
        let action = self.agents.act(&agent.name, &self.table)?;
        let time = start.elapsed();
        self.table.play(action).expect("agents play what is legal");
        Ok(time)
    }

    fn undo(&mut self, viewer: Viewer) -> Result<(), Refusal> {
        let by_viewer =
            |ply: &usize| self.table.before(*ply).to_move().is_some_and(|seat| viewer == Viewer::Seat(seat));
        let Some(ply) = (0..self.table.len()).rev().find(by_viewer) else {
            return Err(Refusal::OutOfTurn("there is no move of yours to take back".to_owned()));
        };
        self.table.back_to(ply);
        self.agents.forget();
        self.seen.iter_mut().for_each(|seen| seen.truncate(ply));
        Ok(())
    }

    fn record(&self, viewer: Viewer) -> Result<String, Refusal> {
        if self.eyes(viewer).is_some() {
            return Err(Refusal::Hidden(
                "a record holds every card: this one can be had when the game is over",
            ));
        }
        serde_json::to_string(&self.table.record()).map_err(|_| Refusal::Failed)
    }

    fn think(&mut self, viewer: Viewer, ply: usize, agent: &Listed, lines: bool) -> Result<Value, Refusal> {
        self.check_reached(ply)?;
        let seat = self.table.before(ply).to_move();
        let seat = seat.ok_or_else(|| Refusal::OutOfTurn("the game is over".to_owned()))?;
        if self.eyes(viewer).is_some_and(|eyes| eyes != seat) {
            return Err(Refusal::Hidden("what an agent thinks of a hand that you cannot see is hidden, too"));
        }
        let game = self.table.before(ply).clone();
        let thought = self.agents.review(&agent.name, &self.table.rules, &game, ply)?;
        let mut order: Vec<usize> = (0..thought.policy.len()).collect();
        order.sort_by(|&a, &b| thought.policy[b].1.total_cmp(&thought.policy[a].1));
        let perfect = self.table.spec.information == Information::Perfect;
        let mut moves = Vec::new();
        for (rank, &place) in order.iter().enumerate() {
            let (action, share) = thought.policy[place];
            let mut told = json!({"move": game.move_text(action), "policy": rounded(share)});
            if let Some(&visits) = thought.visits.get(place) {
                told["visits"] = visits.into();
            }
            // Behind hidden cards a line would tell what they are.
            if lines && perfect && rank < LINES {
                let mut line = vec![game.move_text(action)];
                let mut next = game.clone();
                next.apply(action);
                self.go_on(&agent.name, next, ply, &mut line)?;
                told["line"] = line.into();
            }
            moves.push(told);
        }
        let Thought { value, time, .. } = thought;
        let value: Vec<Value> = value.into_iter().map(rounded).collect();
        Ok(json!({"agent": agent.label, "seat": seat.0, "ply": ply, "value": value, "moves": moves,
            "time_ms": millis(time)}))
    }
}

/// A share or a value with as many digits as anybody reads.
fn rounded(number: f32) -> Value {
    json!((f64::from(number) * 1e4).round() / 1e4)
}

/// A time as pages get it.
pub fn millis(time: Duration) -> Value {
    json!((time.as_secs_f64() * 1e4).round() / 10.0)
}
