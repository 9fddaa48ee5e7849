// What the converters of the installed npm packages make of the inputs; each writes one file of ../vendors.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

const corpus = join(dirname(fileURLToPath(import.meta.url)), "..");
const packages = process.argv[2];
const folder = process.argv[3] ?? join(corpus, "vendors");
const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const load = (name, path) => {
  let entry = path ?? read(join(packages, "node_modules", name, "package.json")).exports["."];
  while (typeof entry !== "string") entry = entry.import ?? entry.default;
  return import(pathToFileURL(join(packages, "node_modules", name, entry)));
};
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
async function anthropic() {
  const { mcpTool } = await load("@anthropic-ai/sdk", "helpers/beta/mcp.mjs");
  return async (result) => {
    const tool = mcpTool({ name: "f", inputSchema: {} }, { callTool: async () => result });
    try { return { content: await tool.run({}), is_error: false }; }
    catch (error) {
      if (error.constructor.name !== "ToolError") throw error;
      return { content: error.content, is_error: true };
    }
  };
}
async function googleGenai() {
  const { mcpToTool } = await load("@google/genai", "dist/node/index.mjs");
  return async (result) => {
    const tools = [{ name: "f", inputSchema: { type: "object" } }];
    const tool = mcpToTool({ listTools: async () => ({ tools }), callTool: async () => result });
    const [{ functionResponse }] = await tool.callTool([{ name: "f", args: {} }]);
    return functionResponse;
  };
}
async function langchain() {
  const { loadMcpTools } = await load("@langchain/mcp-adapters");
  const tools = [{ name: "f", inputSchema: { type: "object", properties: {} } }];
  return async (result) => {
    const client = { listTools: async () => ({ tools }), callTool: async () => result, readResource: async () => ({ contents: [] }) };
    const [tool] = await loadMcpTools("s", client);
    const { content, artifact, status } = await tool.invoke({ type: "tool_call", id: "c1", name: "f", args: {} });
    return { content, artifact, status };
  };
}
// What goes to the model: not the output of the tool, but what the runner makes of it.
const agents = (useStructuredContent) => async () => {
  const { mcpToFunctionTool } = await load("@openai/agents-core", "dist/mcp.mjs");
  const { getToolCallOutputItem } = await load("@openai/agents-core", "dist/runner/toolExecution.mjs");
  return async (result) => {
    const server = { name: "s", useStructuredContent, errorFunction: null, callTool: async () => result.content, callToolResult: async () => result };
    const tool = mcpToFunctionTool({ name: "f", inputSchema: { type: "object", properties: {} } }, server, false);
    const output = await tool.invoke(undefined, "{}");
    return getToolCallOutputItem({ name: "f", callId: "c1" }, output).output;
  };
};
// Its client talks to a server: this script, which answers with the inputs.
const mastra = (...flags) => async () => {
  const { MCPClient } = await load("@mastra/mcp");
  console.error = () => {}; // It tells of each input that it refuses.
  const client = new MCPClient({ servers: { s: { command: process.execPath, args: [fileURLToPath(import.meta.url), "--serve", ...flags] } } });
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
  { vendor: "ai-sdk", package: "@ai-sdk/mcp", mcp: null, target: "ai_sdk", options: {}, make: aiSdk },
  { vendor: "copilot-node", package: "@github/copilot-sdk", mcp: null, target: "copilot", options: { flavor: "node" }, make: copilot },
];
mkdirSync(folder, { recursive: true });
for (const { vendor, package: name, mcp, target, options, without_preset, make } of vendors) {
  const convert = await make();
  const outputs = {};
  for (const [input, result] of Object.entries(inputs)) {
    try { outputs[input] = { value: await convert(structuredClone(result)) }; }
    catch (error) { outputs[input] = { error: error.constructor.name }; }
  }
  const head = { vendor, language: "javascript", package: name, version: versionOf(name), mcp, target, options, without_preset };
  const rows = Object.entries(outputs).map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const lines = ["{", '  "$schema": "../schema.json",', ...Object.entries(head).filter(([, value]) => value !== undefined).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`), '  "outputs": {', rows.join(",\n"), "  }", "}"];
  writeFileSync(join(folder, `${vendor}.json`), lines.join("\n") + "\n");
  console.log(vendor, head.version, Object.values(outputs).filter((it) => "value" in it).length, "of", rows.length);
}
process.exit(0);
