//! `nodarium eval` and `nodarium match`: how strong agents are.

mod arguments;
mod field;
mod folder;
mod hall;

use anyhow::{Context as _, anyhow, bail};
use nodarium_agent::{AgentName, Playable};
use nodarium_env::with_game;
use nodarium_eval::arena::{Meeting, one_against_the_rest, round_robin};
use nodarium_eval::ladder::ladder;
use nodarium_eval::report::{BestResponse, Kind, Report, table};
use nodarium_eval::{exact, statistics};

pub use arguments::{Eval, Match};

use arguments::Playing;
use field::{Field, Named};
use folder::ReportFolder;
use hall::{Hall, Held};

use crate::output::say;

/// Games for every two that meet, unless told otherwise.
const GAMES: u64 = 200;
/// The most games of a sequential test, unless told otherwise.
const MOST_GAMES: u64 = 20_000;
/// How many of the rungs above it a rung of the ladder meets, where not all meet all.
const REACH: usize = 2;

pub fn run(arguments: &Eval) -> anyhow::Result<()> {
    let field = Field::read(&arguments.agents, arguments.game.as_deref(), arguments.simulations)?;
    if arguments.ladder && !field.agents.is_empty() {
        bail!("--ladder lets the game's bots play among themselves: expected no agents beside it");
    }
    if !arguments.ladder && field.agents.is_empty() && field.run.is_none() {
        bail!("no agents: expected some, the folder of a run, or --ladder");
    }
    with_game!(field.game.as_str(), G => evaluate::<G>(arguments, &field))?
}

fn evaluate<G: Playable>(arguments: &Eval, field: &Field) -> anyhow::Result<()> {
    let rules: G::Rules = field.rules(&arguments.options)?;
    let seats = G::spec(&rules).seats;
    let bots = || ladder(&field.game).into_iter().map(Named::bot).collect::<Vec<_>>();
    let rungs = bots().len();
    let (kind, named, meetings) = match (&field.run, &field.agents[..]) {
        (Some(run), _) => {
            let points = run.checkpoints(arguments.points, arguments.simulations)?;
            let named: Vec<Named> = bots().into_iter().chain(points).collect();
            let meetings =
                if seats == 2 { climb(rungs, named.len()) } else { round_robin(named.len(), seats) };
            (Kind::Run, named, meetings)
        }
        (None, []) => (Kind::Ladder, bots(), round_robin(rungs, seats)),
        (None, [only]) if bots().iter().all(|bot| bot.agent != only.agent) => {
            let named: Vec<Named> = bots().into_iter().chain([only.clone()]).collect();
            let meetings =
                if seats == 2 { climb(rungs, named.len()) } else { round_robin(named.len(), seats) };
            (Kind::Tournament, named, meetings)
        }
        (None, [_]) => (Kind::Ladder, bots(), round_robin(rungs, seats)),
        (None, several) => (Kind::Tournament, several.to_vec(), round_robin(several.len(), seats)),
    };
    let games = arguments.playing.games.unwrap_or(GAMES);
    let event = Event { kind, named, meetings, games, sprt: None, alone: false };
    hold::<G>(&arguments.playing, &rules, &event)
}

pub fn run_match(arguments: &Match) -> anyhow::Result<()> {
    let agents = [arguments.first.clone(), arguments.second.clone()];
    let field = Field::read(&agents, arguments.game.as_deref(), None)?;
    if field.agents.len() != 2 {
        bail!("a match is between two agents; `nodarium eval` takes the folder of a run");
    }
    with_game!(field.game.as_str(), G => compare::<G>(arguments, &field))?
}

fn compare<G: Playable>(arguments: &Match, field: &Field) -> anyhow::Result<()> {
    let rules: G::Rules = field.rules(&arguments.options)?;
    let seats = G::spec(&rules).seats;
    let (sprt, alone) = (arguments.sprt, arguments.alone);
    if sprt.is_some() && seats != 2 {
        bail!("--sprt: a sequential test is for two seats, {} has {seats} under these rules", field.game);
    }
    let games = arguments.playing.games.unwrap_or(if sprt.is_some() { MOST_GAMES } else { GAMES });
    let meetings = if alone { vec![one_against_the_rest(0, 1, seats)] } else { round_robin(2, seats) };
    let event = Event { kind: Kind::Match, named: field.agents.clone(), meetings, games, sprt, alone };
    hold::<G>(&arguments.playing, &rules, &event)
}

/// Everybody above the rungs meets every rung and the next of their kind; rungs meet those close by.
fn climb(rungs: usize, all: usize) -> Vec<Meeting> {
    let rungs_meet =
        (0..rungs).flat_map(|low| (low + 1..rungs.min(low + 1 + REACH)).map(move |high| [low, high]));
    let others_meet = (rungs..all).flat_map(|other| (0..rungs).map(move |rung| [rung, other]));
    let next = (rungs + 1..all).map(|other| [other - 1, other]);
    rungs_meet.chain(others_meet).chain(next).map(|two| Meeting { players: two.to_vec() }).collect()
}

/// What is to be played.
struct Event {
    kind: Kind,
    named: Vec<Named>,
    meetings: Vec<Meeting>,
    games: u64,
    sprt: Option<statistics::Sprt>,
    /// Whether the first has one seat and is measured by its share of the wins.
    alone: bool,
}

/// Plays, sums up, writes. Whatever goes wrong after the first game, what was played is told and written.
fn hold<G: Playable>(playing: &Playing, rules: &G::Rules, event: &Event) -> anyhow::Result<()> {
    let anchor = anchor(playing.anchor.as_deref(), event)?;
    let folder = playing.out.as_deref().map(|path| ReportFolder::prepare(path, playing.force)).transpose()?;
    let responses = best_responses(playing)?;
    let hall = Hall::<G>::open(playing, rules, event)?;
    let game = G::spec(rules).id;
    let exact = |named: &Named| exact::exploitability(game, &named.agent, playing.seed);
    let exact: Vec<Option<f64>> = event.named.iter().map(exact).collect::<Result<_, _>>()?;
    let Held { mut report, reason } = hall.hold(anchor)?;
    report.best_responses = responses;
    report.entrants.iter_mut().zip(exact).for_each(|(row, value)| row.exploitability = value);
    let place = folder.map(|folder| folder.write(&report)).transpose()?;
    if !playing.quiet.quiet {
        say(words(&report, playing, place.as_deref()).trim_end())?;
    }
    match reason {
        None => Ok(()),
        Some(reason) => Err(anyhow!(
            "not everything was done: {reason}; what was played is {}",
            match place {
                Some(place) => format!("in {}", place.display()),
                None => "told above".to_owned(),
            }
        )),
    }
}

fn anchor(asked: Option<&str>, event: &Event) -> anyhow::Result<usize> {
    let place = |name: &str| event.named.iter().position(|named| named.name == name);
    match asked {
        Some(name) => place(name).ok_or_else(|| {
            let names: Vec<&str> = event.named.iter().map(|named| named.name.as_str()).collect();
            anyhow!("--anchor {name}: expected one of {}", names.join(", "))
        }),
        // Without `random`, a match tells how far the first is ahead of the second.
        None => Ok(place("random").unwrap_or(usize::from(event.kind == Kind::Match))),
    }
}

fn best_responses(playing: &Playing) -> anyhow::Result<Vec<BestResponse>> {
    let read = |path: &std::path::PathBuf| {
        let text =
            crate::arguments::read_file(&path.display().to_string()).map_err(|problem| anyhow!(problem))?;
        BestResponse::read(&text).with_context(|| format!("--best-response {}", path.display()))
    };
    playing.best_response.iter().map(read).collect()
}

fn words(report: &Report, playing: &Playing, place: Option<&std::path::Path>) -> String {
    let mut words =
        format!("{}, {} games, seed {}\n\n{}", report.game, report.games, report.seed, table(report));
    let exact = report.entrants.iter().filter_map(|row| Some((&row.name, row.exploitability?)));
    for (name, value) in exact {
        words += &format!("\nexploitability of {name}: {value:.4}");
    }
    for forfeit in &report.forfeits {
        let name = &report.entrants[forfeit.entrant].name;
        words += &format!("\nforfeit: {name}, deal {}: {}", forfeit.deal, forfeit.words);
    }
    if let Some(place) = place {
        words += &format!("\nreport: {}", place.join("report.html").display());
    }
    if let Some(records) = &playing.records {
        words += &format!("\nrecords: {}", records.display());
    }
    words
}

/// The agent that a folder of weights stands for.
fn of_checkpoint(path: &std::path::Path, simulations: Option<u32>) -> AgentName {
    match simulations {
        Some(simulations) => AgentName::gumbel(path, simulations),
        None => AgentName::Policy(path.to_owned()),
    }
}
