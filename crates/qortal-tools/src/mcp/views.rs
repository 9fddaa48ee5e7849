//! The views of the catalog for MCP clients.

use std::sync::LazyLock;

use mcp_protocol::ui::View;

static VIEWS: LazyLock<Vec<View>> = LazyLock::new(|| {
    let all = qortal_views::View::ALL.into_iter();
    all.map(|it| {
        View::new(it.uri, it.name, it.html)
            .with_title(it.title)
            .with_description(it.description)
            .with_border(true)
    })
    .collect()
});

/// The views that listed tools are linked to if [`Selection::views`](crate::Selection::views) is set. Give each to the server, with
/// [`Builder::view`](mcp_server::Builder::view).
#[must_use]
pub fn views() -> &'static [View] {
    &VIEWS
}

/// The view of a tool.
pub(super) fn view_of(tool: &str) -> Option<&'static View> {
    let name = qortal_views::View::of_tool(tool)?.name;
    VIEWS.iter().find(|it| it.name == name)
}
