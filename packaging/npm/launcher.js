#!/usr/bin/env node
// Starts the program of this platform, which npm has installed beside this package, and ends as it ends.
"use strict";

const { spawn } = require("node:child_process");

const { platform, arch } = process;
const program = platform === "win32" ? "qortal-mcp.exe" : "qortal-mcp";
const pkg = `qortal-mcp-${platform}-${arch}`;

let path;
try {
  path = require.resolve(`${pkg}/${program}`);
} catch {
  console.error(
    `qortal-mcp: there is no program for ${platform} on ${arch}: the optional package ${pkg} is not installed.\n` +
      "Install without --omit=optional, or build it with Rust: cargo install --locked qortal-mcp",
  );
  process.exit(1);
}

const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`qortal-mcp: cannot start ${path}: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  // As the program ended: by the same signal, which no longer has a listener.
  for (const name of signals) process.removeAllListeners(name);
  process.kill(process.pid, signal);
});
