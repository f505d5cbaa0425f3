//! `nodarium play`: a game in the terminal.

mod typed;
mod words;

use std::fs;
use std::io::{self, IsTerminal as _, StdinLock, Write as _};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, anyhow, bail};
use nodarium_agent::{AgentName, Agents, Playable, Table, is_seen};
use nodarium_env::record::{self, Record};
use nodarium_env::{Information, Ink, Paint, Seat, with_game};

use self::typed::Typed;
use crate::arguments::{Play, read_file};
use crate::lines::{self, Line};
use crate::output::{WholeFile, paint, say};

/// The largest saved game that is read, in bytes.
const LARGEST_GAME: u64 = 1 << 26;

pub fn run(arguments: &Play) -> anyhow::Result<()> {
    with_game!(arguments.game.as_str(), G => play::<G>(arguments))?
}

fn play<G: Playable>(arguments: &Play) -> anyhow::Result<()> {
    let table = match &arguments.from {
        Some(file) => resume::<G>(file)?,
        None => Table::<G>::deal(arguments.options.rules()?, arguments.seed.unwrap_or_else(any_seed)),
    };
    let seats = table.spec.seats;
    if let Some(seat) = arguments.seat.iter().find(|&&seat| seat >= seats) {
        bail!("--seat {seat}: {} has the seats 0 to {}", arguments.game, seats - 1);
    }
    let humans: Vec<bool> = (0..seats).map(|seat| arguments.seat.contains(&seat)).collect();
    let mut agents = Agents::new(table.seed);
    // An agent that cannot be had is named before the first move.
    agents.get(&arguments.against, &table.rules)?;
    let hidden = table.spec.information == Information::Hidden;
    let told = table.len();
    let input = io::stdin().lock();
    let mut session = Session {
        table,
        agents,
        against: arguments.against.clone(),
        humans,
        hidden,
        told,
        at: None,
        thinking: false,
        fresh: true,
        paint: paint(),
        input,
    };
    session.greet()?;
    session.run()
}

/// Another seed every time: a person who plays twice wants two games. It is told, so that a game can be had again.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (now.as_millis() % 1_000_000_000) as u64
}

fn resume<G: Playable>(file: &Path) -> anyhow::Result<Table<G>> {
    let name = file.display();
    let size = fs::metadata(file).with_context(|| format!("cannot read {name}"))?.len();
    if size > LARGEST_GAME {
        bail!("{name} has {size} bytes: expected one saved game, at most {LARGEST_GAME}");
    }
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    let line = text.lines().find(|line| !line.trim().is_empty()).ok_or_else(|| anyhow!("{name} is empty"))?;
    let wrong = || format!("{name} is no saved game");
    let game = record::game_of(line).with_context(wrong)?;
    let told: Record<G::Position> = serde_json::from_str(line)
        .with_context(|| format!("{name} is no saved game of this kind, but of {game}"))?;
    Table::resume(&told, &read_file).with_context(wrong)
}

/// What comes of a line.
enum Next {
    /// The game has changed.
    Changed,
    /// The same question again.
    Again,
    Quit,
}

struct Session<G: Playable> {
    table: Table<G>,
    agents: Agents<G>,
    against: AgentName,
    /// Whether a person sits at each seat.
    humans: Vec<bool>,
    hidden: bool,
    /// Plies whose moves were told.
    told: usize,
    /// The person who sits before the screen, where only one may look.
    at: Option<Seat>,
    thinking: bool,
    /// Whether the board has changed since it was shown.
    fresh: bool,
    paint: Paint,
    input: StdinLock<'static>,
}

impl<G: Playable> Session<G> {
    fn greet(&self) -> anyhow::Result<()> {
        let spec = &self.table.spec;
        let who = |seat: usize| match self.humans[seat] {
            true => format!("seat {seat}: you"),
            false => format!("seat {seat}: {}", self.against),
        };
        let seats: Vec<String> = (0..spec.seats).map(who).collect();
        say(&format!(
            "{} — {} (--seed {} deals this game again)\nType a move, or help.\n",
            self.paint.ink(Ink::Bold, spec.title),
            seats.join(", "),
            self.table.seed
        ))
    }

    fn run(&mut self) -> anyhow::Result<()> {
        loop {
            match self.table.game().to_move() {
                Some(seat) if !self.humans[seat.index()] => self.let_agent_play()?,
                to_move => {
                    if let Some(seat) = to_move
                        && !self.hand_over(seat)?
                    {
                        return Ok(());
                    }
                    self.show(to_move)?;
                    match self.ask(to_move)? {
                        Next::Quit => return Ok(()),
                        Next::Changed => self.fresh = true,
                        Next::Again => {}
                    }
                }
            }
        }
    }

    fn let_agent_play(&mut self) -> anyhow::Result<()> {
        // With hidden cards its thoughts would give them away.
        if self.thinking && !self.hidden {
            let thought = self.agents.think(&self.against, &self.table)?;
            let words = words::thought(&self.table, &self.against, &thought);
            say(&self.paint.ink(Ink::Dim, &words))?;
        }
        let action = self.agents.act(&self.against, &self.table)?;
        self.table.play(action).expect("agents play what is legal");
        self.fresh = true;
        let mut humans = (0..self.humans.len()).filter(|&seat| self.humans[seat]);
        if let (Some(only), None) = (humans.next(), humans.next()) {
            self.tell_moves(Seat(only as u8))?;
        }
        Ok(())
    }

    /// Tells what others have played since the last time, as far as the viewer has seen it.
    fn tell_moves(&mut self, viewer: Seat) -> anyhow::Result<()> {
        for ply in self.told..self.table.len() {
            let (before, action) = (self.table.before(ply), self.table.action(ply));
            let seat = before.to_move().expect("a ply was played here");
            // Of an open game, people have seen each other type.
            let typed = seat == viewer || self.humans[seat.index()] && !self.hidden;
            if typed || !is_seen(&self.table.spec, before, action, viewer, self.table.seed) {
                continue;
            }
            let text = self.paint.ink(Ink::Bold, &before.move_text(action));
            say(&format!("seat {} plays {text}", seat.0))?;
        }
        self.told = self.table.len();
        Ok(())
    }

    /// Where one person may not see what another sees, the screen is cleared between them. Whether there is anybody.
    fn hand_over(&mut self, seat: Seat) -> anyhow::Result<bool> {
        let several = self.humans.iter().filter(|&&human| human).count() > 1;
        if !(self.hidden && several) || self.at == Some(seat) {
            return Ok(true);
        }
        if self.at.is_some() && io::stdout().is_terminal() {
            // The screen, what has scrolled away, and back to the corner.
            write!(io::stdout(), "\x1b[2J\x1b[3J\x1b[H").context("cannot write standard output")?;
        }
        say(&format!("Seat {} is to act: nobody else may look. Press Enter.", seat.0))?;
        let there = self.read_line()?.is_some();
        self.at = Some(seat);
        self.fresh = true;
        // The moves since this person last looked: those of one round of the table at least.
        self.told = (0..self.table.len())
            .rev()
            .find(|&ply| self.table.before(ply).to_move() == Some(seat))
            .map_or(0, |ply| ply + 1);
        Ok(there)
    }

    /// The board, as the person to act sees it; all of it when the game is over.
    fn show(&mut self, to_move: Option<Seat>) -> anyhow::Result<()> {
        if !self.fresh {
            return Ok(());
        }
        self.fresh = false;
        match to_move {
            Some(seat) => {
                self.tell_moves(seat)?;
                let viewer = self.hidden.then_some(seat);
                say(&format!("\n{}", self.table.game().draw(viewer, self.paint).trim_end()))?;
                if self.thinking && self.hidden {
                    let thought = self.agents.think(&self.against, &self.table)?;
                    let words = words::thought(&self.table, &self.against, &thought);
                    say(&self.paint.ink(Ink::Dim, &words))?;
                }
                say(words::moves(&self.table, false, self.paint).trim_end())
            }
            None => {
                say(&format!("\n{}", self.table.game().draw(None, self.paint).trim_end()))?;
                let (end, returns) = self.table.outcome().expect("nobody is to act");
                say(&self.paint.ink(Ink::Bold, &words::outcome(end, &returns)))?;
                say("undo takes your last move back, save FILE writes the game down, quit leaves.")
            }
        }
    }

    /// Asks for a line and does what it says.
    fn ask(&mut self, to_move: Option<Seat>) -> anyhow::Result<Next> {
        let prompt = to_move.map_or("over> ".to_owned(), |seat| format!("seat {}> ", seat.0));
        write!(io::stdout(), "{prompt}")
            .and_then(|()| io::stdout().flush())
            .context("cannot write standard output")?;
        let Some(line) = self.read_line()? else {
            say("")?;
            return Ok(Next::Quit);
        };
        let text = match &line {
            Line::Text(text) if text.is_empty() => return Ok(Next::Again),
            Line::Text(text) => text.as_str(),
            Line::TooLong | Line::NotText => {
                say("That was no line of text. Try moves or help.")?;
                return Ok(Next::Again);
            }
        };
        let legal = words::legal(self.table.game());
        let texts: Vec<String> = legal.iter().map(|&action| self.table.game().move_text(action)).collect();
        match typed::read(text, &texts) {
            Typed::Move(index) => {
                self.table.play(legal[index]).expect("it is in the list of legal moves");
                if texts[index] != text {
                    say(&format!("you play {}", texts[index]))?;
                }
                Ok(Next::Changed)
            }
            Typed::Several(found) => {
                let found: Vec<&str> = found.iter().map(|&index| texts[index].as_str()).collect();
                say(&format!("Several moves begin so: {}", found.join(", ")))?;
                Ok(Next::Again)
            }
            Typed::Nothing => {
                let why =
                    if to_move.is_some() { "no legal move here" } else { "nothing now: the game is over" };
                let shown: String = text.chars().filter(|letter| !letter.is_control()).take(40).collect();
                say(&format!("`{shown}` is {why}, and no command. Try moves or help."))?;
                Ok(Next::Again)
            }
            Typed::Command("quit", _) => Ok(Next::Quit),
            Typed::Command(command, rest) => match self.command(command, rest, to_move) {
                Ok(next) => Ok(next),
                // What cannot be done is said, and the game goes on.
                Err(error) => {
                    say(&format!("{error:#}"))?;
                    Ok(Next::Again)
                }
            },
        }
    }

    fn command(&mut self, command: &str, rest: &str, to_move: Option<Seat>) -> anyhow::Result<Next> {
        match (command, rest) {
            ("help", _) => say(words::help().trim_end())?,
            ("moves", _) => say(words::moves(&self.table, true, self.paint).trim_end())?,
            ("board", _) => self.fresh = true,
            ("undo", _) => return self.undo(),
            ("thinking", "on" | "off") => {
                self.thinking = rest == "on";
                say(match (self.thinking, self.hidden) {
                    (false, _) => "The agent keeps its thoughts to itself.",
                    (true, false) => "The agent tells what it thinks before it moves.",
                    (true, true) => {
                        "The agent tells what it thinks of your hand; of its own would give its cards away."
                    }
                })?;
            }
            ("thinking", _) => bail!("Expected `thinking on` or `thinking off`."),
            ("hint", _) if to_move.is_none() => bail!("The game is over."),
            ("hint", _) => {
                let agent = if rest.is_empty() { self.against.clone() } else { rest.parse()? };
                let thought = self.agents.think(&agent, &self.table)?;
                let action = self.agents.act(&agent, &self.table)?;
                let text = self.table.game().move_text(action);
                say(&format!("{agent} would play {}", self.paint.ink(Ink::Bold, &text)))?;
                say(&self.paint.ink(Ink::Dim, &words::thought(&self.table, &agent, &thought)))?;
            }
            ("save", "") => bail!("Expected `save FILE`."),
            ("save", file) => self.save(Path::new(file))?,
            _ => unreachable!("every command of the list is known"),
        }
        Ok(Next::Again)
    }

    /// Back to the last ply that a person played.
    fn undo(&mut self) -> anyhow::Result<Next> {
        let by_person =
            |ply: &usize| self.table.before(*ply).to_move().is_some_and(|seat| self.humans[seat.index()]);
        let Some(ply) = (0..self.table.len()).rev().find(by_person) else {
            bail!("You have not moved yet.");
        };
        self.table.back_to(ply);
        self.agents.forget();
        self.told = self.told.min(ply);
        Ok(Next::Changed)
    }

    fn save(&self, file: &Path) -> anyhow::Result<()> {
        if file.symlink_metadata().is_ok() {
            bail!("{} is there already: expected a new name.", file.display());
        }
        let mut out = WholeFile::create(file)?;
        writeln!(out, "{}", serde_json::to_string(&self.table.record())?)?;
        out.finish()?;
        let then = match self.table.outcome() {
            Some(_) => format!("check it: nodarium replay {}", file.display()),
            None => format!("go on with it: nodarium play {} --from {}", self.table.spec.id, file.display()),
        };
        say(&format!("{} plies are in {} ({then}).", self.table.len(), file.display()))
    }

    fn read_line(&mut self) -> anyhow::Result<Option<Line>> {
        lines::read(&mut self.input).context("cannot read standard input")
    }
}
