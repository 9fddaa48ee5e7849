//! A view: a page that hosts show beside the answer of a tool.

use mcp_protocol::ui::View;
use mcp_server::{ToolRouter, tool_schema::record};

use crate::tool::Pure;

record! {
    struct Squares {
        /// The first square numbers.
        squares: Vec<u32>,
    }
}

/// The page, which is given to the server, too.
pub(crate) fn view() -> View {
    View::versioned(
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
    tools
        .pure("test_view", "Shows square numbers.", async || Squares {
            squares: (1..=9).map(|it| it * it).collect(),
        })
        .map_last_tool(|tool| tool.with_view(&view()))
}
