//! The environment variables that change how the program works, for the reference (CFG-12).

/// A variable and what it does.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
}

const fn variable(name: &'static str, about: &'static str) -> Variable {
    Variable { name, about }
}

/// Every variable that is ours, and those of upstream that we treat in a special way.
pub const VARIABLES: [Variable; 22] = [
    variable("PI_AGENT_BROWSER_CONFIG", "The strongest settings file."),
    variable(
        "PI_AGENT_BROWSER_PROCESS_TIMEOUT_MS",
        "Limit of one upstream process; 45000 without it.",
    ),
    variable(
        "PI_AGENT_BROWSER_IMPLICIT_SESSION_CLOSE_TIMEOUT_MS",
        "How long a browser that we close may take before its processes are ended; 5000 without it.",
    ),
    variable(
        "PI_AGENT_BROWSER_SESSION_ARTIFACT_MAX_BYTES",
        "Bytes of long outputs that are kept for a session.",
    ),
    variable(
        "PI_AGENT_BROWSER_SESSION_ARTIFACT_MANIFEST_MAX_ENTRIES",
        "Files that the list of saved files remembers.",
    ),
    variable("PI_AGENT_BROWSER_SOCKET_DIR", "A private directory for upstream's sockets."),
    variable(
        "PI_AGENT_BROWSER_ALLOW_DIRECT_BASH",
        "1 lets pi's bash tool run agent-browser itself.",
    ),
    variable("AGENT_BROWSER_NATIVE_PATH", "The program that the pi package starts."),
    variable("AGENT_BROWSER_NATIVE_UPSTREAM_PATH", "The agent-browser executable to use."),
    variable(
        "AGENT_BROWSER_NATIVE_UPSTREAM_EXACT",
        "1 refuses every upstream but the tested version.",
    ),
    variable(
        "AGENT_BROWSER_NATIVE_TRUST_PROJECT",
        "1 reads the directory's own settings and runs their commands.",
    ),
    variable("AGENT_BROWSER_NATIVE_DEBUG", "1 puts the rows that ran into `details.upstreamRows`."),
    variable("AGENT_BROWSER_NATIVE_STATE_DIR", "Where leases, journals and kept files lie."),
    variable("AGENT_BROWSER_NATIVE_TEMP_DIR", "Where files lie that end with the process."),
    variable("AGENT_BROWSER_NATIVE_DATA_DIR", "Where `setup` installs."),
    variable(
        "AGENT_BROWSER_NATIVE_EXA_URL",
        "An address on this machine in place of Exa's, for tests.",
    ),
    variable("AGENT_BROWSER_NATIVE_BRAVE_URL", "The same for Brave Search."),
    variable("EXA_API_KEY", "The key for Exa where no settings file names one."),
    variable("BRAVE_API_KEY", "The key for Brave Search where no settings file names one."),
    variable(
        "AGENT_BROWSER_DEFAULT_TIMEOUT",
        "Upstream's own limit; at most 25000 on managed sessions.",
    ),
    variable("AGENT_BROWSER_SKILLS_DIR", "Upstream's skills; passed on."),
    variable("AGENT_BROWSER_PLUGINS", "Upstream's plugins; passed on."),
];
