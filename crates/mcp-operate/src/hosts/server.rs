//! The server, as hosts know it.

/// The server, as hosts know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Server {
    /// Its name in their configurations.
    pub name: &'static str,
    /// The name of the program, and of its packages for npx and uvx.
    pub program: &'static str,
}

impl Server {
    /// A server of this name, which this program is.
    #[must_use]
    pub const fn new(name: &'static str, program: &'static str) -> Self {
        Self { name, program }
    }
}
