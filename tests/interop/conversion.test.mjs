// The conversion for authors of converters: the runners of its corpus, in Python and in JavaScript, and the packages of npm, packed and
// installed as theirs would be.
import { deepStrictEqual, match } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build, root, run, scratch } from "../servers.mjs";

const corpus = join(root, "crates/mcp-protocol/corpus");
/** A vendor whose outputs are what `mcp-convert` prints, with nothing around them. */
const VENDOR = "ai-sdk";
const WASM = "wasm32-unknown-unknown";

let convert;
before(async () => (convert = join(await build(), "mcp-convert")));

for (const [program, script] of [["python3", "run.py"], [process.execPath, "run.mjs"]]) {
  test(`conversion: ${script} finds the differences that the corpus gives a reason for, and no others`, () => {
    const { differences } = JSON.parse(readFileSync(join(corpus, "differences.json"), "utf8"));
    const documented = differences.filter(({ vendors }) => vendors.includes(VENDOR)).flatMap(({ inputs }) => inputs);
    const args = [join(corpus, script), VENDOR, convert, "--to", VENDOR, "--preset", "compat"];
    const { stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
    const [first, ...found] = stdout.trim().split("\n").map((it) => it.trim());
    match(first, / equal/, stderr);
    deepStrictEqual(new Set(found), new Set(documented));
  });
}

test("conversion: the packages of npm answer what the native program answers", async () => {
  await run("rustup", ["target", "add", WASM]);
  await run(join(root, "packaging/build"), [WASM]);
  const folder = scratch("interop/packages");
  rmSync(folder, { recursive: true });
  const [user, packed] = [join(folder, "user"), join(folder, "packed")];
  mkdirSync(user, { recursive: true });
  writeFileSync(join(user, "package.json"), '{"private": true, "type": "module"}\n');
  await run(join(root, "packaging/libraries"), [packed]);
  const packages = readdirSync(packed).map((it) => join(packed, it));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--loglevel", "error", ...packages], { cwd: user });
  for (const script of ["packages.mjs", "packages.ts"]) {
    copyFileSync(fileURLToPath(new URL(script, import.meta.url)), join(user, script));
  }
  const tsc = fileURLToPath(new URL("node_modules/typescript/bin/tsc", import.meta.url));
  const types = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "packages.ts"];
  await run(process.execPath, [tsc, ...types], { cwd: user });
  await run(process.execPath, ["packages.mjs", convert], { cwd: user });
});
