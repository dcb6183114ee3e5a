//! Does a browser start and answer?

use serde_json::Value;

use super::context::Context;
use super::trial::{TITLE, Trial};
use super::{Check, Finding};
use crate::run::locate::BROWSER_PATH;
use crate::session::reap::Ended;

pub(super) const CHECK: Check =
    Check { id: "browser", run: |context| Box::pin(async move { check(context).await }) };

async fn check(context: &Context) -> Finding {
    let Some(trial) = context.trial().await else {
        return Finding::not_run("Not started: there is no upstream to start it with.");
    };
    if let Some(problem) = problem(trial) {
        let remedy = remedy(context, &problem).await;
        return Finding::failed(format!("No page could be opened: {}", one_line(&problem)), remedy);
    }
    if trial.ended == Ended::Left {
        return Finding::failed(
            "A browser started and answered, but could not be ended again.",
            "Run `agent-browser-native reap`.",
        );
    }
    let ms = trial.elapsed.as_millis();
    Finding::ok(format!("Started, opened a page, read its title in {ms} ms, and was closed"))
}

fn problem(trial: &Trial) -> Option<String> {
    let rows = match &trial.rows {
        Ok(rows) => rows,
        Err(reason) => return Some(reason.clone()),
    };
    let [_opened, _written, titled, ..] = rows.as_slice() else {
        let reason = rows.last().and_then(|row| row.error.clone());
        return Some(reason.unwrap_or_else(|| "agent-browser gave no reason".to_owned()));
    };
    if let Some(error) = &titled.error {
        return Some(error.clone());
    }
    let title = titled.data.get("title").and_then(Value::as_str);
    (title != Some(TITLE)).then(|| format!("its title was read as {title:?}, not {TITLE:?}"))
}

/// The first line of upstream's reason; the rest lists where it looked.
fn one_line(error: &str) -> &str {
    let line = error.lines().next().unwrap_or_default().trim();
    line.strip_suffix(" Checked:").unwrap_or(line)
}

async fn remedy(context: &Context, problem: &str) -> String {
    let has = |part: &str| problem.contains(part);
    if context.world.env.get(BROWSER_PATH).is_some() && has("Failed to launch Chrome at") {
        return format!("Correct or unset {BROWSER_PATH}.");
    }
    if has("Chrome not found") {
        return "Run `agent-browser-native setup` to install a browser.".to_owned();
    }
    if has("DISPLAY") || has("X server") {
        return "Unset AGENT_BROWSER_HEADED and \"headed\" in agent-browser's config files, or start a display."
            .to_owned();
    }
    if has("lease") {
        return "Make the private directory writable (see private-dirs).".to_owned();
    }
    // It need not be on PATH.
    let found = context.usable_upstream().await;
    let exe = found.map_or("agent-browser".into(), |upstream| upstream.exe.to_string_lossy());
    format!(
        "Run `{exe} doctor` for agent-browser's own diagnosis, or `agent-browser-native setup`."
    )
}
