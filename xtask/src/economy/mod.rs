//! `cargo xtask economy`: how many turns and tokens tasks cost, beside raw upstream.
//!
//! The same lazy solver works through the same tasks three times: on the text of raw upstream, on
//! ours, and on ours without the page view behind a navigation. `--bundled` leaves out the web
//! applications, `--show TASK` prints every call and answer of one task and writes nothing.

pub(crate) mod apps;
mod report;
mod solver;
mod tasks;

use std::path::Path;

use crate::process::Line;
use crate::world::World;
use crate::{Result, Verdict, root};
use apps::{Apps, Installed};
pub use report::Economy;
use report::{Guide, Side};
use tasks::{Site, TASKS, Task};

/// Runs the tasks, prints the table and writes the page.
pub(crate) fn run(args: &[String]) -> Result<Verdict> {
    let mut bundled = false;
    let mut shown = None;
    let mut words = args.iter().map(String::as_str);
    while let Some(word) = words.next() {
        match word {
            "--bundled" => bundled = true,
            "--show" => shown = Some(words.next().ok_or("--show needs the name of a task")?),
            _ => return Err("usage: cargo xtask economy [--bundled] [--show TASK]".into()),
        }
    }
    let build = ["build", "--quiet", "--package", "agent-browser-native"];
    if !Line::new("cargo", &build).stream()?.ok {
        return Err("the build failed".into());
    }
    let wanted = |task: &&Task| {
        shown.is_none_or(|name| name == task.name) && (!bundled || task.site == Site::Pages)
    };
    let economy = measure(
        &root().join("target/debug/agent-browser-native"),
        TASKS.iter().filter(wanted).collect(),
    )?;
    if let Some(name) = shown {
        print!("{}", economy.transcript(name));
    }
    print!("\n{}", economy.table());
    let broken = economy.broken_promises();
    broken.iter().for_each(|line| println!("\n{line}"));
    if !bundled && shown.is_none() && economy.unfinished().is_empty() {
        std::fs::write(root().join("docs/ECONOMY.md"), economy.page())?;
        println!("\nwrote docs/ECONOMY.md");
    }
    Ok(Verdict::of(broken.is_empty()))
}

/// The tasks on the bundled pages, with this build of our program.
pub fn bundled(program: &Path) -> Result<Economy> {
    measure(program, TASKS.iter().filter(|task| task.site == Site::Pages).collect())
}

/// The tasks on real web applications, once and with our door alone: what was not finished, and why.
pub fn on_applications(program: &Path) -> Result<Vec<String>> {
    let tasks: Vec<_> = TASKS.iter().filter(|task| task.site != Site::Pages).collect();
    let world = World::create(program)?;
    let side = work(&world, Some(&apps::install()?), &tasks, "ours", Some(&[]))?;
    let stopped = |(task, run): (&&Task, &solver::Run)| {
        run.stopped.as_ref().map(|why| format!("{}: {why}", task.name))
    };
    Ok(tasks.iter().zip(&side.runs).filter_map(stopped).collect())
}

fn measure(program: &Path, tasks: Vec<&'static Task>) -> Result<Economy> {
    let needs_apps = tasks.iter().any(|task| task.site != Site::Pages);
    let installed = if needs_apps { Some(apps::install()?) } else { None };
    let world = World::create(program)?;
    let (_, tool_list, ours) = world.cold_start()?;
    ours.end()?;
    let side = |name, flags| work(&world, installed.as_ref(), &tasks, name, flags);
    let raw = side("raw", None)?;
    let ours = side("ours", Some(&[] as &[&str]))?;
    let without_view = side("ours without the view", Some(&["--no-view"]))?;
    let guide = Guide { name: "`skills get core`, as upstream asks", bytes: guide(&world)? };
    let versions = versions(&world, needs_apps)?;
    let tool_list = Guide { name: "its tool list", bytes: tool_list.len() };
    Ok(Economy { tasks, raw, ours, without_view, tool_list, guide, versions })
}

/// Works through every task with one side: raw upstream, or our door with flags.
fn work(
    world: &World,
    installed: Option<&Installed>,
    tasks: &[&'static Task],
    name: &'static str,
    flags: Option<&[&str]>,
) -> Result<Side> {
    let folder = world.folder().join(format!("apps of {name}"));
    let apps = installed.map_or_else(|| Ok(Apps::none()), |apps| Apps::start(apps, &folder))?;
    let mut runs = Vec::new();
    for task in tasks {
        let url = |path: &str| apps.url(world, task.site, path);
        let run = match flags {
            None => {
                let run = solver::solve(solver::Side::Raw(world), task, &url);
                world.raw(&["close"])?;
                run
            }
            Some(flags) => {
                let mut ours = world.start(flags)?;
                let run = solver::solve(solver::Side::Ours(&mut ours), task, &url);
                ours.end()?;
                run
            }
        };
        println!("{name}: {}: {} turns", task.name, run.turns.len());
        runs.push(run);
    }
    Ok(Side { name, runs })
}

/// How long upstream's own guide for agents is.
fn guide(world: &World) -> Result<usize> {
    Ok(world.raw(&["skills", "get", "core"])?.text.trim_end().len())
}

fn versions(world: &World, with_apps: bool) -> Result<String> {
    let mut versions = vec![
        format!("agent-browser-native {}", world.own_version()?),
        world.raw(&["--version"])?.text.trim().to_owned(),
        world.browser_version(),
    ];
    if with_apps {
        versions.extend(apps::versions()?);
    }
    Ok(versions.join(", "))
}
