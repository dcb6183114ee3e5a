//! `cargo xtask soak`: an hour of mixed calls with faults.
//!
//! Two servers, each with a managed session and one that the caller named, work at the same time on
//! real browsers. One server lives through the whole run: its memory and open files are judged. The
//! other is killed now and then, and what it leaves must go. Every round ends at rest, with one page in
//! one tab a session, so that everything can be counted.

mod calls;
mod dice;
mod door;
mod expect;
mod faults;
mod growth;
mod interrupt;
mod measure;
mod model;
mod modes;
mod options;
mod report;
mod table;
mod tabs;
mod worker;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use agent_browser_native::run::proc::{self, ProcId};

use crate::world::World;
use crate::{Result, Verdict, bench, process, root};
use dice::Dice;
use door::Door;
use expect::Expect;
use growth::{LONG_RESULTS, too_much_kept};
use measure::Places;
use model::Letter;
use options::Options;
use report::Report;
use worker::{Ground, Worker};

/// How soon nothing may be left of a server that was killed or has ended.
const LEFT_LIMIT: Duration = Duration::from_secs(15);
/// One round in so many ends with a kill of the second server.
const KILL_EVERY: usize = 2;

/// Runs everything and prints the table.
pub(crate) fn run(args: &[String]) -> Result<Verdict> {
    if !cfg!(target_os = "linux") {
        return Err("the soak reads /proc: it runs on Linux only".into());
    }
    let options = Options::of(args)?;
    let program = build(options.debug)?;
    let world = World::create(&root().join(program))?;
    let report = {
        // Dropped before the world: it ends what is still running.
        let _broom = Broom { places: places(&world) };
        soak(&world, &options)?
    };
    report.save(&root().join("target/soak.json"))?;
    print!("{}", report.summary());
    Ok(Verdict::of(report.is_clean()))
}

fn build(debug: bool) -> Result<&'static Path> {
    if debug {
        let line = process::Line::new("cargo", &["build", "--quiet"]);
        let built = line.stream()?.ok;
        let program = Path::new("target/debug/agent-browser-native");
        return if built { Ok(program) } else { Err("the build failed".into()) };
    }
    bench::build()?;
    Ok(Path::new("target/release/agent-browser-native"))
}

fn places(world: &World) -> Places {
    Places { folder: world.folder().to_path_buf() }
}

fn soak(world: &World, options: &Options) -> Result<Report> {
    println!("{} minutes, seed {}; load: {}", options.minutes, options.seed, world.load());
    let mut crew = Crew::hire(world, options)?;
    let mut report = Report::new(options);
    println!("{}", Report::head());
    let begun = Instant::now();
    for round in 1.. {
        let worked = crew.work_until(Instant::now() + options.round());
        if crew.is_stopped() {
            report.stopped = true;
            break;
        }
        let (mut sample, amiss) = crew.places.sample(&crew.pids(), crew.workers.len());
        (sample.seconds, sample.calls) = (begun.elapsed().as_secs(), crew.calls());
        report.push(sample, crew.wrong());
        let kept = too_much_kept(&sample, 2);
        report.findings.extend(amiss.or(kept).map(|amiss| format!("round {round}: {amiss}")));
        if let Err(error) = worked {
            report.findings.push(format!("round {round}: {error}"));
            break;
        }
        if begun.elapsed() >= options.length() {
            break;
        }
        if round % KILL_EVERY == 0 {
            let left = crew.kill_a_server(world)?;
            report.kills += 1;
            report.findings.extend(left.map(|left| format!("round {round}: {left}")));
        }
    }
    if !report.stopped {
        report.findings.extend(crew.end()?);
    }
    report.take(crew.workers.into_iter().map(|worker| worker.tally));
    Ok(report)
}

/// The servers and the sessions.
struct Crew {
    /// The first lives as long as the run.
    doors: [Arc<Door>; 2],
    workers: Vec<Worker>,
    places: Places,
    ground: Arc<Ground>,
    dice: Dice,
}

impl Crew {
    fn hire(world: &World, options: &Options) -> Result<Self> {
        let places = places(world);
        let work = places.folder.join("work");
        std::fs::create_dir(work.join("out"))?;
        let ground = Arc::new(Ground {
            site: world.url(""),
            work,
            sockets: places.folder.join("s"),
            stop: interrupt::watch()?,
        });
        let doors = [door(world)?, door(world)?];
        let [a, b, c, d] = Letter::ALL;
        let worker = |letter, name: Option<&str>, door: usize| {
            let (name, ground) = (name.map(str::to_owned), Arc::clone(&ground));
            Worker::new(letter, name, Arc::clone(&doors[door]), options.seed, ground)
        };
        let workers = vec![
            worker(a, None, 0),
            worker(b, Some("soak-b"), 0),
            worker(c, None, 1),
            worker(d, Some("soak-d"), 1),
        ];
        Ok(Self { doors, workers, places, ground, dice: Dice::new(options.seed) })
    }

    fn pids(&self) -> Vec<u32> {
        self.doors.iter().map(|door| door.pid()).collect()
    }

    fn is_stopped(&self) -> bool {
        self.ground.stop.load(Ordering::Relaxed)
    }

    fn calls(&self) -> usize {
        self.workers.iter().map(|worker| worker.tally.calls).sum()
    }

    fn wrong(&self) -> usize {
        self.workers.iter().map(|worker| worker.tally.wrong.len()).sum()
    }

    /// All sessions at once.
    fn work_until(&mut self, end: Instant) -> Result<()> {
        thread::scope(|scope| {
            let work = |worker| scope.spawn(move || Worker::work_until(worker, end));
            let running: Vec<_> = self.workers.iter_mut().map(work).collect();
            let mut ended = running.into_iter().map(|thread| thread.join());
            ended.try_for_each(|ended| ended.map_err(|_| "a worker panicked")?)
        })
    }

    /// Kills the second server while it works and starts another one: nothing of the managed session
    /// may stay, and the session that the caller named goes on. What is wrong, if anything.
    fn kill_a_server(&mut self, world: &World) -> Result<Option<String>> {
        let [_, old] = &self.doors;
        let mut owned: Vec<ProcId> = Vec::new();
        let mut socket = None;
        for worker in self.workers.iter().filter(|worker| Arc::ptr_eq(&worker.door, old)) {
            let words = if worker.name.is_some() { ["get", "title"] } else { ["wait", "3000"] };
            drop(old.begin(&worker.command(&words))?);
            if worker.name.is_none() {
                let name = worker.upstream_name.as_deref().unwrap_or("none");
                let daemon = table::daemon(&self.ground.sockets.join(format!("{name}.pid")));
                owned.extend(daemon);
                owned.extend(proc::descendants(daemon.as_slice()));
                socket = Some(self.ground.sockets.join(format!("{name}.sock")));
            }
        }
        thread::sleep(Duration::from_millis(u64::try_from(self.dice.below(300))?));
        old.kill()?;
        let new = door(world)?;
        let is_left = || {
            owned.iter().any(ProcId::is_alive) || socket.as_ref().is_some_and(|path| path.exists())
        };
        let gone = soon(LEFT_LIMIT, || !is_left());
        let killed = Arc::clone(&self.doors[1]);
        for worker in &mut self.workers {
            if Arc::ptr_eq(&worker.door, &killed) {
                worker.door = Arc::clone(&new);
                worker.begin_fault("server killed");
                meet_again(worker)?;
            }
        }
        self.doors[1] = new;
        Ok((!gone).then(|| "a killed server has left processes or a socket".to_owned()))
    }

    /// Closes the caller's own sessions and ends both servers; what is left behind.
    fn end(&mut self) -> Result<Vec<String>> {
        let mut findings = Vec::new();
        for worker in self.workers.iter_mut().filter(|worker| worker.name.is_some()) {
            worker.run(&["close"], &Expect::starts("Closed "))?;
        }
        for door in &self.doors {
            if !door.end()? {
                findings.push("a server did not end by itself".to_owned());
            }
        }
        let nothing =
            || table::all(&self.places.home()).is_empty() && self.places.left().is_empty();
        if !soon(LEFT_LIMIT, nothing) {
            let processes = table::all(&self.places.home()).len();
            findings.push(format!("left: {processes} processes, {:?}", self.places.left()));
        }
        for path in self.places.files_with_secrets() {
            findings.push(format!("a secret stands in {}", path.display()));
        }
        Ok(findings)
    }
}

/// The first call of a session on a new server.
fn meet_again(worker: &mut Worker) -> Result<()> {
    if worker.name.is_none() {
        worker.is_lost = true;
        return Ok(());
    }
    // The browser has lived on, but no server knows its refs.
    worker.model.forget();
    let title = worker.model.page().title();
    worker.run(&["get", "title"], &Expect::Is(title))?;
    worker.run(&["click", "@e2"], &Expect::Fails(&["stale-ref"]))?;
    let count = worker.model.page().count.to_string();
    worker.run(&["get", "text", "#count"], &Expect::Is(count)).map(drop)
}

/// A server that keeps few long results, so that the oldest have to go within the hour.
fn door(world: &World) -> Result<Arc<Door>> {
    let line = world.door(world.upstream(), &[]);
    let line = line.env("PI_AGENT_BROWSER_SESSION_ARTIFACT_MAX_BYTES", LONG_RESULTS.to_string());
    Ok(Arc::new(Door::over(world.start_as(&line)?.into_talk())))
}

fn soon(limit: Duration, is_so: impl Fn() -> bool) -> bool {
    let end = Instant::now() + limit;
    while Instant::now() < end {
        if is_so() {
            return true;
        }
        thread::sleep(Duration::from_millis(100));
    }
    is_so()
}

/// Ends every process of the run, by its id, however the run ends.
struct Broom {
    places: Places,
}

impl Drop for Broom {
    fn drop(&mut self) {
        for _ in 0..3 {
            for process in table::all(&self.places.home()) {
                table::signal(process, rustix::process::Signal::KILL);
            }
            if soon(Duration::from_secs(2), || table::all(&self.places.home()).is_empty()) {
                return;
            }
        }
    }
}
