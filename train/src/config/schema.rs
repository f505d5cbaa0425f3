//! The JSON schema of a config, made from its types, and the check of a document against it: what is allowed is said once.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::Config;
use super::document::Document;
use super::error::ConfigError;

/// The JSON schema of a config, from which editors complete keys and show what they mean.
pub fn schema() -> Value {
    let generator =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true).into_generator();
    generator.into_root_schema_for::<Config>().to_value()
}

/// Checks keys, types and ranges, and names the first that is wrong, in the order of the document.
pub(super) fn check(document: &Document) -> Result<(), ConfigError> {
    Check { document }.table(&schema(), &document.values, "")
}

struct Check<'a> {
    document: &'a Document,
}

impl Check<'_> {
    fn table(&self, schema: &Value, table: &Map<String, Value>, path: &str) -> Result<(), ConfigError> {
        let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        let none = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&none);
        for (key, value) in table {
            let key_path = below(key);
            match properties.get(key) {
                Some(schema) => self.value(schema, value, &key_path)?,
                None if schema["additionalProperties"] == Value::Bool(false) => {
                    let known = properties.keys().cloned().collect();
                    let place = self.document.place(&key_path);
                    return Err(ConfigError::UnknownKey { place, key: key_path, known });
                }
                None => {}
            }
        }
        for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !table.contains_key(key) {
                let expected = expected(&properties[key]);
                return Err(ConfigError::Missing {
                    place: self.document.place(path),
                    key: below(key),
                    expected,
                });
            }
        }
        Ok(())
    }

    fn value(&self, schema: &Value, value: &Value, path: &str) -> Result<(), ConfigError> {
        let fits = match (type_of(schema), value) {
            ("object", Value::Object(table)) => return self.table(schema, table, path),
            ("array", Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    self.value(&schema["items"], item, &format!("{path}.{index}"))?;
                }
                true
            }
            // Which texts are allowed is for whoever knows them to say: the catalogue of games, the names of agents.
            ("string", Value::String(_)) | ("boolean", Value::Bool(_)) => true,
            ("integer", Value::Number(number)) if !number.is_f64() => in_range(schema, value),
            ("number", Value::Number(_)) => in_range(schema, value),
            ("", _) => true,
            _ => false,
        };
        if fits {
            return Ok(());
        }
        Err(ConfigError::Value {
            place: self.document.place(path),
            key: path.to_owned(),
            value: value.to_string(),
            expected: expected(schema),
        })
    }
}

/// The type of a value that is there: that of an optional table is `["object", "null"]`.
fn type_of(schema: &Value) -> &str {
    match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).find(|&name| name != "null"),
        one => one.as_str(),
    }
    .unwrap_or_default()
}

/// The smallest and the largest number that is allowed.
fn range(schema: &Value) -> (Option<f64>, Option<f64>) {
    let widest = match schema["format"].as_str() {
        Some("uint32") => Some(f64::from(u32::MAX)),
        _ => None,
    };
    (schema["minimum"].as_f64(), schema["maximum"].as_f64().or(widest))
}

fn in_range(schema: &Value, value: &Value) -> bool {
    let (least, most) = range(schema);
    value.as_f64().is_some_and(|value| {
        least.is_none_or(|least| value >= least) && most.is_none_or(|most| value <= most)
    })
}

/// What is allowed, in words.
fn expected(schema: &Value) -> String {
    let kind = match type_of(schema) {
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => return "true or false".to_owned(),
        "string" => {
            let listed = |allowed: &Vec<Value>| {
                allowed.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
            };
            return schema["enum"]
                .as_array()
                .map_or("a text in quotes".to_owned(), |allowed| format!("one of {}", listed(allowed)));
        }
        "array" => return format!("a list, each of it {}", expected(&schema["items"])),
        _ => return "a table".to_owned(),
    };
    match range(schema) {
        (Some(least), Some(most)) => format!("{kind} from {least} to {most}"),
        (Some(least), None) => format!("{kind} of at least {least}"),
        (None, Some(most)) => format!("{kind} of at most {most}"),
        (None, None) => kind.to_owned(),
    }
}
