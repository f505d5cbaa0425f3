//! One game on the engine's table.

use std::fmt::Write as _;

use anyhow::{Context as _, anyhow, bail};
use nodarium_agent::bots::Budget;
use nodarium_agent::{AgentName, Agents, Playable, Table};
use nodarium_env::record::{self, legal_moves};
use nodarium_env::{Action, Mask, Paint, Seat};
use serde_json::{Value, json};

use super::notation;
use super::split_word;

/// The commands that need a game. Every one of them leaves everything as it was when it fails.
pub trait Session {
    fn answer(&mut self, command: &str, rest: &str, agent: &AgentName) -> anyhow::Result<String>;

    /// What `new` answers: the game, its rules resolved, its seed.
    fn answer_new(&self) -> String;

    /// Builds the agent, or says why it cannot be had for this game.
    fn try_agent(&mut self, agent: &AgentName) -> anyhow::Result<()>;
}

/// A game with its agents, and what the other program has said about them.
pub struct Seated<G: Playable> {
    table: Table<G>,
    agents: Agents<G>,
    /// Plies on the table before each `play` and `go`: one move may be two plies.
    moves: Vec<usize>,
    /// The engine's own seats; `None` while it does not matter who moves for whom.
    own: Option<Vec<usize>>,
    /// Whether moves are told in the game's one-line notation.
    lines: bool,
}

impl<G: Playable> Seated<G> {
    pub fn new(rules: G::Rules, seed: u64) -> Self {
        let table = Table::deal(rules, seed);
        Self { table, agents: Agents::new(seed), moves: Vec::new(), own: None, lines: false }
    }

    fn to_move(&self) -> anyhow::Result<Seat> {
        let over = || {
            let end = self.table.outcome().map_or("", |(end, _)| end);
            anyhow!("the game is over ({end})")
        };
        self.table.game().to_move().ok_or_else(over)
    }

    fn seat(&self, text: &str) -> anyhow::Result<Seat> {
        let seats = self.table.spec.seats;
        let seat = text.parse::<u8>().ok().filter(|&seat| usize::from(seat) < seats);
        seat.map(Seat).ok_or_else(|| anyhow!("`{text}` is no seat: expected 0 to {}", seats - 1))
    }

    fn own(&self, seat: Seat) -> Option<bool> {
        self.own.as_ref().map(|own| own.contains(&seat.index()))
    }

    fn set_position(&mut self, game: G) -> String {
        self.table.set(game);
        self.moves.clear();
        self.agents.forget();
        self.turn()
    }

    fn position(&mut self, text: &str) -> anyhow::Result<String> {
        if text.is_empty() {
            return Ok(serde_json::to_string(&self.table.game().position())?);
        }
        let position = serde_json::from_str(text).map_err(|e| anyhow!("not a position of this game: {e}"))?;
        let game = G::from_position(&self.table.rules, &position)?;
        Ok(self.set_position(game))
    }

    fn line(&mut self, text: &str) -> anyhow::Result<String> {
        let none = || anyhow!("{} has no one-line notation: shuter has one", self.table.spec.id);
        if text.is_empty() {
            return notation::write_position(self.table.game()).ok_or_else(none);
        }
        let game = notation::read_position::<G>(&self.table.rules, text).ok_or_else(none)??;
        Ok(self.set_position(game))
    }

    fn notation(&mut self, text: &str) -> anyhow::Result<String> {
        match text {
            "" => {}
            "plain" => self.lines = false,
            "line" if notation::has_line(self.table.game()) => self.lines = true,
            "line" => bail!("{} has no one-line notation: shuter has one", self.table.spec.id),
            _ => bail!("`{text}` is no notation: expected plain or line"),
        }
        Ok(if self.lines { "line" } else { "plain" }.to_owned())
    }

    fn set_seats(&mut self, text: &str) -> anyhow::Result<String> {
        match text {
            "" => {}
            "free" => self.own = None,
            seats => {
                let seats = seats.split_whitespace().map(|seat| self.seat(seat).map(Seat::index));
                self.own = Some(seats.collect::<anyhow::Result<_>>()?);
            }
        }
        Ok(match &self.own {
            None => "free".to_owned(),
            Some(own) => own.iter().map(usize::to_string).collect::<Vec<_>>().join(" "),
        })
    }

    fn turn(&self) -> String {
        self.table.game().to_move().map_or("over".to_owned(), |seat| seat.0.to_string())
    }

    fn play(&mut self, text: &str) -> anyhow::Result<String> {
        let to_move = self.to_move()?;
        let (seat, text) = match text.strip_prefix("seat=") {
            Some(rest) => {
                let (seat, text) = split_word(rest);
                (Some(self.seat(seat)?), text)
            }
            None => (None, text),
        };
        if let Some(seat) = seat.filter(|&seat| seat != to_move) {
            bail!("seat {} is not to act: it is the turn of seat {}", seat.0, to_move.0);
        }
        if self.own(to_move) == Some(true) {
            bail!("seat {} is to act, and that is the engine's: expected go", to_move.0);
        }
        let game = self.table.game();
        let plies = match notation::read_move(game, text) {
            Some(plies) => plies.map_err(|e| anyhow!("{}", e.problem))?,
            None => vec![game.parse_move(text)?],
        };
        self.push(&plies);
        Ok(self.turn())
    }

    /// Plays the plies of one move; they have been found legal.
    fn push(&mut self, plies: &[Action]) {
        self.moves.push(self.table.len());
        for &action in plies {
            self.table.play(action).expect("the action was found legal");
        }
    }

    /// What the agent would play: one ply, or two where the notation makes one move of them.
    fn choose(&mut self, rest: &str, agent: &AgentName) -> anyhow::Result<Vec<Action>> {
        let seat = self.to_move()?;
        let agent = asked(rest, agent)?;
        if self.own(seat) == Some(false) {
            bail!("seat {} is to act, and that is not the engine's: expected play", seat.0);
        }
        let first = self.agents.act(&agent, &self.table)?;
        if !self.lines {
            return Ok(vec![first]);
        }
        let len = self.table.len();
        self.table.play(first).expect("agents play what is legal");
        let second = notation::goes_on(self.table.game()).then(|| self.agents.act(&agent, &self.table));
        self.table.back_to(len);
        let second = second.transpose()?;
        Ok(std::iter::once(first).chain(second).collect())
    }

    fn text_of(&self, plies: &[Action]) -> String {
        match self.lines {
            true => notation::write_move(self.table.game(), plies).expect("only set where there is one"),
            false => self.table.game().move_text(plies[0]),
        }
    }

    fn think(&mut self, rest: &str, agent: &AgentName) -> anyhow::Result<String> {
        let seat = self.to_move()?;
        let agent = asked(rest, agent)?;
        let thought = self.agents.think(&agent, &self.table)?;
        let mut moves: Vec<(f32, Value)> = Vec::new();
        for (place, &(action, share)) in thought.policy.iter().enumerate() {
            let mut told = json!({"move": self.table.game().move_text(action), "action": action.0,
                "policy": rounded(share)});
            if let Some(&visits) = thought.visits.get(place) {
                told["visits"] = visits.into();
            }
            moves.push((share, told));
        }
        moves.sort_by(|a, b| b.0.total_cmp(&a.0));
        let moves: Vec<Value> = moves.into_iter().map(|(_, told)| told).collect();
        let value: Vec<Value> = thought.value.iter().map(|&value| rounded(value)).collect();
        Ok(json!({"agent": agent.to_string(), "seat": seat.0, "value": value, "moves": moves}).to_string())
    }

    fn show(&self, rest: &str) -> anyhow::Result<String> {
        let seat = match rest {
            "all" => None,
            "" => Some(self.table.game().to_move().unwrap_or(Seat(0))),
            seat => Some(self.seat(seat)?),
        };
        Ok(self.table.game().draw(seat, Paint::Plain))
    }

    fn observe(&self, rest: &str) -> anyhow::Result<String> {
        let game = self.table.game();
        let seat = match rest {
            "" => self.to_move()?,
            seat => self.seat(seat)?,
        };
        let mut seen = vec![0.0_f32; self.table.spec.insights.len()];
        game.observe(seat, &mut seen);
        let (observation, insights) = seen.split_at(self.table.spec.observation.len());
        let mut mask = Mask::EMPTY;
        if game.to_move() == Some(seat) {
            game.legal(&mut mask);
        }
        let legal: Vec<u16> = mask.iter().map(|action| action.0).collect();
        let mut told = format!("{{\"seat\":{},\"observation\":", seat.0);
        told += &serde_json::to_string(observation)?;
        let _ = write!(told, ",\"insights\":{}", serde_json::to_string(insights)?);
        let _ = write!(told, ",\"legal\":{}}}", serde_json::to_string(&legal)?);
        Ok(told)
    }

    fn result(&self) -> anyhow::Result<String> {
        let Some((end, returns)) = self.table.outcome() else {
            bail!("the game is not over: seat {} is to act", self.turn());
        };
        Ok(json!({"end": end, "returns": returns}).to_string())
    }

    fn undo(&mut self) -> anyhow::Result<String> {
        let Some(len) = self.moves.pop() else { bail!("nothing was played") };
        self.table.back_to(len);
        self.agents.forget();
        Ok(self.turn())
    }
}

impl<G: Playable> Session for Seated<G> {
    fn answer(&mut self, command: &str, rest: &str, agent: &AgentName) -> anyhow::Result<String> {
        match command {
            "position" => self.position(rest),
            "line" => self.line(rest),
            "notation" => self.notation(rest),
            "seat" => self.set_seats(rest),
            "turn" => Ok(self.turn()),
            "legal" => Ok(legal_moves(self.table.game()).join("\n")),
            "play" => self.play(rest),
            "go" => {
                let plies = self.choose(rest, agent)?;
                let text = self.text_of(&plies);
                self.push(&plies);
                Ok(text)
            }
            "hint" => self.choose(rest, agent).map(|plies| self.text_of(&plies)),
            "think" => self.think(rest, agent),
            "show" => self.show(rest),
            "observe" => self.observe(rest),
            "result" => self.result(),
            "undo" => self.undo(),
            "record" => Ok(serde_json::to_string(&self.table.record())?),
            _ => unreachable!("every command of the list is answered"),
        }
    }

    fn answer_new(&self) -> String {
        let rules = Value::Object(record::options_of(&self.table.rules));
        format!("{} seed={} {rules}", self.table.spec.id, self.table.seed)
    }

    fn try_agent(&mut self, agent: &AgentName) -> anyhow::Result<()> {
        self.agents.get(agent, &self.table.rules)?;
        Ok(())
    }
}

/// The agent of `[agent=NAME] [budget=BUDGET]`.
fn asked(rest: &str, usual: &AgentName) -> anyhow::Result<AgentName> {
    let mut agent = usual.clone();
    let mut budget = None;
    for word in rest.split_whitespace() {
        match word.split_once('=') {
            Some(("agent", name)) => agent = name.parse()?,
            Some(("budget", text)) => budget = Some(text.parse::<Budget>()?),
            _ => bail!("`{word}`: expected agent=NAME or budget=BUDGET"),
        }
    }
    match budget {
        None => Ok(agent),
        Some(budget) => {
            agent.with_budget(budget).with_context(|| format!("agent `{agent}` takes no budget of {budget}"))
        }
    }
}

/// A share or a value with as many digits as anybody reads.
fn rounded(number: f32) -> Value {
    json!((f64::from(number) * 1e6).round() / 1e6)
}
