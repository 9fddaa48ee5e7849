// What the converters of the installed npm packages make of the inputs; each writes one file of ../vendors.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const corpus = join(dirname(fileURLToPath(import.meta.url)), "..");
const packages = process.argv[2];
const folder = process.argv[3] ?? join(corpus, "vendors");
const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const load = (name) => {
  let entry = read(join(packages, "node_modules", name, "package.json")).exports["."];
  while (typeof entry !== "string") entry = entry.import ?? entry.default;
  return import(pathToFileURL(join(packages, "node_modules", name, entry)));
};
const versionOf = (name) => read(join(packages, "node_modules", name, "package.json")).version;

const inputs = {};
for (const [name, it] of Object.entries(read(join(corpus, "inputs.json")).inputs)) inputs[name] = it.result;
for (const server of read(join(corpus, "servers.json")).servers)
  for (const [name, result] of Object.entries(server.results)) inputs[`${server.package} ${server.version} ${name}`] = result;

// The converter is not exported: a tool of a client has it.
async function aiSdk() {
  const { createMCPClient, experimental_createMCPClient } = await load("@ai-sdk/mcp");
  const transport = {
    start: async () => {}, close: async () => {},
    send: async (message) => {
      if (message.id === undefined) return;
      const results = {
        initialize: { protocolVersion: message.params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
        "tools/list": { tools: [{ name: "f", inputSchema: { type: "object" } }] },
      };
      queueMicrotask(() => transport.onmessage({ jsonrpc: "2.0", id: message.id, result: results[message.method] }));
    },
  };
  const client = await (createMCPClient ?? experimental_createMCPClient)({ transport });
  const { f } = await client.tools();
  return async (output) => f.toModelOutput({ output });
}
async function copilot() {
  const sdk = await load("@github/copilot-sdk");
  return async (result) => sdk.convertMcpCallToolResult(result);
}
const vendors = [
  { vendor: "ai-sdk", package: "@ai-sdk/mcp", mcp: null, target: "ai_sdk", options: {}, make: aiSdk },
  { vendor: "copilot-node", package: "@github/copilot-sdk", mcp: null, target: "copilot", options: { flavor: "node" }, make: copilot },
];
mkdirSync(folder, { recursive: true });
for (const { vendor, package: name, mcp, target, options, make } of vendors) {
  const convert = await make();
  const outputs = {};
  for (const [input, result] of Object.entries(inputs)) {
    try { outputs[input] = { value: await convert(structuredClone(result)) }; }
    catch (error) { outputs[input] = { error: error.constructor.name }; }
  }
  const head = { vendor, language: "javascript", package: name, version: versionOf(name), mcp, target, options };
  const rows = Object.entries(outputs).map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const lines = ["{", '  "$schema": "../schema.json",', ...Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`), '  "outputs": {', rows.join(",\n"), "  }", "}"];
  writeFileSync(join(folder, `${vendor}.json`), lines.join("\n") + "\n");
  console.log(vendor, head.version, Object.values(outputs).filter((it) => "value" in it).length, "of", rows.length);
}
process.exit(0);
