//! Tabs: a new one, another one, one less.

use super::expect::Expect;
use super::model::Tab;
use super::worker::Worker;
use crate::Result;

/// Ids of a tab list, and which one is active.
pub(super) fn listed(text: &str) -> Vec<(String, bool)> {
    let rows = text.lines().filter_map(|line| line.split_once(' '));
    let rows = rows
        .filter(|(id, _)| id.strip_prefix('t').is_some_and(|number| number.parse::<u32>().is_ok()));
    rows.map(|(id, rest)| (id.to_owned(), rest.starts_with("(active)"))).collect()
}

pub(super) fn open_new(worker: &mut Worker) -> Result<()> {
    if worker.model.tabs.len() > 3 {
        return close_another(worker);
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
        worker.model.learn(&answer.text);
        let title = worker.model.page().title();
        worker.run(&["get", "title"], &Expect::Is(title))?;
    }
    list(worker)
}

fn list(worker: &mut Worker) -> Result<()> {
    let open = worker.model.tabs.len();
    let expect = Expect::starts(format!("Tabs: {open} open.\n"));
    let Some(said) = worker.run(&["tab", "list"], &expect)? else { return Ok(()) };
    let active = worker.model.tab().id.clone();
    let says = listed(&said.text).into_iter().find(|(_, is_active)| *is_active);
    if says.map(|(id, _)| id) != active {
        let call = worker.command(&["tab", "list"]);
        worker.note_wrong(&call, &format!("the active tab is {active:?}"), &said.text);
    }
    Ok(())
}

pub(super) fn switch(worker: &mut Worker) -> Result<()> {
    let other = worker.dice.below(worker.model.tabs.len());
    let Some(id) = worker.model.tabs.get(other).and_then(|tab| tab.id.clone()) else {
        return list(worker);
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
pub(super) fn close_another(worker: &mut Worker) -> Result<()> {
    let active = worker.model.active;
    let other = (0..worker.model.tabs.len()).find(|at| *at != active);
    let Some(at) = other else { return list(worker) };
    let Some(id) = worker.model.tabs.get(at).and_then(|tab| tab.id.clone()) else {
        return list(worker);
    };
    let expect = Expect::starts(format!("Closed tab {id}."));
    if worker.run(&["tab", "close", &id], &expect)?.is_some() {
        worker.model.tabs.remove(at);
        worker.model.active = if at < active { active - 1 } else { active };
        worker.model.forget();
        list(worker)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_its_tabs_and_the_active_one() {
        let text = "Tabs: 2 open.\nt1 http://a.test/\nt12 (active) \"Soak\" http://b.test/";
        assert_eq!(listed(text), [("t1".to_owned(), false), ("t12".to_owned(), true)]);
    }
}
