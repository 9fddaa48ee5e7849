// Runs the checks of every file in pages/, two files at a time, or of those that are named:
// node run.mjs URL EVERYTHING-URL FOLDER CHROMIUM [PAGE…]. A page exports functions by what they show.
import { readdir } from "node:fs/promises";
import puppeteer from "puppeteer-core";
import { serve } from "./strict/serve.mjs";

const [url, everything, out, executablePath, ...wanted] = process.argv.slice(2);
const files = (await readdir(new URL("pages/", import.meta.url))).filter((it) => it.endsWith(".mjs")).sort();
const launch = () => puppeteer.launch({
  executablePath,
  args: ["--no-sandbox", "--hide-scrollbars", "--font-render-hinting=none"],
  protocolTimeout: 60_000,
  env: { ...process.env, TZ: "UTC", LANG: "en_US.UTF-8" },
});
let failed = 0;
const hosts = await serve();

/** The checks of one page, one after the other. */
async function checkPage(page, browser) {
  const { default: checks } = await import(`./pages/${page}.mjs`);
  for (const [name, check] of Object.entries(checks)) {
    const begun = performance.now();
    let outcome = "ok";
    try {
      await check({ url, everything, out, hosts, browser });
    } catch (error) {
      failed += 1;
      outcome = `FAILED\n${error.stack}`;
    }
    console.log(`${page.padEnd(10)} ${name.padEnd(70)} ${String(Math.round(performance.now() - begun)).padStart(6)} ms  ${outcome}`);
  }
}

try {
  const pages = files.map((it) => it.slice(0, -4)).filter((it) => !wanted.length || wanted.includes(it));
  if (!pages.length) throw new Error(`there is no page ${wanted.join(" ")}`);
  // A tab behind another is not drawn, so that each row has a browser of its own.
  const next = async () => {
    const browser = await launch();
    try {
      for (let page = pages.shift(); page; page = pages.shift()) await checkPage(page, browser);
    } finally {
      await browser.close();
    }
  };
  await Promise.all([next(), next()]);
} finally {
  hosts.close();
}
process.exitCode = failed ? 1 : 0;
