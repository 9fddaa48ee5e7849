// Which of the values the TypeScript SDK refuses: peers.mjs FOLDER, with [name, value] a line on standard input.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const { resolve } = createRequire(pathToFileURL(`${process.argv[2]}/package.json`));
const { CallToolResultSchema, ToolResultContentSchema } = await import(pathToFileURL(resolve("@modelcontextprotocol/sdk/types.js")));
const lines = readFileSync(0, "utf8").trim().split("\n").map((it) => JSON.parse(it));
const refused = lines.flatMap(([name, value]) => {
  const { success, error } = (value.toolUseId ? ToolResultContentSchema : CallToolResultSchema).safeParse(value);
  return success ? [] : [[name, error.message.replaceAll("\n", " ").slice(0, 300)]];
});
console.log(JSON.stringify(refused));
