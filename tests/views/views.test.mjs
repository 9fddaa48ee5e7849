// Runs the checks of every file in pages/, two files at a time, with the data of the recorded chain. A page exports functions by what
// they show; pictures for people go to target/views.
import { equal } from "node:assert/strict";
import { readdirSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import { build, root, run, scratch, start } from "../servers.mjs";
import { serve } from "./strict/serve.mjs";

const DEADLINE_MS = 180_000;
const BROWSERS = ["chromium", "chromium-browser", "google-chrome"];
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

const out = scratch("views");
const pages = readdirSync(here("pages")).filter((it) => it.endsWith(".mjs")).sort();
const all = await Promise.all(pages.map(async (page) => [page.slice(0, -4), (await import(`./pages/${page}`)).default]));

let demo, everything, hosts;
before(async () => {
  const programs = await build();
  const args = ["http", "--demo=recorded", "--surface", "extended", "--listen", "127.0.0.1:0"];
  demo = await start(join(programs, "qortal-mcp"), args, join(out, "demo.log"));
  everything = await start(join(programs, "everything-server"), ["127.0.0.1:0"], join(out, "everything.log"));
  hosts = await serve();
});
after(async () => {
  hosts?.close();
  await demo?.stop();
  await everything?.stop();
});

test("the types of the scripts are right", async () => {
  await run(process.execPath, [here("node_modules/typescript/bin/tsc"), "-p", join(root, "crates/qortal-views/web")]);
});

test("every view has a page of checks", () => {
  const needed = ["account", "all", "everything", "inspector", "landing", "market", "node", "trade"];
  equal(needed.filter((it) => !all.some(([page]) => page === it)).join(), "");
});

describe("pages", { concurrency: 2 }, () => {
  for (const [page, checks] of all) {
    describe(page, { concurrency: 1 }, () => {
      // A tab behind another is not drawn, so that each page has a browser of its own, with one tab at a time.
      let browser;
      before(async () => {
        const executablePath = BROWSERS.map(found).find(Boolean);
        if (!executablePath) throw new Error("there is no Chromium on the path; apt-get install chromium brings it");
        const args = ["--no-sandbox", "--hide-scrollbars", "--font-render-hinting=none"];
        const env = { ...process.env, TZ: "UTC", LANG: "en_US.UTF-8" };
        browser = await puppeteer.launch({ executablePath, args, protocolTimeout: 60_000, env });
      });
      after(() => browser?.close());
      for (const [name, check] of Object.entries(checks)) {
        test(name, { timeout: DEADLINE_MS }, () => check({ url: demo.url, everything: everything.url, out, hosts, browser }));
      }
    });
  }
});

function found(name) {
  try {
    return execFileSync("which", [name], { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
}
