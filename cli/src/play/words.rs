//! What a player is told.

use std::fmt::Write as _;

use nodarium_agent::{AgentName, Playable, Table, Thought};
use nodarium_env::{Action, Ink, Mask, Paint, Text};

use super::typed::COMMANDS;

/// Letters of a line.
const WIDTH: usize = 100;
/// Moves of a group that are listed unasked.
const LISTED: usize = 24;
/// Moves of a thought that are told.
const THOUGHTS: usize = 4;

/// The legal actions.
pub fn legal<G: Text>(game: &G) -> Vec<Action> {
    let mut mask = Mask::EMPTY;
    game.legal(&mut mask);
    mask.iter().collect()
}

/// The legal moves, those that do the same kind of thing together; without `all`, the first of each kind.
pub fn moves<G: Playable>(table: &Table<G>, all: bool, paint: Paint) -> String {
    let game = table.game();
    let legal = legal(game);
    let mut told = String::new();
    let mut first = 0;
    for group in &table.spec.action_groups {
        let range = first..first + group.names.len();
        first = range.end;
        let here: Vec<String> = legal
            .iter()
            .filter(|action| range.contains(&action.index()))
            .map(|&action| game.move_text(action))
            .collect();
        if here.is_empty() {
            continue;
        }
        let _ = writeln!(told, "{}", paint.ink(Ink::Dim, &format!("  {}", group.about)));
        let shown = if all { here.len() } else { here.len().min(LISTED) };
        // A first word that all of them have is told once; the rest is enough to type.
        let first_word = here[0].split_once(' ').map(|(word, _)| format!("{word} "));
        let shared =
            first_word.filter(|word| here.iter().all(|text| text.starts_with(word))).unwrap_or_default();
        let mut line = format!("   {}{}", if shared.is_empty() { "" } else { " " }, shared.trim_end());
        for text in &here[..shown] {
            let rest = &text[shared.len()..];
            if line.chars().count() + rest.chars().count() + 1 > WIDTH {
                let _ = writeln!(told, "{line}");
                line = "   ".to_owned();
            }
            let _ = write!(line, " {rest}");
        }
        if shown < here.len() {
            let _ = write!(line, " … ({} more: moves)", here.len() - shown);
        }
        let _ = writeln!(told, "{line}");
    }
    told
}

/// What an agent thinks, on one line.
pub fn thought<G: Playable>(table: &Table<G>, agent: &AgentName, thought: &Thought) -> String {
    let mut shares = thought.policy.clone();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    let moves: Vec<String> = shares
        .iter()
        .take(THOUGHTS)
        .map(|&(action, share)| format!("{} {:.0} %", table.game().move_text(action), 100.0 * share))
        .collect();
    let value: Vec<String> =
        thought.value.iter().enumerate().map(|(seat, value)| format!("seat {seat} {value:+.2}")).collect();
    let value = if value.is_empty() { String::new() } else { format!("; expects {}", value.join(", ")) };
    format!("{agent} thinks: {}{value}", moves.join(", "))
}

/// How the game went.
pub fn outcome(end: &str, returns: &[f32]) -> String {
    let best = returns.iter().copied().fold(f32::MIN, f32::max);
    let winners: Vec<String> =
        (0..returns.len()).filter(|&seat| returns[seat] == best).map(|seat| format!("seat {seat}")).collect();
    let words = match winners.len() {
        1 => format!("{} wins", winners[0]),
        n if n == returns.len() => "a draw".to_owned(),
        _ => format!("{} share the win", winners.join(" and ")),
    };
    let paid: Vec<String> = returns.iter().map(|paid| format!("{paid:+.2}")).collect();
    format!("The game is over ({end}): {words}. Returns: {}.", paid.join(", "))
}

/// The commands.
pub fn help() -> String {
    let mut text =
        "Type a move as it is listed, or as much of it as is clear: `n07`, `f8` for `explore f8`.\n"
            .to_owned();
    for (command, about) in COMMANDS {
        let _ = writeln!(text, "  {command:<9} {about}");
    }
    text
}
