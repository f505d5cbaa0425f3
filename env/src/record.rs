//! Recorded games: one JSON object a line, the whole truth in it.
//!
//! ```json
//! {"format": 1, "game": "kato", "rules": {"size": 6, "swap": false}, "seed": 7, "index": 0,
//!  "start": STATE,
//!  "plies": [{"seat": 0, "legal": ["a1", "a2"], "move": "a2", "state": STATE}],
//!  "returns": [1.0, -1.0], "end": "opposite sides"}
//! ```
//! `start` is the state after the deal, `legal` every legal move of the seat to act in any order, `state` the state
//! after the move and after everything that follows by itself. A record is the referee's view: hidden cards are in
//! it. What `STATE` holds is said on each game's page.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::rng::Purpose;
use crate::rules::Reader;
use crate::tally::Place;
use crate::{Action, BadRules, Mask, Rng, Tally, Text, random_action, rules_from};

/// The version of the format.
pub const FORMAT: u32 = 1;

/// How far a recorded return may lie from the true one.
const TOLERANCE: f32 = 1e-6;

/// One game from the deal to the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record<P> {
    /// [`FORMAT`].
    pub format: u32,
    /// The game's id.
    pub game: String,
    /// Every rule option.
    pub rules: Map<String, Value>,
    /// The seed of the series that the game belongs to.
    pub seed: u64,
    /// Its place in the series.
    pub index: u64,
    /// The state after the deal.
    pub start: P,
    /// The plies.
    pub plies: Vec<Ply<P>>,
    /// What each seat won.
    pub returns: Vec<f32>,
    /// Why the game was over.
    pub end: String,
}

/// One ply of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ply<P> {
    /// Who moved.
    pub seat: u8,
    /// Every move that was legal.
    pub legal: Vec<String>,
    /// The move played.
    #[serde(rename = "move")]
    pub played: String,
    /// The state afterwards.
    pub state: P,
}

impl<P> Record<P> {
    /// Adds this game to a tally.
    ///
    /// # Panics
    /// When the end is not one of the game's; [`check`] has seen to that.
    pub fn count_in(&self, tally: &mut Tally) {
        let legal = self.plies.iter().map(|ply| ply.legal.len() as u64).sum();
        tally.count(self.plies.len() as u64, legal, &self.returns, &self.end);
    }

    /// The rules that the game was played by.
    pub fn rules_of<G: Text<Position = P>>(&self, read: &Reader<'_>) -> Result<G::Rules, BadRules> {
        rules_from(&self.rules, read)
    }
}

/// Which game a line tells, before the rest is read.
#[derive(Deserialize)]
struct Head {
    format: u32,
    game: String,
}

/// A record that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRecord {
    /// Not JSON, or not the keys of a record.
    #[error("not a whole record: {0}")]
    Unreadable(String),
    /// A format that this version does not read.
    #[error("`format` is {0}: expected {FORMAT}")]
    Format(u32),
    /// Another game than the one asked for.
    #[error("`game` is \"{found}\": expected \"{expected}\"")]
    Game {
        /// In the record.
        found: String,
        /// The game that was asked to read it.
        expected: &'static str,
    },
    /// Rule options that cannot be played.
    #[error("`rules`: {0}")]
    Rules(#[from] BadRules),
    /// A fact that the rules contradict.
    #[error("`{key}`: {problem}")]
    Wrong {
        /// Where, as a path of keys.
        key: String,
        /// What is there and what should be.
        problem: String,
    },
}

impl BadRecord {
    fn wrong(key: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Wrong { key: key.into(), problem: problem.into() }
    }
}

/// The id of the game that a line tells.
pub fn game_of(line: &str) -> Result<String, BadRecord> {
    let head: Head = serde_json::from_str(line).map_err(|e| BadRecord::Unreadable(e.to_string()))?;
    if head.format != FORMAT {
        return Err(BadRecord::Format(head.format));
    }
    Ok(head.game)
}

/// A game of uniformly random legal play.
///
/// # Panics
/// When the game goes on past the spec's longest game: that is a bug in the game.
pub fn simulate<G: Text>(rules: &G::Rules, seed: u64, index: u64) -> Record<G::Position> {
    let mut choices = Rng::keyed(Purpose::Choice, seed, index, 0);
    record(rules, seed, index, |_, game: &G| random_action(game, &mut choices).expect("the game goes on"))
}

/// A game in which `choose` picks every action.
///
/// # Panics
/// When an action is not legal or the game goes on past the spec's longest game.
pub fn record<G: Text>(
    rules: &G::Rules,
    seed: u64,
    index: u64,
    mut choose: impl FnMut(Place, &G) -> Action,
) -> Record<G::Position> {
    let spec = G::spec(rules);
    let mut game = G::deal(rules, &mut Rng::keyed(Purpose::Deal, seed, index, 0));
    let start = game.position();
    let mut plies = Vec::new();
    while let Some(seat) = game.to_move() {
        assert!(plies.len() < spec.longest_game, "{} goes on past its longest game", spec.id);
        let legal = legal_moves(&game);
        let action = choose(Place { index, ply: plies.len() as u32 }, &game);
        let played = game.move_text(action);
        game.try_apply(action).expect("the chosen action is legal");
        plies.push(Ply { seat: seat.0, legal, played, state: game.position() });
    }
    let mut returns = vec![0.0; spec.seats];
    game.returns(&mut returns);
    let end = spec.ends[game.end().expect("the game is over").index()].to_owned();
    let rules = options_of(rules);
    Record { format: FORMAT, game: spec.id.to_owned(), rules, seed, index, start, plies, returns, end }
}

/// The rule options as a record holds them.
pub fn options_of(rules: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(rules) {
        Ok(Value::Object(options)) => options,
        other => unreachable!("rules are a map of options, not {other:?}"),
    }
}

/// Reads a line and checks it against the rules, ply by ply.
pub fn replay<G: Text>(line: &str, read: &Reader<'_>) -> Result<Record<G::Position>, BadRecord> {
    let record: Record<G::Position> =
        serde_json::from_str(line).map_err(|e| BadRecord::Unreadable(e.to_string()))?;
    check::<G>(&record, read)?;
    Ok(record)
}

/// Checks a record against the rules, ply by ply.
pub fn check<G: Text>(record: &Record<G::Position>, read: &Reader<'_>) -> Result<(), BadRecord> {
    if record.format != FORMAT {
        return Err(BadRecord::Format(record.format));
    }
    let rules = record.rules_of::<G>(read)?;
    let spec = G::spec(&rules);
    if record.game != spec.id {
        return Err(BadRecord::Game { found: record.game.clone(), expected: spec.id });
    }
    if let Some(option) =
        <G::Rules as crate::Rules>::OPTIONS.iter().find(|o| !record.rules.contains_key(o.key))
    {
        return Err(BadRecord::wrong(
            format!("rules.{}", option.key),
            "missing: a record names every option",
        ));
    }
    let mut game = G::from_position(&rules, &record.start)
        .map_err(|e| BadRecord::wrong(format!("start.{}", e.key), e.problem))?;
    compare("start", &record.start, &game.position())?;
    for (number, ply) in record.plies.iter().enumerate() {
        let at = |key: &str| format!("plies[{number}].{key}");
        let Some(seat) = game.to_move() else {
            return Err(BadRecord::wrong(at("move"), format!("`{}` after the game was over", ply.played)));
        };
        compare(&at("seat"), &ply.seat, &seat.0)?;
        compare_moves(&at("legal"), &ply.legal, &legal_moves(&game))?;
        let action = game.parse_move(&ply.played).map_err(|e| BadRecord::wrong(at("move"), e.to_string()))?;
        game.apply(action);
        compare(&at("state"), &ply.state, &game.position())?;
    }
    let Some(end) = game.end() else {
        return Err(BadRecord::wrong(
            "plies",
            format!("the game is not over after {} plies", record.plies.len()),
        ));
    };
    let mut returns = vec![0.0; spec.seats];
    game.returns(&mut returns);
    let close = record.returns.len() == returns.len()
        && record.returns.iter().zip(&returns).all(|(a, b)| (a - b).abs() <= TOLERANCE);
    if !close {
        compare("returns", &record.returns, &returns)?;
    }
    compare("end", &record.end.as_str(), &spec.ends[end.index()])
}

/// The text of every legal move.
pub fn legal_moves<G: Text>(game: &G) -> Vec<String> {
    let mut mask = Mask::EMPTY;
    game.legal(&mut mask);
    mask.iter().map(|action| game.move_text(action)).collect()
}

fn compare_moves(key: &str, found: &[String], expected: &[String]) -> Result<(), BadRecord> {
    if found == expected {
        return Ok(());
    }
    let sorted = |moves: &[String]| {
        let mut moves = moves.to_vec();
        moves.sort_unstable();
        moves
    };
    let (found, expected) = (sorted(found), sorted(expected));
    if let Some(extra) = found.iter().find(|text| expected.binary_search(text).is_err()) {
        return Err(BadRecord::wrong(key, format!("lists `{extra}`, which is not legal")));
    }
    if let Some(missing) = expected.iter().find(|text| found.binary_search(text).is_err()) {
        return Err(BadRecord::wrong(key, format!("lacks `{missing}`, which is legal")));
    }
    match found.len() == expected.len() {
        true => Ok(()),
        false => Err(BadRecord::wrong(key, "lists a move twice")),
    }
}

/// Compares two values and names the first key in which they differ.
fn compare<T: PartialEq + Serialize>(key: &str, found: &T, expected: &T) -> Result<(), BadRecord> {
    if found == expected {
        return Ok(());
    }
    let value = |of: &T| serde_json::to_value(of).unwrap_or(Value::Null);
    let (path, found, expected) = first_difference(key.to_owned(), value(found), value(expected));
    Err(BadRecord::wrong(path, format!("is {found} in the record, {expected} by the rules")))
}

fn first_difference(path: String, found: Value, expected: Value) -> (String, Value, Value) {
    if let (Value::Object(found), Value::Object(expected)) = (&found, &expected) {
        for (key, a) in found {
            let b = expected.get(key).unwrap_or(&Value::Null);
            if a != b {
                return first_difference(format!("{path}.{key}"), a.clone(), b.clone());
            }
        }
        if let Some((key, b)) = expected.iter().find(|(key, _)| !found.contains_key(*key)) {
            return (format!("{path}.{key}"), Value::Null, b.clone());
        }
    }
    (path, found, expected)
}
