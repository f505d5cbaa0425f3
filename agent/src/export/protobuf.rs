//! As much of the protobuf wire format as an ONNX file needs, by hand: the types of ONNX come in crates that bring a
//! compiler or a whole runtime with them.
//!
//! A message is a row of fields. A field is a key, `number · 8 + kind` as a varint, and a value: kind 0 is a varint, 2 is a
//! length and that many bytes (texts, nested messages). Numbers of fields are those of `onnx.proto3`; whoever writes a
//! field names the message and the field beside its number.

const VARINT: u64 = 0;
const BYTES: u64 = 2;

/// A message that is being written.
#[derive(Debug, Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    pub(super) fn new() -> Self {
        Self::default()
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn key(&mut self, field: u64, kind: u64) {
        self.varint(field << 3 | kind);
    }

    /// An `int32`, `int64` or enum; negative ones take ten bytes, as the format wants it.
    #[must_use]
    pub(super) fn int(mut self, field: u64, number: i64) -> Self {
        self.key(field, VARINT);
        self.varint(number as u64);
        self
    }

    #[must_use]
    pub(super) fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.key(field, BYTES);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    #[must_use]
    pub(super) fn text(self, field: u64, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    /// A message inside this one.
    #[must_use]
    pub(super) fn message(self, field: u64, inner: &Self) -> Self {
        self.bytes(field, &inner.0)
    }

    /// The same field once for each item.
    #[must_use]
    pub(super) fn each<T>(self, items: impl IntoIterator<Item = T>, add: impl Fn(Self, T) -> Self) -> Self {
        items.into_iter().fold(self, add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_as_the_format_says() {
        // The examples of the protobuf documentation: field 1 with 150, field 2 with a text, field 3 with the first.
        let first = Message::new().int(1, 150);
        assert_eq!(first.0, [0x08, 0x96, 0x01]);
        assert_eq!(Message::new().text(2, "testing").0, b"\x12\x07testing");
        assert_eq!(Message::new().message(3, &first).0, [0x1a, 0x03, 0x08, 0x96, 0x01]);
        assert_eq!(Message::new().int(1, -2).0.len(), 11);
        assert_eq!(Message::new().int(20, 1).0, [0xa0, 0x01, 0x01]);
    }
}
