//! Cases 1-17: the page is left, in every way there is. `t` = by a timer of the page, `c` = by a
//! click that the same hand makes.

use super::Outcome::{Act, Refuse, RefuseBeforeSpawn, RefuseOrOldDocument, RefuseOrSay};
use super::scene::Step::{Arrive, Do, Later, NoStore, Pause, Swap};
use super::{Case, case};
use crate::wrong_element::scene::Step;

/// The hand clicks this button, whose handler does it.
const CLICK: &[Step] = &[Do(&["click", "#go"]), Arrive];

pub const CASES: &[Case] = &[
    case("1c", "link followed", "<a id=go href='{new}'>Go on</a>", CLICK, Refuse),
    case(
        "1t",
        "link followed",
        "<a id=go href='{new}'>Go on</a>",
        &[Later(30, "go.click()"), Arrive],
        Refuse,
    ),
    case(
        "2c",
        "location.href",
        "<button id=go onclick=\"location.href='{new}'\">Go on</button>",
        CLICK,
        Refuse,
    ),
    case("2t", "location.href", "", &[Later(30, "location.href = '{new}'"), Arrive], Refuse),
    case(
        "3",
        "location.href in 150 ms, act at once",
        "",
        &[Later(150, "location.href = '{new}'")],
        RefuseOrOldDocument,
    ),
    case(
        "3a",
        "location.href in 1 ms, act at once",
        "",
        &[Later(1, "location.href = '{new}'")],
        RefuseOrOldDocument,
    ),
    case(
        "3b",
        "location.href in 15 ms, act at once",
        "",
        &[Later(15, "location.href = '{new}'")],
        RefuseOrOldDocument,
    ),
    case(
        "3c",
        "location.href in 40 ms, act at once",
        "",
        &[Later(40, "location.href = '{new}'")],
        RefuseOrOldDocument,
    ),
    case(
        "4",
        "location.href in 600 ms, act after 1 s",
        "",
        &[Later(600, "location.href = '{new}'"), Pause(1_000), Arrive],
        Refuse,
    ),
    case(
        "5c",
        "location.assign",
        "<button id=go onclick=\"location.assign('{new}')\">Go on</button>",
        CLICK,
        Refuse,
    ),
    case("5t", "location.assign", "", &[Later(30, "location.assign('{new}')"), Arrive], Refuse),
    case("6t", "location.replace", "", &[Later(30, "location.replace('{new}')"), Arrive], Refuse),
    case(
        "7g",
        "form GET submit",
        "<form action='{new}'><input name=q><button id=go>Send</button></form>",
        CLICK,
        Refuse,
    ),
    case(
        "7p",
        "form POST submit",
        "<form method=post action='{new}'><input name=q><button id=go>Send</button></form>",
        CLICK,
        Refuse,
    ),
    case(
        "7t",
        "form POST submit",
        "<form id=f method=post action='{new}'><input name=q></form>",
        &[Later(30, "f.submit()"), Arrive],
        Refuse,
    ),
    case(
        "8",
        "Enter submits",
        "<form action='{new}'><input id=q name=q></form>",
        &[Do(&["fill", "#q", "x"]), Do(&["press", "Enter"]), Arrive],
        Refuse,
    ),
    case(
        "9",
        "meta refresh",
        "",
        &[
            Later(
                30,
                "const m = document.createElement('meta'); m.httpEquiv = 'refresh';
                 m.content = '0;url={new}'; document.head.append(m)",
            ),
            Arrive,
        ],
        Refuse,
    ),
    case("10", "window.open _self", "", &[Later(30, "open('{new}', '_self')"), Arrive], Refuse),
    Case {
        before: &[Do(&["open", "{new}"])],
        ..case("11a", "history.back", "", &[Later(30, "history.back()"), Pause(600)], Refuse)
    },
    Case {
        before: &[NoStore, Do(&["open", "{new}"])],
        ..case(
            "11b",
            "history.back, not kept",
            "",
            &[Later(30, "history.back()"), Pause(600)],
            Refuse,
        )
    },
    case("12", "location.reload", "", &[Swap, Later(30, "location.reload()"), Arrive], Refuse),
    case("13", "another host", "", &[Later(30, "location.href = '{other}'"), Arrive], Refuse),
    case("14", "redirect chain", "", &[Later(30, "location.href = '{hop}'"), Arrive], Refuse),
    case(
        "15",
        "document.write",
        "",
        &[Later(30, "document.open(); document.write({html}); document.close()"), Pause(300)],
        RefuseOrSay,
    ),
    case("16a", "our open", "", &[Do(&["open", "{new}"])], RefuseBeforeSpawn),
    case("16b", "our reload", "", &[Swap, Do(&["reload"])], RefuseBeforeSpawn),
    Case {
        before: &[Do(&["open", "{new}"])],
        ..case("16c", "our back", "", &[Do(&["back"])], RefuseBeforeSpawn)
    },
    Case {
        before: &[],
        ..case(
            "16d",
            "our forward",
            "",
            &[Do(&["open", "{new}"]), Do(&["back"]), Do(&["forward"])],
            RefuseBeforeSpawn,
        )
    },
    case("17", "nothing", "", &[], Act),
];
