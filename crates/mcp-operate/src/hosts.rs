//! The hosts that connect to MCP servers: where each keeps its servers, what an entry looks like there, and how it gets there.

mod edit;
mod file;
#[cfg(feature = "pages")]
mod guide;
mod host;
#[cfg(feature = "pages")]
mod page;
mod program;
mod snippet;

pub use file::{Change, ConfigFile, FileError, Format};
pub use host::Host;
#[cfg(feature = "pages")]
pub use page::{authorization, instructions, links};
pub use program::{Program, Server};
