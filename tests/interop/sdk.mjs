// The TypeScript SDK's client: once connected, it validates each outcome against the tool's outputSchema.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { judgeCall, judgeList } from "./judge.mjs";

const DEADLINE_MS = 30_000;

/** Lists and calls all tools; returns what went wrong. `target` is a URL or a command. */
export async function drive(target, tools) {
  const client = new Client({ name: "qortal-mcp-interop", version: "1.0.0" });
  const options = { timeout: DEADLINE_MS };
  const problems = [];
  client.onerror = (error) => problems.push(`client: ${error.message}`);
  try {
    await client.connect(transport(target), options);
    const problem = judgeList((await client.listTools(undefined, options)).tools, tools);
    if (problem) {
      problems.push(problem);
    }
    for (const { name, example } of tools) {
      problems.push(...(await call(client, name, example, options)));
    }
  } catch (error) {
    problems.push(error.message);
  } finally {
    client.onerror = undefined;
    await client.close();
  }
  return problems;
}

async function call(client, name, example, options) {
  try {
    const result = await client.callTool({ name, arguments: example }, undefined, options);
    return [judgeCall(name, result)].filter(Boolean);
  } catch (error) {
    return [`${name}: ${error.message}`];
  }
}

function transport(target) {
  if (Array.isArray(target)) {
    const [command, ...args] = target;
    return new StdioClientTransport({ command, args, stderr: "ignore" });
  }
  return new StreamableHTTPClientTransport(new URL(target));
}
