// Converts the corpus of one package with the other, and with the native program: packages.mjs PROGRAM
import { deepStrictEqual, ok, throws } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ConvertError, check, convert, convertJson } from "qortal-mcp-convert";

const [program] = process.argv.slice(2);
const read = (name) => readFileSync(fileURLToPath(import.meta.resolve(name)), "utf8");
const data = (name) => JSON.parse(read(`qortal-mcp-corpus/${name}.json`));
const results = Object.values(data("inputs").inputs).map((it) => it.result);
for (const { results: answers } of data("servers").servers) results.push(...Object.values(answers));
// The settings that a type allows are those that the module reads.
const types = readFileSync("node_modules/qortal-mcp-convert/settings.d.ts", "utf8");
const allowed = (name) => types.match(new RegExp(`^  ${name}\\??: (.*);$`, "m"))[1].split(" | ").map((it) => JSON.parse(it));

function native(flags, values) {
  const input = values.map((it) => JSON.stringify(it) + "\n").join("");
  const { stdout, error } = spawnSync(program, flags, { input, encoding: "utf8", maxBuffer: 1 << 28 });
  if (error) throw error;
  return stdout.trim().split("\n").map((it) => JSON.parse(it));
}
/** What the module answers, as the program writes it. */
function attempt(run) {
  try {
    return run();
  } catch (error) {
    ok(error instanceof ConvertError, error);
    return { error: error.message };
  }
}

let compared = 0;
function compare(flags, settings, values) {
  const expected = native([...flags, "--report"], values);
  deepStrictEqual(expected.length, values.length);
  const found = values.map((it) => attempt(() => convert(it, settings)));
  deepStrictEqual(found, expected, flags.join(" "));
  deepStrictEqual(values.map((it) => attempt(() => convertJson(JSON.stringify(it), settings))), expected);
  compared += values.length;
  return found;
}

// Frameworks need the API behind them.
const frameworks = ["langchain", "ai-sdk", "pydantic-ai", "llama-index", "strands"];
for (const to of allowed("to")) {
  const behind = frameworks.includes(to) ? { for: "bedrock" } : {};
  compare(["--to", to, "--preset", "compat"], { to, preset: "compat" }, results);
  const limited = [...Object.values(behind).flatMap((it) => ["--for", it]), "--max-bytes", "100", "--cut", "json-aware", "--audience", "respect"];
  const settings = { to, ...behind, maxBytes: 100, cut: "json-aware", audience: "respect" };
  const outputs = compare(["--to", to, ...limited], settings, results).map((it) => it.output ?? null);
  const judged = outputs.map((it) => attempt(() => check(it, { to })));
  deepStrictEqual(judged, native(["--to", to, "--check"], outputs), to);
}
const messages = [{ role: "user", content: { type: "text", text: "Hi" } }];
const schema = { type: "object", properties: { at: { type: "string", format: "uri" } } };
for (const [kind, value] of Object.entries({
  prompt: { messages },
  resource: { contents: [{ uri: "file:///a", text: "é 😀" }] },
  tools: { tools: [{ name: "a.b", inputSchema: schema }] },
})) {
  for (const to of allowed("to")) compare(["--to", to, "--kind", kind], { to, kind }, [value]);
}
throws(() => convert({ content: [] }, {}), ConvertError);
throws(() => convert({ content: [] }, { to: "nowhere" }), ConvertError);
throws(() => convert({ content: [] }, { to: "rig", maxByte: 1 }), ConvertError);
throws(() => convert(undefined, { to: "rig" }), ConvertError);
console.error(`${compared} conversions of the WebAssembly module are those of the program`);
