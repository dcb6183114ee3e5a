//! A page that draws its items anew puts other items into the elements that it keeps: a ref then means
//! an element that stands for something else (HAZ-25, case 27).

use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::Pages;

/// Rows that are kept and filled anew, in the order of the names. `%NAME` is what a button is called.
fn list(button: &str) -> String {
    format!(
        "<title>Bills</title><table id=t></table><script>
        window.done = [];
        const rows = ['Beta', 'Gamma'];
        const draw = () => rows.sort().forEach((name, at) => {{
          let row = t.rows[at];
          if (!row) {{
            row = t.insertRow();
            row.innerHTML = '<td class=n></td><td><input><button></button></td>';
            row.querySelector('button').onclick = () => done.push('paid ' + row.dataset.name);
            row.querySelector('input').oninput = () => done.push('typed ' + row.dataset.name);
          }}
          row.dataset.name = name;
          row.querySelector('.n').textContent = name;
          row.querySelector('input').setAttribute('aria-label', 'Amount ' + name);
          row.querySelector('button').textContent = '{button}'.replace('%NAME', name);
        }});
        draw();
        const add = () => {{ rows.push('Alpha'); draw(); }};
        </script>"
    )
}

// HAZ-25, PAGE-30
#[test]
fn live_an_element_that_holds_another_item_by_now_is_not_acted_on() {
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let pages = Pages::with(&list("Pay %NAME"));
    for act in ["click", "dblclick", "fill", "type", "hover", "focus"] {
        let page = mcp.ok(&["open", &pages.url("/")]);
        let (role, name) = match act {
            "fill" | "type" => ("textbox", "Amount Beta"),
            _ => ("button", "Pay Beta"),
        };
        let target = ref_in(&page, role, name).expect(&page);
        mcp.ok(&["eval", "add(); 1"]);
        let mut args = vec![act, &target];
        args.extend(matches!(act, "fill" | "type").then_some("500"));
        let text = mcp.fails(&args);
        assert!(text.starts_with("Failed (stale-ref"), "{act}: {text}");
        assert!(text.contains("holds another item since the snapshot"), "{act}: {text}");
        assert!(text.contains("Next: {\"args\":[\"snapshot\",\"-i\"]}"), "{act}: {text}");
        assert_eq!(mcp.ok(&["eval", "done.length"]), "0", "{act}");
    }
    // The item itself is still to be had.
    let page = mcp.ok(&["snapshot", "-i"]);
    mcp.ok(&["click", &ref_in(&page, "button", "Pay Beta").expect(&page)]);
    assert_eq!(mcp.ok(&["eval", "done.join()"]), "paid Beta");
}

// HAZ-25: all buttons are called the same, the row tells which one is meant.
#[test]
fn live_an_element_whose_row_went_elsewhere_is_not_pressed() {
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let pages = Pages::with(&list("Pay"));
    let page = mcp.ok(&["open", &pages.url("/")]);
    let pays: Vec<String> = page.lines().filter_map(|line| ref_in(line, "button", "Pay")).collect();
    mcp.ok(&["eval", "add(); 1"]);
    let text = mcp.fails(&["click", &pays[1]]);
    assert!(text.contains("holds another item since the snapshot"), "{text}");
    assert_eq!(mcp.ok(&["eval", "done.length"]), "0");
}

// HAZ-25, DEC-71: a name that has only changed is the same control's.
#[test]
fn live_a_control_that_counts_in_its_name_is_pressed() {
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let pages = Pages::with(
        "<title>Likes</title><button id=a>Like 1</button><button>Like 9</button>
         <button onclick=\"this.title='x'\">Share</button>",
    );
    let page = mcp.ok(&["open", &pages.url("/")]);
    let like = ref_in(&page, "button", "Like 1").expect(&page);
    mcp.ok(&["eval", "a.onclick = () => document.title = 'liked'; a.textContent = 'Like 2'; 1"]);
    let text = mcp.ok(&["click", &like]);
    assert!(text.contains("The element is now named \"Like 2\""), "{text}");
    assert_eq!(mcp.ok(&["get", "title"]), "liked");
}

// HAZ-27, IN-SEM-21: upstream takes the first element that holds the words.
#[test]
fn live_of_several_matches_the_exact_one_is_meant() {
    let bed = Bed::new();
    let pages = Pages::with(
        "<title>Users</title><p id=o></p><div onclick='o.textContent=event.target.textContent'>
         <button>Delete all users</button> <button>Delete</button> <button>Recall</button></div>",
    );
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    raw.data(&["find", "role", "button", "click", "--name", "Delete"]);
    assert_eq!(raw.eval("o.textContent"), "Delete all users", "raw: the first that holds the word");
    raw.close();

    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let hit = |mcp: &mut Mcp| mcp.ok(&["eval", "o.textContent"]);
    let text = mcp.ok(&["find", "role", "button", "click", "--name", "Delete"]);
    assert!(text.contains(" button \"Delete\". "), "{text}");
    assert_eq!(hit(&mut mcp), "Delete");
    mcp.ok(&["find", "text", "Delete", "click"]);
    assert_eq!(hit(&mut mcp), "Delete");
    // Where there is none, the answer names the one that was taken.
    let text = mcp.ok(&["find", "role", "button", "click", "--name", "all"]);
    assert!(
        text.contains(" button \"Delete all users\" (asked for \"all\", first of 2)"),
        "{text}"
    );
    assert_eq!(hit(&mut mcp), "Delete all users");
    let steps = serde_json::json!([
        {"action": "click", "locator": "role", "role": "button", "name": "Delete"},
        {"action": "assertText", "text": "Delete"},
    ]);
    let call = serde_json::json!({ "job": { "steps": steps } });
    mcp.ok(&["eval", "o.textContent = ''; 1"]);
    mcp.call_with(&call).ok();
    assert_eq!(hit(&mut mcp), "Delete");
    let rows = serde_json::json!([
        ["eval", "1"],
        ["find", "role", "button", "click", "--name", "Recall"],
        ["find", "role", "button", "click", "--name", "Delete"],
        ["get", "title"],
    ]);
    let text =
        mcp.call_with(&serde_json::json!({ "args": ["batch"], "stdin": rows.to_string() })).ok();
    assert!(text.contains("\n4 \"Users\""), "{text}");
    assert_eq!(hit(&mut mcp), "Delete");
}
