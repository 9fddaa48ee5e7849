// The packages of the AI SDK for providers, and Mastra in front of them: ai-sdk.mjs FRAMEWORK FOLDER. Each line of input is
// {provider, output, follow_up}, each line of output {body} of the request, or {error}. FOLDER has the packages.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [framework, folder] = process.argv.slice(2);
const resolve = createRequire(pathToFileURL(`${folder}/package.json`)).resolve;
const load = (name) => import(pathToFileURL(resolve(name)));
const [{ createAnthropic }, { createOpenAI }, { createGoogleGenerativeAI, createGoogle }, { createAmazonBedrock }] = await Promise.all(
  ["anthropic", "openai", "google", "amazon-bedrock"].map((it) => load(`@ai-sdk/${it}`)),
);

let body;
const fetch = async (_, { body: sent }) => {
  body = JSON.parse(typeof sent === "string" ? sent : new TextDecoder().decode(sent));
  throw new Error("captured");
};
const key = { apiKey: "k", fetch };
const models = {
  anthropic: createAnthropic(key)("claude-opus-4-1"),
  openai: createOpenAI(key).responses("gpt-5"),
  "openai-chat": createOpenAI(key).chat("gpt-5"),
  google: (createGoogle ?? createGoogleGenerativeAI)(key)("gemini-3-pro-preview"),
  bedrock: createAmazonBedrock({ region: "us-east-1", ...key })("us.anthropic.claude-opus-4-1-20250805-v1:0"),
};

/** The body of the request that this makes. */
async function capture(ask) {
  body = undefined;
  try {
    await ask();
  } catch (error) {
    if (!body) throw error;
  }
  return body;
}

async function aiSdk({ provider, output, follow_up }) {
  const { generateText, jsonSchema } = await load("ai");
  const call = { toolCallId: "call_1", toolName: "tool" };
  const messages = [
    { role: "user", content: "Go" },
    { role: "assistant", content: [{ type: "tool-call", ...call, input: {} }] },
    { role: "tool", content: [{ type: "tool-result", ...call, output }] },
    ...(follow_up.length ? [{ role: "user", content: follow_up }] : []),
  ];
  // One of the packages sends no results without tools.
  const tools = { tool: { inputSchema: jsonSchema({ type: "object", properties: {} }) } };
  return capture(() => generateText({ model: models[provider], messages, tools, maxRetries: 0 }));
}

/** Its agent calls the tool, and what it then asks its model goes to the provider's package. */
async function mastra({ provider, output, follow_up }) {
  const [{ Agent }, { createTool }, { z }] = await Promise.all(["@mastra/core/agent", "@mastra/core/tools", "zod"].map(load));
  const real = models[provider];
  let prompt;
  const call = { type: "tool-call", toolCallId: "call_1", toolName: "tool", input: "{}" };
  const end = { finishReason: { unified: "tool-calls", raw: "tool_use" }, usage: { inputTokens: {}, outputTokens: {} } };
  const asked = (options, answer) => {
    if (!options.prompt.some((it) => it.role === "tool")) return answer;
    prompt = options.prompt;
    throw new Error("captured");
  };
  const model = {
    specificationVersion: real.specificationVersion,
    provider: real.provider,
    modelId: real.modelId,
    supportedUrls: {},
    doGenerate: async (options) => asked(options, { content: [call], ...end, warnings: [] }),
    doStream: async (options) => asked(options, { stream: ReadableStream.from([{ type: "stream-start", warnings: [] }, call, { type: "finish", ...end }]) }),
  };
  const tool = createTool({ id: "tool", description: "d", inputSchema: z.object({}), execute: async () => ({ done: true }), toModelOutput: () => output });
  const agent = new Agent({ id: "a", name: "a", instructions: "i", model, tools: { tool } });
  try {
    await agent.generate("Go", { maxSteps: 3, modelSettings: { maxRetries: 0 } });
  } catch (error) {
    if (!prompt) throw error;
  }
  if (!prompt) throw new Error("it asked nothing after the call");
  // In front of the providers' packages, the agent's user message is a part of the same form.
  const parts = follow_up.map((it) => (real.specificationVersion === "v4" && it.type === "file" ? { ...it, data: { type: "data", data: it.data } } : it));
  if (parts.length) prompt = [...prompt, { role: "user", content: parts }];
  return capture(() => real.doGenerate({ prompt, tools: [{ type: "function", name: "tool", inputSchema: { type: "object", properties: {} } }] }));
}

console.error = console.warn = console.log = () => {};
const request = { "ai-sdk": aiSdk, mastra }[framework];
for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = { body: await request(JSON.parse(line)) };
  } catch (error) {
    answer = { error: `${error.name}: ${error.message}` };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
