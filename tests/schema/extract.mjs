// Writes the schemas that the conformance suite carries to files, or with --check compares them with the files.
import { readFileSync, writeFileSync } from "node:fs";

const bundle = new URL("../conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url);
const text = readFileSync(bundle, "utf8");

/** The end of the object literal that begins at `start`. */
function end(start) {
  let depth = 0;
  let quote;
  for (let at = start; at < text.length; at++) {
    const c = text[at];
    if (quote !== undefined) {
      if (c === "\\") at++;
      else if (c === quote) quote = undefined;
    } else if ("`'\"".includes(c)) quote = c;
    else if ("{[(".includes(c)) depth++;
    else if ("}])".includes(c) && --depth === 0) return at + 1;
  }
  throw new Error("the bundle ends within a schema");
}

/** Each revision is known by a definition that the ones before it lack. */
function revision(definitions) {
  if (definitions.DiscoverResult) return "2026-07-28";
  if (definitions.CreateTaskResult) return "2025-11-25";
  if (definitions.ResourceLink) return "2025-06-18";
  if (definitions.JSONRPCBatchRequest) return "2025-03-26";
  throw new Error("a schema of no known revision");
}

const found = new Map();
for (const { index } of text.matchAll(/=\{\$schema:`[^`]*`,(?:definitions|\$defs):/g)) {
  const literal = text.slice(index + 1, end(index + 1));
  const schema = new Function(`return (${literal})`)();
  found.set(revision(schema.definitions ?? schema.$defs), schema);
}
if (found.size !== 4) throw new Error(`${found.size} schemas instead of 4`);

const differing = [];
for (const [name, schema] of found) {
  const file = new URL(`${name}.json`, import.meta.url);
  const wanted = `${JSON.stringify(schema, null, 2)}\n`;
  if (!process.argv.includes("--check")) writeFileSync(file, wanted);
  else if (readFileSync(file, "utf8") !== wanted) differing.push(name);
}
if (differing.length > 0) {
  console.error(`not the schema of the suite: ${differing.join(", ")}`);
  process.exit(1);
}
