// Bedrock through the AWS SDK for JavaScript, which encodes bytes itself: bedrock_bytes.mjs PROGRAM, beside its package. With `decoded`, as the
// page about frameworks has it, the request has the bytes of the image once encoded.
import { strictEqual } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { BedrockRuntimeClient, ConverseCommand } from "@aws-sdk/client-bedrock-runtime";

const decoded = (value, name) =>
  name === "bytes" ? Buffer.from(value, "base64")
  : Array.isArray(value) ? value.map((it) => decoded(it))
  : value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([key, it]) => [key, decoded(it, key)]))
  : value;

const data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const result = { content: [{ type: "image", data, mimeType: "image/png" }] };
const { stdout } = spawnSync(process.argv[2], ["--to", "bedrock"], { input: JSON.stringify(result), encoding: "utf8" });
let body;
const handle = async (request) => {
  body = request.body;
  throw new Error("captured");
};
const credentials = { accessKeyId: "k", secretAccessKey: "k" };
const client = new BedrockRuntimeClient({ region: "us-east-1", credentials, requestHandler: { handle } });
const messages = [{ role: "user", content: [decoded(JSON.parse(stdout))] }];
await client.send(new ConverseCommand({ modelId: "m", messages })).catch((error) => {
  if (!body) throw error;
});
const [message] = JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)).messages;
strictEqual(message.content[0].toolResult.content[0].image.source.bytes, data);
console.error("AWS SDK for JavaScript: the bytes of a decoded result are sent once encoded");
