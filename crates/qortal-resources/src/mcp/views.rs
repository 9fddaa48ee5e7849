//! Pages that hosts show next to tool results.

use std::sync::LazyLock;

use mcp_protocol::ui::View;

/// Returns the views that are linked from listed tools if [`Selection::views`](qortal_tools::Selection::views) is set. Pass each to the
/// server with [`Builder::view`](mcp_server::ServerBuilder::view).
#[must_use]
pub fn views() -> &'static [View] {
    &VIEWS
}

/// Returns the view of a tool.
pub(super) fn view_of(tool: &str) -> Option<&'static View> {
    let name = qortal_views::View::of_tool(tool)?.name;
    VIEWS.iter().find(|it| it.name == name)
}

static VIEWS: LazyLock<Vec<View>> = LazyLock::new(|| {
    let all = qortal_views::View::ALL.into_iter();
    all.map(|it| {
        View::versioned(it.uri, it.name, it.html)
            .with_title(it.title)
            .with_description(it.description)
            .with_border(true)
    })
    .collect()
});
