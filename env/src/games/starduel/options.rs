//! The rule options.

use serde::{Deserialize, Serialize};

use super::data::Tables;
use crate::rules::Reader;
use crate::{BadRules, RuleOption, Rules};

/// The rule options of Star Duel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StarDuelRules {
    /// D-16: the game is over after that many rounds.
    pub round_limit: u32,
    /// The file that holds the cards; `None` for the built-in ones.
    pub cards: Option<String>,
    /// The file that holds the map's links; `None` for the built-in ones.
    pub map: Option<String>,
    /// What the files say, once [`Rules::check`] has read them.
    #[serde(skip)]
    pub(super) tables: &'static Tables,
}

impl Default for StarDuelRules {
    fn default() -> Self {
        Self { round_limit: 60, cards: None, map: None, tables: Tables::built_in() }
    }
}

impl Rules for StarDuelRules {
    const OPTIONS: &'static [RuleOption] = &[
        RuleOption {
            key: "round_limit",
            allowed: "a whole number, at least 1",
            about: "the game is over after that many rounds",
        },
        RuleOption {
            key: "cards",
            allowed: "null, or the name of a file of cards",
            about: "the values of the cards; null for the built-in ones",
        },
        RuleOption {
            key: "map",
            allowed: "null, or the name of a file of links",
            about: "the links of the map; null for the built-in ones",
        },
    ];

    fn check(&mut self, read: &Reader<'_>) -> Result<(), BadRules> {
        if self.round_limit == 0 {
            return Err(BadRules::value("round_limit", self.round_limit, Self::OPTIONS[0].allowed));
        }
        let text = |key, name: &Option<String>| {
            let given = name.as_deref().map(|name| {
                read(name).map_err(|problem| BadRules::value(key, name, format!("a file to read: {problem}")))
            });
            given.transpose()
        };
        let (cards, map) = (text("cards", &self.cards)?, text("map", &self.map)?);
        self.tables =
            Tables::read(cards.as_deref(), map.as_deref()).map_err(|(which, problem)| match which {
                0 => BadRules::value("cards", &self.cards, format!("a sound file of cards: {problem}")),
                _ => BadRules::value("map", &self.map, format!("a sound map: {problem}")),
            })?;
        Ok(())
    }
}
