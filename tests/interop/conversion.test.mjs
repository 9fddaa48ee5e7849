// The conversion for authors of converters: the runners of its corpus, in Python and in JavaScript, the corpus in the tests of others as its
// page shows it, and the packages of npm and PyPI, packed and installed as theirs would be.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build, root, run, scratch } from "../servers.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const corpus = join(root, "crates/mcp-convert/corpus");
const WASM = "wasm32-unknown-unknown";

/** The vendors that a preset equals, each with the flags of that. */
function presets() {
  const [head] = readFileSync(join(corpus, "cases.jsonl"), "utf8").split("\n", 1);
  return Object.entries(JSON.parse(head).vendors)
    .filter(([, { options }]) => options)
    .map(([name, { target, options }]) => [
      name,
      ["--preset", "compat", "--to", target.replaceAll("_", "-"), ...Object.entries(options).flatMap(([option, value]) => [`--${option}`, value])],
    ]);
}

let convert;
describe("conversion", () => {
  // Only with these tests: see clients.test.mjs.
  before(async () => (convert = join(await build(), "mcp-convert")));

  for (const [vendor, flags] of presets()) {
    for (const [program, script] of [["python3", "run.py"], [process.execPath, "run.mjs"]]) {
      test(`conversion: by ${script} nothing differs from ${vendor} but what the corpus gives a reason for`, async () => {
        await run(program, [join(corpus, script), vendor, convert, ...flags]);
      });
    }
  }

  test("conversion: the corpus runs in the tests of other languages", async () => {
    await run(join(here, "examples.sh"), [join(scratch("interop"), "examples"), convert]);
  });

  test("conversion: the packages answer what the native program answers, in each host", async () => {
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
      copyFileSync(join(here, script), join(user, script));
    }
    const tsc = join(here, "node_modules/typescript/bin/tsc");
    const types = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "packages.ts"];
    await run(process.execPath, [tsc, ...types], { cwd: user });
    await run(process.execPath, ["packages.mjs", convert], { cwd: user });
    await run(join(here, "hosts.sh"), [join(folder, "hosts"), user, process.execPath, convert]);
  });
});
