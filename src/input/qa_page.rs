//! What a check of a page asks the page itself.

use serde_json::Value;

/// Waits until the page has loaded and asks for nothing new for 200 ms, at most 1.5 s: what a page
/// does just behind its load belongs to the check. Tells which page that is: one that leads to
/// another is checked there. Never fails by itself.
pub(super) const SETTLE: &str = "new Promise((resolve) => { const end = performance.now() + 1500; \
let count = -1, quiet = 0; const look = () => { const now = performance.getEntriesByType('resource').length; \
quiet = now === count && document.readyState === 'complete' ? quiet + 1 : 0; count = now; \
if (quiet >= 4 || performance.now() > end) resolve({ url: location.href, title: document.title }); \
else setTimeout(look, 50); }; look(); })";

/// Visible text, white space collapsed, open shadow roots and readable frames included (DEC-45).
///
/// `innerText` tells what is shown only of an element that has a box; of any other it is all of its
/// text. An element with `display: contents` has no box, and is shown where its parent is. A hidden
/// frame does not hide what its own document thinks of itself.
pub(super) fn text_predicate(text: &str) -> String {
    let wanted = Value::String(text.to_owned());
    format!(
        "(() => {{ const css = (e) => getComputedStyle(e), flat = (s) => s.replace(/\\s+/g, ' '), want = flat({wanted}).trim(); \
         const drawn = (n, how) => n && (n.checkVisibility(how) || (css(n).display === 'contents' \
         && drawn(n.assignedSlot || n.parentElement || n.getRootNode().host, how))); \
         const part = (n) => {{ if (n.nodeType === 3) return css(n.parentNode.host).visibility === 'visible' ? n.data : ''; \
         if (n.nodeType > 1 || !drawn(n)) return ''; \
         const gap = css(n).display.startsWith('inline') ? '' : ' '; return gap + (n.innerText || '') + gap; }}; \
         const has = (root) => flat(root.body ? root.body.innerText : [...root.childNodes].map(part).join('')).includes(want) \
         || [...root.querySelectorAll('*')].some((e) => (e.shadowRoot && drawn(e) && has(e.shadowRoot)) \
         || (/^I?FRAME$/.test(e.tagName) && e.clientWidth && e.clientHeight && drawn(e, {{ visibilityProperty: true }}) \
         && e.contentDocument && has(e.contentDocument))); return has(document); }})()"
    )
}
