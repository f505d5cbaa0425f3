//! `nodarium eval` and `nodarium match` as a person meets them.

mod binary;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use binary::{accepted, folder, path, refused, text};
use nodarium_agent::checkpoint::{Contents, Plays, save, step_folder};
use nodarium_agent::network::{NetworkConfig, Shape, Weights};
use nodarium_env::Game;
use nodarium_env::calibration::kuhn::Kuhn;
use nodarium_env::calibration::tictactoe::TicTacToe;
use nodarium_eval::report::{Kind, Report};

fn report(out: &str) -> Report {
    let json = fs::read_to_string(Path::new(out).join("report.json")).expect("the report is there");
    serde_json::from_str(&json).expect("the report reads back")
}

fn checkpoint<G: Game>(folder: &Path, seed: u64) {
    let rules = G::Rules::default();
    let config = NetworkConfig { width: 16, ..NetworkConfig::default() };
    let weights = Weights::draw(config, Shape::of(&G::spec(&rules)), seed).expect("a small network");
    let plays = Plays::of::<G>(&rules);
    let contents =
        Contents { plays: &plays, weights: &weights, search: None, counters: BTreeMap::new(), further: &[] };
    save(folder, &contents).expect("a scratch folder takes it");
}

#[test]
fn a_match_tells_score_and_rating_and_the_same_seed_tells_the_same() {
    let play = ["match", "--game", "tictactoe", "greedy", "random", "--games", "100", "--seed", "3"];
    let words = accepted(&play);
    assert!(words.starts_with("tictactoe, 100 games, seed 3\n"), "{words}");
    assert!(words.contains("| `greedy` | ") && words.contains("| `random` | 0 |"), "{words}");
    assert_eq!(words, accepted(&play));
    let one_thread =
        Command::new(env!("CARGO_BIN_EXE_nodarium")).args(play).env("RAYON_NUM_THREADS", "1").output();
    assert_eq!(words, text(&one_thread.expect("the binary runs").stdout));
}

#[test]
fn a_tournament_writes_a_report_that_reads_back_and_a_page_that_needs_nothing() {
    let folder = folder();
    let out = path(&folder, "report");
    let arguments = [
        "eval", "--game", "kato", "--set", "size=4", "random", "greedy", "mc:50", "--games", "30", "--out",
        &out,
    ];
    let words = accepted(&arguments);
    assert!(words.contains(&format!("report: {out}/report.html")), "{words}");
    let told = report(&out);
    assert_eq!(
        (told.kind, told.games, told.pairs.len(), told.partial.as_deref()),
        (Kind::Tournament, 90, 3, None)
    );
    assert_eq!(told.rules["size"], 4);
    assert!(told.example.is_some_and(|example| example.plies.len() > 3));
    let page = fs::read_to_string(Path::new(&out).join("report.html")).expect("the page is there");
    for part in ["Ratings", "Who beat whom", "Seats", "Lengths and ends", "A game", "<svg "] {
        assert!(page.contains(part), "{part}");
    }
    for part in ["http://", "https://", "src=", "@import"] {
        assert!(!page.replace("http://www.w3.org/2000/svg", "").contains(part), "{part}");
    }
    for picture in ["ratings", "matrix", "seats", "lengths", "ends"] {
        let svg =
            fs::read_to_string(Path::new(&out).join(format!("{picture}.svg"))).expect("the picture is there");
        assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>"), "{picture}");
    }
    let words = refused(&arguments);
    assert!(words.contains("exists already") && words.contains("--force"), "{words}");
    accepted(&[&arguments[..], &["--force"]].concat());
    let entries: Vec<_> = fs::read_dir(folder.path()).expect("a folder").flatten().collect();
    assert_eq!(entries.len(), 1, "{entries:?}");
}

#[test]
fn force_replaces_reports_and_nothing_else() {
    let folder = folder();
    fs::write(folder.path().join("thesis.txt"), "years of work").expect("a scratch file");
    let out = folder.path().to_str().expect("a plain path");
    let words =
        refused(&["match", "--game", "kuhn", "random", "greedy", "--games", "2", "--out", out, "--force"]);
    assert!(words.contains("holds no report that --force could replace"), "{words}");
    assert!(folder.path().join("thesis.txt").exists());
}

#[test]
fn a_checkpoint_is_measured_against_the_ladder_of_its_game() {
    let folder = folder();
    let place = folder.path().join("1");
    checkpoint::<TicTacToe>(&place, 1);
    let out = path(&folder, "report");
    let place = place.to_str().expect("a plain path");
    accepted(&["eval", place, "--games", "4", "--out", &out, "--quiet"]);
    let told = report(&out);
    let names: Vec<&str> = told.entrants.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["random", "greedy", "uct:100", "uct:1000", &format!("policy:{place}")]);
    assert!(told.entrants.iter().all(|row| row.rating.is_some()));
}

#[test]
fn a_run_gives_its_strength_over_time() {
    let folder = folder();
    for step in 0..7 {
        checkpoint::<TicTacToe>(&step_folder(folder.path(), 100 * step), step);
    }
    fs::create_dir(folder.path().join("checkpoints/.00000700.partial")).expect("a scratch folder");
    // The folder above the report is made with it.
    let out = path(&folder, "reports/of-the-run");
    let run = folder.path().to_str().expect("a plain path");
    accepted(&["eval", run, "--games", "2", "--points", "4", "--out", &out]);
    let told = report(&out);
    let steps: Vec<u64> = told.entrants.iter().filter_map(|row| row.step).collect();
    assert_eq!((told.kind, &steps[..]), (Kind::Run, &[0, 200, 400, 600][..]));
    assert!(Path::new(&out).join("curve.svg").exists());
    let words = refused(&["eval", run, "greedy"]);
    assert!(words.contains("the folder of a run is measured alone"), "{words}");
}

#[test]
fn records_hold_and_a_series_is_counted_as_one() {
    let folder = folder();
    let (records, out) = (path(&folder, "games.jsonl"), path(&folder, "report"));
    let best_of = ["match", "--game", "shuter", "greedy", "random", "--best-of", "3", "--games", "4"];
    accepted(&[&best_of[..], &["--records", &records, "--out", &out]].concat());
    let told = report(&out);
    assert_eq!((told.best_of, told.games, told.pairs[0].wins), (3, 8, 4), "two wins decide");
    let words = accepted(&["replay", &records]);
    assert!(words.starts_with("shuter: 8 records hold"), "{words}");
}

#[test]
fn three_seats_are_rated_too() {
    let words =
        accepted(&["eval", "--game", "colony", "--set", "players=3", "random", "greedy", "--games", "6"]);
    assert!(words.contains("| `greedy` | ") && words.contains("colony, 12 games"), "{words}");
}

#[test]
fn one_against_the_rest_tells_its_share_of_the_wins() {
    let folder = folder();
    let out = path(&folder, "report");
    let table = ["match", "--game", "colony", "--set", "players=3", "--alone", "--seed", "5"];
    let even = [&table[..], &["random", "random", "--games", "3000", "--out", &out]].concat();
    let words = accepted(&even);
    assert!(words.starts_with("colony, 3000 games, seed 5\n"), "{words}");
    assert!(words.contains("`random` alone against the rest: wins 0.3"), "{words}");
    assert!(words.contains("] of the games, fair share 0.333: "), "{words}");
    let told = report(&out);
    let row = told.alone.expect("it was asked for");
    assert_eq!((told.format, row.groups, row.entrant), (2, 1_000, 0));
    assert!((row.wins.value - row.fair).abs() < 0.03 && row.wins.covers(row.fair), "{row:?}");
    assert!(row.wins.high - row.wins.low > 0.02 && row.wins.high - row.wins.low < 0.06, "{row:?}");
    // C-12: a winner among k of n players has (n/k − 1)/(n − 1).
    assert!((row.wins.value - (2.0 * row.returns.value + 1.0) / 3.0).abs() < 1e-6, "{row:?}");
    let page = fs::read_to_string(Path::new(&out).join("report.html")).expect("the page is there");
    assert!(page.contains("One against the rest"));

    let strong = [&table[..], &["greedy", "random", "--games", "150", "--force", "--out", &out]].concat();
    accepted(&strong);
    let row = report(&out).alone.expect("it was asked for");
    assert!(row.times > 1.5 && row.wins.low > row.fair && row.returns.low > 0.0, "{row:?}");
    let words = refused(&[&strong[..], &["--sprt", "elo1=30"]].concat());
    assert!(words.contains("a sequential test is for two seats"), "{words}");
}

#[test]
fn alone_at_a_table_of_two_is_the_match_as_it_was() {
    let play = ["match", "--game", "shuter", "greedy", "random", "--games", "20", "--opening", "2"];
    let (plain, alone) = (accepted(&play), accepted(&[&play[..], &["--alone"]].concat()));
    let said =
        alone.lines().find(|line| line.contains("alone against the rest")).expect("its share of the wins");
    assert!(said.contains("fair share 0.500"), "{said}");
    assert!(plain.lines().all(|line| alone.contains(line)), "{plain}\n{alone}");
}

#[test]
fn reports_of_the_first_format_still_read() {
    let folder = folder();
    let out = path(&folder, "report");
    accepted(&["match", "--game", "kuhn", "random", "greedy", "--games", "2", "--out", &out, "--quiet"]);
    let json = fs::read_to_string(Path::new(&out).join("report.json")).expect("the report is there");
    let old = json.replace("\"format\": 2", "\"format\": 1").replace("  \"alone\": null,\n", "");
    assert!(old.contains("\"format\": 1") && !old.contains("alone"), "{old}");
    let read: Report = serde_json::from_str(&old).expect("it reads");
    assert_eq!(Report { format: 2, ..read }, report(&out));
}

#[test]
fn a_sequential_test_stops_when_it_is_decided() {
    let words = accepted(&["match", "--game", "shuter", "greedy", "random", "--sprt", "elo0=0,elo1=50"]);
    assert!(words.contains("sequential test accepted: stronger by 50 Elo rather than 0"), "{words}");
    let games: u64 = words.split(' ').nth(1).and_then(|n| n.parse().ok()).expect("a number of games");
    assert!(games < 1_000, "{words}");
}

#[test]
fn small_games_have_an_exact_exploitability_and_best_responses_are_shown() {
    let folder = folder();
    let (out, response) = (path(&folder, "report"), path(&folder, "response.json"));
    let whole = r#"{"against": "greedy", "method": "PPO", "steps": 1000, "games": 50,
                    "mean_return": {"value": 0.2, "low": 0.1, "high": 0.3},
                    "score": {"value": 0.6, "low": 0.5, "high": 0.7}}"#;
    fs::write(&response, whole).expect("a scratch file");
    let play = ["eval", "--game", "kuhn", "random", "greedy", "--games", "20", "--out", &out];
    accepted(&[&play[..], &["--best-response", &response]].concat());
    let told = report(&out);
    assert!(told.entrants[0].exploitability.is_some_and(|value| (value - 11.0 / 24.0).abs() < 1e-6));
    assert_eq!(told.best_responses[0].steps, 1_000);
    fs::write(&response, whole.replace("0.3", "0.15")).expect("a scratch file");
    let words = refused(&[&play[..], &["--force", "--best-response", &response]].concat());
    assert!(words.contains("a mean outside its interval"), "{words}");
}

#[test]
fn what_cannot_be_played_is_refused_before_anything_is_written() {
    let folder = folder();
    let place = folder.path().join("1");
    checkpoint::<Kuhn>(&place, 1);
    let place = place.to_str().expect("a plain path");
    let (out, records) = (path(&folder, "report"), path(&folder, "games.jsonl"));
    let cases: [(&[&str], &str); 15] = [
        (&["match", "--game", "kato", "greedy", "policy:/no/such"], "cannot read /no/such/manifest.json"),
        (&["match", "--game", "tictactoe", "greedy", place], "is for game kuhn: expected tictactoe"),
        (&["eval", "--game", "tictactoe", place], "is for game kuhn: expected tictactoe"),
        (&["match", "--game", "kato", "greedy", "random", "--games", "0"], "0 is not in 1.."),
        (&["match", "--game", "kato", "gredy", "random"], "did you mean `greedy`?"),
        (&["match", "--game", "katto", "greedy", "random"], "did you mean `kato`?"),
        (&["match", "greedy", "random"], "--game is missing"),
        (&["eval", "--game", "kato"], "no agents: expected some"),
        (&["eval", "--game", "kato", "--ladder", "greedy"], "expected no agents beside it"),
        (&["eval", "--game", "kato", folder.path().to_str().expect("plain")], "holds neither manifest.json"),
        (&["match", "--game", "kato", "greedy", "random", "--best-of", "4"], "expected 1, 3, 5 or 7"),
        (&["match", "--game", "kato", "greedy", "random", "--sprt", "elo1=-5"], "elo0 is not below elo1"),
        (&["match", "--game", "kato", "greedy", "random", "--clock", "fast"], "expected a time"),
        (
            &["match", "--game", "kato", "greedy", "random", "--anchor", "uct:5"],
            "expected one of greedy, random",
        ),
        (
            &["match", "--game", "colony", "--set", "players=3", "greedy", "random", "--best-of", "3"],
            "expected 2",
        ),
    ];
    for (arguments, expected) in cases {
        let words = refused(&[arguments, &["--out", &out, "--records", &records]].concat());
        assert!(words.contains(expected), "{arguments:?}: {words}");
        let left: Vec<_> =
            fs::read_dir(folder.path()).expect("a folder").flatten().map(|e| e.file_name()).collect();
        assert_eq!(left, ["1"], "{arguments:?} left something behind");
    }
}

#[test]
fn who_exceeds_the_clock_forfeits_and_the_report_says_so() {
    let folder = folder();
    let out = path(&folder, "report");
    // 300 ms of search for every answer, 1 ms allowed.
    let play = ["match", "--game", "tictactoe", "uct:300ms", "random", "--clock", "1ms", "--games", "2"];
    let words = accepted(&[&play[..], &["--out", &out]].concat());
    assert!(
        words.contains("forfeit: uct:300ms, deal 0: ply ") && words.contains("allowed are 0.001 s"),
        "{words}"
    );
    let told = report(&out);
    assert!(told.entrants[0].forfeits >= 2 && told.ends.contains(&("forfeit".to_owned(), 2)), "{told:?}");
}

#[test]
fn an_interrupt_keeps_what_was_played() {
    let folder = folder();
    let (out, records) = (path(&folder, "report"), path(&folder, "games.jsonl"));
    let play = ["match", "--game", "tictactoe", "greedy", "random", "--games", "1000000000"];
    let child = Command::new(env!("CARGO_BIN_EXE_nodarium"))
        .args([&play[..], &["--out", &out, "--records", &records]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // The records file is the last thing that is prepared before play begins.
    for _ in 0..600 {
        if Path::new(&format!("{records}.partial")).exists() {
            break;
        }
        sleep(Duration::from_millis(100));
    }
    sleep(Duration::from_millis(1_500));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.is_ok_and(|status| status.success()));
    let output = child.wait_with_output().expect("the binary ends");
    assert!(!output.status.success());
    let words = text(&output.stderr);
    assert!(
        words.contains(&format!("not everything was done: interrupted; what was played is in {out}")),
        "{words}"
    );
    let told = report(&out);
    assert_eq!(told.partial.as_deref(), Some("interrupted"));
    let lines = fs::read_to_string(&records).expect("the records are there").lines().count() as u64;
    assert_eq!(lines, told.games);
}
