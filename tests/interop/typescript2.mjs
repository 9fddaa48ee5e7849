// The TypeScript SDK, v2: by handshake, by asking the server first, or at 2026-07-28 without asking.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { play } from "./script.mjs";
import { CAPABILITIES, INFO, OPTIONS, filledIn, sampled, steps, subscribe, transport } from "./typescript.mjs";

const MODES = { legacy: "legacy", auto: "auto", modern: { pin: "2026-07-28" } };

await play(async (script) => {
  const client = new Client(INFO, { capabilities: CAPABILITIES, versionNegotiation: { mode: MODES[script.era] } });
  client.setRequestHandler("elicitation/create", (request) => filledIn(request, script.answers));
  client.setRequestHandler("sampling/createMessage", () => sampled(script.answers.model));
  const wire = transport(script, StdioClientTransport, StreamableHTTPClientTransport);
  await client.connect(wire, OPTIONS);
  const isModern = client.getProtocolEra() === "modern";
  return {
    about: { revision: client.getNegotiatedProtocolVersion() },
    steps: steps(client, {
      call: (params, options) => client.callTool(params, options),
      on: (method, handler) => client.setNotificationHandler(method, handler),
      listen: isModern ? (filter) => listen(client, filter) : (filter) => subscribe(client, filter),
    }),
    async close() {
      await wire.terminateSession?.();
      await client.close();
    },
  };
});

async function listen(client, filter) {
  const subscription = await client.listen(filter, OPTIONS);
  return () => subscription.close();
}
