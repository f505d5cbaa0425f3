//! `nodarium train`: a run from a config, with what a person wants to see of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressStyle};
use nodarium_env::{Game, record, with_game};
use nodarium_train::Config;
use nodarium_train::run::{
    Bout, Entry, Iteration, Line, Notice, Observer, Plan, Start, Summary, run as go_through,
};
use serde_json::Value;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::arguments::Train;
use crate::output::say;

pub fn run(arguments: &Train) -> anyhow::Result<()> {
    let config = Config::read(&arguments.config, &arguments.overrides.set)?;
    let folder = folder_of(arguments)?;
    let mut learner = nodarium_train::learner(&config)?;
    let stop = on_signals().context("cannot listen for signals")?;
    let plan = Plan {
        config: &config,
        folder: &folder,
        entry: match (arguments.resume, arguments.overwrite) {
            (true, _) => Entry::Resume,
            (_, true) => Entry::Overwrite,
            _ => Entry::Fresh,
        },
        until: arguments.until,
        command: &["nodarium".to_owned()]
            .into_iter()
            .chain(std::env::args().skip(1))
            .collect::<Vec<_>>()
            .join(" "),
    };
    let mut watcher = Watcher::new(&config, arguments.quiet.quiet);
    let outcome = go_through(&plan, &mut *learner, &mut watcher, &stop);
    watcher.bar.finish_and_clear();
    let summary = outcome?;
    if !arguments.quiet.quiet {
        say(&told(&summary, &config, &folder))?;
    }
    match &summary.unsaved {
        Some(problem) => bail!(
            "iteration {} is not saved: {problem}; the newest checkpoint is {}",
            summary.iteration,
            summary.checkpoint.1.display()
        ),
        None => Ok(()),
    }
}

/// Where the run lives: what was asked for, the run that the config is of, or a folder after the config's name.
fn folder_of(arguments: &Train) -> anyhow::Result<PathBuf> {
    if let Some(folder) = &arguments.out {
        return Ok(folder.clone());
    }
    let parent = arguments.config.parent().filter(|parent| parent.join("run.json").is_file());
    match (parent, arguments.config.file_stem()) {
        (Some(run), _) => Ok(run.to_owned()),
        (None, Some(name)) => Ok(Path::new("runs").join(name)),
        (None, None) => {
            bail!("{} has no name to call the run by: expected --out", arguments.config.display())
        }
    }
}

/// A flag that the first signal raises; the second one ends the process at once.
fn on_signals() -> std::io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order: a signal that finds the flag raised leaves, one that does not raises it.
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&stop))?;
        flag::register(signal, Arc::clone(&stop))?;
    }
    Ok(stop)
}

/// Shows a run on standard error: a bar for a person, a line at every match and for whatever went wrong.
struct Watcher {
    bar: ProgressBar,
    quiet: bool,
    game: String,
    seed: u64,
    iterations: u64,
    strength: String,
}

impl Watcher {
    fn new(config: &Config, quiet: bool) -> Self {
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(config.iterations) };
        let style = "{wide_bar} iteration {pos} of {len}, {eta} left\n{wide_msg}";
        bar.set_style(ProgressStyle::with_template(style).expect("the template is well formed"));
        let (game, seed, iterations) = (config.game.clone(), config.seed, config.iterations);
        Self { bar, quiet, game, seed, iterations, strength: String::new() }
    }

    fn tell(&self, text: &str) {
        if !self.quiet {
            self.bar.suspend(|| eprintln!("{text}"));
        }
    }
}

impl Observer for Watcher {
    fn begins(&mut self, start: &Start<'_>) {
        let from = match start.iteration {
            0 => String::new(),
            iteration => format!(", from iteration {iteration} on"),
        };
        self.tell(&format!(
            "{} into {}, seed {}{from}: {} weights, at most {} of memory for learning",
            self.game,
            start.folder.display(),
            self.seed,
            start.parameters,
            size(start.memory),
        ));
        self.bar.set_position(start.iteration);
        self.bar.reset_eta();
        self.bar.enable_steady_tick(Duration::from_millis(250));
    }

    fn plays(&mut self, _iteration: u64) {
        self.bar.set_message("plays a match …");
    }

    fn iterated(&mut self, iteration: &Iteration<'_>) {
        let line = iteration.line;
        if !iteration.bouts.is_empty() {
            self.strength = bouts(iteration.bouts);
            self.tell(&format!("iteration {} of {}: {}", line.iteration, self.iterations, self.strength));
        }
        self.bar.set_position(line.iteration);
        self.bar.set_message(format!("{}  {}", numbers(line), self.strength));
    }

    fn noted(&mut self, notice: &Notice) {
        // Even a quiet run says what went wrong.
        self.bar.suspend(|| eprintln!("nodarium: {notice}"));
    }
}

/// Rate and losses of the last iteration.
fn numbers(line: &Line) -> String {
    let rate = line.number("time/plies_per_second").map(|rate| format!("{rate:.0} plies/s"));
    let losses = line
        .numbers
        .iter()
        .filter_map(|(name, number)| name.strip_prefix("loss/").map(|name| format!("{name} {number:.3}")));
    rate.into_iter().chain(losses).collect::<Vec<_>>().join(", ")
}

fn bouts(bouts: &[Bout]) -> String {
    let told = bouts.iter().map(|bout| format!("{} {:.3}", bout.opponent, bout.score));
    told.collect::<Vec<_>>().join(", ")
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_048_576 => format!("{} KiB", bytes.div_ceil(1_024)),
        1_048_576..1_073_741_824 => format!("{:.0} MiB", bytes as f64 / 1_048_576.0),
        _ => format!("{:.1} GiB", bytes as f64 / 1_073_741_824.0),
    }
}

/// The summary, and what to type next.
fn told(summary: &Summary, config: &Config, folder: &Path) -> String {
    let checkpoint = summary.checkpoint.1.display();
    let run = folder.display();
    let mut text = format!(
        "{} {} after iteration {} of {}, {} in this session\n",
        config.game,
        if summary.stopped { "stopped" } else { "finished" },
        summary.iteration,
        summary.iterations,
        duration(summary.time),
    );
    for (name, count) in summary.counters.iter().filter(|(name, _)| *name != "iterations") {
        text += &format!("  {name:<17}{count}\n");
    }
    let losses = summary.last.iter().flat_map(|line| &line.numbers);
    for (name, number) in losses.filter(|(name, _)| name.starts_with("loss/")) {
        text += &format!("  {name:<17}{number:.4}\n");
    }
    for bout in &summary.bouts {
        let verdict = match bout.returns {
            returns if returns.is_above(0.0) => "stronger",
            returns if returns.mean + returns.margin < 0.0 => "weaker",
            _ => "not told apart",
        };
        text += &format!(
            "  {:<17}score {:.3}, return {:.3} over {} deals: {verdict}\n",
            format!("vs {}", bout.opponent),
            bout.score,
            bout.returns,
            bout.deals,
        );
    }
    if let Some((bout, file)) = &summary.response {
        text += &format!(
            "  {:<17}score {:.3}, return {:.3} over {} games against {}: at least so far can it be exploited\n\
             \x20 {:<17}{}\n",
            "best response",
            bout.score,
            bout.returns,
            bout.games,
            bout.opponent,
            "",
            file.display(),
        );
    }
    text += &format!("  {:<17}{checkpoint}\n\n", "checkpoint");
    if summary.stopped {
        return text + &format!("Go on:     nodarium train {run}/config.toml --resume");
    }
    text + &next(config, &checkpoint.to_string(), &run.to_string())
}

/// What one does with a trained policy.
fn next(config: &Config, checkpoint: &str, run: &str) -> String {
    let game = &config.game;
    let usual = with_game!(game.as_str(), G => record::options_of(&<G as Game>::Rules::default()));
    let usual = usual.unwrap_or_default();
    let told = |(key, value): (&String, &Value)| match value {
        Value::String(text) => format!(" --set {key}={text}"),
        Value::Array(_) => format!(" --set {key}='{value}'"),
        _ => format!(" --set {key}={value}"),
    };
    let rules: String =
        config.rules.iter().filter(|(key, value)| usual.get(*key) != Some(value)).map(told).collect();
    format!(
        "Look:      nodarium checkpoint show {checkpoint}\n\
         Measure:   nodarium eval {run}\n\
         Play:      nodarium play {game}{rules} --against policy:{checkpoint}\n\
         Export:    nodarium export {checkpoint} --out {run}/export\n\
         Curves:    tensorboard --logdir {run}/tensorboard"
    )
}

fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        60..3_600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3_600, seconds / 60 % 60),
    }
}
