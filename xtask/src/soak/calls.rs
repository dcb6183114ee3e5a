//! The ordinary calls: each one has an effect that the model knows.

use serde_json::{Value, json};

use super::expect::Expect;
use super::model::{Page, REFS, SECRET};
use super::worker::Worker;
use super::{modes, tabs};
use crate::Result;

type Action = fn(&mut Worker) -> Result<()>;

/// How often, what it is called, what it does.
pub(super) const ACTIONS: &[(usize, (&str, Action))] = &[
    (4, ("open", open)),
    (6, ("snapshot", snapshot)),
    (10, ("click", click_add)),
    (3, ("click without effect", click_idle)),
    (8, ("fill", fill)),
    (3, ("fill a secret", fill_secret)),
    (12, ("read", read)),
    (4, ("check", check)),
    (4, ("select", select)),
    (4, ("tab new", tabs::open_new)),
    (5, ("tab switch", tabs::switch)),
    (3, ("tab close", tabs::close_another)),
    (4, ("batch", modes::batch)),
    (3, ("job", modes::job)),
    (3, ("qa", modes::qa)),
    (3, ("screenshot", modes::screenshot)),
    (2, ("download", modes::download)),
    (3, ("network", modes::network)),
    (4, ("eval", modes::eval)),
    (5, ("history", history)),
    (4, ("link", link)),
    (4, ("semantic", modes::semantic)),
    (5, ("bad input", bad_input)),
    (5, ("bad ref", bad_ref)),
];

fn open(worker: &mut Worker) -> Result<()> {
    let mark = worker.model.fresh_mark();
    let url = worker.url(&mark);
    let expect = Expect::Has(
        format!("Opened \"Soak {mark}\" {url}\nSnapshot: {REFS} refs\n"),
        vec![format!("- heading \"{mark}\" "), "- button \"Add\" [ref=".to_owned()],
    );
    if let Some(answer) = worker.run(&["open", &url], &expect)? {
        worker.model.leave();
        worker.model.tab().visit(&mark);
        worker.model.learn(&answer.text);
    }
    Ok(())
}

fn snapshot(worker: &mut Worker) -> Result<()> {
    let page = worker.model.page().clone();
    let url = worker.url(&page.mark);
    let size = match page.size() {
        "m" => "Middle",
        "l" => "Large",
        _ => "Small",
    };
    let expect = Expect::Has(
        format!("Snapshot: {REFS} refs on {url}\n"),
        vec![
            format!("- heading \"{}\" ", page.mark),
            format!("- checkbox \"Agree\" [checked={}, ", page.agreed),
            format!(": {size} (options: "),
        ],
    );
    if let Some(answer) = worker.run(&["snapshot", "-i"], &expect)? {
        worker.model.learn(&answer.text);
    }
    Ok(())
}

/// A selector, or the ref of the control where one is known.
fn target(worker: &mut Worker, selector: &str, control: &str) -> (String, String) {
    let role = match control {
        "Note" | "Password" => "textbox",
        "Agree" => "checkbox",
        "Size" => "combobox",
        _ => "button",
    };
    match worker.model.reference(control).filter(|_| worker.dice.once_in(2)) {
        Some(known) => (known.clone(), format!("{known} {role} \"{control}\"")),
        None => (selector.to_owned(), format!("\"{selector}\"")),
    }
}

fn click_add(worker: &mut Worker) -> Result<()> {
    let (target, shown) = target(worker, "#add", "Add");
    let expect = Expect::Is(format!("Clicked {shown}. Page changed."));
    if worker.run(&["click", &target], &expect)?.is_some() {
        worker.model.page().count += 1;
        let count = worker.model.page().count.to_string();
        worker.run(&["get", "text", "#count"], &Expect::Is(count))?;
    }
    Ok(())
}

fn click_idle(worker: &mut Worker) -> Result<()> {
    let (target, shown) = target(worker, "#idle", "Idle");
    // How long it has looked is measured, and the machine is busy.
    let expect = Expect::starts(format!("Clicked {shown}. No change seen within "));
    worker.run(&["click", &target], &expect).map(drop)
}

fn fill(worker: &mut Worker) -> Result<()> {
    let text = worker.model.fresh_text("note ");
    let (target, shown) = target(worker, "#note", "Note");
    let expect = Expect::Is(format!("Filled {shown}; value verified."));
    if worker.run(&["fill", &target, &text], &expect)?.is_some() {
        worker.model.page().note.clone_from(&text);
        worker.run(&["get", "value", "#note"], &Expect::Is(text))?;
    }
    Ok(())
}

fn fill_secret(worker: &mut Worker) -> Result<()> {
    let text = worker.model.fresh_text(SECRET);
    let (target, shown) = target(worker, "#pass", "Password");
    let expect = Expect::Is(format!("Filled {shown}; value verified."));
    worker.run(&["fill", &target, &text], &expect)?;
    let length = Expect::Is(text.len().to_string());
    worker.run(&["eval", "pass.value.length"], &length).map(drop)
}

fn read(worker: &mut Worker) -> Result<()> {
    let page = worker.model.page().clone();
    let url = worker.url(&page.mark);
    let questions: [(&[&str], String); 8] = [
        (&["get", "title"], page.title()),
        (&["get", "url"], url),
        (&["get", "text", "#mark"], page.mark.clone()),
        (&["get", "text", "#count"], page.count.to_string()),
        (&["get", "value", "#size"], page.size().to_owned()),
        (&["is", "checked", "#agree"], page.agreed.to_string()),
        (&["is", "enabled", "#off"], "false".to_owned()),
        (&["is", "visible", "#add"], "true".to_owned()),
    ];
    match worker.dice.pick(&questions) {
        Some((words, right)) => worker.run(words, &Expect::Is(right.clone())).map(drop),
        None => Ok(()),
    }
}

fn check(worker: &mut Worker) -> Result<()> {
    let agreed = worker.model.page().agreed;
    let (word, done) = if agreed { ("uncheck", "Unchecked") } else { ("check", "Checked") };
    let (target, shown) = target(worker, "#agree", "Agree");
    if worker.run(&[word, &target], &Expect::starts(format!("{done} {shown}")))?.is_some() {
        worker.model.page().agreed = !agreed;
        let right = Expect::Is((!agreed).to_string());
        worker.run(&["is", "checked", "#agree"], &right)?;
    }
    Ok(())
}

fn select(worker: &mut Worker) -> Result<()> {
    let value = worker.dice.pick(&["s", "m", "l"]).copied().unwrap_or("s");
    let (target, shown) = target(worker, "#size", "Size");
    let expect = Expect::starts(format!("Selected \"{value}\" in {shown}"));
    if worker.run(&["select", &target, value], &expect)?.is_some() {
        worker.model.page().size = Some(value);
        worker.run(&["get", "value", "#size"], &Expect::Is(value.to_owned()))?;
    }
    Ok(())
}

fn history(worker: &mut Worker) -> Result<()> {
    let way = worker.dice.below(3);
    let (word, done, ahead) = match way {
        0 => ("back", "Went back to", Some(false)),
        1 => ("forward", "Went forward to", Some(true)),
        _ => ("reload", "Reloaded", None),
    };
    let here = Some(worker.model.page().mark.clone());
    let mark = ahead.map_or(here, |ahead| worker.model.tab().beside(ahead));
    let Some(mark) = mark else { return link(worker) };
    let expect = Expect::starts(format!("{done} \"Soak {mark}\" {}\n", worker.url(&mark)));
    if let Some(answer) = worker.run(&[word], &expect)? {
        worker.model.forget();
        match ahead {
            Some(ahead) => worker.model.tab().go(ahead),
            None => *worker.model.page() = Page::begin(&mark),
        }
        worker.model.learn(&answer.text);
    }
    Ok(())
}

fn link(worker: &mut Worker) -> Result<()> {
    let mark = format!("{}n", worker.model.page().mark);
    // Marks grow with every link; a page of its own begins a new one.
    if mark.len() > 24 {
        return open(worker);
    }
    let url = worker.url(&mark);
    let expect = Expect::starts(format!("Clicked \"#next\". Now on \"Soak {mark}\" {url} ("));
    if let Some(answer) = worker.run(&["click", "#next"], &expect)? {
        worker.model.leave();
        worker.model.tab().visit(&mark);
        worker.model.learn(&answer.text);
    }
    Ok(())
}

fn bad_input(worker: &mut Worker) -> Result<()> {
    let calls: [Value; 6] = [
        worker.command(&["clikc", "#add"]),
        json!({ "args": ["get", "title"], "nonsense": 1 }),
        json!({ "args": ["get", "title"], "job": { "steps": [] } }),
        json!({ "args": ["get", "title"], "timeoutMs": 0 }),
        json!({ "args": 7 }),
        worker.command(&["press"]),
    ];
    match worker.dice.pick(&calls) {
        Some(call) => worker.send(call, &Expect::Fails(&["validation-error"])).map(drop),
        None => Ok(()),
    }
}

/// Refs that are not the page's: refused, and nothing has happened.
fn bad_ref(worker: &mut Worker) -> Result<()> {
    let stale = worker.model.stale.clone().filter(|_| worker.model.reference("Add").is_some());
    let target = stale.unwrap_or_else(|| "@e99999".to_owned());
    worker.run(&["click", &target], &Expect::Fails(&["stale-ref"]))?;
    let count = worker.model.page().count.to_string();
    worker.run(&["get", "text", "#count"], &Expect::Is(count)).map(drop)
}
