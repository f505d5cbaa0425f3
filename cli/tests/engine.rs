//! The engine as another program meets it.

use std::io::Write as _;
use std::process::{Command, Stdio};

use nodarium_env::rng::Purpose;
use nodarium_env::{Rng, catalog};

/// Sends bytes to an engine; it must end by itself and without complaint. Its answers, one an element.
fn answers(input: &[u8]) -> Vec<String> {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_nodarium"))
        .arg("engine")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = engine.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input).expect("the engine reads all of it"));
    let output = engine.wait_with_output().expect("the engine ends");
    writer.join().expect("the writer ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8(output.stdout).expect("the engine speaks UTF-8");
    let text = text.strip_suffix("\n\n").unwrap_or(&text);
    text.split("\n\n").map(str::to_owned).collect()
}

fn told(commands: &[&str]) -> Vec<String> {
    answers(commands.join("\n").as_bytes())
}

#[test]
fn the_transcript_of_the_page_is_what_the_engine_answers() {
    let page = include_str!("../docs/engine.md");
    let blocks = page.split("```text\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    let exchanges: Vec<(&str, &str)> = blocks
        .flat_map(|block| block.strip_prefix("> ").unwrap_or_default().split("\n\n> "))
        .map(|exchange| exchange.split_once('\n').expect("a command and its answer"))
        .collect();
    assert!(exchanges.len() > 40, "{} exchanges", exchanges.len());
    let commands: Vec<&str> = exchanges.iter().map(|(command, _)| *command).collect();
    let answers = told(&commands);
    for ((command, expected), answer) in exchanges.iter().zip(&answers) {
        assert_eq!(answer, expected, "the answer to `{command}`");
    }
    assert_eq!(answers.len(), exchanges.len());
}

#[test]
fn the_page_names_every_command() {
    let page = include_str!("../docs/engine.md");
    let help = &told(&["help"])[0];
    let mut commands = help.lines().skip(1).map(|line| line.split(' ').next().expect("a word"));
    assert_eq!(commands.clone().count(), 23);
    assert!(commands.all(|command| page.contains(&format!("| `{command}"))), "{help}");
}

#[test]
fn what_is_refused_changes_nothing() {
    let long = format!("play {}", "x".repeat(1 << 20));
    let refused = [
        "play seat=0 n00",
        "play seat=7 n00",
        "play seat= n00",
        "play",
        "play nonsense",
        "play s0899",
        "play s9900",
        "play 🜁",
        "go agent=nobody",
        "go agent=policy:/no/such/place",
        "go agent=greedy budget=3",
        "go fast",
        "hint agent=uct",
        "think agent=mc:0",
        "show 2",
        "show -1",
        "observe x",
        "position {\"squares\": []}",
        "position [",
        "line 000",
        "notation latin",
        "seat 0 2",
        "agent uct:never",
        "new shuter variant=odd",
        "new shuter variant",
        "new shuter seed=-1",
        "new shuter {\"variant\": 3}",
        "new shuter variant=basic {\"variant\": \"basic\"}",
        "new",
        "new nothing",
        "options nothing",
        "turn around",
        "undo twice",
        "result",
        &long,
    ];
    let look = ["position", "line", "turn", "seat", "agent", "notation", "record"];
    let mut commands = vec!["new shuter seed=5", "agent greedy", "play s0817"];
    commands.extend(look);
    for bad in refused {
        commands.push(bad);
        commands.extend(look);
    }
    let answers = told(&commands);
    assert_eq!(answers.len(), commands.len());
    let (first, rest) = answers[3..].split_at(look.len());
    assert!(first.iter().all(|answer| answer.starts_with('=')), "{first:?}");
    for (bad, answers) in refused.iter().zip(rest.chunks(1 + look.len())) {
        let bad: String = bad.chars().take(60).collect();
        assert!(answers[0].starts_with("? "), "`{bad}` is answered {}", answers[0]);
        assert_eq!(answers[0].lines().count(), 1, "`{bad}`");
        assert!(answers[0].len() < 2_000, "`{bad}`");
        assert_eq!(&answers[1..], first, "`{bad}` changed something");
    }
}

#[test]
fn raw_bytes_and_endless_lines_are_answered_with_a_sentence() {
    let mut input = b"new kato\n\xff\xfe\x00\x9f\n".to_vec();
    input.extend(vec![b'a'; 3 << 20]);
    input.extend_from_slice(b"\n\x00\x01\x02\n\nposition \xc3\x28\n# a comment\n12 turn");
    let answers = answers(&input);
    assert_eq!(
        answers[1..],
        [
            "? the line is not UTF-8 text",
            "? the line is longer than 65536 bytes: it was passed over",
            "? unknown command `   `: help lists the commands",
            "? the line is not UTF-8 text",
            "=12 0",
        ]
    );
}

#[test]
fn no_noise_ends_the_engine() {
    let words = [
        "new",
        "kato",
        "shuter",
        "colony",
        "starduel",
        "leduc",
        "size=4",
        "seed=3",
        "players=4",
        "play",
        "go",
        "undo",
        "show",
        "all",
        "0",
        "1",
        "9",
        "agent=random",
        "agent=greedy",
        "budget=3",
        "think",
        "hint",
        "legal",
        "position",
        "line",
        "{",
        "}",
        "{}",
        "[]",
        "\"",
        "null",
        "s0817",
        "a1",
        "seat",
        "free",
        "notation",
        "observe",
        "result",
        "record",
        "turn",
        "=",
        "?",
        "\u{1b}",
        "\u{0}",
        "é",
        "options",
        "help",
        "99999999999999999999",
    ];
    let mut rng = Rng::keyed(Purpose::Choice, 11, 0, 0);
    let mut input = Vec::new();
    for _ in 0..3_000 {
        for _ in 0..=rng.below(5) {
            input.extend_from_slice(words[rng.below(words.len() as u32) as usize].as_bytes());
            input.push(b' ');
        }
        if rng.below(4) == 0 {
            input.extend((0..rng.below(40)).map(|_| rng.bits() as u8));
        }
        input.push(b'\n');
    }
    input.extend_from_slice(b"new tictactoe\nturn\n");
    assert_eq!(answers(&input).last().map(String::as_str), Some("= 0"));
}

#[test]
fn damaged_positions_never_end_the_engine() {
    let mut rng = Rng::keyed(Purpose::Choice, 12, 0, 0);
    for &game in catalog::IDS {
        let new = format!("new {game} seed=4");
        let mut commands = vec![new.as_str()];
        commands.extend(["go agent=random"; 9]);
        commands.push("position");
        let position = told(&commands).pop().expect("an answer");
        let position = position.strip_prefix("= ").expect("a position").as_bytes();
        let mut input = format!("new {game}\n").into_bytes();
        for _ in 0..300 {
            let mut damaged = position.to_vec();
            for _ in 0..=rng.below(2) {
                let at = rng.below(damaged.len() as u32) as usize;
                damaged[at] = b"0123456789nul[]{}\",:ab-"[rng.below(23) as usize];
            }
            input.extend_from_slice(b"position ");
            input.extend_from_slice(&damaged);
            input.extend_from_slice(b"\ngo agent=random\nshow 0\nobserve 1\n");
        }
        input.extend_from_slice(b"protocol\n");
        assert_eq!(answers(&input).last().map(String::as_str), Some("= 1"), "{game}");
    }
}

#[test]
fn two_engines_can_play_shuter_by_lines_alone() {
    // The second engine only ever sees lines: the position after every move of the first.
    let mut commands = vec!["new shuter seed=9", "notation line"];
    for _ in 0..40 {
        commands.extend(["go agent=greedy", "line", "position"]);
    }
    let first = told(&commands);
    for exchange in first[2..].chunks(3) {
        let [line, position] =
            [&exchange[1], &exchange[2]].map(|answer| answer.strip_prefix("= ").expect("done"));
        let read = told(&["new shuter", &format!("line {line}"), "position", "line"]);
        assert_eq!(read[2].strip_prefix("= "), Some(position));
        assert_eq!(read[3].strip_prefix("= "), Some(line));
    }
    assert!(first[2].starts_with("= s") && first[2].len() == 7, "{}", first[2]);
    // And moves read back: the same game, move by move.
    let mut again = vec!["new shuter seed=9".to_owned()];
    again.extend(first[2..].chunks(3).map(|exchange| format!("play {}", &exchange[0][2..])));
    again.push("position".to_owned());
    let again = answers(again.join("\n").as_bytes());
    assert_eq!(again.last(), first.last());
}

#[test]
fn the_record_of_a_game_between_agents_holds() {
    let mut commands = vec!["new colony players=3 seed=1"];
    commands.extend(["go agent=random"; 400]);
    commands.push("record");
    let answers = told(&commands);
    let record = answers.last().and_then(|answer| answer.strip_prefix("= ")).expect("a record");
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("game.jsonl");
    std::fs::write(&file, record).expect("a file");
    let replay =
        Command::new(env!("CARGO_BIN_EXE_nodarium")).arg("replay").arg(&file).output().expect("it runs");
    assert!(replay.status.success(), "{}", String::from_utf8_lossy(&replay.stderr));
}
