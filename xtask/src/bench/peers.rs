//! `cargo xtask bench --peers`: our door beside other browser servers, one interleaved run.
//!
//! Every server drives a browser of its own through the same steps on the same loopback pages. A
//! round goes through all servers, each time beginning with another one.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::peers_report::{Figures, Peers, STEPS};
use crate::process::{self, Conversation, Line};
use crate::world::World;
use crate::{Result, Verdict, root, tools};

const LOCK_FOLDER: &str = "xtask/tools/peers";
const ROUNDS: usize = 15;
const BIG_ROUNDS: usize = 5;
const COLD_STARTS: usize = 7;
const BIG: usize = 1_000;

/// How a server words the same act.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Ours,
    AgentBrowser,
    Playwright,
    DevTools,
}

struct Server {
    dialect: Dialect,
    line: Line,
    talk: Option<Conversation>,
    next_id: u64,
    figures: Figures,
}

/// Runs everything, prints the table and writes the page.
pub(super) fn run() -> Result<Verdict> {
    super::build()?;
    let modules = tools::npm_packages(LOCK_FOLDER)?.join("node_modules");
    let world = World::create(&root().join("target/release/agent-browser-native"))?;
    let mut servers = servers(&world, &modules)?;
    cold_starts(&mut servers)?;
    for server in &mut servers {
        server.begin()?;
        let idle = server.resident_kb();
        server.figures.idle_kb = idle;
    }
    let (page, big) = (world.url("/bench.html"), world.url(&format!("/big.html?n={BIG}")));
    for round in 0..=ROUNDS {
        servers.rotate_left(1);
        for server in &mut servers {
            server.round(&page, round)?;
        }
    }
    for round in 0..=BIG_ROUNDS {
        servers.rotate_left(1);
        for server in &mut servers {
            server.step("open", &big, "", 0, false)?;
            server.step("snapshot of 1,000 controls", "", "", 0, round > 0)?;
        }
    }
    for server in &mut servers {
        server.figures.used_kb = server.resident_kb();
        server.close()?;
    }
    servers.sort_by_key(|server| server.dialect as u8);
    let report = Peers {
        servers: servers.into_iter().map(|server| server.figures).collect(),
        browser: world.browser_version(),
        load: world.load().split(' ').next().unwrap_or_default().to_owned(),
    };
    print!("\n{}", report.table());
    std::fs::write(root().join("docs/BENCHMARKS.md"), report.page())?;
    println!("wrote docs/BENCHMARKS.md");
    let unexplained = report.unexplained();
    unexplained.iter().for_each(|line| println!("{line}"));
    Ok(Verdict::of(unexplained.is_empty()))
}

fn servers(world: &World, modules: &Path) -> Result<Vec<Server>> {
    let node = tools::node()?;
    let browser = ["chromium", "chromium-browser", "google-chrome"];
    let browser = browser.iter().find_map(|name| process::on_path(name)).ok_or("no browser")?;
    let browser = browser.to_string_lossy().into_owned();
    let script = |path: &str, flags: &[&str]| {
        let path = modules.join(path).to_string_lossy().into_owned();
        let words = flags.iter().map(ToString::to_string);
        world.line(&node, &std::iter::once(path).chain(words).collect::<Vec<_>>())
    };
    let version = |package: &str| -> Result<String> {
        let text = std::fs::read_to_string(modules.join(package).join("package.json"))?;
        let json: Value = serde_json::from_str(&text)?;
        Ok(format!("`{package}` {}", json["version"].as_str().unwrap_or_default()))
    };
    let playwright = ["--headless", "--isolated", "--no-sandbox", "--executable-path", &browser];
    let devtools = [
        "--headless",
        "--isolated",
        "--executablePath",
        &browser,
        "--chromeArg=--no-sandbox",
        "--no-usage-statistics",
        "--no-performance-crux",
    ];
    let upstream = world.line(world.upstream(), &["mcp".to_owned()]);
    let upstream = upstream.env("AGENT_BROWSER_SOCKET_DIR", world.folder().join("raw"));
    let ours = format!("`agent-browser-native` {}", world.own_version()?);
    Ok(vec![
        Server::new(Dialect::Ours, ours, world.door(world.upstream(), &[])),
        Server::new(Dialect::AgentBrowser, version("agent-browser")? + " `mcp`", upstream),
        Server::new(
            Dialect::Playwright,
            version("@playwright/mcp")?,
            script("@playwright/mcp/cli.js", &playwright),
        ),
        Server::new(
            Dialect::DevTools,
            version("chrome-devtools-mcp")?,
            script("chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js", &devtools),
        ),
    ])
}

fn cold_starts(servers: &mut [Server]) -> Result<()> {
    for _ in 0..COLD_STARTS {
        servers.rotate_left(1);
        for server in servers.iter_mut() {
            let time = server.begin()?;
            server.figures.cold_start.push(time);
            server.end()?;
        }
    }
    Ok(())
}

impl Server {
    fn new(dialect: Dialect, name: String, line: Line) -> Self {
        Self { dialect, line, talk: None, next_id: 1, figures: Figures::new(name) }
    }

    /// Starts it and asks for its tools.
    fn begin(&mut self) -> Result<Duration> {
        let begun = Instant::now();
        self.talk = Some(self.line.talk()?);
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "bench", "version": "1" },
        });
        self.ask("initialize", &hello)?;
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        let list = self.ask("tools/list", &json!({}))?;
        let time = begun.elapsed();
        self.figures.tools_bytes = list["tools"].to_string().len();
        self.figures.tools = list["tools"].as_array().map_or(0, Vec::len);
        Ok(time)
    }

    fn end(&mut self) -> Result<()> {
        self.talk.take().map_or(Ok(()), Conversation::end)
    }

    /// Ends it with its browser.
    fn close(&mut self) -> Result<()> {
        if self.dialect == Dialect::AgentBrowser {
            self.call("agent_browser_close", &json!({}))?;
        }
        self.end()
    }

    fn round(&mut self, page: &str, round: usize) -> Result<()> {
        let counted = round > 0;
        let first = Instant::now();
        self.step("open", page, "", round, counted)?;
        if !counted {
            self.figures.first_open = first.elapsed();
        }
        let snapshot = self.step("snapshot", "", "", round, counted)?;
        let act = target(&snapshot, "button", "Act")?;
        self.step("click", "", &act, round, counted)?;
        let email = target(&snapshot, "textbox", "Email")?;
        self.step("fill", "", &email, round, counted)?;
        self.step("title", "", "", round, counted)?;
        Ok(())
    }

    /// Takes a step and notes time and bytes.
    fn step(
        &mut self,
        step: &'static str,
        url: &str,
        target: &str,
        round: usize,
        counted: bool,
    ) -> Result<String> {
        let (tool, arguments) = wording(self.dialect, step, url, target, round);
        let begun = Instant::now();
        let text = self.call(tool, &arguments)?;
        let time = begun.elapsed();
        if counted {
            let at = STEPS.iter().position(|known| *known == step).unwrap_or_default();
            if let Some((samples, bytes)) = self.figures.steps.get_mut(at) {
                samples.push(time);
                *bytes = text.len();
            }
        }
        Ok(text)
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Result<String> {
        let result = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }))?;
        let blocks = result["content"].as_array().cloned().unwrap_or_default();
        let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
        let text = texts.join("\n");
        if result["isError"] == true {
            return Err(format!("{} {tool}: {text}", self.figures.name).into());
        }
        Ok(text)
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        let talk = self.talk.as_mut().ok_or("the server does not run")?;
        loop {
            let message: Value = serde_json::from_str(&talk.read_line()?)?;
            if message["id"] != id {
                continue;
            }
            return match message.get("result") {
                Some(result) => Ok(result.clone()),
                None => Err(format!("{} {method}: {message}", self.figures.name).into()),
            };
        }
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        self.talk.as_mut().ok_or("the server does not run")?.write(&format!("{message}\n"))
    }

    fn resident_kb(&self) -> u64 {
        self.talk.as_ref().map_or(0, |talk| crate::world::resident_kb(talk.pid()))
    }
}

/// The tool and its arguments for a step.
fn wording(
    dialect: Dialect,
    step: &str,
    url: &str,
    target: &str,
    round: usize,
) -> (&'static str, Value) {
    let text = format!("text {round}");
    let step = if step.starts_with("snapshot") { "snapshot" } else { step };
    match (dialect, step) {
        (Dialect::Ours, _) => {
            let at = format!("@{target}");
            let args = match step {
                "open" => json!(["open", url]),
                "snapshot" => json!(["snapshot", "-i"]),
                "click" => json!(["click", at]),
                "fill" => json!(["fill", at, text]),
                _ => json!(["get", "title"]),
            };
            ("agent_browser", json!({ "args": args }))
        }
        (Dialect::AgentBrowser, "open") => ("agent_browser_open", json!({ "url": url })),
        (Dialect::AgentBrowser, "snapshot") => {
            ("agent_browser_snapshot", json!({ "interactive": true }))
        }
        (Dialect::AgentBrowser, "click") => {
            ("agent_browser_click", json!({ "selector": format!("@{target}") }))
        }
        (Dialect::AgentBrowser, "fill") => {
            ("agent_browser_fill", json!({ "selector": format!("@{target}"), "text": text }))
        }
        (Dialect::AgentBrowser, _) => ("agent_browser_get_title", json!({})),
        (Dialect::Playwright, "open") => ("browser_navigate", json!({ "url": url })),
        (Dialect::Playwright, "snapshot") => ("browser_snapshot", json!({})),
        (Dialect::Playwright, "click") => ("browser_click", json!({ "target": target })),
        (Dialect::Playwright, "fill") => {
            ("browser_type", json!({ "target": target, "text": text }))
        }
        (Dialect::Playwright, _) => {
            ("browser_evaluate", json!({ "function": "() => document.title" }))
        }
        (Dialect::DevTools, "open") => ("navigate_page", json!({ "pageId": 1, "url": url })),
        (Dialect::DevTools, "snapshot") => ("take_snapshot", json!({ "pageId": 1 })),
        (Dialect::DevTools, "click") => ("click", json!({ "pageId": 1, "uid": target })),
        (Dialect::DevTools, "fill") => {
            ("fill", json!({ "pageId": 1, "uid": target, "value": text }))
        }
        (Dialect::DevTools, _) => {
            ("evaluate_script", json!({ "pageId": 1, "function": "() => document.title" }))
        }
    }
}

/// How a snapshot of any of them names an element: `ref=e5` or `uid=1_5`.
fn target(snapshot: &str, role: &str, name: &str) -> Result<String> {
    let wanted = format!("{role} \"{name}\"");
    let line = snapshot.lines().find(|line| line.contains(&wanted)).unwrap_or_default();
    let rest = ["ref=", "uid="].iter().find_map(|mark| line.split(mark).nth(1));
    let id: String = rest
        .unwrap_or_default()
        .chars()
        .take_while(|next| next.is_ascii_alphanumeric() || *next == '_')
        .collect();
    if id.is_empty() { Err(format!("no {wanted} in {snapshot}").into()) } else { Ok(id) }
}

/// The kind of machine, without its name.
pub(super) fn machine() -> String {
    let read = |path: &str| std::fs::read_to_string(PathBuf::from(path)).unwrap_or_default();
    let processors = read("/proc/cpuinfo");
    let cores = processors.lines().filter(|line| line.starts_with("processor")).count();
    let memory = read("/proc/meminfo");
    let kb: u64 = memory
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))
        .and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0);
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    format!("{system}, {cores} cores, {} GB of memory", kb.div_ceil(1_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_names_its_elements() {
        let upstream = "- button \"Act\" [ref=e5]";
        let playwright = "  - button \"Act\" [ref=e10] [cursor=pointer]";
        let devtools = "  uid=1_12 button \"Act\"";
        let found = [upstream, playwright, devtools].map(|text| target(text, "button", "Act"));
        assert_eq!(found.map(std::result::Result::unwrap), ["e5", "e10", "1_12"]);
    }
}
