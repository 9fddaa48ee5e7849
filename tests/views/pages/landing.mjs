// The pages for people with a browser: at / and at an endpoint, in both themes, from a narrow telephone to a desk.
import assert from "node:assert/strict";
import path from "node:path";
import { checkAccessibility, checkLayout, openTab } from "../browser.mjs";

const WIDTHS = [320, 360, 1280];
const PAGES = [
  { name: "start", at: "/", status: 200, title: "Qortal for your assistant" },
  { name: "endpoint", at: "/mcp", status: 405, title: "This address is for an MCP client" },
];

/** Opens a page as a person does, and returns what the console said of more than the status that is meant. */
async function open({ browser, url }, { at, status, title }, theme, width) {
  const address = new URL(at, url).href;
  const { page, said } = await openTab({ browser, url: address }, width);
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  const response = await page.goto(address, { waitUntil: "load" });
  assert.equal(response.status(), status);
  assert.equal(await page.title(), title);
  return { page, said };
}

/** All of the page, as it is and with everything unfolded. */
async function look(setup, shown, theme, width) {
  const { page, said } = await open(setup, shown, theme, width);
  for (const state of ["folded", "unfolded"]) {
    if (state === "unfolded") {
      const folded = await page.$$eval("details", (all) => all.map((it) => (it.open = true)).length);
      if (!folded) break;
    }
    const name = `landing-${shown.name}-${state}-${theme}-${width}`;
    await checkLayout(page, name);
    await checkAccessibility(page, name);
    await page.screenshot({ path: path.join(setup.out, `${name}.png`), fullPage: true });
  }
  assert.deepEqual(said, [], "the console");
  await page.close();
}

const checks = {};
for (const shown of PAGES) {
  for (const theme of ["light", "dark"]) {
    for (const width of WIDTHS) {
      checks[`${shown.name} ${theme} ${width}`] = (setup) => look(setup, shown, theme, width);
    }
  }
}

checks["says how the node is, where to connect and what to ask"] = async (setup) => {
  const { page } = await open(setup, PAGES[0], "light", 1280);
  const text = await page.evaluate(() => document.body.innerText);
  const { host } = new URL(setup.url);
  const verdict = await page.$eval(".verdict", (it) => it.textContent);
  assert.match(verdict, /^(simulated|healthy|synchronizing|degraded|unhealthy)$/);
  for (const expected of ["Height", `http://${host}/mcp`, "Add to VS Code", "Claude Code", "Why am I not minting?"]) {
    assert.ok(text.includes(expected), `${expected} in ${text}`);
  }
  await page.close();
};

checks["is unfolded and left with the keyboard alone"] = async (setup) => {
  const { page } = await open(setup, PAGES[0], "light", 1280);
  for (let n = 0; n < 40; n += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement.tagName === "SUMMARY")) break;
  }
  const unfolded = () => page.$$eval("details[open]", (all) => all.length);
  assert.equal(await unfolded(), 0);
  await page.keyboard.press("Enter");
  assert.equal(await unfolded(), 1);
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.notEqual(outline, "none", "what is focused can be seen");
  await page.close();
};

checks["reads well without its style"] = async (setup) => {
  const { page } = await open(setup, PAGES[0], "light", 360);
  await page.evaluate(() => document.querySelector("style").remove());
  const order = await page.$$eval("h1, h2", (all) => all.map((it) => it.textContent));
  assert.deepEqual(order, ["Qortal for your assistant", "The node", "Connect", "Then ask", "Tools", "Try it in a terminal"]);
  await page.screenshot({ path: path.join(setup.out, "landing-start-bare-360.png") });
  await page.close();
};

export default checks;
