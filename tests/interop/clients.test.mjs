// Real clients use the servers, over both transports and in every era they know. Each plays a script and says what it got; what is
// right is decided by one judge for all.
import { ok } from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build, root, run, scratch, start, target } from "../servers.mjs";
import { ended, exactly, includes, outcome, progress, prompt, resources, says } from "./judge.mjs";

const DEADLINE_MS = 300_000;
const LONGEST = 64 << 20;
/** How long a server may outlive its client. */
const ENDED_MS = 5_000;

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = scratch("interop/runs");
/** Every tool is listed, so that clients validate the outcome of every tool. */
const SURFACE = ["--surface", "extended"];

const HANDSHAKE = "2025-11-25";
const WITHOUT = "2026-07-28";
const legacy = { era: "legacy", revision: HANDSHAKE };
const [auto, modern] = ["auto", "modern"].map((era) => ({ era, revision: WITHOUT }));
// On stdio another process is asked first, and ended by a signal.
const probing = (it) => ({ ...it, probes: true });
const CLIENTS = [
  {
    id: "inspector",
    command: () => [process.execPath, here("inspector.mjs")],
    eras: [legacy, probing(auto), probing(modern)],
    lacks: ["completion", "progress", "logging", "elicitation", "sampling", "subscription", "list_changed"],
    // Each request is a process of its own.
    isSlow: true,
  },
  { id: "typescript1", command: () => [process.execPath, here("typescript1.mjs")], eras: [legacy] },
  { id: "typescript2", command: () => [process.execPath, here("typescript2.mjs")], eras: [legacy, probing(auto), probing(modern)] },
  { id: "python1", command: async () => [await python("python1"), here("python1.py")], eras: [legacy] },
  { id: "python2", command: async () => [await python("python2"), here("python2.py")], eras: [legacy, auto, modern] },
  { id: "rmcp", command: async () => [await rmcp()], eras: [{ era: "default", revision: HANDSHAKE }, legacy, auto, modern] },
];

/** What is done with qortal-mcp, and what has to come of it. */
function data({ isSlow }) {
  const step = (kind, line, judge) => ({ kind, line, judge });
  const called = isSlow ? catalog.filter(({ name }) => FEW.includes(name)) : catalog;
  const blockchain = "LITECOIN";
  return [
    step("tools", { do: "tools" }, exactly(catalog.map(({ name }) => name))),
    ...called.map(({ name, example }) => step("call", { do: "call", tool: name, arguments: example ?? {} }, outcome)),
    step("resources", { do: "resources", ...(isSlow && { most: 1 }) }, resources),
    step("prompt", { do: "prompt", name: "market_brief", arguments: { blockchain } }, prompt("market_brief")),
    step("completion", { do: "complete", prompt: "market_brief", argument: "blockchain", value: "LITE" }, exactly([blockchain])),
  ];
}
/** What a slow client calls: an answer of the node, a list with a view, a picture. The SDK it is made with calls all tools. */
const FEW = ["get_balance", "list_trade_offers", "get_price_chart"];

/** What is done with the everything server. Logs are of the handshake: it writes none without. */
function everything({ revision }) {
  const call = (tool) => ({ do: "call", tool, arguments: {} });
  const logs = ["Tool execution started", "Tool processing data", "Tool execution completed"];
  const uri = "test://watched-resource";
  const log = { kind: "logging", line: { do: "log", tool: "test_tool_with_logging", count: logs.length }, judge: exactly(logs) };
  return [
    { kind: "progress", line: { do: "progress", tool: "test_tool_with_progress" }, judge: progress },
    ...(revision === HANDSHAKE ? [log] : []),
    { kind: "elicitation", line: call("test_input_required_result_multi_round"), judge: says("Ada likes blue.") },
    { kind: "sampling", line: call("test_input_required_result_sampling"), judge: says("Paris") },
    { kind: "subscription", line: { do: "subscribe", uri, tool: "test_trigger_resource_update" }, judge: exactly(uri) },
    { kind: "list_changed", line: { do: "changes", tool: "test_trigger_tool_change" }, judge: includes("test_dynamic_tool") },
  ];
}
/** What the user writes into a field, and under `model` what the model says. */
const ANSWERS = { name: "Ada", color: "blue", model: "Paris" };

/** What is made at most once for each name. */
function onceFor(make) {
  const made = new Map();
  return (name) => {
    if (!made.has(name)) made.set(name, make(name));
    return made.get(name);
  };
}
const rmcp = onceFor(async () => {
  await run("cargo", ["build", "--locked", "--quiet", "--manifest-path", here("rmcp/Cargo.toml"), "--target-dir", target]);
  return join(target, "debug/interop-rmcp");
});
/** What `NAME.txt` pins with hashes, in an environment of its own. No package is built, so none runs code while it is installed. */
const python = onceFor(async (name) => {
  const [environment, requirements] = [join(target, "interop", name), here(`${name}.txt`)];
  const [program, mark] = [join(environment, "bin/python"), join(environment, "installed.txt")];
  const pinned = readFileSync(requirements, "utf8");
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== pinned) {
    await run("python3", ["-m", "venv", "--clear", environment]);
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "--only-binary", ":all:"];
    await run(program, [...pip, "--requirement", requirements]);
    writeFileSync(mark, pinned);
  }
  return program;
});

/** Lets a client play a script: a line of what it got for each step, its number or `connect` or `close`. */
async function play([program, ...args], name, script) {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify(script));
  // The Inspector keeps files in the home folder; they are not the user's.
  const options = { env: { ...process.env, HOME: folder }, timeout: DEADLINE_MS, maxBuffer: LONGEST };
  return new Promise((resolve) => {
    const client = execFile(program, [...args, path], options, (error, output, errors) => {
      writeFileSync(join(folder, `${name}.log`), errors);
      const said = output.split("\n").filter(Boolean).map((line) => JSON.parse(line));
      resolve({ said: new Map(said.map(({ step, ...rest }) => [step, rest])), problem: error && `${error.message}`.slice(0, 2_000) });
    });
    client.stdin.end();
  });
}

/** What is wrong with what a client said. */
function problems({ said, problem }, steps, revision) {
  const due = [
    ["connect", "connect", (got) => exactly(revision)(got.revision)],
    ...steps.map(({ line, judge }, at) => [at, JSON.stringify(line), judge]),
    ["close", "close", () => {}],
  ];
  const found = due.map(([step, shown, judge]) => {
    const { got, failed = "nothing said" } = said.get(step) ?? {};
    if (got === undefined) return `${shown}: ${failed}`;
    try {
      judge(got);
    } catch (error) {
      return `${shown}: ${error.message}\n  ${JSON.stringify(got).slice(0, 300)}`;
    }
  });
  return [...found, problem].filter(Boolean);
}

/** Lets a client use a server: on stdio, or where it listens. */
async function use(client, { era, revision, probes }, name, steps, { url, command }) {
  const witness = join(folder, `${name}.ended`);
  writeFileSync(witness, "");
  const script = { era, answers: ANSWERS, steps: steps.map(({ line }) => line) };
  Object.assign(script, url ? { url } : { command: [here("watched.sh"), witness, ...command] });
  const found = problems(await play(await client.command(), name, script), steps, revision);
  ok(!found.length, found.slice(0, 10).join("\n"));
  if (url) return;
  const read = () => readFileSync(witness, "utf8");
  const count = (word) => read().split("\n").filter((it) => it.startsWith(word)).length;
  for (const late = Date.now() + ENDED_MS; count("start") !== count("end") && Date.now() < late; ) await delay(20);
  ended(read(), probes);
}

let programs, shared, catalog;
describe("clients", { concurrency: availableParallelism() }, () => {
  // Only with these tests: where all of a file are left out, Node starts what is before them and not what is after.
  before(async () => {
    programs = await build();
    const server = join(programs, "qortal-mcp");
    catalog = JSON.parse(execFileSync(server, ["tools", "--json", ...SURFACE], { maxBuffer: LONGEST }));
    ok(FEW.every((few) => catalog.some(({ name }) => name === few)));
    // One process for all clients of all eras at once, as in use.
    const args = ["http", "--demo=recorded", "--listen", "127.0.0.1:0", ...SURFACE];
    shared = await start(server, args, join(folder, "qortal-mcp.log"));
  });
  after(() => shared?.stop());

  for (const client of CLIENTS) {
    for (const era of client.eras) {
      for (const transport of ["stdio", "http"]) {
        const name = `${client.id}-${era.era}-${transport}`;
        test(name, async (context) => {
          const possible = (steps) => steps.filter(({ kind }) => !client.lacks?.includes(kind));
          const [ours, other] = [possible(data(client)), possible(everything(era))];
          const command = [join(programs, "qortal-mcp"), "--demo=recorded", ...SURFACE];
          await use(client, era, name, ours, transport === "stdio" ? { command } : shared);
          // What a client cannot do at all it is not started for. One server for each client: what changes would be news to others.
          if (other.length && transport === "stdio") {
            await use(client, era, `${name}-everything`, other, { command: [join(programs, "everything-server")] });
          } else if (other.length) {
            const server = await start(join(programs, "everything-server"), ["127.0.0.1:0"], join(folder, `${name}.server.log`));
            await use(client, era, `${name}-everything`, other, server);
            await server.stop();
          }
          const calls = ours.filter(({ kind }) => kind === "call").length;
          const kinds = new Set([...ours, ...other].map(({ kind }) => kind));
          context.diagnostic(`${name}: ${calls} of ${catalog.length} tools; ${[...kinds].join(", ")}`);
        });
      }
    }
  }
});

test("embedding: the examples of docs/embedding.md, among them the server inside an rmcp client over a pipe in memory", async () => {
  await run("cargo", ["test", "--locked", "--quiet", "--manifest-path", here("embedding/Cargo.toml"), "--target-dir", target]);
});
