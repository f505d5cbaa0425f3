//! `nodarium engine`: agents for other programs, by lines of text. The page `cli/docs/engine.md` is for those who
//! write the other program.

mod answer;
mod notation;
mod session;

use std::io::{self, BufRead, Write};

use anyhow::{Context as _, anyhow, bail};
use nodarium_agent::{AgentName, Playable};
use nodarium_env::rules::nearest;
use nodarium_env::{Game, Information, Rules as _, catalog, record, rules_from, with_game};
use serde_json::{Map, Value, json};

use self::answer::answer;
use self::session::{Seated, Session};
use crate::arguments::{read_file, setting};
use crate::lines::{self, LONGEST_LINE, Line};

/// Raised when a command or an answer changes its form.
const PROTOCOL: u32 = 1;

/// Every command with its arguments and what it does.
const COMMANDS: [(&str, &str, &str); 23] = [
    ("protocol", "", "the version of this protocol"),
    ("version", "", "name and version of the engine"),
    ("help", "", "this list"),
    ("games", "", "every game: id, seats, information, title"),
    ("options", "GAME", "the rule options of a game as JSON"),
    ("new", "GAME [seed=N] [KEY=VALUE …] [RULES]", "deal a game; RULES is a JSON object as in a record"),
    ("position", "[STATE]", "tell the position, or go on from another, as JSON as in a record"),
    ("line", "[POSITION]", "the same in the one-line notation of the game (shuter)"),
    (
        "notation",
        "[plain|line]",
        "how moves are told: ply by ply, or as the one-line notation has them (shuter)",
    ),
    ("seat", "[N …|free]", "the seats that are the engine's: go is for them, play for the others"),
    ("agent", "[NAME]", "who answers go, hint and think from now on"),
    ("turn", "", "the seat to act, or over"),
    ("legal", "", "every legal move, one a line"),
    ("play", "[seat=N] MOVE", "play a move for the seat to act"),
    ("go", "[agent=NAME] [budget=BUDGET]", "let the agent play a move; tells it"),
    ("hint", "[agent=NAME] [budget=BUDGET]", "the same without playing it"),
    ("think", "[agent=NAME] [budget=BUDGET]", "what the agent thinks, as JSON"),
    ("show", "[N|all]", "draw the state as a seat sees it; all is the referee's view"),
    ("observe", "[N]", "the observation of a seat as JSON, with the legal actions of the seat to act"),
    ("result", "", "why the game is over and what each seat won, as JSON"),
    ("undo", "", "take back the last play or go"),
    ("record", "", "the whole game so far as a record, JSON on one line"),
    ("quit", "", "leave"),
];

/// Answers lines until there are no more of them or one says `quit`.
pub fn run() -> anyhow::Result<()> {
    let mut engine = Engine { session: None, agent: "uct:1000".parse().expect("the name of an agent") };
    serve(&mut engine, &mut io::stdin().lock(), &mut io::stdout().lock())
}

fn serve(engine: &mut Engine, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
    while let Some(line) = lines::read(input).context("cannot read standard input")? {
        let (id, command) = match &line {
            Line::Text(text) => split_id(text),
            _ => ("", ""),
        };
        let told = match &line {
            Line::TooLong => Err(format!("the line is longer than {LONGEST_LINE} bytes: it was passed over")),
            Line::NotText => Err("the line is not UTF-8 text".to_owned()),
            // As in GTP: nothing was asked, so nothing is answered.
            Line::Text(_) if command.is_empty() || command.starts_with('#') => continue,
            Line::Text(_) => engine.answer(command).map_err(|error| format!("{error:#}")),
        };
        answer(out, id, &told).context("cannot write standard output")?;
        if command == "quit" {
            break;
        }
    }
    Ok(())
}

/// An id is a number before the command; it comes back with the answer.
fn split_id(line: &str) -> (&str, &str) {
    let (first, rest) = split_word(line);
    if !first.is_empty() && first.len() <= 18 && first.bytes().all(|byte| byte.is_ascii_digit()) {
        (first, rest)
    } else {
        ("", line)
    }
}

/// The first word, and what follows it.
fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// What the other program talks to.
struct Engine {
    session: Option<Box<dyn Session>>,
    agent: AgentName,
}

impl Engine {
    fn answer(&mut self, line: &str) -> anyhow::Result<String> {
        let (command, rest) = split_word(line);
        let all = || COMMANDS.iter();
        let Some((_, arguments, _)) = all().find(|(name, ..)| *name == command) else {
            let near = nearest(command, all().map(|(name, ..)| *name));
            let near = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
            bail!("unknown command `{command}`{near}: help lists the commands");
        };
        if arguments.is_empty() && !rest.is_empty() {
            bail!("`{command}` takes no arguments, not `{rest}`");
        }
        match command {
            "protocol" => Ok(PROTOCOL.to_string()),
            "version" => Ok(format!("nodarium {}", env!("CARGO_PKG_VERSION"))),
            "help" => {
                let about = |&(name, arguments, about): &(&str, &str, &str)| {
                    format!("{:<44} {about}", format!("{name} {arguments}"))
                };
                Ok(all().map(about).collect::<Vec<_>>().join("\n"))
            }
            "games" => games(),
            "options" => Ok(with_game!(rest, G => options::<G>())?),
            "new" => self.deal(rest),
            "agent" => self.set_agent(rest),
            "quit" => Ok(String::new()),
            _ => match &mut self.session {
                Some(session) => session.answer(command, rest, &self.agent),
                None => bail!("no game is on the table: expected `new GAME` before `{command}`"),
            },
        }
    }

    fn deal(&mut self, rest: &str) -> anyhow::Result<String> {
        let (game, rest) = split_word(rest);
        if game.is_empty() {
            bail!("expected a game: {}", catalog::IDS.join(", "));
        }
        let (seed, rules) = settings(rest)?;
        let session = with_game!(game, G => seated::<G>(&rules, seed))??;
        let told = session.answer_new();
        self.session = Some(session);
        Ok(told)
    }

    fn set_agent(&mut self, rest: &str) -> anyhow::Result<String> {
        if !rest.is_empty() {
            let agent: AgentName = rest.parse()?;
            if let Some(session) = &mut self.session {
                session.try_agent(&agent)?;
            }
            self.agent = agent;
        }
        Ok(self.agent.to_string())
    }
}

fn games() -> anyhow::Result<String> {
    let line = |&id: &&str| {
        let spec = with_game!(id, G => G::spec(&Default::default()))?;
        let information = match spec.information {
            Information::Perfect => "perfect",
            Information::Hidden => "hidden",
        };
        Ok(format!("{id} {} {information} {}", spec.seats, spec.title))
    };
    Ok(catalog::IDS.iter().map(line).collect::<anyhow::Result<Vec<_>>>()?.join("\n"))
}

fn options<G: Game>() -> String {
    let defaults = record::options_of(&G::Rules::default());
    let described = G::Rules::OPTIONS.iter().map(|option| {
        json!({"key": option.key, "default": defaults[option.key], "allowed": option.allowed, "about": option.about})
    });
    Value::Array(described.collect()).to_string()
}

/// The seed and the rule options of `[seed=N] [KEY=VALUE …] [RULES]`.
fn settings(text: &str) -> anyhow::Result<(u64, Map<String, Value>)> {
    let (mut seed, mut rules) = (0, Map::new());
    let mut rest = text;
    while !rest.is_empty() {
        if rest.starts_with('{') {
            let object: Map<String, Value> =
                serde_json::from_str(rest).context("the rules are no JSON object")?;
            for (key, value) in object {
                insert(&mut rules, &key, value)?;
            }
            break;
        }
        let (word, behind) = split_word(rest);
        rest = behind;
        match setting(word) {
            Some(("seed", value)) => {
                seed = value.as_u64().ok_or_else(|| anyhow!("seed is {value}: expected a whole number"))?;
            }
            Some((key, value)) => insert(&mut rules, key, value)?,
            None => bail!("`{word}`: expected KEY=VALUE, such as variant=basic"),
        }
    }
    Ok((seed, rules))
}

fn insert(rules: &mut Map<String, Value>, key: &str, value: Value) -> anyhow::Result<()> {
    match rules.insert(key.to_owned(), value) {
        None => Ok(()),
        Some(_) => Err(anyhow!("rule option `{key}` is given twice")),
    }
}

fn seated<G: Playable>(rules: &Map<String, Value>, seed: u64) -> anyhow::Result<Box<dyn Session>> {
    Ok(Box::new(Seated::<G>::new(rules_from(rules, &read_file)?, seed)))
}
