//! `cargo xtask bench [--write] [--rounds N]`: what our MCP door costs beside raw upstream; `--pi`
//! instead measures what the pi package adds to the start of pi.
//!
//! Both drive a browser of their own on the same loopback pages. Every round of an operation calls
//! one and then the other, in alternating order, so that noise of the machine hits both. Processes
//! are counted from outside, in a pass of their own, because the counter costs time.

mod figures;
mod identity;
mod peers;
mod peers_report;
mod preset;
mod report;

use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::world::{Answer, Ours, World};
use crate::{Result, Verdict, node, process};
pub(crate) use figures::tokens;
use figures::{Samples, milliseconds};
use report::{Budget, Door, Report, Row};

const ROUNDS: usize = 40;
const COLD_STARTS: usize = 20;
/// Pause in front of every measurement, for theirs and for ours: what the one before left to do is
/// done by then, its frames too. A mouse move waits up to 17 ms for the next frame of a browser that
/// still draws, and agents call seconds apart.
const BETWEEN: Duration = Duration::from_millis(150);
/// Rounds in front of the measured ones: code that has just been loaded, in the page too, is slow for
/// its first calls.
const WARM_UP: usize = 10;
/// Refs of the big page.
const BIG: usize = 3_000;

/// One kind of call.
struct Operation {
    name: &'static str,
    raw: Vec<String>,
    ours: Vec<String>,
    /// The last word gets the number of the round, so that every fill changes the field.
    numbered: bool,
    /// One in so many rounds: big pages take long.
    every: usize,
    budget: Option<Budget>,
    /// Our questions to the page stand in front of the command, or behind it.
    around: (bool, bool),
}

/// Runs everything and prints the table.
pub(crate) fn run(args: &[String]) -> Result<Verdict> {
    if args == ["--pi"] {
        build()?;
        return Ok(Verdict::of(node::startup(&node::install()?).stream()?.ok));
    }
    if args.first().is_some_and(|flag| flag == "--peers") {
        crate::only(args, &["--peers"])?;
        return peers::run();
    }
    let writes = args.first().is_some_and(|flag| flag == "--write");
    let rounds = rounds(args.get(usize::from(writes)..).unwrap_or_default())?;
    build()?;
    let world = World::create(&crate::root().join("target/release/agent-browser-native"))?;
    println!("{} rounds of each call; load before: {}", rounds, world.load());
    let door = door_figures(&world)?;
    let mut ours = world.start(&[])?;
    let mut rows = Vec::new();
    let refs = open_both(&world, &mut ours, &world.url("/bench.html"))?;
    rows.push(identity::measure(&world, &refs, rounds)?);
    for operation in small_page(&world, &refs)? {
        rows.push(measure(&world, &mut ours, &operation, rounds)?);
    }
    rows.push(preset::measure(&world, &mut ours)?);
    for operation in big_page(&world, &mut ours)? {
        rows.push(measure(&world, &mut ours, &operation, rounds)?);
    }
    let used_kb = ours.resident_kb();
    ours.end()?;
    count_processes(&world, &mut rows)?;
    let report = Report { rows, door: Door { used_kb, ..door }, rounds, load: world.load() };
    report.save(&crate::root().join("target/bench.json"))?;
    print!("{}", report.table());
    if writes {
        let page = report.page(&peers::machine(), &world.browser_version());
        std::fs::write(crate::root().join("docs/LATENCY.md"), page)?;
        println!("wrote docs/LATENCY.md");
    }
    Ok(Verdict::of(report.within_budget()))
}

fn rounds(args: &[String]) -> Result<usize> {
    match args {
        [] => Ok(ROUNDS),
        [flag, number] if flag == "--rounds" => {
            let rounds: usize = number.parse()?;
            if rounds == 0 { Err("--rounds needs at least 1".into()) } else { Ok(rounds) }
        }
        _ => Err("usage: cargo xtask bench [[--write] [--rounds N] | --pi | --peers]".into()),
    }
}

pub(crate) fn build() -> Result<()> {
    let line = process::Line::new(
        "cargo",
        &["build", "--release", "--quiet", "--package", "agent-browser-native"],
    );
    if line.stream()?.ok { Ok(()) } else { Err("the release build failed".into()) }
}

/// Cold start, memory at rest, and the size of the tool list.
fn door_figures(world: &World) -> Result<Door> {
    let mut starts = Samples::default();
    let mut tools_bytes = 0;
    let mut idle_kb = 0;
    for _ in 0..COLD_STARTS {
        let (time, line, ours) = world.cold_start()?;
        starts.push(time);
        tools_bytes = line.len();
        idle_kb = ours.resident_kb();
        ours.end()?;
    }
    Ok(Door { cold_start_ms: milliseconds(starts.median()), tools_bytes, idle_kb, used_kb: 0 })
}

fn operation(name: &'static str, words: &[&str], budget: Option<Budget>) -> Operation {
    let words: Vec<String> = words.iter().map(ToString::to_string).collect();
    let around = (false, true);
    Operation { name, raw: words.clone(), ours: words, numbered: false, every: 1, budget, around }
}

/// What is measured on the small page.
fn small_page(world: &World, refs: &Refs) -> Result<Vec<Operation>> {
    let url = world.url("/bench.html");
    let by_ref = |name, ours: String, raw: String, rest: &[&str], budget| {
        let words = |target: String, command: &str| {
            let head = [command.to_owned(), target];
            head.into_iter().chain(rest.iter().map(ToString::to_string)).collect::<Vec<_>>()
        };
        let command = if rest.is_empty() { "click" } else { "fill" };
        Operation {
            name,
            raw: words(raw, command),
            ours: words(ours, command),
            numbered: !rest.is_empty(),
            every: 1,
            budget,
            around: (true, true),
        }
    };
    let (act, email) = (refs.of("button", "Act")?, refs.of("textbox", "Email")?);
    Ok(vec![
        operation("get title", &["get", "title"], Some(Budget::Added(3.0))),
        Operation { around: (true, true), ..operation("eval", &["eval", "1+1"], None) },
        Operation {
            numbered: true,
            around: (true, true),
            ..operation("fill selector", &["fill", "#email", "text"], Some(Budget::Ratio(1.5)))
        },
        by_ref("fill ref", email.0, email.1, &["text"], Some(Budget::Ratio(1.7))),
        Operation {
            around: (true, true),
            ..operation("click selector", &["click", "#act"], Some(Budget::Ratio(1.5)))
        },
        by_ref("click ref", act.0, act.1, &[], Some(Budget::Ratio(1.5))),
        Operation {
            every: 3,
            around: (true, true),
            ..operation("click without effect", &["click", "#idle"], Some(Budget::Added(350.0)))
        },
        Operation {
            around: (true, false),
            ..operation("snapshot small", &["snapshot", "-i"], Some(Budget::Ratio(1.2)))
        },
        Operation { every: 2, ..operation("open", &["open", &url], None) },
    ])
}

fn big_page(world: &World, ours: &mut Ours) -> Result<Vec<Operation>> {
    open_both(world, ours, &world.url(&format!("/big.html?n={BIG}")))?;
    let snapshot = operation("snapshot 3000 refs", &["snapshot", "-i"], Some(Budget::Ratio(1.1)));
    Ok(vec![Operation { around: (true, false), ..snapshot }])
}

/// Refs of the same page in both browsers.
struct Refs {
    ours: String,
    raw: Value,
}

impl Refs {
    /// Ours, then raw upstream's.
    fn of(&self, role: &str, name: &str) -> Result<(String, String)> {
        let raw = self.raw["data"]["refs"].as_object().and_then(|refs| {
            refs.iter().find(|(_, info)| info["role"] == role && info["name"] == name)
        });
        let (raw, _) = raw.ok_or_else(|| format!("no raw ref for {role} \"{name}\""))?;
        Ok((ref_in(&self.ours, role, name)?, format!("@{raw}")))
    }
}

/// The ref of an element in the text of a snapshot.
fn ref_in(snapshot: &str, role: &str, name: &str) -> Result<String> {
    let start = format!("- {role} \"{name}\" [");
    let line = snapshot.lines().find(|line| line.trim_start().starts_with(&start));
    let rest = line.and_then(|line| line.split("ref=").nth(1)).unwrap_or_default();
    let id: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
    if id.is_empty() { Err(format!("no ref for {start}").into()) } else { Ok(format!("@{id}")) }
}

fn open_both(world: &World, ours: &mut Ours, url: &str) -> Result<Refs> {
    world.raw(&["open", url])?;
    ours.call(&["open", url])?;
    let raw = serde_json::from_str(&world.raw(&["--json", "snapshot", "-i"])?.text)?;
    let ours = ours.call(&["snapshot", "-i"])?.text;
    Ok(Refs { ours, raw })
}

fn measure(world: &World, ours: &mut Ours, operation: &Operation, rounds: usize) -> Result<Row> {
    let (mut raw_times, mut our_times) = (Samples::default(), Samples::default());
    let mut text = String::new();
    let mut refused = None;
    let warm_up = WARM_UP.div_ceil(operation.every);
    for round in 0..warm_up + rounds.div_ceil(operation.every) {
        let raw_words = words(&operation.raw, operation.numbered, round);
        let our_words = words(&operation.ours, operation.numbered, round);
        let (raw, our) = in_turn(
            round,
            || world.raw(&[&["--json".to_owned()], &raw_words[..]].concat()),
            || ours.call(&our_words),
        )?;
        if round >= warm_up {
            raw_times.push(raw.time);
            our_times.push(our.time);
        }
        if our.is_error {
            refused = Some(our.text.clone());
        }
        text = our.text;
    }
    if let Some(refused) = refused {
        return Err(format!("{} failed: {refused}", operation.name).into());
    }
    let bare_rows = measure_rows(world, operation, rounds)?;
    let raw_text = world.raw(&words(&operation.raw, operation.numbered, rounds + 1))?.text;
    println!("{} done", operation.name);
    Ok(Row {
        name: operation.name,
        arguments: json!({ "args": operation.ours }),
        raw: raw_times,
        bare_rows: Some(bare_rows),
        ours: our_times,
        raw_bytes: raw_text.trim_end().len(),
        bytes: text.len(),
        processes: None,
        budget: operation.budget,
    })
}

/// What the rows cost by themselves: in rounds of their own, because a browser that is asked twice in
/// a round rests less than the other one, and answers sooner for it.
fn measure_rows(world: &World, operation: &Operation, rounds: usize) -> Result<Samples> {
    let mut times = Samples::default();
    for round in 0..rounds.div_ceil(operation.every) {
        let command = words(&operation.raw, operation.numbered, round);
        sleep(BETWEEN);
        times.push(rested(|| world.raw(&bare_rows(&command, operation.around)))?.time);
    }
    Ok(times)
}

/// A measurement of a browser at rest.
fn rested(measured: impl FnOnce() -> Result<Answer>) -> Result<Answer> {
    sleep(BETWEEN);
    measured()
}

/// Both sides, every second round the other way around: raw upstream's answer and ours.
fn in_turn(
    round: usize,
    raw: impl FnOnce() -> Result<Answer>,
    ours: impl FnOnce() -> Result<Answer>,
) -> Result<(Answer, Answer)> {
    if round.is_multiple_of(2) {
        let raw = rested(raw)?;
        return Ok((raw, rested(ours)?));
    }
    let ours = rested(ours)?;
    Ok((rested(raw)?, ours))
}

fn words(words: &[String], numbered: bool, round: usize) -> Vec<String> {
    let mut words = words.to_vec();
    if let Some(last) = words.last_mut().filter(|_| numbered) {
        last.push_str(&format!(" {round}"));
    }
    words
}

/// The command as a batch of raw upstream, with the smallest question in each place where ours asks:
/// what the rows cost by themselves.
fn bare_rows(command: &[String], (before, behind): (bool, bool)) -> Vec<String> {
    const QUESTION: &str = "eval 1";
    let question = |asked: bool| asked.then(|| QUESTION.to_owned());
    let mut words = vec!["--json".to_owned(), "batch".to_owned()];
    words.extend(question(before));
    words.push(command.join(" "));
    words.extend(question(behind));
    words
}

/// Repeats every call once behind a counting executable.
fn count_processes(world: &World, rows: &mut [Row]) -> Result<()> {
    let mut ours = world.start_counted()?;
    ours.call(&["open", &world.url("/bench.html")])?;
    let snapshot = ours.call(&["snapshot", "-i"])?.text;
    let (act, email) =
        (ref_in(&snapshot, "button", "Act")?, ref_in(&snapshot, "textbox", "Email")?);
    for row in rows.iter_mut().filter(|row| !row.arguments.is_null()) {
        if row.name.starts_with("snapshot 3000") {
            ours.call(&["open", &world.url(&format!("/big.html?n={BIG}"))])?;
        }
        let mut arguments = row.arguments.clone();
        // Refs belong to the browser that gave them.
        let target = arguments.pointer_mut("/args/1");
        if let Some(target) =
            target.filter(|word| word.as_str().is_some_and(|word| word.starts_with('@')))
        {
            *target = json!(if row.name.starts_with("fill") { &email } else { &act });
        }
        sleep(BETWEEN);
        let before = world.starts();
        let answer = ours.call_with(&arguments)?;
        if answer.is_error {
            return Err(format!("{} failed: {}", row.name, answer.text).into());
        }
        // The process for the next call is started a moment behind the answer.
        sleep(BETWEEN);
        row.processes = Some(world.starts() - before);
    }
    ours.end()
}
