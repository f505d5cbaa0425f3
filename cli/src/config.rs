//! `nodarium config`: what a config says, and what one can say.

use nodarium_train::Config as TrainConfig;
use nodarium_train::config::schema;

use crate::arguments::Config;
use crate::output::say;

pub fn run(arguments: &Config) -> anyhow::Result<()> {
    match arguments {
        Config::Show { file, overrides } => {
            say(TrainConfig::read(file, &overrides.set)?.to_toml().trim_end())
        }
        Config::Schema => say(&serde_json::to_string_pretty(&schema())?),
    }
}
