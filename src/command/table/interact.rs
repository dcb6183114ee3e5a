//! Commands that navigate or act on the page.

use super::build::{NONE, cmd, optional, sub, switch, value};
use super::{Caps, CommandSpec, Extra, OwnFlag, Role, StdinRule, SubSpec};
use crate::command::Class;

use Role::{Css, InPath, OutPath, Target, Text, Url, Word};

/// A pointer or key act that may change everything.
const ACT: Caps = NONE.invalidates().changes().look_again();
/// The same on a target.
const ACT_ON: Caps = ACT.guards_acting();

const HUMAN: OwnFlag = switch(&["--human"]);
const SCOPE: OwnFlag = value(&["--selector", "-s"], Target);

pub(super) static COMMANDS: &[CommandSpec] = &[
    cmd("open", Class::Navigate, "go to an address, or start the browser")
        .alias(&["goto", "navigate"])
        .caps(NONE.invalidates().changes())
        .extra(Extra::After)
        .operands(&[Url]),
    cmd("back", Class::Navigate, "go back in history").caps(ACT.navigates()).extra(Extra::After),
    cmd("forward", Class::Navigate, "go forward in history")
        .caps(ACT.navigates())
        .extra(Extra::After),
    cmd("reload", Class::Navigate, "load the page again").caps(ACT.navigates()).extra(Extra::After),
    cmd("pushstate", Class::Navigate, "change the address inside the page's own router")
        .caps(ACT)
        .extra(Extra::After)
        .operands(&[Url]),
    cmd("click", Class::Act, "click an element")
        .caps(ACT_ON.navigates())
        .extra(Extra::Both)
        .operands(&[Target])
        .own(&[switch(&["--new-tab"]), HUMAN]),
    cmd("dblclick", Class::Act, "double-click an element")
        .caps(ACT_ON.navigates())
        .extra(Extra::Both)
        .operands(&[Target]),
    cmd("tap", Class::Act, "touch an element").caps(ACT_ON).extra(Extra::Both).operands(&[Target]),
    cmd("swipe", Class::Act, "swipe in a direction").caps(ACT).extra(Extra::Both),
    cmd("fill", Class::Act, "replace the text of a field")
        .caps(NONE.guards_acting().changes().look_again())
        .extra(Extra::Both)
        .extra_without_ref(Extra::After)
        .operands(&[Target])
        .rest(Text),
    cmd("type", Class::Act, "type into an element")
        .caps(ACT_ON)
        .extra(Extra::Both)
        .operands(&[Target])
        .rest(Text)
        .own(&[switch(&["--clear"]), value(&["--delay"], Word)]),
    cmd("press", Class::Act, "press one key or key combination")
        .alias(&["key"])
        .caps(ACT_ON)
        .extra(Extra::Both),
    cmd("keydown", Class::Act, "hold one key down").caps(ACT).extra(Extra::Both),
    cmd("keyup", Class::Act, "let one key go").caps(ACT).extra(Extra::Both),
    cmd("keyboard", Class::Act, "send text to the focused element")
        .caps(ACT_ON)
        .extra(Extra::Both)
        .subs(&[sub(&["type|inserttext"]).operands(&[Word]).rest(Text)]),
    cmd("hover", Class::Act, "move the pointer over an element")
        .caps(ACT_ON)
        .extra(Extra::Both)
        .operands(&[Target]),
    cmd("focus", Class::Act, "focus an element")
        .caps(NONE.guards_acting())
        .extra(Extra::Both)
        .operands(&[Target]),
    cmd("check", Class::Act, "check a box").caps(ACT_ON).extra(Extra::Both).operands(&[Target]),
    cmd("uncheck", Class::Act, "uncheck a box").caps(ACT_ON).extra(Extra::Both).operands(&[Target]),
    cmd("select", Class::Act, "choose options by value or label")
        .caps(ACT_ON)
        .extra(Extra::Both)
        .operands(&[Target]),
    cmd("drag", Class::Act, "drag one element onto another")
        .caps(NONE.guards_acting().invalidates().look_again())
        .extra(Extra::Both)
        .operands(&[Target, Target])
        .own(&[HUMAN]),
    cmd("upload", Class::Act, "give files to a file field")
        .caps(NONE.guards_acting().invalidates().look_again())
        .extra(Extra::Both)
        .operands(&[Target])
        .rest(InPath),
    cmd("download", Class::Act, "click an element and save the file it sends")
        .caps(NONE.guards_acting().changes())
        .extra(Extra::Both)
        .operands(&[Target, OutPath]),
    cmd("scroll", Class::Act, "scroll the page or a container")
        .caps(ACT_ON)
        .extra(Extra::Both)
        .own(&[SCOPE]),
    cmd("scrollintoview", Class::Act, "scroll until an element is in view")
        .alias(&["scrollinto"])
        .caps(ACT_ON)
        .extra(Extra::Both)
        .operands(&[Target]),
    cmd("mouse", Class::Act, "move, press, release or turn the mouse")
        .caps(NONE.guards_acting().invalidates().look_again())
        .extra(Extra::Both)
        .own(&[
            value(&["--duration"], Word),
            value(&["--steps"], Word),
            value(&["--seed"], Word),
            HUMAN,
        ]),
    cmd("find", Class::Act, "find an element by role, text or label, and act on it")
        .caps(NONE.changes().look_again().navigates())
        .extra(Extra::Both)
        .own(&[value(&["--name"], Text), switch(&["--exact"])])
        .subs(FIND),
    cmd("eval", Class::Eval, "run a script in the page")
        .caps(NONE.invalidates().navigates())
        .extra(Extra::After)
        .stdin(StdinRule::EvalScript)
        .rest(Text)
        .own(&[switch(&["--stdin"]).leading(), switch(&["--base64", "-b"]).leading()]),
    cmd("wait", Class::Read, "wait for an element, a time, a text, an address or a condition")
        .operands(&[Target])
        .own(&[
            value(&["--text", "-t"], Text),
            value(&["--url", "-u"], Text),
            value(&["--fn", "-f"], Text),
            value(&["--load", "-l"], Word),
            optional(&["--download", "-d"], OutPath),
            value(&["--timeout"], Word),
            // Upstream advertises it and takes it for the global flag, which destroys the page.
            value(&["--state"], Word),
        ])
        .subs(&[sub(&[]).flag("--fn").class(Class::Eval)]),
    cmd("dialog", Class::Act, "answer or inspect a page dialog").caps(ACT).subs(&[
        sub(&["accept"]).operands(&[Word]).rest(Text),
        sub(&["status"]).class(Class::Read).caps(NONE),
    ]),
    cmd("clipboard", Class::Act, "read, write, copy or paste").subs(&[
        sub(&["write"]).operands(&[Word]).rest(Text),
        sub(&["paste"]).extra(Extra::Both),
        sub(&["read"]).class(Class::Read),
    ]),
    cmd("frame", Class::Read, "work inside a frame, or in the main one again")
        .caps(NONE.guards_acting())
        .operands(&[Target]),
];

/// `find LOCATOR VALUE [ACTION] [TEXT]`; the action is `click` when it is left out. The value is
/// the user's text, and so is everything behind `fill`.
static FIND: &[SubSpec] = &[
    sub(&["role|text|label|placeholder|alt|title|testid"]).operands(&[Word, Text, Word]),
    sub(&["role|text|label|placeholder|alt|title|testid", "*", "fill"])
        .operands(&[Word, Text, Word])
        .rest(Text)
        .caps(FIND_FILL),
    sub(&["role|text|label|placeholder|alt|title|testid", "*", "text"])
        .operands(&[Word, Text, Word])
        .class(Class::Read)
        .caps(NONE)
        .extra(Extra::None),
    sub(&["first|last"]).operands(&[Word, Css, Word]),
    sub(&["first|last", "*", "fill"]).operands(&[Word, Css, Word]).rest(Text).caps(FIND_FILL),
    sub(&["first|last", "*", "text"])
        .operands(&[Word, Css, Word])
        .class(Class::Read)
        .caps(NONE)
        .extra(Extra::None),
    sub(&["nth"]).operands(&[Word, Word, Css, Word]),
    sub(&["nth", "*", "*", "fill"]).operands(&[Word, Word, Css, Word]).rest(Text).caps(FIND_FILL),
    sub(&["nth", "*", "*", "text"])
        .operands(&[Word, Word, Css, Word])
        .class(Class::Read)
        .caps(NONE)
        .extra(Extra::None),
];

const FIND_FILL: Caps = NONE.changes().look_again();
