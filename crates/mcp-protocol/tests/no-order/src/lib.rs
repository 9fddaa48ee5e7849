//! Nothing: the tests are those of `mcp-protocol`, built with other features of `serde_json`.
