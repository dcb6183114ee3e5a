//! Commands about tabs, settings, network, stored state and recordings of a session.

use super::build::{NONE, cmd, sub, switch, value};
use super::{Caps, CommandSpec, Extra, OwnFlag, Role, Sessionless, StdinRule, SubSpec};
use crate::command::Class;

use Role::{AtFile, Css, InPath, OutPath, Secret, Text, Url, Word};

/// Another document is in front afterwards.
const LEAVES: Caps = NONE.invalidates().look_again();

pub(super) static COMMANDS: &[CommandSpec] = &[
    cmd("tab", Class::Read, "list, open, choose or close tabs")
        .own(&[value(&["--label"], Text)])
        .subs(&[
            sub(&["list"]),
            sub(&["*"]).class(Class::Navigate).caps(LEAVES),
            sub(&["new"]).class(Class::Navigate).caps(LEAVES).operands(&[Word, Url]),
        ]),
    cmd("window", Class::Navigate, "open a window").subs(&[sub(&["new"]).caps(LEAVES)]),
    cmd("connect", Class::State, "attach to a running browser").caps(NONE.invalidates()),
    cmd("close", Class::Read, "close the browser of the session")
        .alias(&["quit", "exit"])
        .plain()
        .own(&[switch(&["--all"])]),
    cmd("set", Class::Act, "viewport, device, location, headers and other settings").subs(&[
        sub(&["headers"]).class(Class::State).operands(&[Word]).rest(Secret),
        sub(&["credentials|auth"]).class(Class::State).operands(&[Word]).rest(Secret),
    ]),
    cmd("network", Class::Read, "requests, routes and HAR files")
        .own(&[
            switch(&["--abort"]),
            value(&["--body"], Secret),
            value(&["--allow-origin"], Word),
            value(&["--resource-type"], Word),
            switch(&["--clear"]),
            value(&["--filter"], Text),
            value(&["--type"], Word),
            value(&["--method"], Word),
            value(&["--status"], Word),
            value(&["--content"], Word),
            // Ours: removed before upstream sees them (PLAN-21).
            switch(&["--current-page"]),
            switch(&["--current-origin"]),
            switch(&["--current-url"]),
        ])
        .subs(&[
            sub(&["route|unroute"]).class(Class::Act),
            sub(&["har", "stop"]).operands(&[Word, Word, OutPath]),
        ]),
    cmd("cookies", Class::State, "read, set or clear cookies")
        .own(&[
            value(&["--url"], Url),
            value(&["--domain"], Word),
            value(&["--path"], Word),
            value(&["--sameSite"], Word),
            value(&["--expires"], Word),
            value(&["--curl"], InPath),
            switch(&["--httpOnly"]),
            switch(&["--secure"]),
        ])
        .subs(&[
            sub(&["set"]).operands(&[Word, Text, Secret]).rest(Text),
            // The cookies come from the file; there is no name and no value.
            sub(&["set"]).flag("--curl").operands(&[Word]),
        ]),
    cmd("storage", Class::State, "read, set or clear web storage").subs(&[sub(&[
        "local|session",
        "set",
    ])
    .operands(&[Word, Word, Text, Secret])
    .rest(Secret)]),
    cmd("state", Class::State, "save, load and maintain saved state")
        .own(&[switch(&["--all", "-a"]), value(&["--older-than"], Word)])
        .subs(STATE),
    cmd("auth", Class::State, "saved logins").own(AUTH_FLAGS).subs(&[
        sub(&["save|list|show|delete|remove"]).sessionless(Sessionless::NeedsThrowaway),
        sub(&["save"])
            .flag("--password-stdin")
            .sessionless(Sessionless::NeedsThrowaway)
            .stdin(StdinRule::AuthPassword)
            .never_in_rows(),
        sub(&["login"]).caps(LEAVES).extra(Extra::After),
    ]),
    cmd("trace", Class::Read, "record a browser trace")
        .subs(&[sub(&["stop"]).operands(&[Word, OutPath])]),
    cmd("profiler", Class::Read, "record a performance profile")
        .own(&[value(&["--categories"], Word)])
        .subs(&[sub(&["stop"]).operands(&[Word, OutPath])]),
    cmd("record", Class::Files, "record the page as a video")
        .own(&[
            value(&["--fps"], Word),
            switch(&["--cursor"]),
            switch(&["--contact-sheet"]),
            value(&["--contact-sheet-threshold"], Word),
        ])
        .subs(&[
            sub(&["start|restart"]).operands(&[Word, OutPath, Url]),
            sub(&["start|restart", "*", "*"])
                .operands(&[Word, OutPath, Url])
                .also(&[Class::Navigate])
                .caps(LEAVES),
        ]),
    cmd("stream", Class::Act, "live picture of the session")
        .own(&[value(&["--port"], Word)])
        .subs(&[sub(&["status"]).class(Class::Read)]),
    cmd("webmcp", Class::Act, "tools that the page offers")
        .own(&[
            value(&["--frame"], Word),
            value(&["--params"], AtFile),
            switch(&["--detach"]),
            value(&["--timeout"], Word),
        ])
        .subs(&[
            sub(&["list|result"]).class(Class::Read),
            sub(&["invoke"]).caps(LEAVES).extra(Extra::After),
        ]),
    cmd("removeinitscript", Class::Act, "remove an init script"),
    cmd("confirm", Class::Act, "run the action that waits for confirmation"),
    cmd("deny", Class::Act, "drop the action that waits for confirmation"),
    cmd("batch", Class::Read, "run several commands in order")
        .never_in_rows()
        .stdin(StdinRule::BatchRows)
        .own(&[switch(&["--bail"]), switch(&["--omit-command"])]),
];

static STATE: &[SubSpec] = &[
    sub(&["save"]).operands(&[Word, OutPath]),
    sub(&["load"]).operands(&[Word, InPath]).caps(LEAVES),
    sub(&["list|show|rename"]).sessionless(Sessionless::Yes),
    sub(&["clear"]).flag("--all").sessionless(Sessionless::Yes),
    sub(&["clear", "*"]).sessionless(Sessionless::Yes),
    sub(&["clean"]).flag("--older-than").sessionless(Sessionless::Yes),
];

static AUTH_FLAGS: &[OwnFlag] = &[
    value(&["--url"], Url),
    value(&["--username"], Text),
    value(&["--password"], Secret),
    switch(&["--password-stdin"]),
    value(&["--username-selector"], Css),
    value(&["--password-selector"], Css),
    value(&["--submit-selector"], Css),
    value(&["--credential-provider"], Word),
    value(&["--item"], Text),
    switch(&["--no-navigate"]),
];
