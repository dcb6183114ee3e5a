//! `network requests --current-page`, `--current-origin`, `--current-url`: flags of ours, which
//! upstream does not know (PLAN-21).

use url::Url;

use crate::command::Argv;

const FLAGS: [&str; 3] = ["--current-page", "--current-origin", "--current-url"];

/// Which requests are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageFilter {
    /// Those to the origin of the active page.
    Origin,
    /// Those for the active document itself.
    Url,
}

impl PageFilter {
    /// The filter that the caller asks for; with several, the narrowest.
    #[must_use]
    pub fn of(argv: &Argv) -> Option<Self> {
        let [page, origin, url] = FLAGS.map(|flag| argv.has_own_flag(flag));
        if argv.name() != "network" {
            None
        } else if url {
            Some(Self::Url)
        } else {
            (page || origin).then_some(Self::Origin)
        }
    }

    /// The words without our flags. A value of another flag that only looks like one of them stays.
    #[must_use]
    pub fn strip(argv: &Argv, words: Vec<String>) -> Vec<String> {
        let values =
            ["--filter", "--type", "--method", "--status"].map(|flag| argv.own_value(flag));
        let is_value = |at: usize| values.iter().flatten().any(|value| value.index == at);
        let kept = words
            .into_iter()
            .enumerate()
            .filter(|(at, word)| is_value(*at) || !FLAGS.contains(&word.as_str()));
        kept.map(|(_, word)| word).collect()
    }

    /// The word for `details`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Origin => "origin",
            Self::Url => "url",
        }
    }

    /// True for a request that belongs to the page.
    #[must_use]
    pub fn keeps(self, page: &str, request: &str) -> bool {
        let (Ok(mut page), Ok(mut request)) = (Url::parse(page), Url::parse(request)) else {
            return false;
        };
        match self {
            Self::Origin => page.origin() == request.origin(),
            Self::Url => {
                page.set_fragment(None);
                request.set_fragment(None);
                page == request
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argv(words: &[&str]) -> Argv {
        Argv::of_words(words)
    }

    // PLAN-21, DIAG-NETF-01
    #[test]
    fn our_flags_are_removed_and_nothing_else() {
        let call = argv(&["network", "requests", "--current-page", "--filter", "--current-url"]);
        assert_eq!(PageFilter::of(&call), Some(PageFilter::Origin));
        let sent = PageFilter::strip(&call, call.words.clone());
        assert_eq!(sent, ["network", "requests", "--filter", "--current-url"]);
        assert_eq!(PageFilter::of(&argv(&["network", "requests"])), None);
        let both = argv(&["network", "requests", "--current-origin", "--current-url"]);
        assert_eq!(PageFilter::of(&both), Some(PageFilter::Url));
    }

    // PLAN-21, DIAG-NETF-01
    #[test]
    fn an_origin_has_a_port_and_a_document_has_no_fragment() {
        let page = "http://shop.test:8080/cart?x=1#top";
        let origin = |request| PageFilter::Origin.keeps(page, request);
        assert!(origin("http://shop.test:8080/api"));
        assert!(!origin("http://shop.test/api") && !origin("https://shop.test:8080/api"));
        assert!(!origin("data:image/png;base64,AA") && !origin("nonsense"));
        let document = |request| PageFilter::Url.keeps(page, request);
        assert!(document("http://shop.test:8080/cart?x=1"));
        assert!(!document("http://shop.test:8080/cart") && !document("http://shop.test:8080/"));
        // Two pages without an origin are not of one origin.
        assert!(!PageFilter::Origin.keeps("about:blank", "data:text/plain,x"));
    }
}
