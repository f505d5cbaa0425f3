//! Reading a config and checking all of it before anything is made from it.

use std::fs;
use std::path::Path;

use nodarium_agent::bots::Budget;
use nodarium_agent::network::{BadNetwork, Shape, device};
use nodarium_agent::{AgentName, Playable};
use nodarium_env::{BadRules, Game, catalog, record, rules_from, with_game};
use serde_json::Value;

use super::document::Document;
use super::error::{ConfigError, Place};
use super::{Config, schema};

/// The largest config, and the largest file that a rule option may name, in bytes.
const LARGEST_FILE: u64 = 1 << 20;

impl Config {
    /// Reads a TOML file, follows the overrides (`ppo.rate=1e-3`) and checks everything: keys, types, ranges, the rules of
    /// the game, the network, the opponents. Rules come back resolved: every option is there.
    pub fn read(path: &Path, overrides: &[String]) -> Result<Self, ConfigError> {
        let text =
            read_text(path).map_err(|problem| ConfigError::Unreadable { path: path.to_owned(), problem })?;
        Self::parse(path, &text, overrides)
    }

    /// The same for a text; `path` is where it came from.
    pub fn parse(path: &Path, text: &str, overrides: &[String]) -> Result<Self, ConfigError> {
        let mut document = Document::parse(path, text)?;
        for assignment in overrides {
            document.set(assignment)?;
        }
        schema::check(&document)?;
        let mut config: Self = serde_json::from_value(Value::Object(document.values.clone()))
            .map_err(|e| ConfigError::Syntax { place: document.place(""), problem: e.to_string() })?;
        let id = config.game.clone();
        with_game!(id.as_str(), G => config.check::<G>(&document))
            .map_err(|problem| ConfigError::Game { place: document.place("game"), problem })??;
        Ok(config)
    }

    /// The rules of the game.
    pub fn rules_of<G: Game>(&self) -> Result<G::Rules, BadRules> {
        let read = |name: &str| {
            read_text(Path::new(name)).map_err(|problem| format!("cannot read {name}: {problem}"))
        };
        rules_from(&self.rules, &read)
    }

    /// The config as TOML; reading it back gives the same config.
    pub fn to_toml(&self) -> String {
        toml::to_string_pretty(self).expect("a config has text keys and no value of nothing")
    }

    /// What types and ranges cannot say.
    fn check<G: Playable>(&mut self, document: &Document) -> Result<(), ConfigError> {
        let place = |path: &str| document.place(path);
        let found = match (&self.ppo, &self.gumbel) {
            (Some(_), Some(_)) if matches!(place("ppo"), Place::Override(_)) => Some(("ppo", "both")),
            (Some(_), Some(_)) => Some(("gumbel", "both")),
            (None, None) => Some(("", "none")),
            _ => None,
        };
        if let Some((path, found)) = found {
            return Err(ConfigError::Algorithm { place: place(path), found });
        }
        let rules = self.rules_of::<G>().map_err(|problem| {
            let (BadRules::UnknownKey { key, .. } | BadRules::BadValue { key, .. }) = &problem;
            ConfigError::Rules { place: place(&format!("rules.{key}")), problem }
        })?;
        let spec = G::spec(&rules);
        let shape = Shape::of(&spec);
        let has_insights = shape.insights > shape.observation;
        let seen = if self.network.insights && !has_insights { Err(BadNetwork::NoInsights) } else { Ok(()) };
        seen.and_then(|()| self.network.parameters(&shape)).map_err(|problem| {
            let key = match &problem {
                BadNetwork::Size { key, .. } => key,
                BadNetwork::Scale(_) => "value_scale",
                BadNetwork::NoGrid => "torso",
                BadNetwork::NoInsights => "insights",
                BadNetwork::DirectGrid => "direct",
                BadNetwork::Parameters(_) => "width",
            };
            ConfigError::Network { place: place(&format!("network.{key}")), problem }
        })?;
        device(&self.run.device)
            .map_err(|problem| ConfigError::Device { place: place("run.device"), problem })?;
        let opponents = self.strength.opponents.iter().enumerate();
        let opponents = opponents
            .map(|(index, name)| ("strength.opponents", format!("strength.opponents.{index}"), name));
        let teacher = self.gumbel.iter().filter_map(|gumbel| gumbel.teacher.as_ref());
        let teacher = teacher.map(|name| ("gumbel.teacher", "gumbel.teacher".to_owned(), name));
        let rivals = self.ppo.iter().flat_map(|ppo| ppo.rivals.iter().enumerate());
        let rivals = rivals.map(|(index, name)| ("ppo.rivals", format!("ppo.rivals.{index}"), name));
        for (key, at, name) in opponents.chain(teacher).chain(rivals) {
            let place = place(&at);
            let parsed = name.parse::<AgentName>();
            let wrong =
                |problem| ConfigError::Agent { place: place.clone(), key, problem: Box::new(problem) };
            match parsed.map_err(wrong)? {
                AgentName::MonteCarlo(Budget::Time(_)) | AgentName::Uct(Budget::Time(_)) => {
                    return Err(ConfigError::Value {
                        place,
                        key: key.to_owned(),
                        value: name.clone(),
                        expected: "a budget in simulations, because the same config makes the same run"
                            .into(),
                    });
                }
                _ => {}
            }
        }
        // TOML has no value for nothing; an option that is nothing is one that is not given.
        self.rules = record::options_of(&rules).into_iter().filter(|(_, value)| !value.is_null()).collect();
        Ok(())
    }
}

/// The ids of the games, for the schema.
pub(super) fn game_ids() -> &'static [&'static str] {
    catalog::IDS
}

fn read_text(path: &Path) -> std::io::Result<String> {
    let metadata = fs::metadata(path)?;
    if metadata.is_file() && metadata.len() > LARGEST_FILE {
        let problem = format!("{} bytes, more than the {LARGEST_FILE} allowed", metadata.len());
        return Err(std::io::Error::other(problem));
    }
    fs::read_to_string(path)
}
