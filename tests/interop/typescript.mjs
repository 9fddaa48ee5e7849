// What both majors of the TypeScript SDK do alike. Once the tools are listed, they validate each outcome
// against the tool's outputSchema.

import { setTimeout as delay } from "node:timers/promises";

const DEADLINE_MS = 20_000;

export const INFO = { name: "qortal-mcp-interop", version: "1.0.0" };
export const CAPABILITIES = { elicitation: {}, sampling: {} };
export const OPTIONS = { timeout: DEADLINE_MS };

/**
 * The steps of a connected client. `sdk` is what the majors do differently: `call(params, options)`, `on(method,
 * handler)` for notifications, and `listen(filter)`, which resolves to a function that ends it.
 */
export function steps(client, sdk) {
  const logs = [];
  sdk.on("notifications/message", ({ params }) => logs.push(params.data));
  const call = (params, options) => sdk.call(params, { ...OPTIONS, ...options });
  const tools = async () => (await client.listTools(undefined, OPTIONS)).tools.map(({ name }) => name);
  return {
    tools,
    call: ({ tool, arguments: given }) => call({ name: tool, arguments: given }),
    async resources({ most }) {
      const { resources } = await client.listResources(undefined, OPTIONS);
      const read = [];
      for (const { uri } of resources.slice(0, most ?? resources.length)) {
        read.push({ uri, contents: (await client.readResource({ uri }, OPTIONS)).contents });
      }
      return read;
    },
    async prompt({ name, arguments: given }) {
      const { prompts } = await client.listPrompts(undefined, OPTIONS);
      const { messages } = await client.getPrompt({ name, arguments: given }, OPTIONS);
      return { listed: prompts.map((it) => it.name), messages };
    },
    async complete({ prompt, argument, value }) {
      const ref = { type: "ref/prompt", name: prompt };
      const { completion } = await client.complete({ ref, argument: { name: argument, value } }, OPTIONS);
      return completion.values;
    },
    async progress({ tool }) {
      const seen = [];
      await call({ name: tool }, { onprogress: ({ progress }) => seen.push(progress) });
      return seen;
    },
    async log({ tool }) {
      await client.setLoggingLevel("info", OPTIONS);
      await call({ name: tool });
      return logs;
    },
    async subscribe({ uri, tool }) {
      const end = await sdk.listen({ resourceSubscriptions: [uri] });
      const update = heard(sdk, "notifications/resources/updated");
      await call({ name: tool });
      const { params } = await update;
      await end();
      return params.uri;
    },
    async changes({ tool }) {
      const end = await sdk.listen({ toolsListChanged: true });
      const change = heard(sdk, "notifications/tools/list_changed");
      await call({ name: tool });
      await change;
      await end();
      return tools();
    },
  };
}

/** The transport to where a script says the server is. */
export function transport({ command, url }, Stdio, Http) {
  if (url) {
    return new Http(new URL(url));
  }
  const [program, ...args] = command;
  return new Stdio({ command: program, args, stderr: "inherit" });
}

/** What `listen` is with a handshake: changes of lists are told without being asked for. */
export async function subscribe(client, { resourceSubscriptions = [] }) {
  for (const uri of resourceSubscriptions) {
    await client.subscribeResource({ uri }, OPTIONS);
  }
  return async () => {
    for (const uri of resourceSubscriptions) {
      await client.unsubscribeResource({ uri }, OPTIONS);
    }
  };
}

/** What the user writes into a form. */
export function filledIn({ params }, answers) {
  const asked = Object.keys(params.requestedSchema.properties);
  return { action: "accept", content: Object.fromEntries(asked.map((field) => [field, answers[field]])) };
}

/** What the model says. */
export function sampled(text) {
  return { role: "assistant", model: "none", stopReason: "endTurn", content: { type: "text", text } };
}

/** The next notification of a method. */
async function heard(sdk, method) {
  const timer = new AbortController();
  const late = delay(DEADLINE_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`no ${method}`);
  });
  try {
    return await Promise.race([new Promise((resolve) => sdk.on(method, resolve)), late]);
  } finally {
    timer.abort();
  }
}
