// What every page of checks uses: a browser, the two hosts, and what is asserted of all views.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** How long anything on a page may take. */
const PATIENCE = 20_000;

/** A tab that notes whatever the console says, and must have said nothing at the end. */
export async function openTab({ browser }, width, { hasten } = {}) {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.setViewport({ width, height: 420 });
  const said = [];
  // The SDK of the host tells every message, and asks for a stream that the server has not; the page of the Inspector asks
  // for fonts. What a view does is said in its own frame.
  const isOfHost = (message) => message.type() === "debug" || (message.text().startsWith("Failed to load resource") && message.location().url?.startsWith("http"));
  page.on("console", (message) => isOfHost(message) || said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => said.push(String(error)));
  if (hasten) {
    // For a view that would wait half a minute or longer; the host has its own time.
    await page.evaluateOnNewDocument((name) => {
      const real = window[name];
      if (window !== window.top) window[name] = (work, millis) => real(work, millis >= 15_000 ? 100 : millis);
    }, hasten);
  }
  return { page, said };
}

/** Fails for whatever axe-core finds in a document. */
export async function checkAccessibility(document, name) {
  await document.evaluate(`${axe}; undefined`);
  const violations = await document.evaluate(async () => {
    const { violations } = await window.axe.run(window.document, { resultTypes: ["violations"] });
    return violations.map((it) => `${it.id}: ${it.help} (${it.nodes.map((node) => `${node.html} ${node.failureSummary}`).join("; ")})`);
  });
  assert.deepEqual(violations, [], `accessibility of ${name}`);
}

/** Fails where something is wider than the page, or texts of a drawing overlap. */
export async function checkLayout(document, name) {
  const problems = await document.evaluate(() => {
    const found = [];
    const wide = window.document.documentElement.scrollWidth - window.innerWidth;
    if (wide > 0) found.push(`${wide} px wider than the page`);
    for (const svg of window.document.querySelectorAll("svg")) {
      const texts = [...svg.querySelectorAll("text")].map((it) => [it.textContent, it.getBoundingClientRect()]);
      const all = svg.getBoundingClientRect();
      for (const [text, box] of texts) {
        if (box.left < all.left - 1 || box.right > all.right + 1) found.push(`${text} is cut off`);
      }
      for (const [at, [text, box]] of texts.entries()) {
        for (const [other, next] of texts.slice(at + 1)) {
          const apart = box.right <= next.left || next.right <= box.left || box.bottom <= next.top + 2 || next.bottom <= box.top + 2;
          if (!apart) found.push(`${text} overlaps ${other}`);
        }
      }
    }
    return found;
  });
  assert.deepEqual(problems, [], `layout of ${name}`);
}

/** Shows views in a host that is as strict as the specification. */
export class StrictHost {
  constructor(setup, tab, width) {
    Object.assign(this, { setup, ...tab, width });
  }

  static async open(setup, width, options) {
    const tab = await openTab(setup, width, options);
    await tab.page.goto(setup.hosts.host);
    await tab.page.waitForFunction(() => "mount" in window);
    return new StrictHost(setup, tab, width);
  }

  /** Shows a view; `state` is what `mount` of the host takes. */
  async show(state) {
    await this.page.setViewport({ width: this.width, height: 420 });
    await this.page.evaluate((it) => window.mount(it), { url: this.setup.url, sandbox: this.setup.hosts.sandbox, ...state });
    const outer = this.page.frames().find((it) => it.url().startsWith(this.setup.hosts.sandbox));
    [this.view] = outer.childFrames();
    if (!state.isLoading) await this.view.waitForFunction(() => !document.querySelector("main[aria-busy]"));
    return this.view;
  }

  text() {
    return this.view.evaluate(() => document.body.innerText);
  }

  async sees(...texts) {
    for (const text of texts) {
      await this.view.waitForFunction((it) => document.body.innerText.toLowerCase().includes(it.toLowerCase()), {}, text)
        .catch(async () => assert.fail(`no ${JSON.stringify(text)} in ${JSON.stringify(await this.text())}`));
    }
  }

  async seesNot(text) {
    assert.ok(!(await this.text()).toLowerCase().includes(text.toLowerCase()), `${text} in ${await this.text()}`);
  }

  async press(name) {
    const found = await this.view.waitForSelector(`aria/${name}[role="button"]`);
    await found.click();
  }

  heard() {
    return this.page.evaluate(() => window.heard());
  }

  /** Waits until the view has asked the host for something of this kind, so many times, and returns all. */
  async hears(kind, times) {
    const found = await this.page.waitForFunction((kind, times) => {
      const found = window.heard().filter((it) => it[kind]);
      return found.length >= times && found.map((it) => it[kind]);
    }, {}, kind, times);
    return found.jsonValue();
  }

  /** A picture of all of it, and what is asserted of every picture. */
  async picture(name) {
    const height = await this.view.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(Math.ceil(document.body.getBoundingClientRect().height))))));
    await this.page.setViewport({ width: this.width, height: Math.max(height, 60) });
    await this.page.waitForFunction((it) => Math.abs(document.querySelector("iframe").clientHeight - it) <= 2, {}, height);
    await checkLayout(this.view, name);
    await checkAccessibility(this.view, name);
    await this.page.screenshot({ path: path.join(this.setup.out, `${name}.png`) });
  }

  async close() {
    assert.deepEqual(this.said, [], "the console");
    await this.page.close();
  }
}
