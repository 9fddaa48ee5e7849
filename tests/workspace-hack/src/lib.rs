//! The features of other people's crates that the workspace asks for together. `cargo hakari generate` writes the manifest.
