//! The reference as MCP resources, one for each section.

use rmcp::ErrorData;
use rmcp::model::{ListResourcesResult, ReadResourceResult, Resource, ResourceContents};

use crate::docs;

/// In front of the ids of sections.
const SCHEME: &str = "agent-browser-native://docs/";
const MARKDOWN: &str = "text/markdown";

pub(super) fn list() -> ListResourcesResult {
    let resource = |section: docs::Section| {
        Resource::new(format!("{SCHEME}{}", section.id), section.id)
            .with_title(section.title)
            .with_mime_type(MARKDOWN)
            .with_size(section.text.len() as u64)
    };
    ListResourcesResult::with_all_items(docs::sections().into_iter().map(resource).collect())
}

pub(super) fn read(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let sections = uri.strip_prefix(SCHEME).map(docs::find).unwrap_or_default();
    if sections.is_empty() {
        let message = "There is no such section; resources/list names them.";
        return Err(ErrorData::resource_not_found(message, None));
    }
    let contents = sections.into_iter().map(|section| {
        let uri = format!("{SCHEME}{}", section.id);
        ResourceContents::text(section.text, uri).with_mime_type(MARKDOWN)
    });
    Ok(ReadResourceResult::new(contents.collect()))
}
