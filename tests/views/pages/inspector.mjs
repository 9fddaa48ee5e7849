// The views in the official Inspector, whose policy is stricter than the specification.
import assert from "node:assert/strict";
import path from "node:path";
import { checkAccessibility, openTab } from "../browser.mjs";
import { appInfo, startInspector } from "../inspector.mjs";

const LINKED = [
  "explain_trade", "get_account_activity", "get_account_report", "get_market_overview",
  "get_node_health", "get_price_chart", "get_price_history", "get_trade_order_book",
];

/** A tool of each view, and what its view says. */
const TOOLS = {
  get_price_chart: [{ blockchain: "LITECOIN" }, "Price of QORT in LTC"],
  explain_trade: [{ at_address: "Aes2JuboJupax6uybgMa2was61y7MRiDJS" }, "What to do"],
  get_account_report: [{ address: "rita-trades" }, "Minting level"],
  get_node_health: [{}, "The node is"],
};

export default {
  async "every link leads to a view"({ url }) {
    const { code, said } = await appInfo(url);
    assert.equal(code, 0, said);
    const linked = said.split("\n").filter((it) => it.startsWith("{")).map((it) => JSON.parse(it)).filter((it) => it.hasApp);
    assert.deepEqual(linked.map((it) => it.toolName).sort(), LINKED);
  },

  async "every view is shown with live data"(setup) {
    const inspector = await startInspector();
    try {
      for (const [tool, [args, text]] of Object.entries(TOOLS)) {
        const { page, said } = await openTab(setup, 1280);
        await page.goto(inspector.page(setup.url, tool, args));
        await page.waitForSelector('[data-app-status="ready"]');
        const view = await page.waitForFrame((frame) => frame.url() === "about:srcdoc");
        await view.waitForFunction((it) => document.body.innerText.includes(it), {}, text);
        await checkAccessibility(view, `${tool} in the Inspector`);
        await page.screenshot({ path: path.join(setup.out, `inspector-${tool}.png`) });
        assert.deepEqual(said, [], tool);
        await page.close();
      }
    } finally {
      inspector.close();
    }
  },
};
