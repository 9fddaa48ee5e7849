// MCP Inspector's command line: a process for each request, and for each of those a server on stdio.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

import { play } from "./script.mjs";

const LAUNCHER = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/inspector/package.json").replace(
    /package\.json$/,
    "clients/launcher/build/index.js",
  ),
);
const DEADLINE_MS = 60_000;
const LONGEST = 64 * 1024 * 1024;
const AT_ONCE = 2;
// What the Inspector exits with when a tool has failed; its result says why.
const TOOL_FAILED = 5;

await play(async ({ command, url, era }) => {
  // Options the Inspector does not know are the server's.
  const server = command ?? [url, "--transport", "http"];
  const common = ["--protocol-era", era, "--format", "json"];
  const ask = (method, ...options) => inspect([...server, ...common, "--method", method, ...options]);
  const { protocolVersion } = await ask("initialize");
  return {
    about: { revision: protocolVersion },
    steps: {
      tools: async () => (await ask("tools/list", "--strict")).tools.map(({ name }) => name),
      call: ({ tool, arguments: given }) =>
        ask("tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(given)),
      async resources({ most }) {
        const { resources } = await ask("resources/list");
        const read = resources.slice(0, most ?? resources.length).map(async ({ uri }) => {
          return { uri, contents: (await ask("resources/read", "--uri", uri)).contents };
        });
        return Promise.all(read);
      },
      async prompt({ name, arguments: given }) {
        const { prompts } = await ask("prompts/list");
        const pairs = Object.entries(given).map(([argument, value]) => `${argument}=${value}`);
        const { messages } = await ask("prompts/get", "--prompt-name", name, "--prompt-args", ...pairs);
        return { listed: prompts.map((it) => it.name), messages };
      },
    },
    // Nothing is open between requests.
    async close() {},
  };
}, AT_ONCE);

function inspect(options) {
  return new Promise((resolve, reject) => {
    const limits = { timeout: DEADLINE_MS, maxBuffer: LONGEST };
    execFile(process.execPath, [LAUNCHER, "--cli", ...options], limits, (error, output, errors) => {
      if (error && !(error.code === TOOL_FAILED && output)) {
        reject(new Error(`${error.code ?? error.signal}: ${(errors || output).trim()}`));
        return;
      }
      try {
        resolve(JSON.parse(output).result);
      } catch {
        reject(new Error(`not JSON: ${output}`));
      }
    });
  });
}
