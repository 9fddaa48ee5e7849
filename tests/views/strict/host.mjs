// The page of a host, around the official AppBridge. It runs in the browser; `mount` shows one view in one state.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  AppBridge, McpUiResourceMetaSchema, McpUiToolMetaSchema, PostMessageTransport, RESOURCE_MIME_TYPE, RESOURCE_URI_META_KEY, getToolUiResourceUri,
} from "@modelcontextprotocol/ext-apps/app-bridge";

const EXTENSION = { "io.modelcontextprotocol/ui": { mimeTypes: [RESOURCE_MIME_TYPE] } };
const ALL = {
  openLinks: {},
  serverTools: {},
  serverResources: {},
  logging: {},
  message: { text: {} },
  updateModelContext: { text: {} },
};

/** What was said between the view and the host, and what the host was asked for. */
const log = [];
let client;
let bridge;

async function connect(url) {
  if (client) return;
  client = new Client({ name: "strict-host", version: "1" }, { capabilities: { extensions: EXTENSION } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
}

/** The page of a tool, once the types of the SDK have judged what the server says of it. */
window.readView = async (tool) => {
  if (!client.getServerCapabilities().extensions?.["io.modelcontextprotocol/ui"]) throw new Error("the server does not declare the extension");
  const { tools } = await client.listTools();
  const linked = tools.find((it) => it.name === tool);
  McpUiToolMetaSchema.parse(linked._meta.ui);
  const uri = getToolUiResourceUri(linked);
  if (linked._meta[RESOURCE_URI_META_KEY] !== uri) throw new Error("the two links differ");
  const read = await client.readResource({ uri });
  const [page, ...more] = read.contents;
  if (more.length || page.mimeType !== RESOURCE_MIME_TYPE) throw new Error("not a view");
  McpUiResourceMetaSchema.parse(page._meta.ui);
  return read;
};

window.mount = async ({ url, sandbox, tool, args = {}, context = {}, isBare = false, result, cancelled, isSilent = false }) => {
  await connect(url);
  log.length = 0;
  const { contents } = await window.readView(tool);
  const frame = document.createElement("iframe");
  frame.title = "view";
  const policy = JSON.stringify(contents[0]._meta?.ui?.csp ?? {});
  const ready = new Promise((resolve) => addEventListener("message", function hear(event) {
    if (event.source !== frame.contentWindow || event.data?.method !== "ui/notifications/sandbox-proxy-ready") return;
    removeEventListener("message", hear);
    resolve();
  }));
  frame.src = `${sandbox}?csp=${encodeURIComponent(policy)}`;
  document.body.replaceChildren(frame);
  await ready;
  bridge = new AppBridge(client, { name: "strict-host", version: "1" }, isBare ? {} : ALL, { hostContext: context });
  bridge.onsizechange = ({ height }) => { if (height) frame.style.height = `${height}px`; };
  bridge.onmessage = async (params) => (log.push({ asked: params.content }), {});
  bridge.onupdatemodelcontext = async (params) => (log.push({ noted: params.content }), {});
  const initialized = new Promise((resolve) => { bridge.oninitialized = resolve; });
  const transport = new PostMessageTransport(frame.contentWindow, frame.contentWindow);
  addEventListener("message", ({ source, data }) => source === frame.contentWindow && data?.method && log.push({ view: data.method }));
  await bridge.connect(transport);
  const send = transport.send.bind(transport);
  transport.send = (message, ...rest) => {
    if (message.method) log.push({ host: message.method });
    return send(message, ...rest);
  };
  await bridge.sendSandboxResourceReady({ html: contents[0].text, csp: contents[0]._meta?.ui?.csp });
  await initialized;
  if (isSilent) return;
  await bridge.sendToolInput({ arguments: args });
  if (cancelled !== undefined) await bridge.sendToolCancelled({ reason: cancelled });
  else await bridge.sendToolResult(result ?? (await client.callTool({ name: tool, arguments: args })));
};

window.callTool = async (url, name, args) => {
  await connect(url);
  return client.callTool({ name, arguments: args });
};
/** Sends the view that is shown another result, or the end of another call. */
window.sendResult = (result) => bridge.sendToolResult(result);
window.sendCancelled = (reason) => bridge.sendToolCancelled({ reason });
window.changeContext = (context) => bridge.setHostContext(context);
window.teardown = async () => {
  const begun = performance.now();
  await bridge.teardownResource({});
  return performance.now() - begun;
};
window.heard = () => log;
