//! A view: a page that hosts show beside the answer of a tool.

use mcp_protocol::{CallToolResult, ui::View};
use mcp_server::ToolRouter;
use serde_json::json;

use crate::tool::tool;

/// The page, which is given to the server, too.
pub(crate) fn view() -> View {
    View::new(
        "ui://everything/squares.html",
        "squares",
        include_str!("view.html"),
    )
    .with_title("Squares")
    .with_description("Square numbers as bars.")
    .with_border(true)
}

/// Adds the tool that is linked to it. Its answer is complete without the page.
pub(crate) fn add_to(tools: ToolRouter) -> ToolRouter {
    let linked = tool("test_view", "Shows square numbers.").with_view(&view());
    tools.with(linked, |_| async {
        let squares: Vec<u32> = (1..=9).map(|it| it * it).collect();
        CallToolResult::structured(json!({"squares": squares}))
    })
}
