//! `nodarium games`: what can be played.

use std::fmt::Write as _;

use nodarium_env::{Game, Information, Rules, Spec, catalog, record, with_game};

use crate::arguments::Games;
use crate::output::say;

pub fn run(arguments: &Games) -> anyhow::Result<()> {
    match &arguments.game {
        Some(id) => with_game!(id.as_str(), G => show::<G>(arguments))?,
        None => list(),
    }
}

fn list() -> anyhow::Result<()> {
    let mut table = format!(
        "{:<14}{:<28}{:>6}  {:<12}{:>8}  {:>12}\n",
        "game", "title", "seats", "information", "actions", "observation"
    );
    for &id in catalog::IDS {
        let spec = with_game!(id, G => G::spec(&Default::default()))?;
        let _ = writeln!(
            table,
            "{id:<14}{:<28}{:>6}  {:<12}{:>8}  {:>12}",
            spec.title,
            spec.seats,
            information(&spec),
            spec.actions(),
            spec.observation.len(),
        );
    }
    say(&format!("{table}\nnodarium games GAME shows one: options, observation, actions"))
}

fn information(spec: &Spec) -> &'static str {
    match spec.information {
        Information::Perfect => "perfect",
        Information::Hidden => "hidden",
    }
}

fn show<G: Game>(arguments: &Games) -> anyhow::Result<()> {
    let rules: G::Rules = arguments.options.rules()?;
    let spec = G::spec(&rules);
    let mut text = format!("{} ({}, version {})\n", spec.title, spec.id, spec.version);
    let _ = writeln!(
        text,
        "{} seats, {} information, at most {} plies, {} symmetries; ends: {}\n",
        spec.seats,
        information(&spec),
        spec.longest_game,
        spec.symmetries.len(),
        spec.ends.join(", "),
    );
    if G::Rules::OPTIONS.is_empty() {
        text += "No rule options.\n";
    } else {
        text += "| rule option | value | allowed | what it does |\n|---|---|---|---|\n";
        let values = record::options_of(&rules);
        for option in G::Rules::OPTIONS {
            let _ = writeln!(
                text,
                "| `{}` | {} | {} | {} |",
                option.key, values[option.key], option.allowed, option.about
            );
        }
    }
    let _ = write!(text, "\nObservation, {} numbers\n\n{}", spec.observation.len(), spec.observation_table());
    if let Some(table) = spec.insight_table() {
        let behind = spec.insights.len() - spec.observation.len();
        let _ = write!(text, "\nInsights behind it, {behind} numbers\n\n{table}");
    }
    let _ = write!(text, "\nActions, {}\n\n{}", spec.actions(), spec.action_table());
    say(text.trim_end())
}
