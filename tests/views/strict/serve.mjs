// Serves the host and its sandbox, which differ in origin, and states the policy of views exactly as the specification
// has it ("Content Security Policy Enforcement").
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

function policy(csp) {
  const list = (origins, ...more) => [...more, ...(origins ?? [])].join(" ");
  const resources = list(csp.resourceDomains, "'self'", "'unsafe-inline'");
  const media = list(csp.resourceDomains, "'self'", "data:");
  return [
    "default-src 'none'",
    `script-src ${resources}`,
    `style-src ${resources}`,
    `connect-src ${csp.connectDomains?.length ? list(csp.connectDomains, "'self'") : "'none'"}`,
    `img-src ${media}`,
    `font-src ${list(csp.resourceDomains, "'self'")}`,
    `media-src ${media}`,
    `frame-src ${csp.frameDomains?.length ? list(csp.frameDomains) : "'none'"}`,
    "object-src 'none'",
    `base-uri ${csp.baseUriDomains?.length ? list(csp.baseUriDomains) : "'self'"}`,
  ].join("; ");
}

async function listen(answer) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => (server.closeAllConnections(), server.close()) };
}

export async function serve() {
  const bundle = await build({ entryPoints: [here("host.mjs")], bundle: true, format: "esm", write: false, logLevel: "error" });
  const script = bundle.outputFiles[0].text;
  const sandboxPage = await readFile(here("sandbox.html"), "utf8");
  const page = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>host</title><link rel="icon" href="data:,">
<style>body { margin: 0; } iframe { width: 100%; height: 420px; border: 0; display: block; }</style></head>
<body></body><script type="module" src="/host.js"></script></html>`;
  const host = await listen((request, response) => {
    const isScript = request.url === "/host.js";
    response.writeHead(200, { "Content-Type": isScript ? "text/javascript" : "text/html; charset=utf-8" });
    response.end(isScript ? script : page);
  });
  const sandbox = await listen((request, response) => {
    const csp = JSON.parse(new URL(request.url, "http://localhost").searchParams.get("csp") || "{}");
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy(csp) });
    response.end(sandboxPage);
  });
  return { host: host.url, sandbox: sandbox.url, close: () => (host.close(), sandbox.close()) };
}
