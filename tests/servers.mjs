// The servers of this repository, for suites in Node.js: built, started on a free port, ended.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
export const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");

const STARTED_MS = 30_000;
const STOPPED_MS = 10_000;

/** A folder below the target for what a suite writes. */
export function scratch(name) {
  const folder = join(target, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Runs a program that may talk to the terminal; throws if it fails. */
export async function run(program, args, options) {
  const [code] = await once(spawn(program, args, { cwd: root, stdio: ["ignore", 2, 2], ...options }), "exit");
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} failed`);
}

/**
 * Builds the servers, and returns the folder of their programs: with the features of the whole workspace, as its tests are, so that
 * nothing is compiled twice.
 */
export async function build() {
  const programs = ["qortal-mcp", "everything-server", "mcp-convert"];
  await run("cargo", ["build", "--quiet", "--workspace", ...programs.flatMap((it) => ["--bin", it])]);
  return join(target, "debug");
}

/** Starts a server that says where it listens; what it says goes to `log`. */
export async function start(program, args, log) {
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(child, "exit");
  const file = createWriteStream(log);
  const url = await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${program} does not listen, see ${log}`)), STARTED_MS);
    child.on("error", reject);
    ended.then(([code]) => reject(new Error(`${program} ended with ${code}, see ${log}`)));
    const lines = createInterface(child.stderr);
    // The last lines come after the end of the process.
    lines.on("close", () => file.end());
    lines.on("line", (line) => {
      file.write(`${line}\n`);
      const said = line.match(/http:\/\/127\.0\.0\.1:\d+\/mcp/);
      if (said) {
        clearTimeout(late);
        resolve(said[0]);
      }
    });
  });
  return {
    url,
    /** Ends it with a signal, as a service manager does. */
    async stop() {
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), STOPPED_MS);
      const [, signal] = await ended;
      clearTimeout(late);
      if (signal === "SIGKILL") throw new Error(`${program} does not end when it is asked to`);
    },
  };
}
