//! Cases 18-34, 36-38, 40, 47: the document stays, or only a frame of it or its tab changes.

use super::Outcome::{Act, FailSaying, Refuse, RefuseBeforeSpawn, RefuseOrSay, RefuseOtherTab};
use super::scene::Frame::{OtherOrigin, SameOrigin};
use super::scene::Step::{Arrive, Do, Later, Pause};
use super::{Case, case};

/// Commands that upstream aims at a point of the page.
const POINTED: &[&str] = &["click", "dblclick", "hover", "drag", "check"];

/// Two rows with a control of the same name; the first is meant.
const ROWS: &str =
    "<ul id=list><li id=a>Invoice A <b></b></li><li id=b>Invoice B {sibling}</li></ul>
    <script>t.style.position = 'static'; a.querySelector('b').append(t)</script>";

/// The control in an open shadow root.
const SHADOW: &str = "<div id=host></div><script>
    host.attachShadow({mode: 'open'}).append(t);
    window.render = (html) => { host.shadowRoot.innerHTML = html; };</script>";

pub const CASES: &[Case] = &[
    case(
        "18",
        "other nodes changed",
        "<p id=p>before</p>",
        &[
            Later(
                10,
                "p.textContent = 'after'; p.className = 'x'; document.body.dataset.k = 1;
                 document.title = 'Renamed'; document.body.append(document.createElement('hr'))",
            ),
            Pause(120),
        ],
        Act,
    ),
    case(
        "19",
        "pushState, replaceState, hash",
        "",
        &[
            Later(
                10,
                "history.pushState(0, '', '?a'); history.replaceState(0, '', '?b');
                 location.hash = 'c'",
            ),
            Pause(120),
        ],
        Act,
    ),
    case(
        "20",
        "scrolled, target out of view",
        "<div style='height:5000px'></div>",
        &[Later(10, "scrollTo(0, 3000)"), Pause(120)],
        Act,
    ),
    case(
        "21",
        "node moved to another parent",
        "<div id=box></div>",
        &[Later(10, "box.append(t)"), Pause(120)],
        Act,
    ),
    case("22", "list reordered", ROWS, &[Later(10, "list.append(a)"), Pause(120)], Act),
    case(
        "23",
        "re-render that keeps the node",
        "",
        &[
            Later(
                10,
                "if (t.firstChild && t.tagName !== 'SELECT') t.replaceChildren('Pay');
                 t.className = 'again'; t.parentNode.insertBefore(document.createElement('i'), t)",
            ),
            Pause(120),
        ],
        Act,
    ),
    case(
        "24",
        "node re-created",
        "",
        &[Later(10, "t.outerHTML = {fresh}"), Pause(120)],
        RefuseOrSay,
    ),
    case(
        "25",
        "another row's control",
        "<ul id=list><li id=a>Invoice A</li></ul>
         <script>t.style.position = 'static'; a.append(t)</script>",
        &[Later(10, "list.innerHTML = '<li>Invoice B ' + {fresh} + '</li>'"), Pause(120)],
        RefuseOrSay,
    ),
    case(
        "26a",
        "list without keys, names shift",
        "",
        &[
            Later(
                10,
                "t.setAttribute('aria-label', 'Pay B');
                 if (!/INPUT|SELECT/.test(t.tagName)) t.textContent = 'Pay B'",
            ),
            Pause(120),
        ],
        RefuseOrSay,
    ),
    case(
        "26b",
        "list without keys, rows shift",
        ROWS,
        &[Later(10, "a.firstChild.data = 'Invoice B '; b.remove()"), Pause(120)],
        RefuseOrSay,
    ),
    case(
        "27",
        "virtual list, other item",
        "",
        &[
            Later(
                10,
                "t.setAttribute('aria-label', 'Refund');
                 if (!/INPUT|SELECT/.test(t.tagName)) t.textContent = 'Refund'",
            ),
            Pause(120),
        ],
        RefuseOrSay,
    ),
    case("28", "node removed", "", &[Later(10, "t.remove()"), Pause(120)], Refuse),
    Case {
        only: &["drag"],
        ..case(
            "24d",
            "destination re-created",
            "",
            &[Later(10, "d.outerHTML = d.outerHTML.replace('id=\"d\"', 'id=fresh')"), Pause(120)],
            RefuseOrSay,
        )
    },
    Case {
        only: &["drag"],
        ..case(
            "25d",
            "another row's destination",
            "<ul id=list><li id=a>Invoice A</li></ul>
             <script>d.style.position = 'static'; a.append(d)</script>",
            &[
                Later(
                    10,
                    "list.innerHTML = '<li>Invoice B <div id=fresh role=button tabindex=0 \
                     ondragover=\"event.preventDefault()\">Basket</div></li>'",
                ),
                Pause(120),
            ],
            RefuseOrSay,
        )
    },
    Case {
        only: &["drag"],
        ..case("28d", "destination removed", "", &[Later(10, "d.remove()"), Pause(120)], Refuse)
    },
    Case {
        only: POINTED,
        ..case(
            "29a",
            "display:none",
            "",
            &[Later(10, "t.style.display = 'none'"), Pause(120)],
            FailSaying(&["not visible", "is hidden", "did not receive it"]),
        )
    },
    Case {
        only: POINTED,
        ..case(
            "29b",
            "hidden",
            "",
            &[Later(10, "t.hidden = true"), Pause(120)],
            FailSaying(&["not visible", "is hidden", "did not receive it"]),
        )
    },
    Case {
        // `check` works by script there, and nothing tells where a `hover` has landed.
        only: &["click", "dblclick", "drag"],
        ..case(
            "29c",
            "collapsed details",
            "<details id=more open><summary>More</summary></details>
             <script>t.style.position = 'static'; more.append(t)</script>",
            &[Later(10, "more.open = false"), Pause(120)],
            FailSaying(&["not visible", "is hidden", "did not receive it"]),
        )
    },
    Case {
        only: &["click", "dblclick", "check"],
        ..case(
            "30",
            "disabled",
            "",
            &[Later(10, "t.disabled = true"), Pause(120)],
            FailSaying(&["is disabled", "It is disabled"]),
        )
    },
    Case {
        only: POINTED,
        ..case(
            "31",
            "covered",
            "",
            &[
                Later(
                    10,
                    "document.body.insertAdjacentHTML('beforeend', '<div id=cover role=dialog \
                     style=\"position:fixed;inset:0;background:#fff\">Cookies</div>')",
                ),
                Pause(120),
            ],
            FailSaying(&["#cover", "\"Cookies\""]),
        )
    },
    Case {
        only: POINTED,
        ..case(
            "32",
            "showModal elsewhere",
            "<dialog id=modal aria-label=Consent>Really? <button>Yes</button></dialog>",
            &[Later(10, "modal.showModal()"), Pause(120)],
            FailSaying(&["#modal", "\"Consent\""]),
        )
    },
    case(
        "33",
        "another tab selected by us",
        "",
        &[Do(&["tab", "new", "{new}"])],
        RefuseBeforeSpawn,
    ),
    case(
        "34",
        "popup became active",
        "<button id=go onclick=\"window.open('{new}')\">Pop</button>",
        &[Do(&["click", "#go"]), Arrive],
        RefuseOtherTab,
    ),
    Case {
        frame: SameOrigin,
        ..case("36", "frame navigated", "", &[Later(10, "f.src = '{new}'"), Arrive], Refuse)
    },
    Case { frame: SameOrigin, ..case("37", "frame unchanged", "", &[], Act) },
    case(
        "38",
        "shadow host re-rendered",
        SHADOW,
        &[Later(10, "render({fresh})"), Pause(120)],
        RefuseOrSay,
    ),
    Case {
        nth: 1,
        ..case(
            "40",
            "first of two equal names removed",
            "<script>t.insertAdjacentHTML('beforebegin', {fresh}.replace('fresh', 'sibling'))</script>",
            &[Later(10, "sibling.remove()"), Pause(120)],
            Act,
        )
    },
    Case {
        frame: OtherOrigin,
        ..case(
            "47",
            "other host's frame navigated",
            "",
            &[Later(10, "f.src = '{other}'"), Arrive],
            Refuse,
        )
    },
    Case { frame: OtherOrigin, ..case("47u", "other host's frame unchanged", "", &[], Act) },
];
