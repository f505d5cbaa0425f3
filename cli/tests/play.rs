//! A game in the terminal, played through a pipe.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut play = Command::new(env!("CARGO_BIN_EXE_nodarium"))
        .arg("play")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // A game that was refused reads nothing.
    let _ = play.stdin.take().expect("a pipe").write_all(input);
    play.wait_with_output().expect("it ends")
}

/// What a person would see who types these lines.
fn played(arguments: &[&str], lines: &[&str]) -> String {
    let output = run(arguments, lines.join("\n").as_bytes());
    let words = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.success() && words.is_empty(), "{words}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn refused(arguments: &[&str]) -> String {
    let output = run(arguments, b"");
    assert!(!output.status.success(), "{arguments:?} was not refused");
    let words = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(words.lines().count(), 1, "{words}");
    words
}

const TWO: [&str; 7] = ["tictactoe", "--seat", "0", "--seat", "1", "--seed", "1"];

#[test]
fn two_people_play_to_the_end() {
    let seen = played(&TWO, &["a1", "b1", "a2", "b2", "a3", "quit"]);
    assert!(seen.contains("The game is over (line): seat 0 wins. Returns: +1.00, -1.00."), "{seen}");
    assert!(seen.contains("seat 1> ") && seen.contains("over> "), "{seen}");
}

#[test]
fn an_agent_answers_and_its_move_is_told() {
    let seen = played(&["kato", "--seed", "3", "--against", "greedy", "--set", "size=4"], &["a1", "quit"]);
    assert!(seen.contains("seat 0: you, seat 1: greedy (--seed 3 deals this game again)"), "{seen}");
    assert_eq!(seen.matches("seat 1 plays ").count(), 2, "Black prepares two pieces: {seen}");
}

#[test]
fn a_beginning_is_enough_where_it_is_clear_and_questioned_where_not() {
    let seen =
        played(&["shuter", "--seed", "3", "--against", "greedy"], &["n0", "n08", "xyz", "B17", "quit"]);
    assert!(seen.contains("Several moves begin so: n00, n01, n02"), "{seen}");
    assert!(seen.contains("`xyz` is no legal move here, and no command. Try moves or help."), "{seen}");
    assert!(seen.contains("you play b17"), "{seen}");
    assert!(seen.contains("seat 1 plays n"), "{seen}");
}

#[test]
fn undo_takes_back_ones_own_move_and_what_followed() {
    let arguments = ["kato", "--seed", "3", "--against", "greedy", "--set", "size=4"];
    let seen = played(&arguments, &["undo", "a1", "undo", "a1", "quit"]);
    assert!(seen.contains("You have not moved yet."), "{seen}");
    let replies: Vec<&str> = seen.lines().filter(|line| line.contains("seat 1 plays")).collect();
    assert_eq!(replies[..2], replies[2..], "the same move gets the same answer again");
}

#[test]
fn hints_and_thoughts_are_told_on_request() {
    let arguments = ["kato", "--seed", "3", "--against", "uct:50", "--set", "size=4"];
    let seen =
        played(&arguments, &["hint", "hint greedy", "hint nobody", "thinking", "thinking on", "a1", "quit"]);
    assert!(seen.contains("uct:50 would play "), "{seen}");
    assert!(seen.contains("greedy would play "), "{seen}");
    assert!(seen.contains("unknown agent `nobody`"), "{seen}");
    assert!(seen.contains("Expected `thinking on` or `thinking off`."), "{seen}");
    assert_eq!(seen.matches("; expects seat 0 ").count(), 3, "one hint and two moves of the agent: {seen}");
}

#[test]
fn a_saved_game_can_be_gone_on_with_and_a_finished_one_replayed() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a plain path").to_owned();
    let (half, whole) = (path("half.json"), path("whole.json"));
    let save = |file: &str| format!("save {file}");
    let seen = played(&TWO, &["a1", "b1", &save(&half), &save(&half), "save", "quit"]);
    assert!(seen.contains("2 plies are in ") && seen.contains("nodarium play tictactoe --from "), "{seen}");
    assert!(seen.contains("is there already: expected a new name."), "{seen}");
    assert!(seen.contains("Expected `save FILE`."), "{seen}");
    let more = ["tictactoe", "--from", &half, "--seat", "0", "--seat", "1"];
    let seen = played(&more, &["a2", "b2", "a3", &save(&whole), "quit"]);
    assert!(seen.contains("seat 0 wins") && seen.contains("5 plies are in "), "{seen}");
    let replay =
        Command::new(env!("CARGO_BIN_EXE_nodarium")).args(["replay", &whole]).output().expect("it runs");
    assert!(replay.status.success(), "{}", String::from_utf8_lossy(&replay.stderr));
    assert!(refused(&["kato", "--from", &half]).contains("is no saved game of this kind, but of tictactoe"));
    fs::write(&half, "{\"format\": 1").expect("a file");
    assert!(refused(&["tictactoe", "--from", &half]).contains("is no saved game"));
    assert!(refused(&["tictactoe", "--from", &path("none")]).contains("cannot read"));
}

/// Every hand that a drawing shows belongs to the person that the prompt behind it asks.
fn only_own_hands_are_seen(seen: &str) -> usize {
    let mut drawings = 0;
    for drawing in seen.split("\nturn ").skip(1) {
        let Some((drawing, prompt)) =
            drawing.split_once("> ").map(|(drawing, _)| drawing.rsplit_once("seat ").expect("a prompt"))
        else {
            continue;
        };
        for line in drawing.lines().filter(|line| line.contains(", hand ")) {
            let seat = line.strip_prefix("seat ").and_then(|rest| rest.split(':').next()).expect("a seat");
            assert_eq!(line.ends_with("cards"), seat != prompt, "seat {prompt} sees `{line}`");
        }
        drawings += 1;
    }
    drawings
}

#[test]
fn hidden_cards_stay_hidden_and_people_hand_over() {
    let arguments =
        ["colony", "--seed", "5", "--against", "greedy", "--set", "players=3", "--seat", "0", "--seat", "2"];
    let lines = ["", "C1", "e5", "", "C1", "f5", "", "card", "quit"];
    let seen = played(&arguments, &lines);
    assert!(seen.contains("Seat 0 is to act: nobody else may look. Press Enter."), "{seen}");
    assert!(seen.contains("Seat 2 is to act: nobody else may look. Press Enter."), "{seen}");
    assert!(only_own_hands_are_seen(&seen) > 3, "{seen}");
    assert!(!seen.contains("plays card"), "a chosen card is nobody else's business: {seen}");
    assert!(seen.contains("seat 1 plays at "), "what lies on the table is seen: {seen}");
}

#[test]
fn a_secret_program_is_not_told() {
    let arguments = ["starduel", "--seed", "2", "--against", "greedy", "--seat", "1"];
    let seen = played(&arguments, &["board", "quit"]);
    assert!(!seen.contains("seat 0 plays program"), "{seen}");
    assert!(seen.contains("program ??"), "{seen}");
}

#[test]
fn noise_is_answered_and_the_game_goes_on() {
    let mut input = b"\xff\xfe\n".to_vec();
    input.extend(vec![b'x'; 1 << 20]);
    input.extend_from_slice(b"\n\n  \n\x1b[A\nhelp\nmoves\nboard\na1\nquit\n");
    let output = run(&TWO, &input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let seen = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(seen.matches("That was no line of text. Try moves or help.").count(), 2, "{seen}");
    assert!(seen.contains("`[A` is no legal move here, and no command"), "{seen}");
    assert!(seen.contains("seat 1> "), "{seen}");
}

#[test]
fn the_end_of_the_input_is_the_end_of_the_game() {
    assert!(played(&TWO, &["a1"]).ends_with("seat 1> \n"));
}

#[test]
fn what_cannot_be_played_is_refused() {
    assert!(refused(&["chess"]).contains("unknown game `chess`"));
    assert!(refused(&["kato", "--seat", "2"]).contains("--seat 2: kato has the seats 0 to 1"));
    assert!(refused(&["kato", "--against", "policy:/no/such"]).contains("agent `policy:/no/such`"));
    assert!(refused(&["kato", "--set", "size=3"]).contains("rule option `size` is 3"));
}
