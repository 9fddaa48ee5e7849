// The converters of npm packages as functions of a result. `adapters(folder)` has one for each: called, it loads its package
// from the node_modules of the folder and returns the function, which raises what the package raises.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export function adapters(packages) {
  const read = (path) => JSON.parse(readFileSync(path, "utf8"));
  const load = (name, path) => {
    let entry = path ?? read(join(packages, "node_modules", name, "package.json")).exports["."];
    while (typeof entry !== "string") entry = entry.import ?? entry.default;
    return import(pathToFileURL(join(packages, "node_modules", name, entry)));
  };
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
  return { load, aiSdk, copilot, anthropic, googleGenai, langchain, agents };
}
