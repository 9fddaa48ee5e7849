//! Tools, resources, prompts and completions as sets of an MCP server, and a server with all of them.

mod prompts;
mod resources;
mod server;
mod tools;
mod views;

pub use self::{
    prompts::Prompts,
    resources::Resources,
    server::{ResourceUpdates, answer_memory, limits, server, server_without_sets},
    tools::{Tools, definition},
    views::views,
};
