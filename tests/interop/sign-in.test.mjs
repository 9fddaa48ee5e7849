// The recipe of docs/sign-in.md: a person who adds the URL to a host signs in at an authorization server, and the host calls a tool. The hosts are
// the TypeScript SDK and examples/oauth, which know nothing but the URL.
import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createInterface } from "node:readline";
import { before, describe, test } from "node:test";

import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";

import { build, run, scratch, start, target } from "../servers.mjs";
import { SCOPE, start as startIssuer } from "./issuer.mjs";

const REDIRECT = "http://127.0.0.1:9/callback";
const METADATA_URL = "https://host.example.org/client.json";
const METADATA = {
  client_name: "A host",
  redirect_uris: [REDIRECT],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
};
/** Pages that a browser follows before it is back at the host. */
const MOST_PAGES = 10;
/** The time that a host has at most. */
const PATIENCE_MS = 60_000;

let program;
describe("sign-in", () => {
  // Only with these tests: see clients.test.mjs.
  before(async () => (program = join(await build(), "qortal-mcp")));

  for (const [way, algorithm, clientMetadataUrl] of [
    ["registers itself", "ES384", undefined],
    ["names a document with its metadata", "PS256", METADATA_URL],
  ]) {
    test(`sign-in: a host that ${way} calls a tool, tokens with ${algorithm}`, async (it) => {
      const { server } = await serve(it, { algorithm });
      const person = new Person(clientMetadataUrl);
      const transport = () => new StreamableHTTPClientTransport(new URL(server.url), { authProvider: person });
      const host = () => new Client({ name: "host", version: "1" });
      const first = transport();
      await rejects(host().connect(first), UnauthorizedError);
      equal(person.asked.searchParams.get("resource"), server.url);
      // Where an authorization server offers it, the SDK asks for a refresh token too.
      equal(person.asked.searchParams.get("scope"), `${SCOPE} offline_access`);
      equal(person.asked.searchParams.get("code_challenge_method"), "S256");
      if (clientMetadataUrl) equal(person.asked.searchParams.get("client_id"), clientMetadataUrl);
      const back = await browse(person.asked);
      await first.finishAuth(back.searchParams);

      const client = host();
      await client.connect(transport());
      const { tools } = await client.listTools();
      ok(tools.length > 20, `${tools.length} tools`);
      const result = await client.callTool({ name: "get_block_height", arguments: {} });
      deepEqual(result.structuredContent, { height: 468 });
      await client.close();

      const token = person.saved.access_token;
      const claims = JSON.parse(Buffer.from(token.split(".")[1], "base64url"));
      equal(claims.aud, server.url);
      const forged = await fetch(server.url, {
        method: "POST",
        headers: { Authorization: `Bearer ${token.slice(0, -4)}AAAA`, "Content-Type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
      equal(forged.status, 401);
      match(forged.headers.get("www-authenticate"), /error="invalid_token"/);
    });
  }

  test("sign-in: the client of examples/oauth refreshes its token and lists the tools", async (it) => {
    await run("cargo", ["build", "--quiet", "--workspace", "--bin", "oauth-client"]);
    // The client takes tokens that end within ten seconds for expired.
    const { server, issuer } = await serve(it, { algorithm: "ES384", seconds: 5 });
    const host = spawn(join(target, "debug/oauth-client"), [server.url], { stdio: ["ignore", "pipe", "pipe"], timeout: PATIENCE_MS });
    const listed = text(host.stdout);
    let page;
    for await (const line of createInterface(host.stderr)) {
      page ??= line.match(/http\S+/)?.[0];
      if (page) break;
    }
    const asked = new URL(page);
    equal(asked.searchParams.get("resource"), server.url);
    equal(asked.searchParams.get("scope"), `offline_access ${SCOPE}`);
    equal((await fetch(await browse(asked))).status, 200);
    match(await listed, /^get_node_health: /m);
    deepEqual([...new Set(issuer.grants)], ["authorization_code", "refresh_token"]);
  });
});

/** A server that accepts the tokens of an authorization server of its own. */
async function serve(it, settings) {
  const documents = { [METADATA_URL]: { client_id: METADATA_URL, ...METADATA } };
  const issuer = await startIssuer({ documents, ...settings });
  it.after(() => issuer.stop());
  const log = join(scratch("interop/runs"), `${it.name.replaceAll(/\W+/g, "-")}.log`);
  const options = ["--oauth-issuer", issuer.issuer, "--oauth-scopes", SCOPE];
  const server = await start(program, ["http", "--demo=recorded", "--listen", "127.0.0.1:0", ...options], log);
  it.after(() => server.stop());
  return { server, issuer };
}

/** What a host keeps for a person, who has to visit the address that it opens. */
class Person {
  constructor(clientMetadataUrl) {
    this.clientMetadataUrl = clientMetadataUrl;
  }
  get redirectUrl() {
    return REDIRECT;
  }
  get clientMetadata() {
    return METADATA;
  }
  clientInformation() {
    return this.client;
  }
  saveClientInformation(client) {
    this.client = client;
  }
  tokens() {
    return this.saved;
  }
  saveTokens(tokens) {
    this.saved = tokens;
  }
  redirectToAuthorization(url) {
    this.asked = url;
  }
  saveCodeVerifier(verifier) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
  saveDiscoveryState(state) {
    this.found = state;
  }
  discoveryState() {
    return this.found;
  }
}

/** Follows the pages of the authorization server as a browser does, with its cookies, until it is back at the host. */
async function browse(url) {
  const cookies = new Map();
  const redirect = url.searchParams.get("redirect_uri");
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    if (url.href.startsWith(redirect)) return url;
    const cookie = [...cookies].map((it) => it.join("=")).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name, ...value] = line.split(";")[0].split("=");
      cookies.set(name, value.join("="));
    }
    const next = response.headers.get("location");
    if (!next) throw new Error(`${url} answers ${response.status}: ${await response.text()}`);
    url = new URL(next, url);
  }
  throw new Error(`no way back to the host after ${MOST_PAGES} pages`);
}
