//! Lines from whoever types or sends them, whatever they send.

use std::io::{self, BufRead, Read as _};

/// The longest line that is read, in bytes; the longest position of a game is a tenth of it.
pub const LONGEST_LINE: usize = 1 << 16;

/// What came in.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    Text(String),
    /// Longer than [`LONGEST_LINE`]; passed over without being kept.
    TooLong,
    /// Bytes that are no text.
    NotText,
}

/// The next line without its end; `None` when there are no more.
pub fn read(reader: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let read = reader.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() > LONGEST_LINE {
        reader.skip_until(b'\n')?;
        return Ok(Some(Line::TooLong));
    }
    Ok(Some(String::from_utf8(bytes).map_or(Line::NotText, |text| Line::Text(text.trim().to_owned()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Line> {
        let mut reader = bytes;
        std::iter::from_fn(|| read(&mut reader).expect("memory can be read")).collect()
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over_and_the_next_one_is_read() {
        let mut bytes = vec![b'x'; 1 << 20];
        bytes.extend_from_slice(b"\nquit\r\n");
        assert_eq!(lines(&bytes), [Line::TooLong, Line::Text("quit".to_owned())]);
    }

    #[test]
    fn the_longest_line_is_read_with_and_without_its_end() {
        let longest = "x".repeat(LONGEST_LINE);
        for end in ["", "\n"] {
            let line = format!("{longest}{end}");
            assert_eq!(lines(line.as_bytes()), [Line::Text(longest.clone())]);
        }
        assert_eq!(lines(format!("{longest}y").as_bytes()), [Line::TooLong]);
    }

    #[test]
    fn bytes_that_are_no_text_are_named_so() {
        assert_eq!(lines(b"\xff\xfe\0\nshow"), [Line::NotText, Line::Text("show".to_owned())]);
    }
}
