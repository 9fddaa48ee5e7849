// The official Inspector: its command line, which reads links, and its page, which shows views.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", import.meta.url));

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** What the command line says of the views of all tools: a line of JSON for each. */
export function appInfo(url) {
  const child = spawn(process.execPath, [program, "--cli", "--transport", "http", "--server-url", url, "--method", "tools/list", "--app-info"]);
  let said = "";
  child.stdout.on("data", (data) => (said += data));
  child.stderr.on("data", (data) => (said += data));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, said })));
}

/** Starts the page; `close` ends it. */
export async function startInspector() {
  const token = randomBytes(16).toString("hex");
  const [client, sandbox] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [program, "--web"], {
    env: {
      ...process.env, HOST: "127.0.0.1", CLIENT_PORT: String(client), MCP_SANDBOX_PORT: String(sandbox),
      MCP_AUTO_OPEN_ENABLED: "false", MCP_INSPECTOR_API_TOKEN: token,
    },
  });
  let said = "";
  const listens = new Promise((resolve, reject) => {
    const hear = (data) => {
      said += data;
      if (said.includes(String(client))) resolve();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("close", () => reject(new Error(`the Inspector ended: ${said}`)));
  });
  await listens;
  const page = (url, tool, args) => {
    const query = new URLSearchParams({
      serverUrl: url, transport: "http", autoConnect: token, openApp: tool,
      appArgs: Buffer.from(JSON.stringify(args)).toString("base64url"), autoOpen: token, MCP_INSPECTOR_API_TOKEN: token,
    });
    return `http://127.0.0.1:${client}/?${query}`;
  };
  return { page, close: () => child.kill() };
}
