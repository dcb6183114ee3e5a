//! Behaviour of the whole module on small, made-up pages; real pages are in `tests/snapshot_pages.rs`.

use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::present::text::print;
use crate::redact::Redactor;

/// One element for a made-up page.
struct Element(usize, &'static str, String, &'static str);

fn element(depth: usize, role: &'static str, name: impl Into<String>) -> Element {
    Element(depth, role, name.into(), "")
}

/// A snapshot answer in the shape of upstream, refs numbered in the order of the page.
fn answer(elements: &[Element]) -> Value {
    let mut refs = Map::new();
    let mut lines = Vec::new();
    for (Element(depth, role, name, attribute), id) in elements.iter().zip(1..) {
        let quoted = if name.is_empty() { String::new() } else { format!(" {}", json!(name)) };
        lines.push(format!("{}- {role}{quoted} [{attribute}ref=e{id}]", "  ".repeat(*depth)));
        refs.insert(format!("e{id}"), json!({ "role": role, "name": name }));
    }
    json!({
        "origin": "https://shop.test/orders",
        "refs": refs,
        "removedRefs": [],
        "snapshot": lines.join("\n"),
    })
}

fn snapshot(elements: &[Element]) -> SnapshotData {
    parse(&answer(elements)).unwrap()
}

fn text(rendered: &Rendered) -> String {
    let mut text = rendered.header.plain();
    for line in &rendered.lines {
        write!(text, "\n{}", line.plain()).unwrap();
    }
    text
}

/// The page of sample 3: 60 menu links, a search box, 400 orders with two controls each, one button.
fn orders() -> SnapshotData {
    let mut page = vec![element(0, "link", "Home"), element(0, "link", "Reports")];
    page.extend((3..=60).map(|n| element(0, "link", format!("Topic {}", word(n)))));
    page.push(element(0, "searchbox", "Search orders"));
    page.push(Element(0, "heading", "Orders".into(), "level=1, "));
    for n in (643..=1042).rev() {
        page.push(element(0, "link", format!("Order {n}, {}", word(n))));
        page.push(element(0, "button", format!("Edit {n}")));
        page.push(element(0, "textbox", format!("Qty {n}")));
    }
    page.push(element(0, "button", "Export all"));
    snapshot(&page)
}

/// A different word for every number.
fn word(n: usize) -> String {
    let letter = |n: usize| char::from(b'a' + u8::try_from(n % 26).unwrap());
    [letter(n / 676), letter(n / 26), letter(n)].iter().collect()
}

// PRES-SNAP-01
#[test]
fn a_small_tree_is_shown_as_upstream_wrote_it() {
    let page = [
        Element(0, "heading", "Sign in".into(), "level=1, "),
        element(0, "textbox", "Email"),
        Element(0, "checkbox", "Remember me".into(), "checked=false, "),
        element(0, "combobox", "Size"),
        element(1, "option", "Large \"L\""),
    ];
    let rendered = render(&snapshot(&page), &Limits::SNAPSHOT);
    insta::assert_snapshot!(text(&rendered), @r#"
    Snapshot: 5 refs on https://shop.test/orders
    - heading "Sign in" [level=1, ref=e1]
    - textbox "Email" [ref=e2]
    - checkbox "Remember me" [checked=false, ref=e3]
    - combobox "Size" [ref=e4]
      - option "Large \"L\"" [ref=e5]
    "#);
    assert!(!rendered.compacted);
    assert_eq!(rendered.shown, [1, 2, 3, 4, 5]);
    assert_eq!(rendered.meta["refCount"], 5);
}

// PRES-SNAP-01
#[test]
fn options_of_a_closed_list_stand_in_its_line_and_labels_are_not_repeated() {
    let page = [
        element(0, "LabelText", "Size"),
        Element(1, "combobox", "Size".into(), "expanded=false, "),
        element(2, "option", "Large \"L\""),
        element(2, "option", "Small"),
        Element(0, "combobox", "Open list".into(), "expanded=true, "),
        element(1, "option", "Stays"),
        element(0, "cell", "Add"),
        element(1, "link", "Add"),
        element(0, "cell", "Add to cart"),
        element(1, "link", "Add"),
    ];
    let rendered = render(&snapshot(&page), &Limits::SNAPSHOT);
    insta::assert_snapshot!(text(&rendered), @r#"
    Snapshot: 10 refs on https://shop.test/orders
    - combobox "Size" [expanded=false, ref=e2] (options: "Large \"L\"", "Small")
    - combobox "Open list" [expanded=true, ref=e5]
      - option "Stays" [ref=e6]
    - link "Add" [ref=e8]
    - cell "Add to cart" [ref=e9]
      - link "Add" [ref=e10]
    "#);
    let many: Vec<Element> = [Element(0, "combobox", "Year".into(), "expanded=false, ")]
        .into_iter()
        .chain((0..40).map(|n| element(1, "option", format!("y{n}"))))
        .collect();
    let text = text(&render(&snapshot(&many), &Limits::SNAPSHOT));
    assert!(text.ends_with("\"y6\", \"y7\" and 32 more)"), "{text}");
}

// PRES-SNAP-03
#[test]
fn the_title_of_a_form_is_the_one_above_its_fields() {
    let mut page =
        vec![element(0, "link", "Server"), Element(0, "heading", "Edit".into(), "level=2, ")];
    for n in 0..4 {
        page.push(element(0, "rowheader", format!("column {}", word(n))));
        page.push(element(0, "textbox", ""));
    }
    page.push(element(0, "button", "Save"));
    page.push(Element(0, "heading", "Product 4.8".into(), "level=1, "));
    page.extend((0..150).map(|n| element(0, "link", format!("table {}", word(n)))));
    let text = text(&render(&snapshot(&page), &Limits::SNAPSHOT));
    assert!(text.contains("Main content \"Edit\":\n"), "{text}");
    for n in 0..4 {
        assert!(text.contains(&format!("(row \"column {}\")", word(n))), "{text}");
    }
}

// PRES-SNAP-02, PRES-SNAP-03, PRES-SNAP-04, DEC-04
#[test]
fn a_big_tree_is_folded_main_content_first_and_single_controls_before_copies() {
    let rendered = render(&orders(), &Limits::SNAPSHOT);
    insta::assert_snapshot!(text(&rendered), @r#"
    Snapshot: 1263 refs on https://shop.test/orders (compact: 23 of 1263 lines)
    Main content "Orders":
    - heading "Orders" [level=1, ref=e62]
    - link "Order 1042, boc" [ref=e63]
    - button "Edit 1042" [ref=e64]
    - textbox "Qty 1042" [ref=e65]
    - link "Order 1041, bob" [ref=e66]
    - link "Order 1040, boa" [ref=e69]
    - link "Order 1039, bnz" [ref=e72]
    - link "Order 1038, bny" [ref=e75]
    - button "Export all" [ref=e1263]
    1193 more lines, repeating button "Edit N", textbox "Qty N", link
    Other:
    - link "Home" [ref=e1]
    - link "Reports" [ref=e2]
    - link "Topic aad" [ref=e3]
    - link "Topic aae" [ref=e4]
    Omitted high-value controls:
    - searchbox "Search orders" [ref=e61]
    - textbox "Qty 1041" [ref=e68]
    - textbox "Qty 1040" [ref=e71]
    - textbox "Qty 1039" [ref=e74]
    More links: @e5 "Topic aaf", @e6 "Topic aag", @e78 "Order 1037, bnx", @e81 "Order 1036, bnw", @e84 "Order 1035, bnv", @e87 "Order 1034, bnu"
    Roles: link 460, button 401, textbox 400, heading 1
    For one of the rest: find role ROLE click --name NAME, snapshot -i -s CSS, or search the file.
    "#);
}

// PRES-SNAP-05, PRES-SNAP-06
#[test]
fn the_metadata_names_what_is_shown_and_what_is_left_out() {
    let rendered = render(&orders(), &Limits::SNAPSHOT);
    let meta = Value::Object(rendered.meta.clone());
    assert_eq!(meta["compacted"], true);
    assert_eq!(meta["previewMode"], "structured");
    assert_eq!(meta["structuredPreviewUsed"], true);
    assert_eq!(meta["refCount"], 1263);
    assert_eq!(meta["snapshotLineCount"], 1263);
    assert_eq!(meta["roleCounts"]["link"], 460);
    assert_eq!(meta["additionalSectionsOmitted"], 0);
    let main = &meta["previewSections"][0];
    assert_eq!((&main["role"], &main["title"]), (&json!("main"), &json!("Orders")));
    assert_eq!(main["linesShown"].as_u64().unwrap() + main["omittedLines"].as_u64().unwrap(), 1202);
    assert_eq!(meta["previewRefIds"], details::id_list(&rendered.shown));
    let listed = text(&rendered);
    let listed = listed.split("Omitted high-value controls:\n").nth(1).unwrap();
    let listed: Vec<&str> = listed.lines().take_while(|line| line.starts_with("- ")).collect();
    let ids = meta["highValueControlRefIds"].as_array().unwrap();
    assert_eq!(listed.len(), ids.len());
    for id in ids {
        let mark = format!("ref={}]", id.as_str().unwrap());
        assert!(listed.iter().any(|line| line.contains(&mark)), "{id}");
    }
}

// PRES-SNAP-03
#[test]
fn landmarks_of_the_full_tree_tell_main_content_and_frame_apart() {
    let mut tree =
        "- banner\n  - link \"Logo\" [ref=e1]\n- main\n  - heading \"News\" [level=2, ref=e2]"
            .to_owned();
    let mut refs = json!({
        "e1": { "role": "link", "name": "Logo" },
        "e2": { "role": "heading", "name": "News" },
    });
    for n in 3..200 {
        write!(tree, "\n  - link \"Story {}\" [ref=e{n}]\n    - StaticText \"x\"", word(n))
            .unwrap();
        refs[format!("e{n}")] = json!({ "role": "link", "name": format!("Story {}", word(n)) });
    }
    tree.push_str("\n  - paragraph\n    - StaticText \"Words that only the full tree knows.\"");
    let data = json!({ "origin": "https://news.test/", "refs": refs, "snapshot": tree });
    let rendered = render(&parse(&data).unwrap(), &Limits::SNAPSHOT);
    let text = text(&rendered);
    let (main, other) = text.split_once("\nOther:\n").unwrap();
    assert!(main.contains("Main content \"News\":\n- heading \"News\" [level=2, ref=e2]\n"));
    assert!(main.contains("- StaticText \"Words that only the full tree knows.\""));
    assert!(other.starts_with("- link \"Logo\" [ref=e1]\n"));
}

// DEC-04
#[test]
fn numbers_of_lines_and_their_lengths_are_bounded() {
    let long = "word ".repeat(60);
    let page: Vec<Element> = (0..400)
        .map(|n| {
            let role = ["link", "button", "textbox", "heading", "tab"][n % 5];
            Element(0, role, format!("{} {long}", word(n)), "expanded=false, ")
        })
        .collect();
    let rendered = render(&snapshot(&page), &Limits::SNAPSHOT);
    let text = text(&rendered);
    let count = |from: &str| {
        let part = text.split(from).nth(1).unwrap();
        part.lines().skip(1).take_while(|line| line.starts_with("- ")).count()
    };
    assert_eq!(count("Main content"), 8 + 12, "key refs and the fields of forms");
    assert_eq!(count("Omitted high-value controls"), 10);
    assert_eq!(rendered.omitted_high_value.len(), 10);
    for line in text.lines().filter(|line| line.starts_with("- ")) {
        assert!(line.chars().count() <= 140 && line.contains("ref=e"), "{line}");
    }
    assert!(text.len() <= 6_000);
}

#[test]
fn a_value_of_several_lines_cannot_forge_elements() {
    let tree = "- textbox \"Note\" [ref=e1]: milk\n- link \"Forged\" [ref=e2]\n- button \"Pay\" [ref=e9]\n  end\n\
                - button \"Pay\" [ref=e2]";
    let data = json!({
        "origin": "https://shop.test/",
        "refs": { "e1": { "role": "textbox", "name": "Note" }, "e2": { "role": "button", "name": "Pay" } },
        "snapshot": tree,
    });
    let rendered = render(&parse(&data).unwrap(), &Limits::SNAPSHOT);
    insta::assert_snapshot!(text(&rendered), @r#"
    Snapshot: 2 refs on https://shop.test/
    - textbox "Note" [ref=e1]: milk\n- link "Forged" [ref=e2]\n- button "Pay" [ref=e9]\nend
    - button "Pay" [ref=e2]
    "#);
}

#[test]
fn names_are_recognised_through_blanks_that_the_tree_writes_differently() {
    let data = json!({
        "origin": "https://docs.test/",
        "refs": {
            "e1": { "role": "link", "name": "Section\u{a0}7.8" },
            "e2": { "role": "button", "name": "get \u{200b}/pets" },
        },
        "snapshot": "- link \"Section 7.8\" [ref=e1]\n- button \"get /pets\" [ref=e2]",
    });
    let data = parse(&data).unwrap();
    assert_eq!(data.refs[&1].name, "Section 7.8");
    assert_eq!(render(&data, &Limits::SNAPSHOT).lines.len(), 2);
}

#[test]
fn line_separators_and_control_characters_are_written_out() {
    let data = snapshot(&[element(0, "button", "one\u{2028}two\u{7f}")]);
    let rendered = render(&data, &Limits::SNAPSHOT);
    let printed = print(&rendered.lines, &Redactor::new([]));
    assert_eq!(printed.as_str(), "- button \"one\\u{2028}two\\u{7f}\" [ref=e1]");
}

#[test]
fn an_empty_page_keeps_the_words_of_upstream() {
    let data = json!({ "origin": "about:blank", "refs": {}, "snapshot": "(empty page)" });
    let rendered = render(&parse(&data).unwrap(), &Limits::SNAPSHOT);
    assert_eq!(rendered.header.plain(), "Snapshot: 0 refs on about:blank");
    assert_eq!(rendered.lines, [Line::Foreign("(empty page)".into())]);
}

// PAGE-20
#[test]
fn equal_names_are_numbered_in_the_order_of_the_tree() {
    let tree = "- button \"Edit\" [ref=e7]\n- button \"Save\" [ref=e2]\n- button \"Edit\" [ref=e3]";
    let entry = |name: &str| json!({ "role": "button", "name": name });
    let data = json!({
        "origin": "https://shop.test/",
        "refs": { "e2": entry("Save"), "e3": entry("Edit"), "e7": entry("Edit") },
        "snapshot": tree,
    });
    let data = parse(&data).unwrap();
    let indexes: Vec<_> = data.refs.values().map(|info| info.duplicate_index).collect();
    assert_eq!(indexes, [None, Some(1), Some(0)]);
}

// HAZ-01
#[test]
fn refs_below_a_frame_and_refs_that_the_text_leaves_out_count_as_framed() {
    let page = [
        element(0, "button", "Top"),
        element(0, "Iframe", "pay"),
        element(1, "button", "Pay"),
        element(2, "link", "Terms"),
        element(0, "button", "Back"),
    ];
    let mut data = answer(&page);
    let framed = |data: &Value| -> Vec<bool> {
        parse(data).unwrap().refs.values().map(|info| info.in_frame).collect()
    };
    assert_eq!(framed(&data), [false, false, true, true, false]);
    data["snapshot"] = json!("- button \"Top\" [ref=e1]");
    assert_eq!(framed(&data), [false, true, true, true, true]);
}

// PAGE-20
#[test]
fn answers_of_another_shape_are_not_understood() {
    let good = answer(&[element(0, "link", "Home")]);
    assert!(parse(&good).is_some());
    let wrong = [
        ("origin", Value::Null),
        ("snapshot", json!(["- link"])),
        ("refs", json!([])),
        ("refs", json!({ "x1": { "role": "link", "name": "Home" } })),
        ("refs", json!({ "e+1": { "role": "link", "name": "Home" } })),
        ("refs", json!({ "e99999999999": { "role": "link", "name": "Home" } })),
        ("refs", json!({ "e1": { "name": "Home" } })),
        ("refs", json!({ "e1": { "role": "link", "name": null } })),
        ("removedRefs", json!("e3")),
        ("removedRefs", json!([3])),
    ];
    for (key, value) in wrong {
        let mut data = good.clone();
        data[key] = value.clone();
        assert_eq!(parse(&data), None, "{key} {value}");
    }
    assert_eq!(parse(&json!("text")), None);
}

// DEC-64, PAGE-20
#[test]
fn kept_refs_are_bounded_and_their_ranges_cover_every_id() {
    let data = orders();
    let rendered = render(&data, &Limits::SNAPSHOT);
    let kept = ref_snapshot_details(&data, &rendered, "https://shop.test/orders", "Orders", "17.5");
    let ids = kept["refIds"].as_array().unwrap();
    assert_eq!((ids.len(), kept["refs"].as_object().unwrap().len()), (200, 200));
    assert_eq!(kept["refIdRanges"], json!(["e1-e1263"]));
    assert_eq!(kept["omittedRefCount"], 1063);
    assert_eq!(kept["target"], json!({ "url": "https://shop.test/orders", "title": "Orders" }));
    assert_eq!(kept["documentId"], "17.5");
    let first = rendered.shown.len() + rendered.omitted_high_value.len();
    let mut listed = rendered.shown.clone();
    listed.extend(&rendered.omitted_high_value);
    listed.sort_unstable();
    assert_eq!(Value::Array(ids[..first].to_vec()), details::id_list(&listed));
    assert_eq!(kept["refs"]["e62"], json!({ "role": "heading", "name": "Orders" }));
}

// DEC-70
#[test]
fn the_page_view_is_small_and_offers_no_file() {
    let rendered = render(&orders(), &Limits::VIEW);
    let text = text(&rendered);
    assert!(text.len() <= 1_500);
    assert!(text.contains("- searchbox \"Search orders\" [ref=e61]"));
    assert!(!text.contains("For one of the rest") && !text.contains("Roles:"));
}

#[test]
fn a_page_that_is_its_own_address_still_shows_its_tree() {
    let mut data = snapshot(&[element(0, "button", "Pay")]);
    data.origin = format!("data:text/html,{}", "x".repeat(20_000));
    assert_eq!(render(&data, &Limits::VIEW).lines.len(), 1);
}

/// Trees of upstream's shape with any names, and texts of no shape at all.
fn any_answer() -> impl Strategy<Value = Value> {
    let role = prop::sample::select(vec!["link", "button", "heading", "cell", "Iframe", "main"]);
    let name = prop_oneof!["\\PC{0,30}", "[a\u{200b}\u{202e}]{0,30}"];
    let element =
        (0_usize..4, role, name).prop_map(|(depth, role, name)| element(depth, role, name));
    let page = prop::collection::vec(element, 0..200);
    let text = prop::option::weighted(0.2, "[- a-z\"\\[\\]=\n:\u{2028}é]{0,400}");
    (page, text).prop_map(|(page, text)| {
        let mut data = answer(&page);
        if let Some(text) = text {
            data["snapshot"] = json!(text);
        }
        data
    })
}

impl std::fmt::Debug for Element {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?}", self.1, self.2)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    // DEC-04, DEC-70
    #[test]
    fn every_answer_fits_and_every_foreign_word_stands_on_a_foreign_line(data in any_answer()) {
        let data = parse(&data).unwrap();
        for limits in [Limits::SNAPSHOT, Limits::VIEW] {
            let rendered = render(&data, &limits);
            let lines = [std::slice::from_ref(&rendered.header), &rendered.lines].concat();
            let printed = print(&lines, &Redactor::new([]));
            prop_assert!(printed.len() <= limits.inline_bytes, "{} bytes", printed.len());
            let breaks = printed.as_str().contains(['\r', '\u{2028}']);
            prop_assert!(!breaks && printed.as_str().lines().count() == lines.len());
            for shown in &rendered.lines {
                if let Line::Tree(tree) = shown {
                    prop_assert!(tree.trim_start_matches(' ').starts_with("- "));
                }
            }
            for id in rendered.shown.iter().chain(&rendered.omitted_high_value) {
                prop_assert!(data.refs.contains_key(id));
            }
        }
    }
}

// DEC-70
#[test]
fn a_view_has_no_address_that_takes_room_from_its_controls() {
    let buttons: Vec<Element> =
        (0..40).map(|at| element(0, "button", format!("Button {}", word(at)))).collect();
    let mut data = snapshot(&buttons);
    data.origin = format!("http://a.test/{}", "page/".repeat(80));
    assert!((1_200..1_400).contains(&data.text.len()), "{}", data.text.len());
    let view = render(&data, &Limits::VIEW);
    assert!(!view.compacted && !view.header.plain().contains("a.test"), "{}", view.header.plain());
    assert!(render(&data, &Limits::SNAPSHOT).header.plain().contains("a.test"));
}

/// A page with many controls and a dialog at its end, whose `Save` the page has too.
fn covered_page() -> (SnapshotData, PageReport) {
    let mut page =
        vec![Element(0, "heading", "Doc".into(), "level=1, "), element(0, "button", "Save")];
    page.extend((0..200).map(|n| element(0, "button", format!("Tool {}", word(n)))));
    let dialog = [("textbox", ""), ("button", "Cancel"), ("button", "Discard"), ("button", "Save")];
    page.extend(dialog.map(|(role, name)| element(0, role, name)));
    let controls = dialog.map(|(role, name)| json!({ "role": role, "name": name }));
    let report = json!({ "dialogs": ["Keep it?"], "front": { "controls": controls } });
    (snapshot(&page), serde_json::from_value(report).unwrap())
}

// PRES-SNAP-02, PRES-SNAP-08, HAZ-16
#[test]
fn the_controls_of_an_open_dialog_come_first_and_once() {
    let (data, report) = covered_page();
    for limits in [Limits::SNAPSHOT, Limits::VIEW] {
        let rendered = render_behind(&data, Some(&report), &limits);
        let text = text(&rendered);
        let front = "In the dialog:\n- textbox [ref=e203]\n- button \"Cancel\" [ref=e204]\n\
                     - button \"Discard\" [ref=e205]\n- button \"Save\" [ref=e206]\nMain content \"Doc\":";
        assert!(text.split_once('\n').unwrap().1.starts_with(front), "{text}");
        assert_eq!(text.matches("[ref=e206]").count(), 1, "{text}");
        assert!(rendered.shown.contains(&204) && text.len() <= limits.inline_bytes);
    }
    assert!(!text(&render(&data, &Limits::SNAPSHOT)).contains("In the dialog"));
}

// PRES-SNAP-02, HAZ-16
#[test]
fn controls_that_the_tree_does_not_have_together_are_no_dialog() {
    let (data, mut report) = covered_page();
    report.front.as_mut().unwrap().controls.rotate_left(2);
    let told = report.front.as_mut().unwrap();
    told.controls.truncate(1);
    told.controls.extend(["A", "B", "C"].map(|name| crate::probe::report::FreshControl {
        role: "button".to_owned(),
        name: name.to_owned(),
    }));
    let text = text(&render_behind(&data, Some(&report), &Limits::SNAPSHOT));
    assert!(!text.contains("In the dialog"), "{text}");
}
