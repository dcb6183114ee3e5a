use std::fs;

use super::super::tests::{places, workspace_of};
use super::*;

/// A workspace with a few components.
fn workspace() -> tempfile::TempDir {
    workspace_of(&[
        ("src/Counter.jsx", "import x;\n\nexport function Counter({ label }) {\n}\nCounter();\n"),
        ("src/Total.jsx", "const CounterTotal = 1;\nexport const Total = () => {};\n"),
        ("src/Card.tsx", "export default class Card extends Component {}\n"),
        ("src/old/Card.tsx", "const Card = memo(() => null);\n"),
        ("src/Card.test.tsx", "function Card() {}\n"),
        ("src/Page.vue", "<template></template>\n"),
        ("src/Legacy.ts", "\n\n\n\n\n\n\n\n\n"),
    ])
}

fn lookup(value: Value) -> SourceLookup {
    SourceLookup::decode(&value).unwrap()
}

fn report(query: Value, rows: &[(SourceRow, Option<Value>)]) -> Report {
    let lookup = lookup(query);
    Seen::read(&lookup, rows).conclude(workspace().path(), lookup.max_files)
}

fn hints(result: Value) -> (SourceRow, Option<Value>) {
    (SourceRow::Hints, Some(json!({ "result": result })))
}

// IN-SRC-05, SRC-07, IN-SRC-06
#[test]
fn a_component_is_found_by_its_declaration() {
    let tree = |name: &str| json!({ "tree": format!("# Columns\n0 1 - Root\n1 2 1 {name}") });
    let found = |name: &str, shown: &str| {
        report(json!({ "componentName": name }), &[(SourceRow::Tree, Some(tree(shown)))])
    };
    let counter = found("Counter", "Counter");
    assert_eq!(places(&counter), ["high src/Counter.jsx:3"]);
    assert_eq!(counter.candidates[0].source, Source::WorkspaceSearch);
    assert_eq!(
        counter.candidates[0].evidence[0].quote.as_deref(),
        Some("export function Counter({ label }) {")
    );
    let absent = found("Total", "Other");
    assert_eq!(places(&absent), ["medium src/Total.jsx:2"]);
    assert!(absent.limitations[0].contains("no component of that name"));
    assert_eq!(
        places(&found("Card", "Card")),
        ["low src/Card.test.tsx:1", "low src/Card.tsx:1", "low src/old/Card.tsx:1"]
    );
    assert_eq!(places(&found("Ui.Page", "Ui.Page")), ["low src/Page.vue"]);
    assert_eq!(found("Nobody", "Nobody").status, "no-candidates");
}

// IN-SRC-10, SRC-10
#[test]
fn unsupported_means_no_candidate_and_a_failed_react_row() {
    let failed = [(SourceRow::Tree, None)];
    let counter = report(json!({ "componentName": "Counter" }), &failed);
    assert_eq!(counter.status, "candidates-found");
    assert!(counter.limitations[0].contains("--enable react-devtools"));
    assert_eq!(report(json!({ "componentName": "Nobody" }), &failed).status, "unsupported");
    let hidden = [(SourceRow::Visible, None)];
    assert_eq!(report(json!({ "selector": "#a" }), &hidden).status, "no-candidates");
}

// IN-SRC-03, SRC-05
#[test]
fn data_attributes_lead_to_their_file() {
    for (attribute, place) in [
        (json!({ "up": 0, "file": "src/Legacy.ts", "line": "7" }), "high src/Legacy.ts:7"),
        (json!({ "up": 3, "file": "src/Legacy.ts:9:2" }), "medium src/Legacy.ts:9"),
        (json!({ "up": 0, "file": "src/Legacy.ts:10:2" }), "medium src/Legacy.ts"),
        (json!({ "up": 0, "file": "/app/src/Legacy.ts" }), "medium src/Legacy.ts"),
        (json!({ "up": 0, "file": "../../../etc/passwd" }), ""),
        (json!({ "up": 0, "file": "/etc/hostname" }), "low /etc/hostname"),
    ] {
        let rows = [hints(json!({ "matches": 1, "attributes": [attribute] }))];
        let found = report(json!({ "selector": "#a" }), &rows);
        assert_eq!(places(&found).join(" "), place);
        assert!(found.candidates.iter().all(|one| one.source == Source::DomAttribute));
    }
    let html = json!({ "html": "<i title='src/Total.jsx'></i> and lib/gone.js" });
    let inner = report(json!({ "selector": "#a" }), &[(SourceRow::Html, Some(html))]);
    assert_eq!(places(&inner), ["low src/Total.jsx"]);
}

// IN-SRC-09, SRC-03
#[test]
fn frameworks_remember_where_they_made_an_element() {
    let stack =
        "Error\n at createElement (http://a/react.js:1:1)\n at Total (http://a/src/Total.jsx:4:10)";
    let react = json!({ "by": "React", "owners": ["Total", "Counter"], "stack": stack });
    let found = report(
        json!({ "selector": "#a" }),
        &[hints(json!({ "matches": 2, "attributes": [], "record": react }))],
    );
    // The file has two lines: the fourth is one of the script that a server made of it.
    assert_eq!(places(&found), ["high src/Total.jsx:2"]);
    assert_eq!(found.candidates[0].column, None);
    assert_eq!(found.candidates[0].source, Source::ReactInspect);
    assert_eq!(found.candidates[0].component.as_deref(), Some("Total"));
    assert!(found.limitations[0].starts_with("2 elements match"));
    let vue = json!({ "by": "Vue", "owners": ["Page"], "file": "/srv/x/src/Page.vue" });
    let found = report(
        json!({ "selector": "#a" }),
        &[hints(json!({ "matches": 1, "attributes": [], "record": vue }))],
    );
    assert_eq!(places(&found), ["medium src/Page.vue"]);
    assert_eq!(found.candidates[0].source, Source::DomAttribute);
}

// IN-SRC-04, SRC-06
#[test]
fn an_inspected_component_is_found_in_a_module_and_behind_a_bundle() {
    let inspect = |source: Value| {
        let data = json!({ "source": source, "text": "Counter #2\nprops:\n  label: \"Add\"" });
        report(json!({ "reactFiberId": 2 }), &[(SourceRow::Inspect, Some(data))])
    };
    let module = inspect(json!(["http://127.0.0.1:5173/src/Counter.jsx", 3, 8]));
    assert_eq!(places(&module), ["high src/Counter.jsx:3"]);
    assert_eq!(module.candidates[0].column, Some(8));
    let bundle = inspect(json!(["http://127.0.0.1/assets/index-9f.js?token=1", 40, 1]));
    assert_eq!(
        places(&bundle),
        ["high src/Counter.jsx:3", "low http://127.0.0.1/assets/index-9f.js:40"]
    );
    assert!(bundle.limitations[0].contains("source maps are not read"));
    let element = json!({ "source": null, "text": "section #3\nrendered by: Counter" });
    let element = report(json!({ "reactFiberId": 3 }), &[(SourceRow::Inspect, Some(element))]);
    assert_eq!(places(&element), ["high src/Counter.jsx:3"]);
}

// IN-SRC-06, SRC-09
#[test]
fn at_most_ten_places_of_the_workspace_are_kept() {
    let root = tempfile::tempdir().unwrap();
    for number in 0..15 {
        fs::write(root.path().join(format!("{number:02}.js")), "function Menu() {}\n").unwrap();
    }
    let lookup = lookup(json!({ "componentName": "Menu", "maxWorkspaceFiles": 12 }));
    let report = Seen::read(&lookup, &[]).conclude(root.path(), lookup.max_files);
    assert_eq!(report.candidates.len(), 10);
    assert!(report.limitations[0].starts_with("The scan ended after 12 files"));
}

#[test]
fn a_ref_is_asked_for_by_content_and_place() {
    let lookup = lookup(json!({ "selector": "@e3" }));
    let place = json!({ "x": 1, "y": 2, "width": 3, "height": 4 });
    let html = json!({ "html": "<b>Go</b>" });
    let rows = [(SourceRow::Box, Some(place)), (SourceRow::Html, Some(html))];
    let script = Seen::read(&lookup, &rows).question_for_ref().unwrap();
    assert!(script.ends_with(r#"({"html":"<b>Go</b>","box":{"x":1,"y":2,"width":3,"height":4}})"#));
    assert!(Seen::read(&lookup, &[]).question_for_ref().is_none());
}
