//! `cargo xtask efficiency [--write]`: what representative tasks cost, without a browser (DOC-14).
//!
//! The stand-in answers, so that every figure is the same on every machine. The table in
//! `docs/EFFICIENCY.md` is compared by a test: a change that costs more shows up in review.

mod scenarios;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use agent_browser_native::call::{Block, CallContext, Engine, EngineOptions, Keep};
use agent_browser_native::command::Class;
use agent_browser_native::config::Trust;
use agent_browser_native::run::{ParentEnv, Places};
use serde_json::{Value, json};

use crate::process::Line;
use crate::{Result, Verdict, only, root};
use scenarios::{Scenario, Step, scenarios};

const BEGIN: &str = "<!-- efficiency -->\n";
const END: &str = "<!-- end efficiency -->";

/// A token of English text and JSON has about four bytes.
const BYTES_PER_TOKEN: usize = 4;
/// One upstream process with its rows, as the benchmark measures it.
const MS_PER_PROCESS: u64 = 18;

/// What one task came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Its name.
    pub name: &'static str,
    /// The last call did what it should.
    pub success: bool,
    /// Calls.
    pub calls: usize,
    /// Bytes that the model reads.
    pub bytes: usize,
    /// Upstream processes.
    pub processes: u64,
    /// Refusals of stale refs.
    pub stale: usize,
    /// Of these, followed by a success.
    pub recovered: usize,
    /// Files reported as verified, and files reported at all.
    pub files: (usize, usize),
    /// Failure categories that were seen.
    pub categories: BTreeSet<String>,
}

pub(crate) fn run(args: &[String]) -> Result<Verdict> {
    only(args, &["--write"])?;
    let build = ["build", "--quiet", "--package", "fake-upstream"];
    if !Line::new("cargo", &build).folder(root()).succeeds() {
        return Err("the stand-in does not build".into());
    }
    let table = table(&measure(&root().join("target/debug/fake-upstream"))?);
    let path = root().join("docs/EFFICIENCY.md");
    let document = fs::read_to_string(&path)?;
    let fresh = with_table(&document, &table).ok_or("docs/EFFICIENCY.md has no marks")?;
    print!("{table}");
    if args.is_empty() {
        return Ok(Verdict::of(fresh == document));
    }
    fs::write(path, fresh)?;
    Ok(Verdict::Clean)
}

/// The document with another table between its marks.
#[must_use]
pub fn with_table(document: &str, table: &str) -> Option<String> {
    let (before, rest) = document.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}{table}{END}{after}"))
}

/// Runs every task against the stand-in.
///
/// # Errors
/// When no thread or directory can be had.
pub fn measure(fake: &Path) -> Result<Vec<Figures>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    scenarios().into_iter().map(|scenario| runtime.block_on(one(fake, &scenario))).collect()
}

async fn one(fake: &Path, scenario: &Scenario) -> Result<Figures> {
    // Eight digits behind it: paths in answers have the same length on every run.
    let folder = PathBuf::from(format!("/tmp/abne-{:08x}", std::process::id()));
    let measured = in_folder(&folder, fake, scenario).await;
    fs::remove_dir_all(&folder)?;
    measured
}

async fn in_folder(folder: &Path, fake: &Path, scenario: &Scenario) -> Result<Figures> {
    let engine = engine(folder, fake, &scenario.script)?;
    lay_out(folder, fake, scenario)?;
    let mut figures = Figures { name: scenario.name, ..Figures::default() };
    let mut last = String::new();
    let mut launch = Value::Null;
    let mut waiting = false;
    for step in &scenario.calls {
        let params = match step {
            Step::Send(params) => params.clone(),
            Step::FollowNext => {
                let next = last.lines().find_map(|line| line.strip_prefix("Next: "));
                serde_json::from_str(next.ok_or("the answer offers no call")?)?
            }
            Step::OnLaunch(action) => {
                json!({ "electron": { "action": action, "launchId": launch["launchId"] } })
            }
        };
        let reply = engine
            .call(&params, CallContext { reports_progress: true, ..CallContext::default() })
            .await;
        let texts = reply.blocks.iter().filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str()),
            Block::Image { .. } => None,
        });
        last = texts.collect();
        let details = reply.details.as_value();
        if let Some(launched) = details["electron"].get("launch") {
            launch = launched.clone();
        }
        // Process ids have as many digits as the machine likes.
        last = last.replace(&format!("process {}", launch["pid"]), "process 10000");
        figures.calls += 1;
        figures.bytes += last.len();
        figures.note(details, &mut waiting);
    }
    engine.shutdown().await;
    engine.settle().await;
    Ok(figures)
}

impl Figures {
    fn note(&mut self, details: &Value, waiting: &mut bool) {
        self.processes += details["timing"]["upstreamProcesses"].as_u64().unwrap_or(0);
        self.success = details["resultCategory"] == "success";
        if let Some(category) = details["failureCategory"].as_str() {
            self.categories.insert(category.to_owned());
            if category == "stale-ref" {
                self.stale += 1;
                *waiting = true;
            }
        } else if *waiting && details["command"] != "snapshot" {
            self.recovered += 1;
            *waiting = false;
        }
        let files = details["artifacts"].as_array().map(Vec::as_slice).unwrap_or_default();
        let verified = details["artifactVerification"]["verified"] == true;
        self.files.0 += if verified { files.len() } else { 0 };
        self.files.1 += files.len();
    }

    /// The task came out as its name says; a refused stale ref on the way is what it is about.
    #[must_use]
    pub fn as_meant(&self) -> bool {
        match self.name.strip_prefix("fails-") {
            Some(category) => self.categories.contains(category),
            None => self.success && self.categories.iter().all(|category| category == "stale-ref"),
        }
    }
}

/// The workspace's files, and the app, whose program is the stand-in in its other role.
fn lay_out(folder: &Path, fake: &Path, scenario: &Scenario) -> Result<()> {
    for (name, text) in scenario.files {
        let path = folder.join("work").join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, text)?;
    }
    if let Some(app) = scenario.app {
        let dir = folder.join("home/Applications").join(app);
        fs::create_dir_all(dir.join("resources/app"))?;
        fs::write(
            dir.join("resources/app/package.json"),
            json!({ "productName": app }).to_string(),
        )?;
        fs::write(dir.join("resources.pak"), b"")?;
        fs::copy(fake, dir.join(app))?;
    }
    Ok(())
}

fn engine(folder: &Path, fake: &Path, script: &Value) -> Result<Engine> {
    use std::os::unix::fs::DirBuilderExt;
    for name in ["", "home", "state", "temp", "data", "s", "work"] {
        fs::DirBuilder::new().mode(0o700).create(folder.join(name))?;
    }
    fs::write(folder.join("script.json"), script.to_string())?;
    let at = |name: &str| folder.join(name).into_os_string();
    let env: ParentEnv = [
        ("HOME", at("home")),
        ("PATH", "/usr/bin:/bin".into()),
        ("AGENT_BROWSER_NATIVE_UPSTREAM_PATH", fake.into()),
        ("AGENT_BROWSER_NATIVE_STATE_DIR", at("state")),
        ("AGENT_BROWSER_NATIVE_TEMP_DIR", at("temp")),
        ("AGENT_BROWSER_NATIVE_DATA_DIR", at("data")),
        ("PI_AGENT_BROWSER_SOCKET_DIR", at("s")),
        ("FAKE_UPSTREAM_SCRIPT", at("script.json")),
    ]
    .into_iter()
    .collect();
    Ok(Engine::new(EngineOptions {
        door: "mcp",
        host_id: "efficiency".to_owned(),
        cwd: folder.join("work"),
        places: Places::resolve(&env)?,
        env,
        allowed: Class::ALL.into_iter().collect(),
        view: true,
        keep: Keep::ThisProcess,
        confine: None,
        prepares: false,
        failure_notice: "isError: true",
        trust: Trust::default(),
    }))
}

/// The table of the document.
#[must_use]
pub fn table(all: &[Figures]) -> String {
    let mut text = String::from(
        "| task | as meant | calls | bytes read | tokens | upstream processes | estimated ms | \
         stale refs recovered | files verified |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let mut categories = BTreeSet::new();
    for figures in all {
        categories.extend(figures.categories.iter().cloned());
        text.push_str(&format!(
            "| {} | {} | {} | {} | {} | {} | {} | {}/{} | {}/{} |\n",
            figures.name,
            if figures.as_meant() { "yes" } else { "no" },
            figures.calls,
            figures.bytes,
            figures.bytes.div_ceil(BYTES_PER_TOKEN),
            figures.processes,
            figures.processes * MS_PER_PROCESS,
            figures.recovered,
            figures.stale,
            figures.files.0,
            figures.files.1,
        ));
    }
    let named: Vec<String> = categories.iter().map(|category| format!("`{category}`")).collect();
    text + &format!("\nFailure categories seen: {} ({}).\n", categories.len(), named.join(", "))
}
