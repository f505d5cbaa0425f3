//! The manifest: what a checkpoint is, and how to tell that it is whole.

use std::collections::BTreeMap;
use std::path::Path;

use nodarium_env::{Game, record, rules, rules_from, with_game};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{CheckpointError, FORMAT, MAX_FILE, MAX_FILES, MAX_HEADER, MAX_NAME, POLICY};
use crate::network::{NetworkConfig, Shape};
use crate::search::Settings;

/// What a network was made to play. Weights mean something for exactly this and nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plays {
    /// The game's id.
    pub game: String,
    /// The version of the game, which changes with its observation and its actions.
    pub version: u32,
    /// Every rule option, resolved.
    pub rules: Map<String, Value>,
    /// The sizes of observation, actions and seats; in a manifest, of the observation as the network reads it.
    pub shape: Shape,
}

impl Plays {
    /// A game under given rules.
    pub fn of<G: Game>(rules: &G::Rules) -> Self {
        let spec = G::spec(rules);
        Self {
            game: spec.id.to_owned(),
            version: spec.version,
            rules: record::options_of(rules),
            shape: Shape::of(&spec),
        }
    }

    /// The sizes of the game as this version knows it; none where it does not know the game or the rules.
    fn known_shape(&self) -> Option<Shape> {
        fn of<G: Game>(options: &Map<String, Value>) -> Option<Shape> {
            Some(Shape::of(&G::spec(&rules_from(options, &rules::no_files).ok()?)))
        }
        with_game!(self.game.as_str(), G => of::<G>(&self.rules)).ok().flatten()
    }

    /// The first thing that differs: what, here, there.
    fn difference(&self, expected: &Self) -> Option<(String, String, String)> {
        let differs = |what: &str, found: String, expected: String| {
            (found != expected).then(|| (what.to_owned(), found, expected))
        };
        let option = || {
            let keys = self.rules.keys().chain(expected.rules.keys());
            let value = |rules: &Map<String, Value>, key| {
                rules.get(key).map_or("absent".to_owned(), Value::to_string)
            };
            keys.into_iter().find(|&key| self.rules.get(key) != expected.rules.get(key)).map(|key| {
                (format!("rule option `{key}`"), value(&self.rules, key), value(&expected.rules, key))
            })
        };
        differs("game", self.game.clone(), expected.game.clone())
            .or_else(|| differs("game version", self.version.to_string(), expected.version.to_string()))
            .or_else(option)
            .or_else(|| differs("shape", format!("{:?}", self.shape), format!("{:?}", expected.shape)))
    }
}

/// A file as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Bytes.
    pub size: u64,
    /// SHA-256 in lower-case hexadecimal.
    pub sha256: String,
}

impl FileEntry {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self { size: bytes.len() as u64, sha256: digest(bytes) }
    }
}

/// What a checkpoint says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format of the checkpoint, [`FORMAT`].
    pub format: u64,
    /// What the network plays.
    pub plays: Plays,
    /// How large it is.
    pub network: NetworkConfig,
    /// How it wants to be searched with; without it, as every network is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<Settings>,
    /// How far training has come: steps, games, whatever it counts.
    pub counters: BTreeMap<String, u64>,
    /// Every other file of the checkpoint.
    pub files: BTreeMap<String, FileEntry>,
}

pub(super) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// How the text ends: with the digest of all that comes before.
fn seal(body: &str) -> String {
    format!(",\n  \"sha256\": \"{}\"\n}}\n", digest(body.as_bytes()))
}

impl Manifest {
    /// The text with its own digest.
    pub(super) fn to_text(&self) -> String {
        let json =
            serde_json::to_string_pretty(self).expect("a manifest has only text keys and finite numbers");
        let body =
            json.strip_suffix("\n}").expect("pretty JSON of a struct ends with a brace on its own line");
        format!("{body}{}", seal(body))
    }

    /// Reads the text; `path` is where it came from.
    pub(super) fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, CheckpointError> {
        #[derive(Deserialize)]
        struct Header {
            format: u64,
        }
        let broken = |error: serde_json::Error| CheckpointError::NotAManifest {
            path: path.to_owned(),
            problem: error.to_string(),
        };
        let Header { format } = serde_json::from_slice(bytes).map_err(broken)?;
        if format != FORMAT {
            return Err(CheckpointError::Format { path: path.to_owned(), found: format });
        }
        let unsealed = || CheckpointError::Seal { path: path.to_owned() };
        let text = str::from_utf8(bytes).map_err(|_| unsealed())?;
        let body =
            text.len().checked_sub(seal("").len()).and_then(|len| text.get(..len)).ok_or_else(unsealed)?;
        if text[body.len()..] != seal(body) {
            return Err(unsealed());
        }
        let mut manifest: Self = serde_json::from_str(&format!("{body}\n}}")).map_err(broken)?;
        // Insights and board are not written down, because they follow from the rest.
        let Shape { observation, .. } = manifest.plays.shape;
        let (insights, grid) =
            manifest.plays.known_shape().map_or((observation, None), |known| (known.insights, known.grid));
        manifest.plays.shape = Shape { insights, grid, ..manifest.plays.shape };
        Ok(manifest)
    }

    /// Checks everything that the manifest alone can tell.
    pub(super) fn check(&self, path: &Path) -> Result<(), CheckpointError> {
        let parameters = self
            .network
            .parameters(&self.plays.shape)
            .map_err(|problem| CheckpointError::Network { path: path.to_owned(), problem })?;
        if let Some(search) = &self.search {
            search.check().map_err(|problem| CheckpointError::Search { path: path.to_owned(), problem })?;
        }
        let listing = |problem| CheckpointError::Listing { path: path.to_owned(), problem };
        if self.files.len() > MAX_FILES {
            return Err(listing(format!("{} files: expected at most {MAX_FILES}", self.files.len())));
        }
        if !self.files.contains_key(POLICY) {
            return Err(listing(format!("no {POLICY}: expected one, it holds the weights")));
        }
        for (name, entry) in &self.files {
            if !is_file_name(name) {
                return Err(listing(format!(
                    "a file {name:?}: expected a plain name of a-z, 0-9, `_`, `-` and `.`"
                )));
            }
            let limit = if name == POLICY { parameters as u64 * 4 + MAX_HEADER } else { MAX_FILE };
            if entry.size > limit {
                return Err(listing(format!("{name} with {} bytes: expected at most {limit}", entry.size)));
            }
        }
        Ok(())
    }

    /// Checks that the checkpoint is for what is asked.
    pub(super) fn check_plays(&self, expected: &Plays, path: &Path) -> Result<(), CheckpointError> {
        // A manifest has the sizes that its network reads; what is expected are those of the game.
        let read =
            |plays: &Plays| Plays { shape: plays.shape.clone().read_by(&self.network), ..plays.clone() };
        match read(&self.plays).difference(&read(expected)) {
            None => Ok(()),
            Some((what, found, expected)) => {
                Err(CheckpointError::PlaysOther { path: path.to_owned(), what, found, expected })
            }
        }
    }
}

/// Whether a checkpoint may have a file of that name: one that leads nowhere else and is not the manifest.
pub(super) fn is_file_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-.".contains(c);
    !name.is_empty()
        && name.len() <= MAX_NAME
        && !name.starts_with('.')
        && name != super::MANIFEST
        && name.chars().all(plain)
}
