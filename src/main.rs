//! Chooses a door and an exit code; everything else is in the library.

mod cli;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agent_browser_native::call::{CallContext, Engine, EngineOptions, Keep};
use agent_browser_native::command::Class;
use agent_browser_native::config::layer::Layer;
use agent_browser_native::config::{Config, TRUST_VARIABLE, Trust, edit};
use agent_browser_native::demo::{self, DemoOptions};
use agent_browser_native::docs;
use agent_browser_native::doctor;
use agent_browser_native::door::{mcp, oneshot, parent, rpc};
use agent_browser_native::input::schema::TOOL_NAME;
use agent_browser_native::redact::Redactor;
use agent_browser_native::run::{ParentEnv, Places};
use agent_browser_native::session::reap::{Ended, keep_reaping, reap, reap_others};
use agent_browser_native::session::turn;
use clap::Parser;
use cli::{Cli, Command, ConfigCommand, DoorFlags};
use tokio_util::sync::CancellationToken;

/// Bad usage.
const USAGE: u8 = 2;
/// How long the end of a server waits for a clean-up that it began at its start.
const REAP_GRACE: Duration = Duration::from_secs(4);
/// Could not run.
const NO_RUN: u8 = 3;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let Ok(runtime) = runtime else { return fail(NO_RUN, "no threads could be started") };
    let code = runtime.block_on(dispatch(cli.command));
    // A read of stdin that nobody waits for any more must not keep the process alive.
    runtime.shutdown_background();
    code
}

async fn dispatch(command: Command) -> ExitCode {
    let env = ParentEnv::from_process();
    let places = match Places::resolve(&env) {
        Ok(places) => places,
        Err(error) => return fail(NO_RUN, &error.to_string()),
    };
    match command {
        Command::Mcp { door, structured } => serve_mcp(&door, structured, env, places).await,
        Command::Rpc => serve_rpc(env, places).await,
        Command::Call { params, tool, json, session_id, cwd, door } => {
            let call = OneCall { params, tool, json, session_id, cwd };
            call.run(&door, env, places).await
        }
        Command::Setup { dry_run, system, download_browser } => {
            run_setup(dry_run, system, download_browser, &env, &places).await
        }
        Command::Demo { out } => run_demo(out, env, places).await,
        Command::Docs { section } => print_docs(section.as_deref()),
        Command::Config { command } => run_config(command, &env),
        Command::Doctor { json } => run_doctor(json, env, places).await,
        Command::Reap { dry_run, json } => run_reap(dry_run, json, &env, &places).await,
    }
}

async fn serve_mcp(door: &DoorFlags, structured: bool, env: ParentEnv, places: Places) -> ExitCode {
    let trust = Trust::by_user(&env, door.trust_project);
    let all_but_process: Vec<Class> =
        Class::ALL.into_iter().filter(|class| *class != Class::Process).collect();
    let allowed = match door.classes(&all_but_process) {
        Ok(allowed) => allowed,
        Err(error) => return fail(USAGE, &error),
    };
    let confine = match door.confinement(true) {
        Ok(confine) => confine,
        Err(error) => return fail(USAGE, &error),
    };
    let cwd = match current_dir(None) {
        Ok(cwd) => cwd,
        Err(error) => return fail(NO_RUN, &error),
    };
    let config = Config::load(&env, &cwd, trust);
    let stop = parent::stop_token();
    let over = CancellationToken::new();
    let reaping = keep_reaping(places.clone(), env.clone(), cwd.clone(), over.clone());
    let reaping = tokio::spawn(reaping);
    let engine = Arc::new(Engine::new(EngineOptions {
        door: "mcp",
        host_id: random_id(),
        cwd,
        env,
        places,
        allowed,
        view: !door.no_view && config.view(),
        confine,
        keep: Keep::ThisProcess,
        prepares: true,
        failure_notice: "isError: true",
        trust,
    }));
    let options = mcp::Options { structured };
    let served = mcp::serve(Arc::clone(&engine), options, stop).await;
    engine.shutdown().await;
    over.cancel();
    // What was begun for others is finished, within reason.
    let _ = tokio::time::timeout(REAP_GRACE, reaping).await;
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(NO_RUN, &error.to_string()),
    }
}

async fn serve_rpc(env: ParentEnv, places: Places) -> ExitCode {
    let stop = parent::stop_token_of_child();
    let input = tokio::io::BufReader::new(tokio::io::stdin());
    rpc::serve(rpc::Options { env, places }, input, tokio::io::stdout(), stop).await;
    ExitCode::SUCCESS
}

/// The `call` subcommand.
struct OneCall {
    params: Option<String>,
    tool: String,
    json: bool,
    session_id: Option<String>,
    cwd: Option<PathBuf>,
}

impl OneCall {
    async fn run(self, door: &DoorFlags, env: ParentEnv, places: Places) -> ExitCode {
        let allowed = match door.classes(&Class::ALL) {
            Ok(allowed) => allowed,
            Err(error) => return fail(USAGE, &error),
        };
        let confine = match door.confinement(false) {
            Ok(confine) => confine,
            Err(error) => return fail(USAGE, &error),
        };
        let params = match oneshot::read_params(self.params.as_deref(), io::stdin()) {
            Ok(params) => params,
            Err(error) => return fail(USAGE, &error),
        };
        let cwd = match current_dir(self.cwd.as_deref()) {
            Ok(cwd) => cwd,
            Err(error) => return fail(USAGE, &error),
        };
        let trust = Trust::by_user(&env, door.trust_project);
        let config = Config::load(&env, &cwd, trust);
        let host_id = self.session_id.clone().unwrap_or_else(|| "cwd".to_owned());
        let stop = parent::interrupt_token();
        let engine = Engine::new(EngineOptions {
            door: "cli",
            host_id,
            cwd: cwd.clone(),
            env: env.clone(),
            places: places.clone(),
            allowed,
            view: !door.no_view && config.view(),
            confine,
            keep: Keep::IdleTimeout,
            prepares: false,
            failure_notice: "isError: true",
            trust,
        });
        let others =
            reap_others(places.clone(), env.clone(), cwd.clone(), engine.base_name().to_owned());
        let others = tokio::spawn(others);
        let code = self.in_turn(&engine, &params, &places, stop.clone()).await;
        // What has begun is finished, and now its own sessions may go too. Who stops the program does
        // not wait for that: the next one does it.
        if stop.run_until_cancelled(others).await.is_some() {
            stop.run_until_cancelled(reap(&places, &env, &cwd, false)).await;
        }
        code.unwrap_or(ExitCode::from(NO_RUN))
    }

    /// The call, once its turn has come: invocations of one host session share a journal and a browser.
    async fn in_turn(
        &self,
        engine: &Engine,
        params: &serde_json::Value,
        places: &Places,
        stop: CancellationToken,
    ) -> io::Result<ExitCode> {
        let began = Instant::now();
        let mut late = false;
        let mut held = None;
        // Other tools know neither the journal nor the browser.
        if self.tool == TOOL_NAME {
            held = tokio::select! {
                biased;
                held = turn::take(places, engine.base_name()) => held,
                () = stop.cancelled() => None,
                () = time_over(params) => {
                    late = true;
                    None
                }
            };
            if !late {
                engine.restore_from_journal();
            }
        }
        let context =
            CallContext { cancel: stop, reports_progress: true, began: Some(began), late };
        let call = oneshot::Call { tool: &self.tool, params, as_json: self.json };
        let code = oneshot::run(engine, call, context, io::stdout()).await;
        engine.settle().await;
        drop(held);
        code
    }
}

/// The end of the caller's own limit; never without one.
async fn time_over(params: &serde_json::Value) {
    match params.get("timeoutMs").and_then(serde_json::Value::as_u64) {
        Some(ms) => tokio::time::sleep(Duration::from_millis(ms)).await,
        None => std::future::pending().await,
    }
}

async fn run_setup(
    dry_run: bool,
    system: bool,
    download_browser: bool,
    env: &ParentEnv,
    places: &Places,
) -> ExitCode {
    use agent_browser_native::setup::{SetupOptions, setup};
    let options = SetupOptions { dry_run, system, download_browser };
    match setup(options, env, places, &parent::interrupt_token(), &mut say).await {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => fail(1, &error.to_string()),
    }
}

async fn run_demo(out: PathBuf, env: ParentEnv, places: Places) -> ExitCode {
    let own_exe = match std::env::current_exe() {
        Ok(own_exe) => own_exe,
        Err(error) => return fail(NO_RUN, &error.to_string()),
    };
    let options = DemoOptions { out, own_exe };
    let stop = parent::interrupt_token();
    match demo::run(&options, env, &places, stop, &mut say).await {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => fail(1, &error.to_string()),
    }
}

fn print_docs(word: Option<&str>) -> ExitCode {
    let sections = word.map_or_else(docs::sections, docs::find);
    let mut out = io::stdout();
    if sections.is_empty() {
        let ids: Vec<String> = docs::sections().into_iter().map(|section| section.id).collect();
        return fail(USAGE, &format!("there is no such section; there is\n  {}", ids.join("\n  ")));
    }
    match sections.iter().try_for_each(|section| write!(out, "{}", section.text)) {
        // A reader that closes its end has read enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::from(NO_RUN),
        _ => ExitCode::SUCCESS,
    }
}

fn run_config(command: ConfigCommand, env: &ParentEnv) -> ExitCode {
    let cwd = match current_dir(None) {
        Ok(cwd) => cwd,
        Err(error) => return fail(NO_RUN, &error),
    };
    let config = Config::load(env, &cwd, Trust::by_user(env, false));
    let healthy = config.problems().is_empty();
    let (text, good) = match command {
        ConfigCommand::Show { json: true } => (config.status_json(env).to_text(), true),
        ConfigCommand::Show { json: false } => (config.status_text(env), true),
        ConfigCommand::Paths { json: true } => (config.files_json().to_text(), true),
        ConfigCommand::Paths { json: false } => (config.files_text(), true),
        ConfigCommand::Check { json: true } => (config.status_json(env).to_text(), healthy),
        ConfigCommand::Check { json: false } => (config.problems_text(), healthy),
        ConfigCommand::Set { key, value, project } => {
            return set_config(&key, value, project, env, &cwd);
        }
    };
    match writeln!(io::stdout(), "{}", text.as_str()) {
        Err(_) => ExitCode::from(NO_RUN),
        Ok(()) if good => ExitCode::SUCCESS,
        Ok(()) => ExitCode::FAILURE,
    }
}

fn set_config(key: &str, value: String, project: bool, env: &ParentEnv, cwd: &Path) -> ExitCode {
    let value = if value == "-" {
        match oneshot::read_line(io::stdin()) {
            Ok(line) => line,
            Err(error) => return fail(USAGE, &error),
        }
    } else {
        value
    };
    let layer = if project { Layer::Project } else { Layer::Global };
    match edit::set(key, &value, layer, env, cwd) {
        Ok(path) => {
            say(&format!("Wrote {}", path.display()));
            if project && !Trust::by_user(env, false).project {
                say(&format!(
                    "Outside of pi it is read only with --trust-project or {TRUST_VARIABLE}=1."
                ));
            }
            ExitCode::SUCCESS
        }
        Err(error) => fail(USAGE, &error),
    }
}

async fn run_doctor(json: bool, env: ParentEnv, places: Places) -> ExitCode {
    let cwd = current_dir(None).unwrap_or_else(|_| std::env::temp_dir());
    let report = doctor::examine(env, places, cwd, parent::stop_token()).await;
    let mut out = io::stdout();
    let text = if json { report.to_json().to_text() } else { report.to_text(out.is_terminal()) };
    match (writeln!(out, "{}", text.as_str()), report.is_healthy()) {
        (Err(_), _) => ExitCode::from(NO_RUN),
        (Ok(()), true) => ExitCode::SUCCESS,
        (Ok(()), false) => ExitCode::FAILURE,
    }
}

async fn run_reap(dry_run: bool, json: bool, env: &ParentEnv, places: &Places) -> ExitCode {
    let cwd = current_dir(None).unwrap_or_else(|_| std::env::temp_dir());
    let report = reap(places, env, &cwd, dry_run).await;
    let mut out = io::stdout();
    let redactor = Redactor::new([]);
    let written = if json {
        let rows: Vec<serde_json::Value> = report
            .iter()
            .map(|row| serde_json::json!({ "session": row.key.name, "ended": row.ended.map(|e| e.word()) }))
            .collect();
        let rows = redactor.safe_json(&serde_json::Value::Array(rows));
        writeln!(out, "{}", rows.to_text().as_str())
    } else if report.is_empty() {
        writeln!(out, "Nothing to end: every browser of ours has a living owner.")
    } else {
        report.iter().try_for_each(|row| {
            let what = row.ended.map_or("would be ended", |ended| ended.word());
            writeln!(out, "{}: {what}", redactor.safe_text(&row.key.name).as_str())
        })
    };
    match written {
        Err(_) => ExitCode::from(NO_RUN),
        Ok(()) if report.iter().any(|row| row.ended == Some(Ended::Left)) => ExitCode::FAILURE,
        Ok(()) => ExitCode::SUCCESS,
    }
}

/// The canonical directory, so that two spellings of it are one.
fn current_dir(given: Option<&Path>) -> Result<PathBuf, String> {
    let dir = match given {
        Some(dir) => dir.to_owned(),
        None => std::env::current_dir()
            .map_err(|error| format!("there is no current directory: {error}"))?,
    };
    let found = dir.canonicalize();
    let found = found.map_err(|error| format!("{} is no directory: {error}", dir.display()))?;
    if found.is_dir() { Ok(found) } else { Err(format!("{} is no directory", dir.display())) }
}

fn random_id() -> String {
    let mut bytes = [0_u8; 16];
    if getrandom::fill(&mut bytes).is_err() {
        return format!("pid-{}", std::process::id());
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn say(line: &str) {
    // Without a reader there is nobody to tell.
    let _ = writeln!(io::stdout(), "{line}");
}

fn fail(code: u8, message: &str) -> ExitCode {
    // Without stderr there is nobody to tell.
    let _ = writeln!(io::stderr(), "agent-browser-native: {message}");
    ExitCode::from(code)
}
