// The server under test: its catalogue, its command line on stdio, and a process that serves HTTP.

import { execFile, spawn } from "node:child_process";
import { createServer, connect } from "node:net";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

const START_DEADLINE_MS = 20_000;
const STOP_DEADLINE_MS = 5_000;
// Every tool is listed, so that clients validate the outcome of every tool.
const SURFACE = ["--surface", "full"];

/** All tools as `{name, outputSchema, example, …}`, from the binary itself. */
export async function catalogue(path) {
  const { stdout } = await promisify(execFile)(path, ["tools", "--json", ...SURFACE], {
    maxBuffer: 64 * 1024 * 1024,
    timeout: START_DEADLINE_MS,
  });
  return JSON.parse(stdout);
}

/** The command that speaks MCP on stdio. */
export function stdioCommand(path) {
  return [path, "--demo", ...SURFACE];
}

/** Starts the server over HTTP; `stop` ends it, and fails when SIGTERM does not. */
export async function serveHttp(path) {
  const port = await freePort();
  const child = spawn(path, ["http", "--listen", `127.0.0.1:${port}`, "--demo", ...SURFACE], {
    stdio: ["ignore", "inherit", "pipe"],
  });
  let log = "";
  child.stderr.on("data", (text) => (log = (log + text).slice(-10_000)));
  const ended = once(child, "exit");
  await listening(port, child, () => log);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async stop() {
      child.kill("SIGTERM");
      const late = delay(STOP_DEADLINE_MS, "late", { ref: false });
      if ((await Promise.race([ended, late])) === "late") {
        child.kill("SIGKILL");
        throw new Error("the server did not end on SIGTERM");
      }
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

async function listening(port, child, log) {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return;
    } catch {
      await delay(20);
    } finally {
      socket.destroy();
    }
  }
  child.kill("SIGKILL");
  throw new Error(`the server does not listen\n${log()}`);
}
