//! What somebody who types a few letters means: a move or a command.

/// The commands, each with what it does.
pub const COMMANDS: [(&str, &str); 8] = [
    ("help", "this list"),
    ("moves", "every legal move"),
    ("board", "the board again"),
    ("hint", "what the agent would play for you; `hint greedy` asks another agent"),
    ("undo", "take your last move back"),
    ("thinking", "`thinking on` shows what the agent thinks, `thinking off` no more"),
    ("save", "`save FILE` writes the game down; `play --from FILE` goes on with it, `replay` checks it"),
    ("quit", "leave"),
];

/// What is meant.
#[derive(Debug, PartialEq, Eq)]
pub enum Typed<'a> {
    /// The move with this index in the list.
    Move(usize),
    /// A command with what follows it.
    Command(&'static str, &'a str),
    /// Several moves begin so.
    Several(Vec<usize>),
    /// Nothing that is known.
    Nothing,
}

/// Finds what is meant: a move as it is written, a command, the one move that begins so, the one command that begins so, the
/// one move with a later word that begins so; where nothing fits, the same without regard to capital letters.
pub fn read<'a>(text: &'a str, moves: &[String]) -> Typed<'a> {
    if let Some(exact) = moves.iter().position(|known| known == text) {
        return Typed::Move(exact);
    }
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    if let Some((command, _)) = COMMANDS.iter().find(|(command, _)| *command == word) {
        return Typed::Command(command, rest);
    }
    let lower = text.to_lowercase();
    let search = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..moves.len()).filter(|&index| fits(&moves[index])).collect()
    };
    let begins = search(&|known| known.starts_with(text));
    let commands: Vec<_> = COMMANDS.iter().filter(|(command, _)| command.starts_with(word)).collect();
    match (&begins[..], &commands[..]) {
        ([only], _) => return Typed::Move(*only),
        ([], [(command, _)]) => return Typed::Command(command, rest),
        ([], _) => {}
        _ => return Typed::Several(begins),
    }
    let later = search(&|known| tails(known).any(|tail| tail.starts_with(text)));
    let folded = search(&|known| {
        let known = known.to_lowercase();
        known.starts_with(&lower) || tails(&known).any(|tail| tail.starts_with(&lower))
    });
    // An equal word is meant even where others go on: `f1` beside `f10`.
    let whole = search(&|known| tails(known).any(|tail| tail == text));
    match [whole, later, folded].into_iter().find(|found| !found.is_empty()) {
        Some(found) if found.len() == 1 => Typed::Move(found[0]),
        Some(found) => Typed::Several(found),
        None => Typed::Nothing,
    }
}

/// What a text looks like without its first word, its first two, …
fn tails(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(' ').map(|(at, _)| &text[at + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn a_move_is_known_by_its_text_or_by_its_beginning() {
        let list = moves(&["n07", "n11", "tybgr", "e"]);
        assert_eq!(read("n07", &list), Typed::Move(0));
        assert_eq!(read("t", &list), Typed::Move(2));
        assert_eq!(read("n", &list), Typed::Several(vec![0, 1]));
        assert_eq!(read("N11", &list), Typed::Move(1));
        assert_eq!(read("x", &list), Typed::Nothing);
    }

    #[test]
    fn a_later_word_is_enough() {
        let list = moves(&["explore f1", "explore f10", "explore g2", "skip"]);
        assert_eq!(read("f1", &list), Typed::Move(0));
        assert_eq!(read("f10", &list), Typed::Move(1));
        assert_eq!(read("g", &list), Typed::Move(2));
        assert_eq!(read("f", &list), Typed::Several(vec![0, 1]));
        assert_eq!(read("G2", &list), Typed::Move(2));
    }

    #[test]
    fn commands_stand_behind_moves_that_are_written_so() {
        let list = moves(&["h1", "h2", "quit"]);
        assert_eq!(read("quit", &list), Typed::Move(2));
        assert_eq!(read("hint greedy", &list), Typed::Command("hint", "greedy"));
        assert_eq!(read("h", &list), Typed::Several(vec![0, 1]));
        assert_eq!(read("sa my game.json", &list), Typed::Command("save", "my game.json"));
        assert_eq!(read("he", &list), Typed::Command("help", ""));
    }
}
