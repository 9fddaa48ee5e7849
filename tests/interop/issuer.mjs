// An authorization server for the sign-in of docs/sign-in.md: oidc-provider, which lets clients register themselves or name a document with
// their metadata, and issues JWT access tokens for the server that a client names. Its one user signs in without a form.
import { once } from "node:events";
import { createServer } from "node:http";

import Provider from "oidc-provider";

/** The user, and the scope that the server asks for. */
export const USER = "alice";
export const SCOPE = "qortal:read";

/**
 * Starts it on a free port of the loopback. `documents` are the metadata of clients by URL, in place of the internet; `algorithm` signs
 * the tokens, which last for `seconds`. The result has the `grants` for which tokens were issued.
 */
export async function start({ algorithm, documents = {}, seconds = 600 }) {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const { privateKey } = await crypto.subtle.generateKey(...KEYS[algorithm], true, ["sign", "verify"]);
  const jwk = await crypto.subtle.exportKey("jwk", privateKey);
  const settings = {
    jwks: { keys: [{ ...jwk, key_ops: undefined, ext: undefined, alg: algorithm, use: "sig", kid: algorithm }] },
    scopes: ["openid", "offline_access", SCOPE],
    clientDefaults: { id_token_signed_response_alg: algorithm },
    enabledJWA: { idTokenSigningAlgValues: [algorithm] },
    cookies: { keys: ["for a test"] },
    pkce: { required: () => true },
    fetch: (url) => Promise.resolve(Response.json(documents[url], { status: documents[url] ? 200 : 404 })),
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      clientIdMetadataDocument: { enabled: true, ack: "draft-02" },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        // A token for a server is a JWT with the URL of that server in `aud`, and no token for userinfo.
        getResourceServerInfo: (_, resource) => ({
          scope: SCOPE,
          audience: resource,
          accessTokenFormat: "jwt",
          accessTokenTTL: seconds,
          jwt: { sign: { alg: algorithm } },
        }),
      },
    },
    interactions: { url: (_, interaction) => `/sign-in/${interaction.uid}` },
  };
  let provider;
  try {
    provider = new Provider(issuer, settings);
  } catch (err) {
    // Otherwise the process would wait for it.
    server.close();
    throw err;
  }
  const grants = [];
  provider.on("grant.success", (context) => grants.push(context.oidc.params.grant_type));
  const respond = provider.callback();
  server.on("request", (request, response) => {
    if (!request.url.startsWith("/sign-in/")) return respond(request, response);
    signIn(provider, request, response).catch((err) => response.writeHead(500).end(String(err)));
  });
  return {
    issuer,
    grants,
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

const KEYS = {
  ES384: [{ name: "ECDSA", namedCurve: "P-384" }],
  PS256: [{ name: "RSA-PSS", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" }],
};

/** Does what the forms of a real server do: the user signs in, and consents to all that is asked. */
async function signIn(provider, request, response) {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") return provider.interactionFinished(request, response, { login: { accountId: USER } });
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  grant.addOIDCScope(params.scope ?? "");
  for (const resource of [params.resource].flat()) grant.addResourceScope(resource, SCOPE);
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}
