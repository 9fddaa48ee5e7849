// The TypeScript SDK, v1: it knows the handshake only.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";

import { play } from "./script.mjs";
import { CAPABILITIES, INFO, OPTIONS, filledIn, sampled, steps, subscribe, transport } from "./typescript.mjs";

const NOTIFICATIONS = {
  "notifications/message": LoggingMessageNotificationSchema,
  "notifications/resources/updated": ResourceUpdatedNotificationSchema,
  "notifications/tools/list_changed": ToolListChangedNotificationSchema,
};

await play(async (script) => {
  const client = new Client(INFO, { capabilities: CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, (request) => filledIn(request, script.answers));
  client.setRequestHandler(CreateMessageRequestSchema, () => sampled(script.answers.model));
  const wire = transport(script, StdioClientTransport, StreamableHTTPClientTransport);
  // The client keeps what was agreed on to itself, and tells the transport.
  let revision;
  const { setProtocolVersion } = wire;
  wire.setProtocolVersion = (agreed) => {
    revision = agreed;
    setProtocolVersion?.call(wire, agreed);
  };
  await client.connect(wire, OPTIONS);
  return {
    about: { revision },
    steps: steps(client, {
      call: (params, options) => client.callTool(params, undefined, options),
      on: (method, handler) => client.setNotificationHandler(NOTIFICATIONS[method], handler),
      listen: (filter) => subscribe(client, filter),
    }),
    async close() {
      await wire.terminateSession?.();
      await client.close();
    },
  };
});
