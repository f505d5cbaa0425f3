//! The text of a config: values, and where each of them was said.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Number, Value};
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::error::{ConfigError, Place};

/// The values of a file with its overrides, by their keys.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) values: Map<String, Value>,
    file: PathBuf,
    /// By path: `ppo.rate`, `strength.opponents.1`.
    places: BTreeMap<String, Place>,
}

impl Document {
    /// Reads the text of a file.
    pub(super) fn parse(file: &Path, text: &str) -> Result<Self, ConfigError> {
        let mut document = Self { values: Map::new(), file: file.to_owned(), places: BTreeMap::new() };
        let line = |at: usize| Place::Line(file.to_owned(), line_of(text, at));
        let table = DeTable::parse(text).map_err(|error| ConfigError::Syntax {
            place: error.span().map_or(Place::File(file.to_owned()), |span| line(span.start)),
            problem: error.message().to_owned(),
        })?;
        document.values = document.table(table.get_ref(), "", &line)?;
        Ok(document)
    }

    /// Follows an override: `ppo.rate=1e-3`. A value is one of TOML; any other text stands for itself, and `null` takes the
    /// key away, so that it has its default.
    pub(super) fn set(&mut self, assignment: &str) -> Result<(), ConfigError> {
        let place = Place::Override(assignment.to_owned());
        let wrong = |problem: String| ConfigError::Syntax { place: place.clone(), problem };
        let (key, text) = assignment
            .split_once('=')
            .ok_or_else(|| wrong("expected KEY=VALUE, such as ppo.rate=1e-3".to_owned()))?;
        let (key, text) = (key.trim(), text.trim());
        let parts: Vec<&str> = key.split('.').collect();
        if parts.iter().any(|part| part.is_empty()) {
            return Err(wrong(format!("`{key}` is no key: expected one such as ppo.rate")));
        }
        let source = format!("value = {text}");
        let parsed = DeTable::parse(&source).ok().filter(|table| table.get_ref().len() == 1);
        self.places.retain(|known, _| known != key && !known.starts_with(&format!("{key}.")));
        let value = match &parsed {
            Some(table) => {
                let value = table.get_ref().get("value").expect("the only key is called so");
                Some(self.value(value, key, &|_| place.clone())?)
            }
            None if text == "null" => None,
            None => Some(Value::from(text)),
        };
        self.places.insert(key.to_owned(), place.clone());
        let (last, tables) = parts.split_last().expect("a split has at least one part");
        let mut table = &mut self.values;
        for (depth, part) in tables.iter().enumerate() {
            let inner = table.entry(*part).or_insert_with(|| {
                self.places.insert(parts[..=depth].join("."), place.clone());
                Value::Object(Map::new())
            });
            let Value::Object(inner) = inner else {
                return Err(wrong(format!("`{}` is no table", parts[..=depth].join("."))));
            };
            table = inner;
        }
        match value {
            Some(value) => drop(table.insert((*last).to_owned(), value)),
            None => drop(table.shift_remove(*last)),
        }
        Ok(())
    }

    /// Where the value of a key was said; the table around it, or the file, when the key is not there.
    pub(super) fn place(&self, path: &str) -> Place {
        let mut path = path;
        loop {
            if let Some(place) = self.places.get(path) {
                return place.clone();
            }
            match path.rsplit_once('.') {
                Some((table, _)) => path = table,
                None => return Place::File(self.file.clone()),
            }
        }
    }

    fn table(
        &mut self,
        table: &DeTable<'_>,
        path: &str,
        line: &dyn Fn(usize) -> Place,
    ) -> Result<Map<String, Value>, ConfigError> {
        // In the order of the file, so that the first thing wrong is the first that is told.
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let mut values = Map::new();
        for (key, value) in entries {
            let path =
                if path.is_empty() { key.get_ref().to_string() } else { format!("{path}.{}", key.get_ref()) };
            self.places.insert(path.clone(), line(key.span().start));
            let value = self.value(value, &path, line)?;
            values.insert(key.get_ref().to_string(), value);
        }
        Ok(values)
    }

    fn value(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        path: &str,
        line: &dyn Fn(usize) -> Place,
    ) -> Result<Value, ConfigError> {
        let wrong = |value: String, expected: &str| ConfigError::Value {
            place: self.place(path),
            key: path.to_owned(),
            value,
            expected: expected.to_owned(),
        };
        Ok(match value.get_ref() {
            DeValue::String(text) => Value::from(text.as_ref()),
            DeValue::Boolean(truth) => Value::from(*truth),
            DeValue::Integer(number) => integer(number).ok_or_else(|| {
                wrong(number.to_string(), "a whole number of at most 9223372036854775807, as TOML has them")
            })?,
            DeValue::Float(number) => {
                let parsed = number.as_str().parse::<f64>().ok().and_then(Number::from_f64);
                Value::Number(parsed.ok_or_else(|| wrong(number.to_string(), "a finite number"))?)
            }
            DeValue::Datetime(date) => return Err(wrong(date.to_string(), "no date, no key takes one")),
            DeValue::Array(items) => {
                let mut values = Vec::new();
                for (index, item) in items.iter().enumerate() {
                    let path = format!("{path}.{index}");
                    self.places.insert(path.clone(), line(item.span().start));
                    values.push(self.value(item, &path, line)?);
                }
                Value::Array(values)
            }
            DeValue::Table(table) => Value::Object(self.table(table, path, line)?),
        })
    }
}

fn integer(number: &DeInteger<'_>) -> Option<Value> {
    i64::from_str_radix(number.as_str(), number.radix()).ok().map(Value::from)
}

/// The line of a byte, counted from 1.
fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at.min(text.len())].iter().filter(|&&byte| byte == b'\n').count() + 1
}
