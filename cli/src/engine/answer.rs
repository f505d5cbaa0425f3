//! How an answer is written.

use std::io::{self, Write};

/// The longest complaint, in characters: it may quote what was given.
const LONGEST_COMPLAINT: usize = 600;

/// Writes one answer: `=` or `?`, the id if one was given, the text, an empty line.
pub fn answer(out: &mut impl Write, id: &str, answer: &Result<String, String>) -> io::Result<()> {
    let (sign, text) = match answer {
        Ok(text) => ('=', text.clone()),
        Err(complaint) => ('?', one_sentence(complaint)),
    };
    // An empty line ends an answer, so there is none inside of one.
    let lines: Vec<&str> =
        text.trim_end().lines().map(|line| if line.trim().is_empty() { " " } else { line }).collect();
    match &lines[..] {
        [] => write!(out, "{sign}{id}\n\n")?,
        [line] => write!(out, "{sign}{id} {line}\n\n")?,
        lines => write!(out, "{sign}{id}\n{}\n\n", lines.join("\n"))?,
    }
    out.flush()
}

/// A complaint on one line, of a bearable length, without anything that would steer a terminal.
fn one_sentence(complaint: &str) -> String {
    let mut sentence: String = complaint
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .take(LONGEST_COMPLAINT + 1)
        .collect();
    if sentence.chars().count() > LONGEST_COMPLAINT {
        sentence = sentence.chars().take(LONGEST_COMPLAINT - 1).collect::<String>() + "…";
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(result: Result<&str, &str>) -> String {
        let mut out = Vec::new();
        let result = result.map(str::to_owned).map_err(str::to_owned);
        answer(&mut out, "", &result).expect("memory can be written");
        String::from_utf8(out).expect("answers are text")
    }

    #[test]
    fn an_answer_has_no_empty_line_inside() {
        assert_eq!(told(Ok("a\n\nb\n\n")), "=\na\n \nb\n\n");
        assert_eq!(told(Ok("")), "=\n\n");
        assert_eq!(told(Ok("a1")), "= a1\n\n");
    }

    #[test]
    fn a_complaint_is_one_line_without_control_letters() {
        assert_eq!(told(Err("a\n\u{1b}[2Jb")), "? a  [2Jb\n\n");
        assert!(told(Err(&"long ".repeat(1_000))).chars().count() < LONGEST_COMPLAINT + 10);
    }
}
