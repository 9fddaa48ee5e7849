//! The hosts that connect to MCP servers: where each keeps its servers, what an entry looks like there, and how it gets there.

mod edit;
mod file;
mod guide;
mod host;
mod program;
mod snippet;

pub use file::{ConfigFile, FileError, Format};
pub use guide::{Guide, TOKEN, Way, guides};
pub use host::Host;
pub use program::{Program, Server};
pub use snippet::{command_line, quoted};
