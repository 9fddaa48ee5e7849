// The official suite against the servers and the client of this repository. A failure or warning that a baseline does not list fails, and so does a
// listed one that now passes.
import { ok } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build, root, run, scratch, start, target } from "../servers.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const results = scratch("conformance");
const SUITE = here("node_modules/@modelcontextprotocol/conformance/dist/index.js");

const requirements = (revision) => ["--requirements", revision];
/** What the suite calls pending though the specification demands it. */
const scenario = (name, revision) => ["--scenario", name, "--spec-version", revision];
const NOTHING = "everything.yml";
/** The extension Skills, whose scenarios the suite has for no revision unless it is forced to. */
const skills = (...names) =>
  ["2025-11-25", "2026-07-28"].flatMap((revision) => names.map((name) => [[...scenario(`sep-2640-skills-${name}`, revision), "--force"], NOTHING]));
/** The extension Tasks. Of `tasks-status-notifications` the suite has a name alone. */
const tasks = (...names) => names.map((name) => [[...scenario(`tasks-${name}`, "2026-07-28"), "--force"], NOTHING]);
const SERVERS = [
  {
    name: "everything-server",
    args: ["127.0.0.1:0"],
    runs: [
      [requirements("2025-11-25"), NOTHING],
      [requirements("2026-07-28"), NOTHING],
      [scenario("json-schema-2020-12", "2025-11-25"), NOTHING],
      [scenario("json-schema-2020-12", "2026-07-28"), NOTHING],
      [scenario("http-header-validation", "2026-07-28"), NOTHING],
      [scenario("http-custom-header-server-validation", "2026-07-28"), NOTHING],
      [scenario("server-session-lifecycle", "2025-11-25"), NOTHING],
      [scenario("server-sse-polling", "2025-11-25"), NOTHING],
      ...skills("enumeration", "manifest", "directory"),
      ...tasks("lifecycle", "capability-negotiation", "wire-fields", "request-state-removal", "mrtr-input", "request-headers"),
      ...tasks("dispatch-and-envelope", "required-task-error", "mrtr-composition"),
    ],
  },
  {
    name: "qortal-mcp",
    args: ["http", "--demo=recorded", "--listen", "127.0.0.1:0"],
    runs: [
      [requirements("2025-11-25"), "qortal-mcp-2025-11-25.yml"],
      [requirements("2026-07-28"), "qortal-mcp-2026-07-28.yml"],
      [scenario("http-header-validation", "2026-07-28"), NOTHING],
      ...skills("enumeration", "manifest"),
    ],
  },
];

/** What the suite asks of clients, but for OAuth and the extension Skills. */
const CLIENT = [
  ["initialize", "2025-06-18", "2025-11-25"],
  ["tools_call", "2025-06-18", "2025-11-25", "2026-07-28"],
  ["elicitation-sep1034-client-defaults", "2025-11-25"],
  ["sse-retry", "2025-11-25"],
  ["request-metadata", "2026-07-28"],
  ["sep-2322-client-request-state", "2026-07-28"],
  ["http-standard-headers", "2026-07-28"],
  ["http-custom-headers", "2026-07-28"],
  ["http-invalid-tool-headers", "2026-07-28"],
  ["json-schema-ref-no-deref", "2026-07-28"],
  ["json-schema-2020-12-preservation", "2025-11-25", "2026-07-28"],
];

/** Every OAuth scenario that the suite lists, as "  - auth/NAME [REVISION,…]", in each of its revisions. Those of extensions have none. */
function oauth() {
  const { stdout } = spawnSync(process.execPath, [SUITE, "list"], { encoding: "utf8" });
  return [...stdout.matchAll(/^ *- (auth\/\S+) \[(.*)\]$/gm)].flatMap(([, name, revisions]) =>
    revisions === "extension" ? [[...scenario(name, "2026-07-28"), "--force"]] : revisions.split(",").map((it) => scenario(name, it)),
  );
}

/** Runs the suite; what it says goes to a log, and what it found beside that. */
function judge(name, args, baseline) {
  const log = join(results, `${name.replaceAll("--", "").replaceAll(/[ /]/g, "-")}.log`);
  const more = ["--expected-failures", here(baseline), "-o", log.replace(/log$/, "checks")];
  const { status, stdout, stderr } = spawnSync(process.execPath, [SUITE, ...args, ...more], { encoding: "utf8" });
  writeFileSync(log, stdout + stderr);
  ok(!stdout.includes("SKIPPED: scenario"), stdout);
  const at = stdout.indexOf("=== SUMMARY ===");
  ok(status === 0, at < 0 ? stdout + stderr : stdout.slice(at));
}

test("the schemas of tests/schema are those of the suite", () => run(process.execPath, [join(root, "tests/schema/extract.mjs"), "--check"]));

for (const { name, args, runs } of SERVERS) {
  describe(name, () => {
    let server;
    before(async () => (server = await start(join(await build(), name), args, join(results, `${name}.stderr`))));
    after(() => server?.stop());
    for (const [select, baseline] of runs) {
      const shown = `${name} ${select.join(" ")}`;
      test(shown, () => judge(shown, ["server", "--url", server.url, ...select], baseline));
    }
  });
}

describe("mcp-client", () => {
  before(() => run("cargo", ["build", "--quiet", "--workspace", "--example", "conformance"]));
  for (const [name, ...revisions] of CLIENT) {
    for (const revision of revisions) {
      const shown = `mcp-client ${scenario(name, revision).join(" ")}`;
      const command = join(target, "debug/examples/conformance");
      test(shown, () => judge(shown, ["client", "--command", command, ...scenario(name, revision)], NOTHING));
    }
  }
});

describe("oauth-client", () => {
  const scenarios = oauth();
  before(() => run("cargo", ["build", "--quiet", "--workspace", "--bin", "oauth-conformance"]));
  test("the suite has OAuth scenarios", () => ok(scenarios.length > 40, `${scenarios.length} scenarios`));
  for (const select of scenarios) {
    const shown = `oauth-client ${select.join(" ")}`;
    test(shown, () => judge(shown, ["client", "--command", join(target, "debug/oauth-conformance"), ...select], "oauth.yml"));
  }
});
