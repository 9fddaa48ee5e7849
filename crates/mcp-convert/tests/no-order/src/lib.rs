//! Nothing: the tests are those of `mcp-convert`, built with other features of `serde_json`.
