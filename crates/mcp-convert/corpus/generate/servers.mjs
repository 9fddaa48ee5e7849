// What the installed TypeScript SDK answers, as one entry of ../servers.json.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const name = "@modelcontextprotocol/sdk";
const sdk = join(process.argv[2], "node_modules", name);
const load = (path) => import(pathToFileURL(join(sdk, "dist/esm", path)));
const { McpServer } = await load("server/mcp.js");
const { InMemoryTransport } = await load("inMemory.js");
const text = (it) => ({ type: "text", text: it });
const compact = (value) => ({ content: [text(JSON.stringify(value))], structuredContent: value });
const tools = {
  text: () => ({ content: [text("hello")] }),
  object: () => compact({ height: 468 }),
  pretty: () => ({ content: [text(JSON.stringify({ height: 468 }, null, 2))], structuredContent: { height: 468 } }),
  list: () => compact({ offers: [{ n: 1 }, { n: 2 }] }),
  summary: () => ({ content: [text("It is 21 degrees")], structuredContent: { temp: 21 } }),
  thrown: () => { throw new Error("boom"); },
  failure: () => ({ content: [text("bad input")], isError: true }),
  picture: () => ({ content: [text("a chart"), { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }] }),
  link: () => ({ content: [{ type: "resource_link", uri: "file:///a.csv", name: "a.csv", mimeType: "text/csv" }] }),
};
const server = new McpServer({ name: "s", version: "1" });
for (const [tool, answer] of Object.entries(tools)) server.registerTool(tool, {}, async () => answer());
const [ours, theirs] = InMemoryTransport.createLinkedPair();
const waiting = new Map();
ours.onmessage = ({ id, result }) => waiting.get(id)?.(result);
await server.connect(theirs);
await ours.start();
let next = 0;
// No client of the SDK, so that nothing of an answer is lost on its way.
const call = (method, params) => new Promise((resolve) => {
  waiting.set(next, resolve);
  ours.send({ jsonrpc: "2.0", id: next++, method, params });
});
await call("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } });
const results = {};
for (const tool of Object.keys(tools)) results[tool] = await call("tools/call", { name: tool, arguments: {} });
const { version } = JSON.parse(readFileSync(join(sdk, "package.json"), "utf8"));
console.log(JSON.stringify({ package: name, version, about: "McpServer of the official TypeScript SDK", results }));
process.exit(0);
