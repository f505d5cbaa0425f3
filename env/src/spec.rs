//! What is fixed about a game: sizes, names, layouts, symmetries.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use crate::Grid;

/// Facts about a game under given rules. Built once, shared by everyone who plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// The id used in configs, records and on the command line.
    pub id: &'static str,
    /// Raised whenever behaviour, observation or action numbering changes.
    pub version: u32,
    /// The game's name for people.
    pub title: &'static str,
    /// How many seats play.
    pub seats: usize,
    /// What the seats can see.
    pub information: Information,
    /// The actions, as groups of neighbouring indices.
    pub action_groups: Vec<ActionGroup>,
    /// The observation, field by field.
    pub observation: Layout,
    /// The observation with the game's insights behind it: numbers that follow from what the seat sees and take longer to work
    /// out than a ply does. Where a game has none it is the observation again.
    pub insights: Layout,
    /// The board under the observation and the insights, where there is one.
    pub grid: Option<Arc<Grid>>,
    /// No game has more plies than this.
    pub longest_game: usize,
    /// The reasons why a game can be over; [`End`](crate::End) indexes them.
    pub ends: Vec<&'static str>,
    /// The symmetries; the first is the identity.
    pub symmetries: Vec<Symmetry>,
}

/// What the seats can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Information {
    /// Everything: `redeal_hidden` has nothing to do.
    Perfect,
    /// Some cards or choices are hidden from some seats.
    Hidden,
}

impl Spec {
    /// How many actions there are.
    pub fn actions(&self) -> usize {
        self.action_groups.iter().map(|group| group.names.len()).sum()
    }

    /// The name of every action in the order of their indices, each used once.
    pub fn action_names(&self) -> impl Iterator<Item = &str> {
        self.action_groups.iter().flat_map(|group| group.names.iter().map(String::as_str))
    }

    /// The observation as a Markdown table, as the game's page shows it.
    pub fn observation_table(&self) -> String {
        field_table(self.observation.fields())
    }

    /// The insights behind the observation as a Markdown table, as the game's page shows it; none where it has none.
    pub fn insight_table(&self) -> Option<String> {
        let behind = &self.insights.fields()[self.observation.fields().len()..];
        (!behind.is_empty()).then(|| field_table(behind))
    }

    /// What a network reads: with insights or without.
    pub fn layout(&self, insights: bool) -> &Layout {
        if insights { &self.insights } else { &self.observation }
    }

    /// The actions as a Markdown table, as the game's page shows it.
    pub fn action_table(&self) -> String {
        let mut table = String::from("| index | actions | what they do |\n|---|---|---|\n");
        let mut first = 0;
        for group in &self.action_groups {
            let range = first..first + group.names.len();
            let names = match &group.names[..] {
                [only] => format!("`{only}`"),
                [first, second] => format!("`{first}`, `{second}`"),
                [first, second, .., last] => format!("`{first}`, `{second}`, … `{last}`"),
                [] => "–".to_owned(),
            };
            let _ = writeln!(table, "| {} | {names} | {} |", span(&range), group.about);
            first = range.end;
        }
        table
    }
}

fn field_table(fields: &[Field]) -> String {
    let mut table = String::from("| index | field | what it says |\n|---|---|---|\n");
    for field in fields {
        let _ = writeln!(table, "| {} | `{}` | {} |", span(&field.range), field.name, field.about);
    }
    table
}

fn span(range: &Range<usize>) -> String {
    match range.len() {
        1 => range.start.to_string(),
        _ => format!("{}–{}", range.start, range.end.saturating_sub(1)),
    }
}

/// Neighbouring actions that do the same kind of thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionGroup {
    /// One name an action, unique in the whole game.
    pub names: Vec<String>,
    /// What these actions do.
    pub about: &'static str,
}

impl ActionGroup {
    /// A group of actions with their names.
    pub fn new(about: &'static str, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { names: names.into_iter().map(Into::into).collect(), about }
    }
}

/// The fields of an observation, back to back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout(Vec<Field>);

/// A named stretch of the observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// A name, unique in the layout; `own.nodes`, say.
    pub name: String,
    /// Where it lies.
    pub range: Range<usize>,
    /// What it says, with its scale.
    pub about: &'static str,
}

impl Layout {
    /// Adds a field of `len` numbers behind the others.
    #[must_use]
    pub fn field(mut self, name: impl Into<String>, len: usize, about: &'static str) -> Self {
        let start = self.len();
        self.0.push(Field { name: name.into(), range: start..start + len, about });
        self
    }

    /// How many numbers an observation has.
    pub fn len(&self) -> usize {
        self.0.last().map_or(0, |field| field.range.end)
    }

    /// Whether there is no field.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The fields in order.
    pub fn fields(&self) -> &[Field] {
        &self.0
    }

    /// Where the named field lies.
    pub fn range(&self, name: &str) -> Option<Range<usize>> {
        self.0.iter().find(|field| field.name == name).map(|field| field.range.clone())
    }
}

/// A way to turn the game over without changing it: what was at index `i` is at index `map[i]` afterwards.
///
/// The law, for every state `s`, seat `p`, index `i` and legal action `a`, with `t = s.transform(symmetry)`:
/// `observe(t, seats[p])[observation[i]] == observe(s, p)[i]`, `actions[a]` is legal in `t`, and playing it there
/// leads to the image of what `a` leads to in `s`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// A name for people.
    pub name: String,
    /// Where each number of an observation goes, those of the insights included: they stay behind it.
    pub observation: Vec<u32>,
    /// Where each action goes.
    pub actions: Vec<u16>,
    /// Where each seat goes.
    pub seats: Vec<u8>,
}

impl Symmetry {
    /// The symmetry that leaves everything in its place.
    pub fn identity(observation: usize, actions: usize, seats: usize) -> Self {
        Self {
            name: "identity".to_owned(),
            observation: (0..observation as u32).collect(),
            actions: (0..actions as u16).collect(),
            seats: (0..seats as u8).collect(),
        }
    }

    /// Builds the permutation of a whole observation from the permutations of its parts: `part` gives, for a
    /// field's name and length, where each of its numbers goes within the field; `None` leaves it in place.
    pub fn of_layout(layout: &Layout, part: impl Fn(&Field) -> Option<Vec<usize>>) -> Vec<u32> {
        let mut whole: Vec<u32> = (0..layout.len() as u32).collect();
        for field in layout.fields() {
            if let Some(inner) = part(field) {
                assert_eq!(inner.len(), field.range.len(), "field {} moves all its numbers", field.name);
                for (from, to) in inner.into_iter().enumerate() {
                    whole[field.range.start + from] = (field.range.start + to) as u32;
                }
            }
        }
        whole
    }
}
