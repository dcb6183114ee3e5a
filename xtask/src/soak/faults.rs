//! What goes wrong on purpose. Behind a fault every answer is right or a failure of a fitting
//! category, and a session works again within a few calls.

use std::fs;
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use super::expect::Expect;
use super::table;
use super::worker::{TROUBLE, Worker};
use crate::Result;

type Fault = fn(&mut Worker) -> Result<()>;

const FAULTS: &[(usize, (&str, Fault))] = &[
    (3, ("browser killed", browser_killed)),
    (3, ("daemon killed", daemon_killed)),
    (3, ("daemon stopped", daemon_stopped)),
    (2, ("daemon pauses", daemon_pauses)),
    (3, ("page hangs", page_hangs)),
    (2, ("script hangs", script_hangs)),
    (2, ("request hangs", request_hangs)),
    (4, ("dialog", dialog)),
    (4, ("page leaves", page_leaves)),
    (4, ("path not writable", path_not_writable)),
    (4, ("cancelled", cancelled)),
];

/// A limit that is kept to the letter may be exceeded by this much; the machine is busy.
const SLACK: Duration = Duration::from_millis(1_500);

/// One of them.
pub(super) fn one(worker: &mut Worker) -> Result<()> {
    match worker.dice.weighted(FAULTS) {
        Some((name, fault)) => {
            worker.begin_fault(name);
            fault(worker)
        }
        None => Ok(()),
    }
}

/// The page may be there or not: the right title, or a failure that says what is wrong.
fn read_in_trouble(worker: &mut Worker) -> Result<()> {
    worker.may_move = true;
    let title = worker.model.page().title();
    worker.run(&["get", "title"], &Expect::IsOrFails(title, TROUBLE))?;
    worker.is_lost = true;
    Ok(())
}

/// The page is gone: the first call says so, whether it reads or acts. Then there is a blank one.
fn meet_the_loss(worker: &mut Worker) -> Result<()> {
    const LOST: &[&str] =
        &["tab-drift", "tab-gone", "timeout", "upstream-error", "stale-ref", "selector-not-found"];
    worker.may_move = true;
    worker.is_lost = true;
    let target = worker.model.reference("Add").unwrap_or_else(|| "#add".to_owned());
    let (click, read): (&[&str], &[&str]) = (&["click", &target], &["get", "title"]);
    let words = if worker.dice.once_in(2) { click } else { read };
    worker.run(words, &Expect::Fails(LOST))?;
    if worker.dice.once_in(2) {
        let blank = Expect::IsOrFails("(empty)".to_owned(), TROUBLE);
        worker.run(&["get", "title"], &blank)?;
    }
    Ok(())
}

fn browser_killed(worker: &mut Worker) -> Result<()> {
    let Some(browser) = table::browser_of(&daemon_file(worker)) else { return Ok(()) };
    table::signal(browser, Signal::KILL);
    meet_the_loss(worker)
}

/// Only of a managed session: nobody ends the browser of one that the caller named.
fn daemon_killed(worker: &mut Worker) -> Result<()> {
    if worker.name.is_some() {
        return browser_killed(worker);
    }
    let Some(daemon) = table::daemon(&daemon_file(worker)) else { return Ok(()) };
    table::signal(daemon, Signal::KILL);
    meet_the_loss(worker)
}

fn daemon_file(worker: &Worker) -> std::path::PathBuf {
    let name = worker.upstream_name.as_deref().unwrap_or("none");
    worker.ground.sockets.join(format!("{name}.pid"))
}

/// Nothing answers while it is stopped, and the caller's limit is kept all the same.
fn daemon_stopped(worker: &mut Worker) -> Result<()> {
    let Some(daemon) = table::daemon(&daemon_file(worker)) else { return Ok(()) };
    table::signal(daemon, Signal::STOP);
    let mut call = worker.command(&["get", "title"]);
    call["timeoutMs"] = json!(1_500);
    let answer = worker.send(&call, &Expect::Fails(&["timeout", "tab-drift"]));
    table::signal(daemon, Signal::CONT);
    keeps_limit(worker, &call, answer?.map(|answer| answer.time), 1_500);
    read_in_trouble(worker)
}

/// It goes on after a while: a call without a limit of its own waits for it.
fn daemon_pauses(worker: &mut Worker) -> Result<()> {
    let Some(daemon) = table::daemon(&daemon_file(worker)) else { return Ok(()) };
    table::signal(daemon, Signal::STOP);
    let later = thread::spawn(move || {
        thread::sleep(Duration::from_secs(2));
        table::signal(daemon, Signal::CONT);
    });
    let read = read_in_trouble(worker);
    // Continuing cannot fail in a way that matters: the process may be gone.
    drop(later.join());
    read
}

fn keeps_limit(
    worker: &mut Worker,
    call: &serde_json::Value,
    time: Option<Duration>,
    limit_ms: u64,
) {
    let limit = Duration::from_millis(limit_ms) + SLACK;
    if let Some(time) = time.filter(|time| *time > limit) {
        worker.note_wrong(call, &format!("answers after {} ms", time.as_millis()), "");
    }
}

fn page_hangs(worker: &mut Worker) -> Result<()> {
    let mut call = worker.command(&["open", &format!("{}/hang", worker.ground.site)]);
    call["timeoutMs"] = json!(1_500);
    let answer = worker.send(&call, &Expect::Fails(&["timeout"]))?;
    keeps_limit(worker, &call, answer.map(|answer| answer.time), 1_500);
    read_in_trouble(worker)
}

fn script_hangs(worker: &mut Worker) -> Result<()> {
    let script = "const begun = Date.now(); while (Date.now() < begun + 4000); 'done'";
    let mut call = worker.command(&["eval", script]);
    call["timeoutMs"] = json!(1_500);
    let answer = worker.send(&call, &Expect::Fails(&["timeout"]))?;
    keeps_limit(worker, &call, answer.map(|answer| answer.time), 1_500);
    read_in_trouble(worker)
}

/// A request that never gets an answer holds up nothing, and the list says that it is pending.
fn request_hangs(worker: &mut Worker) -> Result<()> {
    let mark = worker.model.page().mark.clone();
    worker.run(&["click", "#never"], &Expect::starts("Clicked \"#never\". Page changed."))?;
    let expect = Expect::Has("Requests: ".to_owned(), vec![format!("/hang?of={mark} [pending]")]);
    worker.run(&["network", "requests"], &expect)?;
    let title = worker.model.page().title();
    worker.run(&["get", "title"], &Expect::Is(title))?;
    // The page would keep a connection to the server for as long as it lives.
    worker.is_lost = true;
    Ok(())
}

fn dialog(worker: &mut Worker) -> Result<()> {
    let mark = worker.model.page().mark.clone();
    let said = format!("Clicked \"#ask\". A confirm dialog is open: \"Sure {mark}?\"");
    worker.run(&["click", "#ask"], &Expect::starts(said))?;
    worker.run(&["get", "title"], &Expect::Fails(&["upstream-error"]))?;
    let (word, done, right) = match worker.dice.once_in(2) {
        true => ("accept", "Dialog accepted.", "answer true"),
        false => ("dismiss", "Dialog dismissed.", "answer false"),
    };
    worker.run(&["dialog", word], &Expect::starts(done))?;
    worker.run(&["get", "text", "#answer"], &Expect::Is(right.to_owned())).map(drop)
}

/// The page goes elsewhere by itself: old refs are refused, and what is read is the new page.
fn page_leaves(worker: &mut Worker) -> Result<()> {
    let mark = format!("{}l", worker.model.page().mark);
    let Some(known) = worker.model.reference("Add") else {
        worker.is_lost = true;
        return Ok(());
    };
    let quiet = Expect::starts("Clicked \"#later\". No change seen within ");
    worker.run(&["click", "#later"], &quiet)?;
    thread::sleep(Duration::from_millis(2_500));
    worker.may_move = true;
    worker.run(&["click", &known], &Expect::Fails(&["stale-ref"]))?;
    worker.model.forget();
    worker.model.tab().visit(&mark);
    let title = worker.model.page().title();
    worker.run(&["get", "title"], &Expect::Is(title))?;
    let clicked = Expect::starts("Clicked \"#add\". Page changed.");
    if worker.run(&["click", "#add"], &clicked)?.is_some() {
        worker.model.page().count += 1;
        worker.run(&["get", "text", "#count"], &Expect::Is("1".to_owned()))?;
    }
    worker.may_move = false;
    Ok(())
}

/// A file stands where a directory is wanted, or the path is not the caller's.
fn path_not_writable(worker: &mut Worker) -> Result<()> {
    let file = worker.file("file.txt");
    fs::write(worker.ground.work.join(&file), "in the way")?;
    let below = file.join("shot.png").to_string_lossy().into_owned();
    const REFUSED: &[&str] = &["validation-error", "upstream-error", "policy-blocked"];
    worker.run(&["screenshot", &below], &Expect::Fails(REFUSED))?;
    let outside = Expect::Fails(&["policy-blocked"]);
    worker.run(&["screenshot", "/etc/soak.png"], &outside)?;
    let mut call = worker.command(&["get", "title"]);
    call["outputPath"] = json!("out");
    worker.send(&call, &Expect::Fails(&["validation-error", "policy-blocked"]))?;
    let title = worker.model.page().title();
    worker.run(&["get", "title"], &Expect::Is(title)).map(drop)
}

/// The caller changes its mind; the session must be free soon.
fn cancelled(worker: &mut Worker) -> Result<()> {
    let slow = format!("{}/slow?ms=6000", worker.ground.site);
    let given_up: [&[&str]; 3] =
        [&["wait", "8000"], &["open", &slow], &["eval", "new Promise(r => setTimeout(r, 5000))"]];
    let words = worker.dice.pick(&given_up).copied().unwrap_or(&["wait", "8000"]);
    let command = words.first().copied().unwrap_or_default();
    let pending = worker.door.begin(&worker.command(words))?;
    thread::sleep(Duration::from_millis(200 + 10 * u64::try_from(worker.dice.below(60))?));
    worker.door.cancel(&pending)?;
    worker.tally.calls += 1;
    match command {
        // Nothing has touched the page.
        "wait" => {
            let title = worker.model.page().title();
            worker.run(&["get", "title"], &Expect::Is(title)).map(drop)
        }
        // The page may have come all the same.
        "open" => {
            worker.is_lost = true;
            Ok(())
        }
        _ => read_in_trouble(worker),
    }
}
