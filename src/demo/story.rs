//! The story of the stale ref: a page moves on by itself, and the old ref is clicked.
//!
//! Page one has a link where page two has a button that deletes everything. A ref of page one still
//! has a place in upstream's memory, so the click lands on page two, and upstream reports success.

use std::time::Duration;

use super::DemoError;
use super::server::Server;
use super::side::{Exchange, Side};

/// A browser on a busy machine follows a redirect in less.
const REDIRECT_LIMIT: Duration = Duration::from_secs(20);
/// How long the click may take to reach the server.
const DELETE_LIMIT: Duration = Duration::from_millis(700);

/// How the story ended for one side.
pub(super) struct Story {
    pub(super) calls: Vec<Exchange>,
    /// What the server knows, whatever the answers said.
    pub(super) deleted: bool,
    /// The click was refused.
    pub(super) refused: bool,
}

/// The page moves on behind this call; the next one clicks.
pub(super) const MOVES_ON_BEHIND: usize = 2;

/// Plays it and saves a picture of the page as it is at the end.
pub(super) async fn play(
    side: &mut Side,
    server: &Server,
    picture: &str,
) -> Result<Story, DemoError> {
    let run = side.run();
    side.must(&["open", &server.url(&format!("/story/{run}/"))]).await?;
    side.must(&["snapshot", "-i"]).await?;
    let link = side.reference("link", "Continue to your files").await?;
    server.change(|site| site.let_go(run));
    if !server.saw(REDIRECT_LIMIT, |site| site.has_arrived(run)).await {
        return Err(DemoError::NoRedirect);
    }
    let refused = side.call(&["click", &link]).await?.failed;
    let deleted = server.saw(DELETE_LIMIT, |site| site.was_deleted(run)).await;
    side.call(&["get", "text", "#status"]).await?;
    let calls = side.take_said();
    side.picture(picture).await?;
    Ok(Story { calls, deleted, refused })
}
