// What the converters of the installed npm packages make of the inputs; each writes one file of ../vendors.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { adapters } from "../adapters.mjs";

const corpus = join(dirname(fileURLToPath(import.meta.url)), "..");
const packages = process.argv[2];
const { load, aiSdk, copilot, anthropic, googleGenai, langchain, agents } = adapters(packages);
const folder = process.argv[3] ?? join(corpus, "vendors");
const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const versionOf = (name) => read(join(packages, "node_modules", name, "package.json")).version;

const inputs = {};
for (const [name, it] of Object.entries(read(join(corpus, "inputs.json")).inputs)) inputs[name] = it.result;
for (const server of read(join(corpus, "servers.json")).servers)
  for (const [name, result] of Object.entries(server.results)) inputs[`${server.package} ${server.version} ${name}`] = result;

// With --schemas each tool of a structured result has an output schema, which some clients go by.
const outputSchema = (result) =>
  process.argv[3] === "--schemas" && typeof (result?.structuredContent ?? undefined) === "object" ? { outputSchema: { type: "object" } } : {};
async function serve() {
  const results = Object.values(inputs);
  const inputSchema = { type: "object", properties: {} };
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const answers = {
      initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }),
      "tools/list": () => ({ tools: results.map((result, index) => ({ name: `n${index}`, inputSchema, ...outputSchema(result) })) }),
      "tools/call": () => results[Number(params.name.slice(1))],
    };
    const answer = answers[method] ? { result: answers[method]() } : { error: { code: -32601, message: "unknown method" } };
    console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  }
}
if (process.argv[2] === "--serve") {
  await serve();
  process.exit(0);
}

// The converter is not exported: a tool of a client has it.
// Its client talks to a server: this script, which answers with the inputs.
const mastra = (...flags) => async () => {
  const { MCPClient } = await load("@mastra/mcp");
  console.error = () => {}; // It tells of each input that it refuses.
  // It waits for each answer that it cannot read.
  const client = new MCPClient({ timeout: 2000, servers: { s: { command: process.execPath, args: [fileURLToPath(import.meta.url), "--serve", ...flags] } } });
  const tools = await client.listTools();
  let next = 0;
  return async () => {
    // Inputs come in their order, whether they are equal to others or not.
    const tool = tools[`s_n${next++}`];
    const output = await tool.execute({}, {});
    // Without a function of the tool, its agent takes every object for JSON.
    return JSON.parse(JSON.stringify(tool.toModelOutput?.(output) ?? { type: "json", value: output }));
  };
};
const DATA = "Its outputs are data alone: no function of this crate equals them.";
const vendors = [
  { vendor: "anthropic-node", package: "@anthropic-ai/sdk", mcp: null, target: "anthropic", options: {}, make: anthropic },
  { vendor: "google-genai-node", package: "@google/genai", mcp: null, without_preset: DATA, make: googleGenai },
  { vendor: "langchain-node", package: "@langchain/mcp-adapters", mcp: null, without_preset: DATA, make: langchain },
  { vendor: "mastra", package: "@mastra/mcp", mcp: null, without_preset: DATA, make: mastra() },
  { vendor: "mastra-schema", package: "@mastra/mcp", mcp: null, without_preset: DATA, make: mastra("--schemas") },
  { vendor: "openai-agents-node", package: "@openai/agents-core", mcp: null, without_preset: DATA, make: agents(false) },
  { vendor: "openai-agents-structured-node", package: "@openai/agents-core", mcp: null, without_preset: DATA, make: agents(true) },
  // npm installs this version under Node 20. It goes with ai 6.
  { vendor: "ai-sdk-6", package: "@ai-sdk/mcp", tag: "@1", mcp: null, without_preset: DATA, make: aiSdk },
  { vendor: "ai-sdk", package: "@ai-sdk/mcp", mcp: null, target: "ai_sdk", options: {}, make: aiSdk },
  { vendor: "copilot-node", package: "@github/copilot-sdk", mcp: null, target: "copilot", options: { flavor: "node" }, make: copilot },
];
const newest = JSON.parse(process.env.NEWEST ?? "{}");
mkdirSync(folder, { recursive: true });
for (const { vendor, package: name, tag = "", mcp, target, options, without_preset, make } of vendors) {
  // Each package is in a folder of its own.
  if (!(name + tag in newest)) continue;
  const convert = await make();
  const outputs = {};
  for (const [input, result] of Object.entries(inputs)) {
    try { outputs[input] = { value: await convert(structuredClone(result)) }; }
    catch (error) { outputs[input] = { error: error.constructor.name }; }
  }
  const head = { vendor, language: "javascript", package: name, version: versionOf(name), mcp, newest: newest[name + tag], target, options, without_preset };
  const rows = Object.entries(outputs).map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const lines = ["{", '  "$schema": "../schema.json",', ...Object.entries(head).filter(([, value]) => value !== undefined).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`), '  "outputs": {', rows.join(",\n"), "  }", "}"];
  writeFileSync(join(folder, `${vendor}.json`), lines.join("\n") + "\n");
  console.log(vendor, head.version, Object.values(outputs).filter((it) => "value" in it).length, "of", rows.length);
}
process.exit(0);
