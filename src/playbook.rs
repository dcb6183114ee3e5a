//! The playbook: how to work with the tool. The one source of every guidance text (DOC-01).
//!
//! Tier A is in the host's prompt all the time and stays small. Tier B is read on demand:
//! `cargo xtask docs write` puts it into the documents, which `docs` and the MCP resources serve.
//! A rule moves up only as its smallest sentence, and only when it prevents a repeated failure.

/// Always-on guidance (DOC-03, PI-04).
pub const TIER_A: [&str; 6] = [
    "agent_browser: prefer it to running agent-browser in bash; args is the default mode.",
    "agent_browser loop: open, read the controls, act by @ref, read the first line; `Next: {...}` lines are calls to send unchanged.",
    "agent_browser launch flags (--profile, --headed, --state) go on the first call, later only with sessionMode \"fresh\"; do not invent session names.",
    "agent_browser reading: snapshot -i, get text SELECTOR, or eval --stdin.",
    "agent_browser files: give the exact path that was asked for; trust it when the answer says \"saved and verified\".",
    "agent_browser: stop before orders, purchases, posts and other final submits unless the user asked for exactly that; no scripts around this.",
];

/// A named part of the playbook, put into documents between its two marks (DOC-02).
#[derive(Clone, Copy, Debug)]
pub struct Fragment {
    /// Its name in the marks.
    pub name: &'static str,
    /// Topics, each with its rules.
    pub topics: &'static [Topic],
}

/// Rules about one thing.
#[derive(Clone, Copy, Debug)]
pub struct Topic {
    /// The heading; empty where the fragment has one topic only.
    pub title: &'static str,
    /// One rule a line.
    pub rules: &'static [&'static str],
}

/// Every fragment.
pub const FRAGMENTS: [Fragment; 3] = [
    Fragment { name: "shared-guidelines", topics: &SHARED },
    Fragment { name: "inspection", topics: &INSPECTION },
    Fragment { name: "wrapper-tab-recovery", topics: &TAB_RECOVERY },
];

const SHARED: [Topic; 9] = [
    Topic {
        title: "Choose the input",
        rules: &[
            "One mode per call. `args` is the default; `semanticAction` when you know what a control is called; `job` for several steps and `qa` for checking a page; `electron` for desktop apps. `sourceLookup` and `networkSourceLookup` are experimental: their answers are candidates.",
            "Do not explore with `--help` unless the user asked for it or you are debugging the integration; the command reference lists everything.",
            "In upstream skills, commands stand as shell lines and heredocs: send the words as `args` and the heredoc as `stdin`.",
        ],
    },
    Topic {
        title: "The loop",
        rules: &[
            "`open`, `snapshot -i`, act on the current `@refs`; take a new snapshot after a navigation, a scroll that loads more, or a re-render.",
            "Use the exact visible label of the latest snapshot, for example `Learn more`, not what you expect it to say.",
            "Fills and native form controls of one snapshot go into one `batch`, the submit click behind them into its own call. Split earlier where a control submits by itself or re-renders the form.",
            "A large snapshot is shortened: read its `Omitted` lines before you open the file with the whole tree.",
            "Prefer `find role|text|label|placeholder|alt|title|testid` to guessed CSS. Selectors are CSS, `xpath=…` or refs; there is no `text=` and no `:has-text`.",
            "Native selects: `select`. Custom comboboxes may only take focus: open them, take a snapshot, click the option.",
            "Rich text fields: new snapshot, click the editable ref, then `keyboard type` in a call of its own. `press` sends real keystrokes where a page listens for keys; `type` and `keyboard type` send input events only.",
        ],
    },
    Topic {
        title: "Sessions and launches",
        rules: &[
            "The browser is kept between calls. Do not invent session names; launch flags go on the first call, or with `sessionMode: \"fresh\"`.",
            "`--session NAME` is a browser beside the others and ends with its `close`: what must outlive it needs `--profile`, `--session-name` or `--state`.",
            "Real profiles only for content that the user asked for: `--profile Default` first. `--auto-connect` is for a browser that is running with debugging on, or when a profile does not work.",
            "Set up before the first navigation: `open` without an address, then routes, cookies and init scripts, then the address.",
            "React: `open --enable react-devtools URL` first, then `react tree`. `vitals [url]` measures, `pushstate <url>` changes a route without a load.",
            "A headed demonstration: `--headed` with `sessionMode: \"fresh\"`, then `screenshot`, `tab list`, `get url` or `snapshot -i` as evidence; no success proves that a window is visible. Servers that you start are yours to stop.",
        ],
    },
    Topic {
        title: "Reading",
        rules: &[
            "Read-only tasks: extract from the current view before you navigate. Three or more known refs or selectors: one `batch` of getters.",
            "Feeds and lists: the first item of the main list, not of a sidebar.",
            "`eval --stdin` with the script in `stdin`: a plain expression or a function that is called, scoped to what you need, returning a value.",
            "In a batch the step lines carry the results; steps with secrets show a masked value there.",
            "`network requests` takes `--type`, `--method`, `--status`, `--filter`. Commands outside the core pass straight through.",
        ],
    },
    Topic {
        title: "Waiting and scrolling",
        rules: &[
            "Wait for a condition: `wait --text`, `wait --url`, `wait SELECTOR`. For disappearance `wait --fn`: `wait --state` is refused because it destroys the page.",
            "Longer waits need `--timeout N` or `timeoutMs`; a fixed `wait 5000` is the last resort: `Waited N ms` says that time has passed, nothing more.",
            "A page inside a scrolling box: `scroll down 600 --selector CSS`, and believe it only when the answer says that it moved; `scrollintoview` brings one element of it into view.",
            "`Clicked …` says that the target was found and pressed, not that the app did what you want: verify with `get`, `wait --text` or a snapshot. `No change seen` is not `nothing happened`: look before you click again.",
        ],
    },
    Topic {
        title: "Files and evidence",
        rules: &[
            "`download SELECTOR PATH` for files, with the exact path that was asked for.",
            "A file counts when its line says `saved and verified`; `unverified`, `missing` and `pending` do not. Evidence needs no look at the picture unless the user wants one.",
            "Start and stop belong together: `trace`, `profiler`, `record`, `network har`, `stream`. Recording needs `ffmpeg` from the start.",
        ],
    },
    Topic {
        title: "Secrets and stored state",
        rules: &[
            "Passwords by `stdin`: `auth save NAME --url URL --username USER --password-stdin`. Profiles of `auth` and files of `state` are kept on this machine; list and delete them there.",
            "All cookies or the whole storage only if the task needs them; one value by name is usually enough.",
        ],
    },
    Topic {
        title: "Trouble",
        rules: &[
            "A line `Next: {...}` is the exact call that helps. Names of covering elements are evidence, not proof.",
            "Wrong page or tab: `tab list`, choose the tab, snapshot; only then try other addresses.",
            "Dialogs, frames, confirmations: send the `dialog`, `confirm` or `deny` call that the answer shows, with its id.",
            "Stop boundaries are your own duty: the tool does not guess what the user meant. A click by script (`eval … .click()`) is not trusted by pages and must not be used to get around a stop.",
        ],
    },
    Topic {
        title: "Other apps and providers",
        rules: &[
            "Desktop apps: `electron` list, launch, probe or snapshot, and always cleanup. An app that must stay signed in: start it with a debugging port yourself and `connect`.",
            "Special skills of upstream: `skills get agentcore`, `electron`, `slack`, `dogfood`, `vercel-sandbox`; `--full` adds their references.",
        ],
    },
];

const INSPECTION: [Topic; 1] = [Topic {
    title: "",
    rules: &[
        "`{ \"args\": [\"--help\"] }`, `{ \"args\": [\"click\", \"--help\"] }` and `{ \"args\": [\"--version\"] }` answer in plain text.",
        "They touch no browser and no session: the managed session stays free for a later launch with a profile, session, CDP address, saved state, auto-connect or provider.",
    ],
}];

const TAB_RECOVERY: [Topic; 1] = [Topic {
    title: "",
    rules: &[
        "After a launch that restores tabs, the tab that matches the wanted page is selected again.",
        "A tab is pinned in the same call only after the session has shown that it can drift.",
        "It is selected again behind a command only under that risk; routine calls ask for no tab list.",
        "`about:blank` where a page was is a lost page: the answer says so and carries the call that opens it again.",
    ],
}];

/// The fragment of a name.
#[must_use]
pub fn fragment(name: &str) -> Option<&'static Fragment> {
    FRAGMENTS.iter().find(|fragment| fragment.name == name)
}

impl Fragment {
    /// As Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for topic in self.topics {
            if !topic.title.is_empty() {
                text.push_str(&format!("\n**{}**\n\n", topic.title));
            }
            topic.rules.iter().for_each(|rule| text.push_str(&format!("- {rule}\n")));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> String {
        FRAGMENTS.iter().map(Fragment::markdown).collect()
    }

    fn says(parts: &[&str]) {
        let text = text();
        for part in parts {
            assert!(text.contains(part), "{part}");
        }
    }

    // PI-04, GUARD-03, DOC-03
    #[test]
    fn always_on_guidance_is_small_and_complete() {
        let bytes: usize = TIER_A.iter().map(|line| line.len()).sum();
        assert!(bytes <= 1_600, "{bytes}");
        assert!(TIER_A.iter().all(|line| line.starts_with("agent_browser")));
        for part in [
            "args is",
            "open, read",
            "Next:",
            "\"fresh\"",
            "get text",
            "verified",
            "stop before orders",
        ] {
            assert!(TIER_A.iter().any(|line| line.contains(part)), "{part}");
        }
    }

    // DOC-04, PI-05
    #[test]
    fn the_long_guidance_holds_what_the_short_one_leaves_out() {
        let short: usize = TIER_A.iter().map(|line| line.len()).sum();
        assert!(text().len() > 3 * short);
        assert!(TIER_A.iter().all(|line| !text().contains(line)));
    }

    // DOC-02, DOC-PLAY-29, DOC-PLAY-30
    #[test]
    fn fragments_have_their_names_and_rules() {
        let names = FRAGMENTS.map(|fragment| fragment.name);
        assert_eq!(names, ["shared-guidelines", "inspection", "wrapper-tab-recovery"]);
        let inspection = fragment("inspection").unwrap().markdown();
        for part in
            [r#"["--help"]"#, r#"["--version"]"#, "plain text", "stays free for a later launch"]
        {
            assert!(inspection.contains(part), "{part}");
        }
        assert_eq!(fragment("wrapper-tab-recovery").unwrap().topics[0].rules.len(), 4);
        assert!(fragment("other").is_none());
    }

    // DOC-PLAY-01, DOC-PLAY-28, PI-08, PI-15
    #[test]
    fn the_input_is_chosen_first() {
        says(&[
            "One mode per call. `args` is the default",
            "`semanticAction`",
            "`job`",
            "`qa`",
            "`electron`",
        ]);
        says(&[
            "`sourceLookup` and `networkSourceLookup` are experimental",
            "Do not explore with `--help`",
        ]);
    }

    // DOC-PLAY-02, DOC-PLAY-03, DOC-PLAY-04, DOC-PLAY-05, DOC-PLAY-06, PI-10
    #[test]
    fn the_loop_is_open_look_act_look_again() {
        says(&["`open`, `snapshot -i`, act on the current `@refs`; take a new snapshot after"]);
        says(&[
            "exact visible label",
            "`Learn more`",
            "go into one `batch`",
            "submits by itself or re-renders",
        ]);
        says(&["`scrollintoview` brings", "Native selects: `select`"]);
        says(&["read its `Omitted` lines before", "Prefer `find role|text", "there is no `text=`"]);
    }

    // DOC-PLAY-07, DOC-PLAY-08, DOC-PLAY-09, DOC-PLAY-10, DOC-PLAY-27, PI-09, SES-11
    #[test]
    fn launches_are_planned() {
        says(&[
            "`--profile Default` first",
            "`--auto-connect` is for",
            "Do not invent session names",
        ]);
        says(&["what must outlive it needs `--profile`, `--session-name` or `--state`"]);
        says(&["--enable react-devtools", "`vitals [url]`", "`pushstate <url>`"]);
        says(&["`open` without an address, then routes, cookies and init scripts"]);
        says(&["`--headed` with `sessionMode: \"fresh\"`", "Servers that you start are yours"]);
    }

    // DIAG-HEAD-01
    #[test]
    fn a_headed_launch_is_shown_by_evidence() {
        says(&[
            "then `screenshot`, `tab list`, `get url` or `snapshot -i` as evidence",
            "no success proves that a window is visible",
        ]);
    }

    // RES-58
    #[test]
    fn a_click_is_verified_before_it_counts() {
        says(&["`Clicked …` says that the target was found and pressed, not that the app did"]);
        says(&["verify with `get`, `wait --text` or a snapshot", "look before you click again"]);
    }

    // DOC-PLAY-11, DOC-PLAY-12, DOC-PLAY-13, DOC-PLAY-20, DOC-PLAY-22, PI-11, PI-14
    #[test]
    fn reading_is_cheap_and_careful() {
        says(&["--password-stdin", "list and delete them there", "only if the task needs them"]);
        says(&[
            "the step lines carry the results",
            "`--type`, `--method`, `--status`",
            "Start and stop belong together",
        ]);
        says(&[
            "first item of the main list",
            "one `batch` of getters",
            "extract from the current view",
        ]);
        says(&[
            "a plain expression or a function that is called",
            "script in `stdin`",
            "returning a value",
        ]);
    }

    // DOC-PLAY-14, DOC-PLAY-15
    #[test]
    fn other_apps_have_their_way() {
        says(&["list, launch, probe or snapshot, and always cleanup", "`connect`"]);
        says(&[
            "agentcore",
            "`slack`",
            "`dogfood`",
            "`vercel-sandbox`",
            "`--full`",
            "the heredoc as `stdin`",
        ]);
    }

    // DOC-PLAY-16, DOC-PLAY-17, DOC-PLAY-18, DOC-PLAY-19, DOC-PLAY-23, DOC-PLAY-25, PI-12
    #[test]
    fn trouble_has_exact_answers() {
        says(&[
            "`dialog`, `confirm` or `deny` call that the answer shows",
            "`tab list`, choose the tab, snapshot",
        ]);
        says(&[
            "`wait --state` is refused",
            "`wait --fn`",
            "`--timeout N` or `timeoutMs`",
            "last resort",
            "says that time has passed, nothing more",
        ]);
        says(&[
            "`Next: {...}` is the exact call",
            "evidence, not proof",
            "Stop boundaries are your own duty",
        ]);
        says(&["(`eval … .click()`) is not trusted by pages and must not be used"]);
    }

    // DOC-PLAY-21, DOC-PLAY-24, DOC-PLAY-26, PI-13, PRES-SHOT-03
    #[test]
    fn files_and_rich_fields_are_verified() {
        says(&["`download SELECTOR PATH`", "believe it only when the answer says that it moved"]);
        says(&[
            "Native selects: `select`",
            "may only take focus",
            "`saved and verified`",
            "no look at the picture",
        ]);
        says(&["click the editable ref, then `keyboard type` in a call of its own"]);
    }
}
