//! Who takes part: names, checkpoints, runs, and the game that they play.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use nodarium_agent::AgentName;
use nodarium_agent::checkpoint::{MANIFEST, Plays, describe};
use nodarium_env::{Rules, rules_from};

use super::of_checkpoint;
use crate::arguments::{Options, read_file};

/// Somebody who takes part.
#[derive(Clone, Debug)]
pub struct Named {
    pub name: String,
    pub agent: AgentName,
    /// Of a checkpoint of a run.
    pub step: Option<u64>,
}

impl Named {
    pub fn bot(agent: AgentName) -> Self {
        Self { name: agent.to_string(), agent, step: None }
    }
}

/// The folder of a run.
#[derive(Debug)]
pub struct Run(PathBuf);

/// What was named on the command line.
#[derive(Debug)]
pub struct Field {
    pub game: String,
    pub agents: Vec<Named>,
    pub run: Option<Run>,
    /// What the first checkpoint was made to play.
    plays: Option<Plays>,
}

impl Field {
    pub fn read(texts: &[String], game: Option<&str>, simulations: Option<u32>) -> anyhow::Result<Self> {
        let (mut agents, mut run): (Vec<Named>, _) = (Vec::new(), None);
        for text in texts {
            match (text.parse::<AgentName>(), Path::new(text)) {
                (Ok(agent), _) => agents.push(Named::bot(agent)),
                (_, path) if path.join("checkpoints").is_dir() => run = Some(Run(path.to_owned())),
                (_, path) if path.join(MANIFEST).exists() => {
                    agents.push(Named::bot(of_checkpoint(path, simulations)));
                }
                (_, path) if path.is_dir() => {
                    bail!(
                        "{text} holds neither {MANIFEST}, as a checkpoint does, nor checkpoints/, as a run does"
                    )
                }
                (Err(problem), _) => {
                    return Err(anyhow!(problem).context(format!("{text}: neither an agent nor a folder")));
                }
            }
        }
        if run.is_some() && texts.len() > 1 {
            bail!("the folder of a run is measured alone: expected nobody beside it");
        }
        number_doubles(&mut agents);
        let plays = first_plays(&agents, run.as_ref())?;
        let game = match (game, &plays) {
            (Some(game), _) => game.to_owned(),
            (None, Some(plays)) => plays.game.clone(),
            (None, None) => bail!("--game is missing: bots play any game, expected one of them"),
        };
        Ok(Self { game, agents, run, plays })
    }

    /// The rules: as they were set, or else those that the first checkpoint was made for.
    pub fn rules<R: Rules>(&self, options: &Options) -> anyhow::Result<R> {
        match &self.plays {
            Some(plays) if plays.game == self.game && options.set.is_empty() => {
                rules_from(&plays.rules, &read_file).context("the rules of the checkpoint")
            }
            _ => options.rules(),
        }
    }
}

/// The same agent twice gets a number, so that tables can tell the two apart.
fn number_doubles(agents: &mut [Named]) {
    for i in 0..agents.len() {
        let before = agents[..i].iter().filter(|other| other.agent == agents[i].agent).count();
        if before > 0 {
            agents[i].name = format!("{} ({})", agents[i].agent, before + 1);
        }
    }
}

fn first_plays(agents: &[Named], run: Option<&Run>) -> anyhow::Result<Option<Plays>> {
    let folder = |named: &Named| named.agent.checkpoint().map(Path::to_owned);
    let folder = match run {
        Some(run) => run.steps()?.into_iter().map(|(_, path)| path).next_back(),
        None => agents.iter().find_map(folder),
    };
    Ok(folder.map(|folder| describe(&folder)).transpose()?.map(|description| description.manifest.plays))
}

impl Run {
    /// The checkpoints with their steps, oldest first. What is not called by a number is none of ours.
    fn steps(&self) -> anyhow::Result<Vec<(u64, PathBuf)>> {
        let folder = self.0.join("checkpoints");
        let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        let step = |path: PathBuf| {
            let step = path.file_name()?.to_str()?.parse().ok()?;
            Some((step, path))
        };
        let mut steps: Vec<(u64, PathBuf)> = entries
            .filter_map(|entry| step(entry.ok()?.path()))
            .filter(|(_, path)| path.join(MANIFEST).exists())
            .collect();
        steps.sort_unstable();
        match steps.is_empty() {
            true => bail!("{} holds no checkpoint", folder.display()),
            false => Ok(steps),
        }
    }

    /// Some checkpoints, evenly spread over the run, the first and the last among them.
    pub fn checkpoints(&self, most: u64, simulations: Option<u32>) -> anyhow::Result<Vec<Named>> {
        let steps = self.steps()?;
        let count = (most as usize).min(steps.len());
        let at = |i: usize| if count == 1 { steps.len() - 1 } else { i * (steps.len() - 1) / (count - 1) };
        let named = |i: usize| {
            let (step, path) = &steps[at(i)];
            Named { name: format!("step {step}"), agent: of_checkpoint(path, simulations), step: Some(*step) }
        };
        Ok((0..count).map(named).collect())
    }
}
