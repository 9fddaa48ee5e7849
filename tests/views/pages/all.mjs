// What every view does alike: its states, and the conversation with the host.
import assert from "node:assert/strict";
import { StrictHost } from "../browser.mjs";

const VIEWS = {
  market: ["get_market_overview", {}],
  trade: ["explain_trade", { at_address: "Aes2JuboJupax6uybgMa2was61y7MRiDJS" }],
  account: ["get_account_report", { address: "rita-trades" }],
  node: ["get_node_health", {}],
};

const each = (check) => async (setup) => {
  for (const [at, [view, [tool, args]]] of Object.entries(VIEWS).entries()) {
    const theme = ["light", "dark"][at % 2];
    const host = await StrictHost.open(setup, 480, check.options);
    await check(host, { tool, args, context: { theme } }, `${view}-${check.name}-${theme}`);
    await host.close();
  }
};

export default {
  "an error is told in the tool's words": each(async function error(host, state, name) {
    const text = "Invalid Qortal address. <b>Not</b> an address.";
    await host.show({ ...state, result: { isError: true, content: [{ type: "text", text }] } });
    await host.sees("The tool could not answer", text);
    await host.picture(name);
  }),

  "a cancelled call says so": each(async function cancelled(host, state, name) {
    await host.show({ ...state, cancelled: "the user stopped it" });
    await host.sees("Cancelled", "the user stopped it");
    await host.picture(name);
  }),

  "the text alone is enough": each(async function text(host, state) {
    const { content } = await host.page.evaluate((...it) => window.callTool(...it), host.setup.url, state.tool, state.args);
    await host.show({ ...state, result: { content } });
    await host.sees("As of");
  }),

  "an answer of another form is not drawn": each(async function unknown(host, state, name) {
    for (const structuredContent of [{ other: 1 }, {}]) {
      await host.show({ ...state, result: { content: [], structuredContent } });
      await host.sees("Nothing to draw");
    }
    await host.show({ ...state, result: { content: [{ type: "text", text: "no JSON" }] } });
    await host.sees("Nothing to draw");
    await host.picture(name);
  }),

  "a view that is drawn stays when something else arrives": each(async function stays(host, state, name) {
    await host.show(state);
    await host.sees("As of");
    const before = await host.text();
    const other = [
      { content: [], structuredContent: { other: 1 } },
      { content: [{ type: "text", text: "no JSON" }] },
      { isError: true, content: [{ type: "text", text: "Unknown tool." }] },
    ];
    for (const result of other) await host.page.evaluate((it) => window.sendResult(it), result);
    await host.page.evaluate(() => window.sendCancelled("another call"));
    // A notification after them has been received once its effect is seen.
    await host.page.evaluate(() => window.changeContext({ theme: "dark" }));
    await host.view.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    await host.page.evaluate(() => window.changeContext({ theme: "light" }));
    await host.view.waitForFunction(() => document.documentElement.dataset.theme === "light");
    assert.equal(await host.text(), before, name);
  }),

  "a page without an answer is loading": each(async function loading(host, state, name) {
    await host.show({ ...state, isSilent: true, isLoading: true });
    await host.view.waitForSelector("main[aria-busy] .skeleton");
    await host.picture(name);
  }),

  "a host that sends nothing is named": each(Object.assign(async function silent(host, state, name) {
    await host.show({ ...state, isSilent: true });
    await host.sees("The host has sent nothing");
    await host.picture(name);
  }, { options: { hasten: "setTimeout" } })),

  "without capabilities there is nothing to press that would fail": each(async function bare(host, state) {
    await host.show({ ...state, isBare: true });
    await host.sees("As of");
    await host.seesNot("Refresh");
  }),

  "the conversation is in order, and ends at once": each(async function order(host, state) {
    await host.show(state);
    await host.sees("As of");
    const methods = (await host.heard()).map((it) => it.view ?? it.host).filter((it) => it && it !== "ui/notifications/size-changed");
    const expected = [
      "ui/notifications/sandbox-resource-ready", "ui/initialize", "ui/notifications/initialized",
      "ui/notifications/tool-input", "ui/notifications/tool-result",
    ];
    assert.deepEqual(methods.slice(0, expected.length), expected);
    const millis = await host.page.evaluate(() => window.teardown());
    assert.ok(millis < 1000, `${millis} ms`);
  }),

  "theme and locale follow the host while the page is open": each(async function follows(host, state) {
    await host.show({ ...state, context: { theme: "light", locale: "en-US", timeZone: "UTC", styles: { variables: { "--color-background-primary": "light-dark(#fffff0, #101010)" } } } });
    await host.sees("As of");
    const background = () => host.view.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(await background(), "rgb(255, 255, 240)");
    await host.page.evaluate(() => window.changeContext({ theme: "dark", locale: "de-DE", timeZone: "UTC" }));
    await host.view.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    assert.equal(await background(), "rgb(16, 16, 16)");
  }),

  async "a file opened on its own says what it is"(setup) {
    const host = await StrictHost.open(setup, 480);
    await host.show({ tool: "get_node_health" });
    const html = await host.page.evaluate(async () => {
      const { contents } = await window.readView("get_node_health");
      return contents[0].text;
    });
    await host.page.setContent(html);
    await host.page.waitForSelector("aria/A view of Qortal");
    await host.close();
  },
};
