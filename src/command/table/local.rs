//! Commands about the installation: most need no session, and upstream takes none in rows.

use super::build::{cmd, sub, switch, value};
use super::{CommandSpec, Role, Sessionless};
use crate::command::Class;

use Role::{Secret, Text, Word};

pub(super) static COMMANDS: &[CommandSpec] = &[
    cmd("session", Class::Read, "name, id, facts and list of sessions")
        .never_in_rows()
        .own(&[value(&["--scope"], Word), value(&["--prefix"], Word)])
        .subs(&[sub(&["list|id|info"]).sessionless(Sessionless::Yes)]),
    cmd("skills", Class::Read, "guides that ship with upstream")
        .never_in_rows()
        .sessionless(Sessionless::Yes)
        .own(&[switch(&["--full"]), switch(&["--all"])])
        .subs(&[
            sub(&["*"]).sessionless(Sessionless::No),
            sub(&["list|get|path"]).sessionless(Sessionless::Yes),
        ]),
    cmd("plugin", Class::Read, "configured plugins")
        .alias(&["plugins"])
        .never_in_rows()
        .sessionless(Sessionless::Yes)
        .own(&[
            value(&["--name"], Word),
            value(&["--capability"], Word),
            value(&["--payload"], Secret),
            switch(&["--project"]),
            switch(&["--no-manifest"]),
        ])
        .subs(&[sub(&["add|run"]).class(Class::Process)]),
    cmd("profiles", Class::Read, "Chrome profiles of this machine")
        .never_in_rows()
        .sessionless(Sessionless::Yes),
    cmd("device", Class::Read, "iOS simulators").sessionless(Sessionless::NeedsThrowaway),
    cmd("doctor", Class::Read, "check the installation")
        .never_in_rows()
        .sessionless(Sessionless::Yes),
    cmd("dashboard", Class::Process, "local web page that shows all sessions")
        .never_in_rows()
        .sessionless(Sessionless::Yes)
        .own(&[value(&["--port"], Word), value(&["--allowed-origins"], Word)])
        .subs(&[sub(&["status"]).class(Class::Read)]),
    // Both run any command by themselves, past every guard of ours.
    cmd("mcp", Class::Process, "upstream's own MCP server")
        .never_in_rows()
        .sessionless(Sessionless::Yes)
        .own(&[value(&["--tools"], Word)])
        .subs(&[sub(&["call"]).operands(&[Word, Word, Text])]),
    cmd("chat", Class::Process, "let a model drive the browser").never_in_rows(),
    cmd("install", Class::Process, "download a browser")
        .never_in_rows()
        .sessionless(Sessionless::Yes)
        .own(&[switch(&["--with-deps", "-d"])]),
    cmd("upgrade", Class::Process, "upgrade upstream")
        .never_in_rows()
        .sessionless(Sessionless::Yes),
];
