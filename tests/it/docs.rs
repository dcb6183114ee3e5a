//! The documents say what the program does: lists are generated or compared here.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use agent_browser_native::command::commands;
use agent_browser_native::config::variables::VARIABLES;
use agent_browser_native::guard::prompt::{PromptNeeds, recognise};
use agent_browser_native::input::schema;
use agent_browser_native::outcome::FailureCategory;
use agent_browser_native::session::reap::close_timeout;
use serde_json::json;
use xtask::efficiency;

use crate::support::engine::TestEngine;
use crate::support::env::{TestEnv, fake_upstream};
use crate::support::host::{Host, session};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn document(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

fn program(words: &[&str]) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_agent-browser-native")).args(words).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn sources(folder: &Path, found: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs" || end == "ts" || end == "cjs") {
            found.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

// DOC-01, DOC-09, PI-17
#[test]
fn generated_parts_are_fresh() {
    let stale: Vec<_> =
        xtask::docs::stale(root()).unwrap().into_iter().map(|(path, _)| path).collect();
    assert!(stale.is_empty(), "run `cargo xtask docs write`: {stale:?}");
}

// DOC-02, DOC-09, PI-07
#[test]
fn fragments_and_tables_stand_where_readers_look_for_them() {
    let readme = document("README.md");
    assert!(readme.contains("agent-browser-playbook:start shared-guidelines"));
    let commands = document("docs/COMMAND_REFERENCE.md");
    assert!(commands.contains("agent-browser-playbook:start inspection"));
    for part in ["commands", "global-flags", "variables", "config-keys", "baseline"] {
        assert!(commands.contains(&format!("<!-- generated: {part} -->")), "{part}");
    }
    let contract = document("docs/TOOL_CONTRACT.md");
    assert!(contract.contains("agent-browser-playbook:start wrapper-tab-recovery"));
    for part in ["fields", "categories", "next-actions", "classes", "search-fields"] {
        assert!(contract.contains(&format!("<!-- generated: {part} -->")), "{part}");
    }
}

// CFG-12
#[test]
fn every_variable_that_the_program_reads_is_in_the_reference() {
    let mut code = String::new();
    for folder in ["src", "pi/src", "npm/bin"] {
        sources(&root().join(folder), &mut code);
    }
    code.push_str(&document("npm/index.cjs"));
    let listed: BTreeSet<&str> = VARIABLES.iter().map(|variable| variable.name).collect();
    // Marks on our own children, for finding them again.
    let inner = ["SESSION", "DEMO_MARK", "APP"].map(|name| format!("AGENT_BROWSER_NATIVE_{name}"));
    for quoted in code.split('"').filter(|word| {
        word.starts_with("PI_AGENT_BROWSER_") || word.starts_with("AGENT_BROWSER_NATIVE_")
    }) {
        let is_name = quoted.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
            && !quoted.ends_with('_');
        assert!(
            !is_name || listed.contains(quoted) || inner.iter().any(|name| name == quoted),
            "{quoted}"
        );
    }
    for name in [
        "PI_AGENT_BROWSER_CONFIG",
        "PI_AGENT_BROWSER_SESSION_ARTIFACT_MANIFEST_MAX_ENTRIES",
        "PI_AGENT_BROWSER_SESSION_ARTIFACT_MAX_BYTES",
        "PI_AGENT_BROWSER_IMPLICIT_SESSION_CLOSE_TIMEOUT_MS",
        "PI_AGENT_BROWSER_PROCESS_TIMEOUT_MS",
        "EXA_API_KEY",
        "BRAVE_API_KEY",
        "AGENT_BROWSER_DEFAULT_TIMEOUT",
        "AGENT_BROWSER_SKILLS_DIR",
        "AGENT_BROWSER_PLUGINS",
    ] {
        assert!(listed.contains(name), "{name}");
    }
    let env = TestEnv::without_upstream().parent();
    assert_eq!(close_timeout(&env).as_millis(), 5_000);
    let name = "PI_AGENT_BROWSER_IMPLICIT_SESSION_CLOSE_TIMEOUT_MS";
    assert_eq!(close_timeout(&env.clone().and(name, "900")).as_millis(), 900);
    assert_eq!(close_timeout(&env.and(name, "soon")).as_millis(), 5_000);
}

// DOC-13, DOC-22
#[test]
fn the_reference_keeps_its_caveats() {
    let commands = document("docs/COMMAND_REFERENCE.md");
    for caveat in [
        "`find … uncheck`",
        "`wait … --state` is refused",
        "`wait --download PATH`",
        "`@agent-browser/sandbox`",
        "`install --with-deps`",
        "`session id` and `session info` need no browser",
        "`auth login --credential-provider`",
        "`doctor --offline --quick`",
        "`doctor --json`",
    ] {
        assert!(commands.contains(caveat), "{caveat}");
    }
    assert!(commands.contains("**0.31.1 to 0.41.0.**"));
}

// DOC-06, DOC-07
#[test]
fn the_description_leads_with_browsing_and_guidance_prefers_the_tool() {
    let first = schema::DESCRIPTION.lines().next().unwrap();
    for task in
        ["research", "live docs", "clicking", "forms", "screenshots", "extraction", "signed-in"]
    {
        assert!(first.contains(task), "{task}: {first}");
    }
    assert!(
        agent_browser_native::playbook::TIER_A[0]
            .contains("prefer it to running agent-browser in bash")
    );
}

// DOC-NG-01, DOC-NG-02
#[test]
fn there_is_one_browser_tool_and_it_takes_the_clis_own_words() {
    let engine = TestEngine::new(TestEnv::without_upstream());
    let tools = engine.engine.tools();
    assert_eq!(tools.len(), 1);
    let properties = tools[0].schema["properties"].as_object().unwrap().clone();
    assert_eq!(properties["args"]["type"], "array");
    assert!(properties["args"]["items"].get("enum").is_none());
    assert!(document("docs/TOOL_CONTRACT.md").contains("No support for older upstream versions."));
}

// DOC-23
#[test]
fn the_readme_tells_both_ways_to_try_a_checkout_in_pi() {
    let readme = document("README.md");
    assert!(readme.contains("`pi --approve --no-extensions -e ./pi`"));
    assert!(readme.contains("configure exactly one source and start plain `pi`"));
}

// DOC-NG-05
#[test]
fn prompts_are_read_for_files_alone() {
    for prompt in
        ["Order the shoes.", "Do not post anything!", "Stop before the payment, then buy it."]
    {
        assert_eq!(recognise(prompt), PromptNeeds::default(), "{prompt}");
    }
}

// DOC-NG-07
#[tokio::test]
async fn files_that_the_user_named_outlive_the_browser() {
    let engine = TestEngine::new(TestEnv::new());
    engine.call(&["open", "http://shop.test/"]).await;
    engine.call(&["screenshot", "mine.png"]).await;
    engine.call(&["close"]).await;
    engine.engine.shutdown().await;
    assert!(engine.env.path("mine.png").is_file());
}

// DOC-18
#[test]
fn the_contract_lists_what_guards_and_what_voids_refs() {
    let contract = document("docs/TOOL_CONTRACT.md");
    assert!(contract.contains("<!-- generated: ref-commands -->"));
    for spec in commands().filter(|spec| spec.caps.guards_refs || spec.caps.invalidates_batch_refs)
    {
        let part = contract.split("generated: ref-commands").nth(1).unwrap();
        let part = part.split("<!-- end -->").next().unwrap();
        assert!(part.contains(&format!("`{}`", spec.name)), "{}", spec.name);
    }
}

// DEC-108
#[test]
fn the_readme_names_every_subcommand_in_its_order() {
    let help = program(&["--help"]);
    let listed: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| *word != "help")
        .collect();
    let readme = document("README.md");
    let table = readme.lines().skip_while(|line| !line.starts_with("| subcommand")).skip(2);
    let named: Vec<&str> = table
        .take_while(|line| line.starts_with("| `"))
        .filter_map(|line| line.split('`').nth(1))
        .collect();
    assert_eq!(named, listed);
}

// DOC-05
#[test]
fn a_reader_of_the_reference_may_stop_early() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agent-browser-native"))
        .arg("docs")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

// DEC-108, DOC-05
#[tokio::test]
async fn the_reference_is_read_on_demand_by_section() {
    let flags = program(&["docs", "global-flags"]);
    assert!(flags.starts_with("## Global flags") && flags.contains("`--profile`"), "{flags}");
    assert!(program(&["docs"]).contains("# Tool contract"));
    assert!(program(&["docs", "electron"]).starts_with("# Desktop apps"));
    for door in ["mcp", "call"] {
        let help = program(&[door, "--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains("mcp allows all but process, and call all of them"), "{help}");
    }
    let unknown = Command::new(env!("CARGO_BIN_EXE_agent-browser-native"))
        .args(["docs", "nope"])
        .output()
        .unwrap();
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("commands/global-flags"));
    let env = TestEnv::without_upstream();
    let mut host = Host::mcp(&env).await;
    let listed = host.result("resources/list", json!({})).await;
    let resources = listed["resources"].as_array().unwrap();
    assert!(resources.len() > 20);
    let uri = "agent-browser-native://docs/commands/global-flags";
    assert!(resources.iter().any(|resource| resource["uri"] == uri));
    let read = host.result("resources/read", json!({ "uri": uri })).await;
    assert_eq!(read["contents"][0]["text"], flags);
    let missing =
        host.request("resources/read", json!({ "uri": "agent-browser-native://docs/x" })).await;
    assert!(missing["error"]["message"].as_str().unwrap().contains("resources/list"));
    let mut rpc = Host::start(&env, &["rpc"]);
    let mut hello = session(&env, "s1", &[]);
    hello["door"] = json!("pi");
    let begun = rpc.result("initialize", hello).await;
    let path = env!("CARGO_BIN_EXE_agent-browser-native");
    assert!(begun["guidelines"].to_string().contains(&format!("`{path} docs")), "{begun}");
}

// DOC-14, DOC-15, DOC-16
#[test]
fn the_table_of_costs_is_what_tasks_cost() {
    let all = efficiency::measure(fake_upstream()).unwrap();
    let table = efficiency::table(&all);
    let document = document("docs/EFFICIENCY.md");
    let fresh = efficiency::with_table(&document, &table).unwrap();
    assert_eq!(fresh, document, "run `cargo xtask efficiency --write`");
    for figures in &all {
        assert!(figures.as_meant(), "{figures:?}");
    }
    let of = |name: &str| all.iter().find(|figures| figures.name == name).unwrap();
    // A layer must need fewer calls than what it replaces, and files and refusals must be right.
    assert!(
        of("job-open-assert-screenshot").calls < of("open-assert-screenshot-single-calls").calls
    );
    assert!(of("form-batch").calls < of("form-single-calls").calls);
    assert!(of("form-batch").processes <= of("form-single-calls").processes);
    assert_eq!((of("stale-ref-recovery").stale, of("stale-ref-recovery").recovered), (1, 1));
    assert_eq!(of("artifacts").files, (2, 2));
    for name in [
        "qa-open-diagnostics",
        "source-lookup-visible-element",
        "network-source-lookup-failed-request",
        "electron-lifecycle",
    ] {
        assert!(of(name).calls > 0);
    }
    assert!(of("electron-probe").calls < of("electron-look-single-calls").calls);
    let categories: BTreeSet<&String> =
        all.iter().flat_map(|figures| &figures.categories).collect();
    assert!(categories.len() * 3 >= FailureCategory::ALL.len(), "{categories:?}");
}

// DOC-21
#[test]
fn the_crate_carries_code_documents_for_users_and_the_license() {
    let words = ["package", "--list", "--allow-dirty", "--offline"];
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let listed = Command::new(cargo).args(words).current_dir(root()).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let mut rest: Vec<&str> = listed.lines().filter(|name| !name.starts_with("src/")).collect();
    rest.retain(|name| !name.starts_with(".cargo_vcs") && !name.starts_with("Cargo."));
    assert!(listed.contains("src/main.rs\n"), "{listed}");
    assert_eq!(
        rest,
        [
            "CHANGELOG.md",
            "LICENSE",
            "README.md",
            "docs/COMMAND_REFERENCE.md",
            "docs/ELECTRON.md",
            "docs/MCP_CLIENTS.md",
            "docs/SECURITY.md",
            "docs/TOOL_CONTRACT.md",
            "docs/TROUBLESHOOTING.md",
        ]
    );
}
