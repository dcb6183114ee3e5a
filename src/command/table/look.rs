//! Commands that read the page or save what they see.

use super::build::{NONE, cmd, sub, switch, value};
use super::{CommandSpec, Extra, OwnFlag, Role};
use crate::command::Class;

use Role::{Css, InPath, OutPath, Target, TargetOrOutPath, Text, Url, Word};

const SCOPE: OwnFlag = value(&["--selector", "-s"], Css);
const COMPACT: OwnFlag = switch(&["--compact", "-c"]);
const DEPTH: OwnFlag = value(&["--depth", "-d"], Word);
const CLEAR: OwnFlag = switch(&["--clear"]);

pub(super) static COMMANDS: &[CommandSpec] = &[
    cmd("snapshot", Class::Read, "the page as a tree with refs").extra(Extra::Before).own(&[
        switch(&["--interactive", "-i"]),
        switch(&["--urls", "-u"]),
        switch(&["--cursor", "-C"]),
        switch(&["--delta"]),
        switch(&["--full"]),
        COMPACT,
        DEPTH,
        SCOPE,
    ]),
    cmd("get", Class::Read, "title, address, text or other facts")
        .caps(NONE.guards_reading())
        .subs(&[sub(&["text|html|value|attr|count|box|styles"]).operands(&[Word, Target])]),
    cmd("is", Class::Read, "is an element visible, enabled or checked?")
        .caps(NONE.guards_reading())
        .operands(&[Word, Target]),
    cmd("read", Class::Read, "the page or an address as plain text")
        .operands(&[Url])
        .own(&[
            switch(&["--raw"]),
            switch(&["--require-md"]),
            switch(&["--outline"]),
            value(&["--llms"], Word),
            value(&["--filter"], Text),
            value(&["--timeout"], Word),
        ])
        .subs(&[sub(&["*"]).class(Class::Navigate)]),
    cmd("screenshot", Class::Read, "take a picture of the page or an element")
        .caps(NONE.guards_reading().changes())
        .operands(&[TargetOrOutPath, OutPath])
        .own(&[
            switch(&["--full", "-f"]),
            switch(&["--if-changed"]),
            value(&["--threshold"], Word),
        ]),
    cmd("pdf", Class::Files, "save the page as PDF").caps(NONE.changes()).operands(&[OutPath]),
    cmd("highlight", Class::Read, "mark an element on the page")
        .caps(NONE.guards_reading())
        .operands(&[Target]),
    cmd("console", Class::Read, "console messages").own(&[CLEAR]),
    cmd("errors", Class::Read, "uncaught errors of the page").own(&[CLEAR]),
    cmd("vitals", Class::Read, "web vitals of the page or an address").operands(&[Url]).subs(&[
        sub(&["*"])
            .class(Class::Navigate)
            .caps(NONE.invalidates().look_again())
            .extra(Extra::After),
    ]),
    cmd("a11y", Class::Read, "accessibility audit of the page or an address")
        .operands(&[Url])
        .own(&[value(&["--tags"], Word), SCOPE])
        .subs(&[sub(&["*"])
            .class(Class::Navigate)
            .caps(NONE.invalidates().look_again())
            .extra(Extra::After)]),
    cmd("diff", Class::Read, "compare snapshots, pictures or addresses")
        .caps(NONE.guards_reading())
        .own(&[
            value(&["--baseline", "-b"], InPath),
            value(&["--output", "-o"], OutPath),
            value(&["--threshold", "-t"], Word),
            value(&["--selector", "-s"], Target),
            value(&["--wait-until"], Word),
            switch(&["--screenshot"]),
            switch(&["--full"]),
            COMPACT,
            DEPTH,
        ])
        .subs(&[sub(&["url"])
            .operands(&[Word, Url, Url])
            .class(Class::Navigate)
            .caps(NONE.guards_reading().invalidates().look_again())
            .extra(Extra::After)]),
    cmd("react", Class::Read, "React components, renders and suspense")
        .own(&[switch(&["--only-dynamic"])]),
    cmd("inspect", Class::Act, "open the developer tools"),
];
