// For Node.js, Deno and Bun, which read the module that comes with this file at once.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { start } = require("./core.cjs");

module.exports = start(new WebAssembly.Module(readFileSync(join(__dirname, "mcp_convert.wasm"))));
