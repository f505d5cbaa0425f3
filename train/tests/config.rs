//! Configs: what is shipped, what is refused and in which words.

use std::path::Path;

use nodarium_train::Config;
use nodarium_train::config::schema;
use serde_json::Value;

const SMALL: &str = "game = \"kuhn\"\niterations = 5\n\n[ppo]\nrate = 1e-3\n";

fn parse(text: &str, overrides: &[&str]) -> Result<Config, String> {
    let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
    Config::parse(Path::new("some.toml"), text, &overrides).map_err(|error| error.to_string())
}

fn shipped() -> Vec<std::path::PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
    let paths = std::fs::read_dir(folder).expect("the configs are there").map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    paths.sort();
    paths
}

#[test]
fn every_shipped_config_is_read_and_every_game_has_one() {
    let mut games: Vec<String> =
        shipped().iter().map(|path| Config::read(path, &[]).unwrap_or_else(|e| panic!("{e}")).game).collect();
    games.sort();
    games.dedup();
    let mut known = nodarium_env::catalog::IDS.to_vec();
    known.sort_unstable();
    assert_eq!(games, known);
}

#[test]
fn shipped_configs_say_every_key_with_a_comment_before_it() {
    for path in shipped() {
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let given: toml::Table = text.parse().unwrap();
        let resolved: toml::Table = Config::read(&path, &[]).unwrap().to_toml().parse().unwrap();
        assert_eq!(given, resolved, "{}: a key is left to its default", path.display());
        for (index, line) in lines.iter().enumerate().filter(|(_, line)| line.contains(" = ")) {
            let commented = index > 0 && lines[index - 1].starts_with("# ");
            assert!(commented || line.starts_with('#'), "{}: {line} has no comment", path.display());
        }
    }
}

#[test]
fn a_config_reads_back_as_it_was_written() {
    for path in shipped() {
        let config = Config::read(&path, &[]).unwrap();
        assert_eq!(parse(&config.to_toml(), &[]), Ok(config));
    }
    let star = "game = \"starduel\"\niterations = 5\n[ppo]\nlambda = 0.3\n";
    let config = parse(star, &[]).unwrap();
    assert_eq!(config.rules["round_limit"], 60, "rules are resolved");
    assert!(config.to_toml().contains("lambda = 0.3\n"), "numbers are written as people write them");
    assert_eq!(parse(&config.to_toml(), &[]), Ok(config));
}

#[test]
fn what_is_wrong_is_told_with_file_line_key_value_and_what_is_allowed() {
    let cases = [
        ("iterations = 5\n[ppo]\n", "some.toml: `game` is missing: expected one of shuter, kato, "),
        (
            "game = \"kuhn\"\n[ppo]\n",
            "some.toml: `iterations` is missing: expected a whole number of at least 1",
        ),
        (
            "game = \"kuhn\"\niterations = 0\n[ppo]\n",
            "some.toml, line 2: `iterations` is 0: expected a whole number",
        ),
        (
            "game = \"kun\"\niterations = 5\n[ppo]\n",
            "some.toml, line 1: unknown game `kun` (did you mean `kuhn`?)",
        ),
        ("game = \"kuhn\"\niterations = \n", "some.toml, line 2: "),
        ("game = 3\niterations = 5\n[ppo]\n", "some.toml, line 1: `game` is 3: expected one of"),
        (
            "game = \"kuhn\"\niteration = 5\n",
            "some.toml, line 2: unknown key `iteration` (did you mean `iterations`?); a config takes: game, rules",
        ),
        (
            "game = \"kuhn\"\niterations = 5\n[ppo]\n\nrat = 3\n",
            "some.toml, line 5: unknown key `ppo.rat` (did you mean `rate`?); [ppo] takes: slots",
        ),
        (
            "game = \"kuhn\"\niterations = 5\n[ppo]\nrate = 3\n",
            "some.toml, line 4: `ppo.rate` is 3: expected a number from 0 to 1",
        ),
        (
            "game = \"kuhn\"\niterations = 5\n[ppo]\nrate = \"fast\"\n",
            "some.toml, line 4: `ppo.rate` is \"fast\": expected a number from 0 to 1",
        ),
        (
            "game = \"kuhn\"\niterations = 5\n[ppo]\nrate = nan\n",
            "line 4: `ppo.rate` is nan: expected a finite number",
        ),
        (
            "game = \"kuhn\"\niterations = 5\n[ppo]\nslots = 1.5\n",
            "line 4: `ppo.slots` is 1.5: expected a whole number from 1 to 1048576",
        ),
        (
            "game = \"kuhn\"\niterations = 5\n[ppo]\nsymmetries = 1\n",
            "line 4: `ppo.symmetries` is 1: expected true or false",
        ),
        (
            "game = \"kato\"\niterations = 5\n[gumbel]\ntemperature_plies = 5000000000\n",
            "line 4: `gumbel.temperature_plies` is 5000000000: expected a whole number from 0 to 4294967295",
        ),
        (
            "seed = 99999999999999999999\ngame = \"kuhn\"\niterations = 5\n[ppo]\n",
            "line 1: `seed` is 99999999999999999999: expected a whole number of at most 9223372036854775807",
        ),
        ("seed = 2001-01-01\ngame = \"kuhn\"\n", "line 1: `seed` is 2001-01-01: expected no date"),
        ("game = \"kuhn\"\niterations = 5\nppo = 3\n", "line 3: `ppo` is 3: expected a table"),
        (
            "game = \"kuhn\"\niterations = 5\n",
            "some.toml: expected exactly one of the tables [ppo] and [gumbel], found none",
        ),
        (
            "game = \"kato\"\niterations = 5\n[ppo]\n[gumbel]\n",
            "some.toml, line 4: expected exactly one of the tables [ppo] and [gumbel], found both",
        ),
        (
            "game = \"kato\"\niterations = 5\n[gumbel]\n[network]\ntorso = \"grid\"\ndirect = true\n",
            "some.toml, line 6: network `direct` is true: expected false, with torso grid the heads read every cell",
        ),
        (
            "game = \"kato\"\niterations = 5\n[ppo]\n[rules]\nsize = 9\n",
            "some.toml, line 5: rule option `size` is 9: expected a whole number from 4 to 8",
        ),
        (
            "game = \"kato\"\niterations = 5\n[ppo]\n[rules]\nsise = 9\n",
            "some.toml, line 5: unknown rule option `sise` (did you mean `size`?)",
        ),
        (
            "game = \"starduel\"\niterations = 5\n[ppo]\n[rules]\ncards = \"/no/such\"\n",
            "some.toml, line 5: rule option `cards` is \"/no/such\": expected a file to read: cannot read /no/such",
        ),
        (
            "game = \"kuhn\"\niterations = 5\n[ppo]\n[network]\nwidth = 0\n",
            "some.toml, line 5: network `width` is 0: expected 1 to 8192",
        ),
        (
            "game = \"kuhn\"\niterations = 5\n[ppo]\n[network]\nvalue_scale = 0.0\n",
            "some.toml, line 5: network `value_scale` is 0: expected a finite number above 0",
        ),
        (
            "game = \"kuhn\"\niterations = 5\n[ppo]\n[network]\ntorso = \"grid\"\n",
            "some.toml, line 5: network `torso` is grid: expected mlp, this game has no board",
        ),
        (
            "game = \"kuhn\"\niterations = 5\n[ppo]\n[network]\ninsights = true\n",
            "some.toml, line 5: network `insights` is true: expected false, this game has none",
        ),
        (
            "game = \"kuhn\"\niterations = 5\n[ppo]\n[network]\ntorso = \"conv\"\n",
            "unknown variant `conv`, expected `mlp` or `grid`",
        ),
        (
            "game = \"kuhn\"\niterations = 5\n[ppo]\n[run]\ndevice = \"gpu\"\n",
            "some.toml, line 5: `run.device`: no device is called `gpu`: expected one of cpu, wgpu, cuda",
        ),
        (
            "game = \"kuhn\"\niterations = 5\n[ppo]\n[strength]\nopponents = [\"random\",\n  \"gredy\"]\n",
            "some.toml, line 6: `strength.opponents`: unknown agent `gredy` (did you mean `greedy`?)",
        ),
        (
            "game = \"kuhn\"\niterations = 5\n[ppo]\nrivals = [\"gredy\"]\n",
            "some.toml, line 4: `ppo.rivals`: unknown agent `gredy` (did you mean `greedy`?)",
        ),
        (
            "game = \"kuhn\"\niterations = 5\n[ppo]\n[strength]\nopponents = [3]\n",
            "line 5: `strength.opponents.0` is 3: expected a text in quotes",
        ),
        (
            "game = \"kuhn\"\niterations = 5\n[ppo]\n[strength]\nopponents = [\"uct:1s\"]\n",
            "line 5: `strength.opponents` is uct:1s: expected a budget in simulations",
        ),
    ];
    for (text, words) in cases {
        let told = parse(text, &[]).expect_err(text);
        assert!(told.contains(words), "{text}\n  says {told}\n  not  {words}");
        assert!(!told.contains('\n'), "one sentence: {told}");
    }
}

#[test]
fn overrides_take_dotted_keys_and_bare_words() {
    let config = parse(
        "game = \"shuter\"\niterations = 5\n[gumbel]\n",
        &[
            "rules.variant=basic",
            "gumbel=null",
            "ppo.rate=1e-2",
            "network={ width = 7 }",
            "strength.opponents=[]",
        ],
    )
    .unwrap();
    assert_eq!(config.rules["variant"], "basic");
    assert_eq!(config.ppo.expect("it was set").rate, 0.01);
    assert_eq!((config.gumbel, config.network.width), (None, 7));
    assert!(config.strength.opponents.is_empty());
}

#[test]
fn a_wrong_override_is_named_as_it_was_given() {
    let cases = [
        ("ppo.rate", "--set ppo.rate: expected KEY=VALUE"),
        ("ppo..rate=1", "--set ppo..rate=1: `ppo..rate` is no key"),
        ("ppo.rate=3", "--set ppo.rate=3: `ppo.rate` is 3: expected a number from 0 to 1"),
        ("ppo.rate=fast", "--set ppo.rate=fast: `ppo.rate` is \"fast\": expected a number from 0 to 1"),
        ("ppo.rat=0.1", "--set ppo.rat=0.1: unknown key `ppo.rat` (did you mean `rate`?)"),
        ("seed.x=1", "--set seed.x=1: `seed` is no table"),
        ("rules.size=4", "--set rules.size=4: unknown rule option `size`"),
        ("game=kun", "--set game=kun: unknown game `kun`"),
        ("gumbel={}", "--set gumbel={}: expected exactly one of the tables"),
        (
            "strength.opponents=[\"gredy\"]",
            "--set strength.opponents=[\"gredy\"]: `strength.opponents`: unknown agent",
        ),
        ("seed=1\niterations=0", "`seed` is \"1\\niterations=0\": expected a whole number"),
    ];
    let text = format!("seed = 1\n{SMALL}");
    for (assignment, words) in cases {
        let told = parse(&text, &[assignment]).expect_err(assignment);
        assert!(told.contains(words), "{assignment}\n  says {told}\n  not  {words}");
    }
}

#[test]
fn an_override_that_brings_a_second_way_of_learning_is_named() {
    let told = parse("game = \"kato\"\niterations = 5\n[gumbel]\n", &["ppo.rate=0.1"]).unwrap_err();
    assert!(told.starts_with("--set ppo.rate=0.1: expected exactly one of the tables"), "{told}");
}

#[test]
fn a_file_that_is_not_there_or_no_text_is_named() {
    let told = |path: &Path| Config::read(path, &[]).unwrap_err().to_string();
    assert!(told(Path::new("/no/such.toml")).starts_with("cannot read /no/such.toml: "));
    let folder = tempfile::tempdir().unwrap();
    assert!(told(folder.path()).starts_with("cannot read "));
    let path = folder.path().join("large.toml");
    std::fs::write(&path, vec![b'#'; (1 << 20) + 1]).unwrap();
    assert!(told(&path).contains("1048577 bytes, more than the 1048576 allowed"));
}

#[test]
fn the_schema_tells_every_key_its_range_and_what_it_does() {
    let schema = schema();
    let rate = &schema["properties"]["ppo"]["properties"]["rate"];
    assert_eq!((rate["minimum"].as_f64(), rate["maximum"].as_f64()), (Some(0.0), Some(1.0)));
    assert_eq!(rate["description"], "The learning rate at the start.");
    assert_eq!(schema["properties"]["game"]["enum"][0], "shuter");
    assert_eq!(schema["additionalProperties"], Value::Bool(false));
}
