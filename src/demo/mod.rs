//! `demo`: the same work through upstream's command line and through this tool, on bundled pages,
//! and a report of both. It needs no network and leaves one file.
//!
//! First the story of the stale ref (`story`), then an order in ten steps (`order`), then what stays
//! when the host is killed (`left_behind`). What the pages were really told is kept by the server
//! (`server`, `site`), so no answer has to be believed.

mod html;
mod left_behind;
mod mcp_client;
mod numbers;
mod order;
mod report;
mod server;
mod side;
mod site;
mod stage;
mod story;
mod terminal;

use std::io;
use std::path::PathBuf;

use tokio_util::sync::CancellationToken;

use crate::run::places::PlacesError;
use crate::run::{ParentEnv, Places, RunError};
use crate::setup::{NOTHING_CHANGED, SetupError, SetupOptions, SetupReport, setup};
use left_behind::LeftBehind;
use mcp_client::tool_list_bytes;
use order::Flow;
use server::Server;
use side::Side;
use stage::Stage;
use story::Story;

/// What to show, and where.
#[derive(Clone, Debug)]
pub struct DemoOptions {
    /// The directory of the report.
    pub out: PathBuf,
    /// This program, for the part where a server of ours is killed.
    pub own_exe: PathBuf,
}

/// Why the demo could not be shown to its end.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// Upstream or a browser is missing and cannot be installed.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A process could not be started.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A private directory cannot be used.
    #[error(transparent)]
    Places(#[from] PlacesError),
    /// A file, a socket or a process.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A call answered in a way that the demo cannot go on with.
    #[error("{call} answered:\n{answer}")]
    Unexpected {
        /// The call.
        call: String,
        /// Its answer.
        answer: String,
    },
    /// The bundled page did not move on.
    #[error("the browser did not follow the redirect of the bundled page")]
    NoRedirect,
    /// A server process did not answer.
    #[error("`{} mcp` did not answer", name.display())]
    NoServer {
        /// Its executable.
        name: PathBuf,
    },
    /// Somebody pressed Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

/// Everything of one side.
struct Half {
    story: Story,
    flow: Flow,
    left: LeftBehind,
    tool_list_bytes: usize,
    story_picture: Vec<u8>,
    order_picture: Vec<u8>,
}

/// Both sides, and what they ran with.
struct Comparison {
    upstream: String,
    browser: String,
    raw: Half,
    ours: Half,
}

/// Shows everything and leaves the report; the path of the report comes back.
///
/// # Errors
/// When it could not be shown to its end. Nothing keeps running then either.
pub async fn run(
    options: &DemoOptions,
    env: ParentEnv,
    places: &Places,
    cancel: CancellationToken,
    say: &mut (dyn FnMut(&str) + Send),
) -> Result<PathBuf, DemoError> {
    say("agent-browser-native demo: the same work through agent-browser and through this tool");
    let ready = set_up(&env, places, &cancel, say).await?;
    let upstream = ready.upstream.ok_or(RunError::NotFound)?;
    let stage = Stage::new(options.own_exe.clone(), upstream.exe.clone(), env, places)?;
    let server = Server::start().await?;
    say(&format!("Pages: {} (bundled, this machine only)", server.url("/")));
    let mut raw = Side::new(stage.raw(), cancel.clone());
    let mut ours = Side::new(stage.ours(), cancel.clone());
    let compared = tokio::select! {
        compared = compare(&stage, &server, &mut raw, &mut ours, say) => compared,
        () = cancel.cancelled() => Err(DemoError::Interrupted),
    };
    tokio::join!(raw.close(), ours.close(), left_behind::end_everything(&stage));
    let (raw, ours) = compared?;
    let comparison = Comparison {
        upstream: upstream.version.to_string(),
        browser: ready.browser.map_or_else(String::new, |browser| browser.version),
        raw,
        ours,
    };
    terminal::numbers(&comparison, say);
    let file = report::write(&options.out, &comparison)?;
    say("");
    say(&format!("Report: {}", file.display()));
    Ok(file)
}

/// Puts in place what is missing. That nothing had to be changed is no news here.
async fn set_up(
    env: &ParentEnv,
    places: &Places,
    cancel: &CancellationToken,
    say: &mut (dyn FnMut(&str) + Send),
) -> Result<SetupReport, SetupError> {
    let mut tell = |line: &str| {
        if line != NOTHING_CHANGED {
            say(line);
        }
    };
    setup(SetupOptions::default(), env, places, cancel, &mut tell).await
}

async fn compare(
    stage: &Stage,
    server: &Server,
    raw: &mut Side,
    ours: &mut Side,
    say: &mut (dyn FnMut(&str) + Send),
) -> Result<(Half, Half), DemoError> {
    tokio::try_join!(raw.warm_up(), ours.warm_up())?;
    terminal::story_title(say);
    let raw_story = story::play(raw, server, "story-raw.png").await?;
    terminal::story("agent-browser, on its own", &raw_story, say);
    let our_story = story::play(ours, server, "story-ours.png").await?;
    terminal::story("agent-browser-native", &our_story, say);

    terminal::order_title(say);
    let raw_flow = order::place(raw, server, "order-raw.png").await?;
    let our_flow = order::place(ours, server, "order-ours.png").await?;
    terminal::order(&our_flow, &raw_flow, say);

    let page = server.url("/shop/ours/");
    let raw_left = left_behind::of_raw(stage, &page).await?;
    let our_left = left_behind::of_ours(stage, &page).await?;
    let raw_tools = tool_list_bytes(&stage.upstream, stage.raw_env(), &stage.cwd).await?;
    let our_tools = tool_list_bytes(&stage.own_exe, stage.own_env(), &stage.cwd).await?;
    let picture = |name: &str| std::fs::read(stage.cwd.join(name));
    let raw = Half {
        story: raw_story,
        flow: raw_flow,
        left: raw_left,
        tool_list_bytes: raw_tools,
        story_picture: picture("story-raw.png")?,
        order_picture: picture("order-raw.png")?,
    };
    let ours = Half {
        story: our_story,
        flow: our_flow,
        left: our_left,
        tool_list_bytes: our_tools,
        story_picture: picture("story-ours.png")?,
        order_picture: picture("order-ours.png")?,
    };
    Ok((raw, ours))
}

impl Half {
    /// Calls of the order.
    fn calls(&self) -> usize {
        self.flow.calls.len()
    }

    /// Bytes that the model reads during the order.
    fn bytes(&self) -> usize {
        self.flow.calls.iter().map(side::Exchange::bytes).sum()
    }

    /// Time of the order's calls.
    fn ms(&self) -> u128 {
        self.flow.calls.iter().map(|call| call.ms).sum()
    }
}

/// About four bytes of English or JSON make a token.
const BYTES_PER_TOKEN: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    /// A comparison as a run gives it, without the run.
    pub(super) fn comparison() -> Comparison {
        Comparison {
            upstream: "0.41.0".to_owned(),
            browser: "Chromium 156".to_owned(),
            raw: sample(true),
            ours: sample(false),
        }
    }

    fn sample(deleted: bool) -> Half {
        let call = |step| side::Exchange {
            step,
            call: "open".to_owned(),
            answer: "Opened".to_owned(),
            failed: false,
            ms: 5,
        };
        Half {
            story: Story { calls: vec![call(None)], deleted, refused: !deleted },
            flow: Flow { calls: vec![call(Some("1 Open the shop"))], received: Vec::new() },
            left: LeftBehind::default(),
            tool_list_bytes: 1,
            story_picture: vec![1],
            order_picture: vec![1],
        }
    }

    #[test]
    fn sums_are_those_of_the_order() {
        let half = sample(false);
        assert_eq!((half.calls(), half.bytes(), half.ms()), (1, 6, 5));
    }
}
