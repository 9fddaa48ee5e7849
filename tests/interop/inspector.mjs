// MCP Inspector's command line: one process a request, in three eras.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

import { judgeCall, judgeList } from "./judge.mjs";

const LAUNCHER = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/inspector/package.json").replace(
    /package\.json$/,
    "clients/launcher/build/index.js",
  ),
);
const DEADLINE_MS = 60_000;
// Each request is a process of its own.
const AT_ONCE = 4;

export const ERAS = ["legacy", "auto", "modern"];

/** Lists and calls all tools; returns what went wrong. `target` is a URL or a command. */
export async function drive(target, era, tools) {
  // Options the Inspector does not know are the server's.
  const server = Array.isArray(target) ? target : [target, "--transport", "http"];
  const listed = await ask(server, era, ["--method", "tools/list", "--strict"]);
  const problem = listed.problem ?? judgeList(listed.result.tools, tools);
  if (problem) {
    return [problem];
  }
  const problems = [];
  const waiting = [...tools];
  const worker = async () => {
    for (let tool = waiting.shift(); tool; tool = waiting.shift()) {
      const call = ["--method", "tools/call", "--tool-name", tool.name];
      const answer = await ask(server, era, [...call, "--tool-args-json", JSON.stringify(tool.example)]);
      const wrong = answer.problem ? `${tool.name}: ${answer.problem}` : judgeCall(tool.name, answer.result);
      if (wrong) {
        problems.push(wrong);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return problems;
}

async function ask(server, era, request) {
  const options = ["--protocol-era", era, "--format", "json", ...request];
  const child = spawn(process.execPath, [LAUNCHER, "--cli", ...server, ...options], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: DEADLINE_MS,
  });
  const [output, errors, code] = await Promise.all([
    collected(child.stdout),
    collected(child.stderr),
    new Promise((resolve) => child.on("close", (code, signal) => resolve(code ?? signal))),
  ]);
  // 5 is a tool that failed; its result says why.
  if (code !== 0 && !(code === 5 && output)) {
    return { problem: `exit ${code}: ${(errors || output).trim().slice(0, 500)}` };
  }
  try {
    return { result: JSON.parse(output).result };
  } catch {
    return { problem: `not JSON: ${output.slice(0, 300)}` };
  }
}

async function collected(stream) {
  let text = "";
  for await (const chunk of stream.setEncoding("utf8")) {
    text += chunk;
  }
  return text;
}
