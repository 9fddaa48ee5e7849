// Issues tokens on a port of the loopback, with a key for each algorithm in turn.
import { OAuth2Server } from "oauth2-mock-server";

const server = new OAuth2Server();
for (const algorithm of ["RS256", "ES256", "EdDSA", "ES384", "PS256"]) {
  await server.issuer.keys.generate(algorithm);
}
await server.start(Number(process.argv[2]), "127.0.0.1");
