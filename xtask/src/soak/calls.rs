//! The ordinary calls: each one has an effect that the model knows.

use serde_json::{Value, json};

use super::expect::Expect;
use super::model::{REFS, SECRET, Tab};
use super::worker::Worker;
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
    (4, ("tab new", tab_new)),
    (5, ("tab switch", tab_switch)),
    (3, ("tab close", tab_close)),
    (4, ("batch", batch)),
    (3, ("job", job)),
    (3, ("qa", qa)),
    (3, ("screenshot", screenshot)),
    (2, ("download", download)),
    (3, ("network", network)),
    (4, ("eval", eval)),
    (5, ("history", history)),
    (4, ("link", link)),
    (4, ("semantic", semantic)),
    (5, ("bad input", bad_input)),
    (5, ("bad ref", bad_ref)),
];

/// Ids of a tab list, and which one is active.
pub(super) fn tabs_in(list: &str) -> Vec<(String, bool)> {
    let rows = list.lines().filter_map(|line| line.split_once(' '));
    let rows = rows
        .filter(|(id, _)| id.strip_prefix('t').is_some_and(|number| number.parse::<u32>().is_ok()));
    rows.map(|(id, rest)| (id.to_owned(), rest.starts_with("(active)"))).collect()
}

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
    let expect = Expect::Is(format!("Clicked {shown}. No change seen within 300 ms."));
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

fn tab_new(worker: &mut Worker) -> Result<()> {
    if worker.model.tabs.len() > 3 {
        return tab_close(worker);
    }
    let mark = worker.model.fresh_mark();
    let url = worker.url(&mark);
    let opened = worker.run(&["tab", "new", &url], &Expect::starts("Opened tab t"))?;
    if let Some(answer) = opened {
        let id = answer.text.split(' ').nth(2).map(str::to_owned);
        worker.model.leave();
        worker.model.forget();
        worker.model.tabs.push(Tab::new(id.as_deref(), &mark));
        worker.model.active = worker.model.tabs.len() - 1;
        let title = worker.model.page().title();
        worker.run(&["get", "title"], &Expect::Is(title))?;
    }
    tab_list(worker)
}

fn tab_list(worker: &mut Worker) -> Result<()> {
    let open = worker.model.tabs.len();
    let expect = Expect::starts(format!("Tabs: {open} open.\n"));
    let Some(list) = worker.run(&["tab", "list"], &expect)? else { return Ok(()) };
    let active = worker.model.tab().id.clone();
    let says = tabs_in(&list.text).into_iter().find(|(_, is_active)| *is_active);
    if says.map(|(id, _)| id) != active {
        let call = worker.command(&["tab", "list"]);
        worker.note_wrong(&call, &format!("the active tab is {active:?}"), &list.text);
    }
    Ok(())
}

fn tab_switch(worker: &mut Worker) -> Result<()> {
    let other = worker.dice.below(worker.model.tabs.len());
    let Some(id) = worker.model.tabs.get(other).and_then(|tab| tab.id.clone()) else {
        return tab_list(worker);
    };
    let title = worker.model.tabs.get(other).map(|tab| tab.page.title()).unwrap_or_default();
    let expect = Expect::starts(format!("Tab {id} is active: \"{title}\" "));
    if let Some(answer) = worker.run(&["tab", &id], &expect)? {
        worker.model.forget();
        worker.model.active = other;
        worker.model.learn(&answer.text);
        worker.run(&["get", "title"], &Expect::Is(title))?;
    }
    Ok(())
}

/// Closes a tab that is not the active one.
fn tab_close(worker: &mut Worker) -> Result<()> {
    let active = worker.model.active;
    let other = (0..worker.model.tabs.len()).find(|at| *at != active);
    let Some(at) = other else { return tab_list(worker) };
    let Some(id) = worker.model.tabs.get(at).and_then(|tab| tab.id.clone()) else {
        return tab_list(worker);
    };
    let expect = Expect::starts(format!("Closed tab {id}."));
    if worker.run(&["tab", "close", &id], &expect)?.is_some() {
        worker.model.tabs.remove(at);
        worker.model.active = if at < active { active - 1 } else { active };
        worker.model.forget();
        tab_list(worker)?;
    }
    Ok(())
}

fn batch(worker: &mut Worker) -> Result<()> {
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
fn job(worker: &mut Worker) -> Result<()> {
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

fn qa(worker: &mut Worker) -> Result<()> {
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

fn screenshot(worker: &mut Worker) -> Result<()> {
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

fn download(worker: &mut Worker) -> Result<()> {
    let path = worker.file("report.csv");
    let words = path.to_string_lossy().into_owned();
    let expect = Expect::starts("Download completed: ");
    if worker.run(&["download", "#file", &words], &expect)?.is_some() {
        check_file(worker, &path, |bytes| bytes == b"name,count\nalpha,1\nbeta,2\n");
    }
    Ok(())
}

/// Looks at a file that an answer has promised, and removes it.
fn check_file(worker: &mut Worker, path: &std::path::Path, is_right: fn(&[u8]) -> bool) {
    let whole = worker.ground.work.join(path);
    let right = std::fs::read(&whole).is_ok_and(|bytes| is_right(&bytes));
    if !right {
        worker.note_wrong(&json!(path), "the file is not what was promised", "");
    }
    // The next one must not find it.
    drop(std::fs::remove_file(whole));
}

fn network(worker: &mut Worker) -> Result<()> {
    let mark = worker.model.page().mark.clone();
    worker.run(&["click", "#api"], &Expect::starts("Clicked \"#api\". "))?;
    worker.run(&["wait", "--text", "Loaded"], &Expect::starts(""))?;
    let call = worker.command(&["network", "requests", "--filter", "/api/json"]);
    let expect = Expect::Has("Requests: ".to_owned(), vec![format!("/api/json?of={mark}")]);
    worker.send(&call, &expect).map(drop)
}

fn eval(worker: &mut Worker) -> Result<()> {
    if worker.dice.once_in(4) {
        return worker.run(&["eval", "1 +"], &Expect::Fails(&["upstream-error"])).map(drop);
    }
    let page = worker.model.page().clone();
    let right = format!("{} {} {}", page.title(), page.count, page.note);
    let script = "document.title + ' ' + count.textContent + ' ' + note.value";
    worker.run(&["eval", script], &Expect::Is(right)).map(drop)
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
            None => *worker.model.page() = super::model::Page::begin(&mark),
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

fn semantic(worker: &mut Worker) -> Result<()> {
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
