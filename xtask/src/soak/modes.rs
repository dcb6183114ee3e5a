//! Calls of several steps, and calls that leave files.

use std::path::Path;

use serde_json::json;

use super::expect::Expect;
use super::worker::Worker;
use crate::Result;

pub(super) fn batch(worker: &mut Worker) -> Result<()> {
    let page = worker.model.page().clone();
    let text = worker.model.fresh_text("row ");
    let rows = json!([
        ["click", "#add"],
        ["fill", "#note", text],
        ["get", "text", "#count"],
        ["get", "title"]
    ]);
    let mut call = worker.command(&["batch"]);
    call["stdin"] = json!(rows.to_string());
    let expect = Expect::Is(format!(
        "Batch: all 4 steps done.\n1 Clicked \"#add\". Page changed.\n\
         2 Filled \"#note\"; value verified.\n3 \"{}\"\n4 \"{}\"",
        page.count + 1,
        page.title()
    ));
    if worker.send(&call, &expect)?.is_some() {
        worker.model.page().count += 1;
        worker.model.page().note = text;
    }
    Ok(())
}

/// Jobs and checks have no name of a session: they are for the managed one.
pub(super) fn job(worker: &mut Worker) -> Result<()> {
    if worker.name.is_some() {
        return batch(worker);
    }
    let mark = worker.model.fresh_mark();
    let (url, text) = (worker.url(&mark), worker.model.fresh_text("job "));
    let call = json!({ "job": { "steps": [
        { "action": "open", "url": url },
        { "action": "fill", "selector": "#note", "text": text },
        { "action": "click", "selector": "#add" },
        { "action": "assertText", "text": mark },
    ] } });
    let expect = Expect::Has(
        format!("Job: all 4 steps done.\n1 Opened \"Soak {mark}\" {url}\n"),
        vec![
            "2 Filled \"#note\"; value verified.\n3 Clicked \"#add\". Page changed.\n4 ".to_owned(),
        ],
    );
    if worker.send(&call, &expect)?.is_some() {
        worker.model.leave();
        worker.model.tab().visit(&mark);
        worker.model.page().count = 1;
        worker.model.page().note = text;
        worker.run(&["get", "text", "#count"], &Expect::Is("1".to_owned()))?;
    }
    Ok(())
}

pub(super) fn qa(worker: &mut Worker) -> Result<()> {
    if worker.name.is_some() {
        return eval(worker);
    }
    let mark = worker.model.fresh_mark();
    let (url, fails) = (worker.url(&mark), worker.dice.once_in(4));
    let selector = if fails { "#missing" } else { "#add" };
    let call = json!({ "qa": {
        "url": url, "expectedText": [mark], "expectedSelector": selector,
    } });
    let expect = if fails {
        Expect::Fails(&["qa-failure"])
    } else {
        Expect::starts(format!("QA preset passed: \"Soak {mark}\" {url}\n"))
    };
    if worker.send(&call, &expect)?.is_some() {
        worker.model.leave();
        worker.model.tab().visit(&mark);
    }
    Ok(())
}

pub(super) fn semantic(worker: &mut Worker) -> Result<()> {
    let mut action = json!({
        "action": "click", "locator": "role", "role": "button", "name": "Add",
    });
    if let Some(name) = &worker.name {
        action["session"] = json!(name);
    }
    let expect =
        Expect::Has("Clicked ".to_owned(), vec!["button \"Add\". Page changed.".to_owned()]);
    if worker.send(&json!({ "semanticAction": action }), &expect)?.is_some() {
        worker.model.page().count += 1;
        let count = worker.model.page().count.to_string();
        worker.run(&["get", "text", "#count"], &Expect::Is(count))?;
    }
    Ok(())
}

pub(super) fn screenshot(worker: &mut Worker) -> Result<()> {
    let saved = Expect::starts("Screenshot saved and verified: image/png, ");
    if worker.dice.once_in(4) {
        let taken = worker.run(&["screenshot"], &saved)?.is_some();
        worker.tally.pictures += usize::from(taken);
        return Ok(());
    }
    let path = worker.file("shot.png");
    let words = path.to_string_lossy().into_owned();
    if worker.run(&["screenshot", &words], &saved)?.is_some() {
        check_file(worker, &path, |bytes| bytes.starts_with(b"\x89PNG"));
    }
    Ok(())
}

pub(super) fn download(worker: &mut Worker) -> Result<()> {
    let path = worker.file("report.csv");
    let words = path.to_string_lossy().into_owned();
    let expect = Expect::starts("Download completed: ");
    if worker.run(&["download", "#file", &words], &expect)?.is_some() {
        check_file(worker, &path, |bytes| bytes == b"name,count\nalpha,1\nbeta,2\n");
    }
    Ok(())
}

/// Looks at a file that an answer has promised, and removes it.
fn check_file(worker: &mut Worker, path: &Path, is_right: fn(&[u8]) -> bool) {
    let whole = worker.ground.work.join(path);
    let right = std::fs::read(&whole).is_ok_and(|bytes| is_right(&bytes));
    if !right {
        worker.note_wrong(&json!(path), "the file is not what was promised", "");
    }
    // The next one must not find it.
    drop(std::fs::remove_file(whole));
}

pub(super) fn network(worker: &mut Worker) -> Result<()> {
    let mark = worker.model.page().mark.clone();
    worker.run(&["click", "#api"], &Expect::starts("Clicked \"#api\". "))?;
    worker.run(&["wait", "--text", "Loaded"], &Expect::starts(""))?;
    let call = worker.command(&["network", "requests", "--filter", "/api/json"]);
    let expect = Expect::Has("Requests: ".to_owned(), vec![format!("/api/json?of={mark}")]);
    worker.send(&call, &expect).map(drop)
}

pub(super) fn eval(worker: &mut Worker) -> Result<()> {
    if worker.dice.once_in(4) {
        return worker.run(&["eval", "1 +"], &Expect::Fails(&["upstream-error"])).map(drop);
    }
    let page = worker.model.page().clone();
    let right = format!("{} {} {}", page.title(), page.count, page.note);
    let script = "document.title + ' ' + count.textContent + ' ' + note.value";
    worker.run(&["eval", script], &Expect::Is(right)).map(drop)
}
