//! What is said of a `fill` holds in the page: numbers keep their meaning, and a field that takes nothing
//! keeps what it holds.

use serde_json::json;

use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::Pages;

struct Live {
    _bed: Bed,
    _pages: Pages,
    mcp: Mcp,
    page: String,
}

fn opened(html: &str) -> Live {
    let (bed, pages) = (Bed::new(), Pages::with(html));
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let page = mcp.ok(&["snapshot", "-i"]);
    Live { _bed: bed, _pages: pages, mcp, page }
}

impl Live {
    /// What a script in the page says.
    fn truth(&mut self, script: &str) -> String {
        self.mcp.ok(&["eval", script]).trim().to_owned()
    }
}

const MASKS: &str = "<title>Masks</title>
<input id=digits oninput=\"this.value=this.value.replace(/\\D/g,'')\">
<input id=price oninput=\"this.value='$'+this.value.replace(/\\D/g,'').replace(/\\B(?=(\\d{3})+$)/g,',')\">
<input id=points oninput=\"this.value=this.value.replace(/\\D/g,'').replace(/\\B(?=(\\d{3})+$)/g,'.')\">
<input id=date oninput=\"this.value=this.value.replace(/\\D/g,'').replace(/^(.)(..)(....)$/,'$1/$2/$3')\">
<input id=phone oninput=\"this.value='+49'+this.value.replace(/\\D/g,'')\">";

// HAZ-19
#[test]
fn live_a_number_that_lost_its_sign_or_its_point_is_not_verified() {
    let mut live = opened(MASKS);
    let (same, other) =
        ("value verified (reformatted by the page).", "value differs from what was sent.");
    for (id, sent, holds, told) in [
        ("digits", "19.99", "1999", other),
        ("digits", "-5", "5", other),
        ("digits", "12 34", "1234", same),
        ("digits", "2024-05-06", "20240506", same),
        ("price", "19.99", "$1,999", other),
        ("price", "1999", "$1,999", same),
        // It holds the very value: nothing failed.
        ("price", "1999", "$1,999", same),
        ("points", "1999", "1.999", same),
        ("points", "1.5", "15", other),
        ("date", "10/1/2024", "1/01/2024", other),
        ("date", "1012024", "1/01/2024", same),
        ("phone", "1761234567", "+491761234567", same),
    ] {
        let said = live.mcp.ok(&["fill", &format!("#{id}"), sent]);
        assert_eq!(live.truth(&format!("'='+{id}.value")), format!("={holds}"));
        let first = said.lines().next().unwrap();
        assert_eq!(first, format!("Filled \"#{id}\"; {told}"), "{sent}: {holds}");
    }
}

const SHUT: &str = "<title>Shut</title><label>Name <input id=name value=Ann></label>
<label>Day <input type=date id=day value=2020-01-01></label>
<label>Kept <input type=date id=kept readonly value=2020-01-01></label>
<label>Off <input type=date id=off disabled value=2020-01-01></label>
<label>Level <input type=range id=level disabled value=10></label>
<label>Tint <input type=color id=tint disabled value='#010203'></label>
<label>Note <input id=note readonly value=n></label><label>Code <input id=code disabled value=c></label>
<input placeholder=Twice id=first disabled value=f><input placeholder=Twice>";

const VALUES: &str = "[...document.querySelectorAll('input')].map((field) => field.value).join()";

// HAZ-19, DIAG-FILL-01
#[test]
fn live_a_field_that_takes_nothing_keeps_its_value_and_so_does_the_one_with_the_focus() {
    let mut live = opened(SHUT);
    let values = live.truth(VALUES);
    for focus in ["#name", "#day"] {
        live.mcp.ok(&["focus", focus]);
        for (label, why) in [
            ("Kept", "read-only"),
            ("Off", "disabled"),
            ("Level", "disabled"),
            ("Tint", "disabled"),
            ("Note", "read-only"),
            ("Code", "disabled"),
        ] {
            let said = live.mcp.fails(&["find", "label", label, "fill", "2024-05-06"]);
            let told =
                format!("nothing was filled: the first element by label \"{label}\" is {why}.");
            assert!(said.contains(&told), "{said}");
        }
        // Of several, upstream takes the first, and empties it.
        let said = live.mcp.fails(&["find", "placeholder", "Twice", "fill", "x"]);
        assert!(said.contains("The field is disabled."), "{said}");
        assert_eq!(live.truth(VALUES), values, "focus in {focus}");
    }
    // A semantic action says the same.
    let call = serde_json::json!({ "semanticAction": { "action": "fill", "locator": "label",
        "value": "Off", "text": "2024-05-06" } });
    let said = live.mcp.call_with(&call);
    assert!(said.is_error() && said.text().contains("is disabled."), "{}", said.text());
    assert_eq!(live.truth(VALUES), values);
}

// HAZ-19
#[test]
fn live_a_date_by_the_ref_of_one_of_its_parts_goes_into_the_field_of_that_part() {
    let mut live = opened(SHUT);
    let months: Vec<String> = live
        .page
        .lines()
        .filter(|line| line.contains("spinbutton \"Month Month\""))
        .filter_map(|line| ref_in(line, "spinbutton", "Month Month"))
        .collect();
    let [day, kept, off] = months.as_slice() else { panic!("{}", live.page) };
    for date in ["2024-05-06", "2024-05-07"] {
        let said = live.mcp.ok(&["fill", day, date]);
        assert!(said.ends_with("; value set by script and verified."), "{said}");
        assert_eq!(live.truth("day.value"), date);
    }
    for (target, why) in [(kept, "is read-only."), (off, "is disabled.")] {
        let said = live.mcp.fails(&["fill", target, "2024-05-08"]);
        assert!(said.contains(why), "{said}");
    }
    // What is no date leaves the date that is there.
    for text in ["7", "soon"] {
        let said = live.mcp.fails(&["fill", day, text]);
        assert!(said.contains("The field still holds what it held before."), "{said}");
    }
    assert_eq!(
        live.truth("[day, kept, off].map((field) => field.value).join()"),
        "2024-05-07,2020-01-01,2020-01-01"
    );
}

const EDITORS: &str = "<title>Editors</title>
<div contenteditable id=stuck role=textbox aria-label=Stuck onbeforeinput='event.preventDefault()'>old</div>
<div contenteditable id=lazy role=textbox aria-label=Lazy onbeforeinput='const text = event.data;
event.preventDefault(); setTimeout(() => this.textContent = text, 60)'>old</div>
<p id=many></p><script>for (let n = 0; n < 600; n += 1) many.append(document.createElement('input'));
const last = many.lastChild; last.id = 'last'; last.value = 'old'; last.oninput = () => last.value = 'old';
</script>";

// HAZ-19
#[test]
fn live_a_field_that_still_holds_what_it_held_is_a_failure_wherever_it_stands() {
    let mut live = opened(EDITORS);
    let stuck = ref_in(&live.page, "textbox", "Stuck").unwrap();
    let by_label: &[&str] = &["find", "label", "Stuck", "fill", "new"];
    for call in [&["fill", "#stuck", "new"][..], &["fill", &stuck, "new"], by_label] {
        let said = live.mcp.fails(call);
        assert!(said.contains("The field still holds what it held before."), "{said}");
    }
    let said = live.mcp.fails(&["fill", "#last", "new"]);
    assert!(said.contains("The field still holds what it held before."), "{said}");
    // An editor may draw the text a moment later.
    let said = live.mcp.ok(&["fill", "#lazy", "new"]);
    assert!(said.ends_with("; value verified."), "{said}");
}

// DEC-68: what stands in an editor is its text, not its name.
#[test]
fn live_the_text_of_an_editor_without_a_name_is_no_secret() {
    let mut live = opened("<title>Recipe</title><div id=plain contenteditable>old</div>");
    let said = live.mcp.call(&["fill", "#plain", "My secret recipe"]);
    assert_eq!(said.details()["args"][2], "My secret recipe", "{}", said.text());
}

const SLIDERS: &str = "<title>Sliders</title><label>Note <input id=note></label>
<div role=slider tabindex=0 aria-valuenow=5 style='width:90px;height:20px'></div><input type=range id=bare>
<label>Level <input type=range id=level></label><label>Paint <input type=color id=paint></label>";

// HAZ-19: the browser writes where the caret was, whatever has the focus.
#[test]
fn live_a_text_for_a_slider_or_a_colour_reaches_no_other_field() {
    let mut live = opened(SLIDERS);
    live.mcp.ok(&["fill", "#note", "Ann"]);
    let level = ref_in(&live.page, "slider", "Level").unwrap();
    for call in [
        &["fill", "#bare", "33"][..],
        &["fill", &level, "40"],
        &["find", "label", "Level", "fill", "41"],
        &["fill", "#paint", "#ff8800"],
    ] {
        let said = live.mcp.ok(call);
        assert!(said.ends_with("; value set by script and verified."), "{call:?}: {said}");
    }
    let steps = json!([["fill", "#note", "Ann"], ["fill", "#level", "42"]]).to_string();
    live.mcp.call_with(&json!({ "args": ["batch"], "stdin": steps })).ok();
    assert_eq!(
        live.truth("[note, bare, level, paint].map((one) => one.value).join()"),
        "Ann,33,42,#ff8800"
    );
    // One without a name is known by its role alone.
    for call in [
        &["fill", "@e1", "7"][..],
        &["type", "@e1", "7"],
        &["find", "role", "slider", "fill", "7"],
        &["type", "#level", "7"],
        &["type", &level, "7"],
    ] {
        let said = live.mcp.fails(call);
        assert!(said.contains(" take"), "{call:?}: {said}");
    }
    assert_eq!(live.truth("[note, bare, level].map((one) => one.value).join()"), "Ann,33,42");
}
