// The Market view: prices over time, the order book, all coins.
import assert from "node:assert/strict";
import { StrictHost } from "../browser.mjs";
import { LOOKS, result } from "../looks.mjs";

const LITECOIN = { blockchain: "LITECOIN" };

/** Many candles, with gaps, falls and large volumes. */
function candles(count) {
  const start = Date.UTC(2026, 8, 1);
  let price = 10_900;
  return Array.from({ length: count }, (_, index) => {
    const open = price;
    price += Math.round(Math.sin(index * 1.7) * 420 + Math.cos(index * 0.37) * 260);
    const [high, low] = [Math.max(open, price) + 130 + ((index * 37) % 200), Math.min(open, price) - 90 - ((index * 53) % 180)];
    const text = (units) => `0.000${String(units).padStart(5, "0")}`;
    const at = start + (index + (index > count / 2 ? 3 : 0)) * 86_400_000;
    return {
      startIso: new Date(at).toISOString(), open: text(open), high: text(high), low: text(low), close: text(price),
      volumeQort: `${200 + ((index * 97) % 900)}.50000000`, volumeForeign: "0.10000000", trades: 1 + (index % 6),
    };
  });
}

const history = (count) => ({
  foreignBlockchain: "LITECOIN", symbol: "LTC", unit: "LTC for one QORT", interval: "day", since: Date.UTC(2026, 8, 1), truncated: false, candles: candles(count),
});

export default {
  async "live: history, book and all coins"(setup) {
    for (const [theme, width] of LOOKS) {
      const host = await StrictHost.open(setup, width);
      const context = { theme, locale: "en-US", timeZone: "UTC" };
      await host.show({ tool: "get_price_history", args: LITECOIN, context });
      await host.sees("Price of QORT in LTC", "LTC for one QORT", "Nov 21, 2026: open 0.00011000", "As of");
      await host.picture(`market-history-${theme}-${width}`);
      await host.show({ tool: "get_trade_order_book", args: LITECOIN, context });
      await host.sees("QORT for sale in LTC", "there are no bids", "Refresh");
      await host.picture(`market-book-${theme}-${width}`);
      await host.show({ tool: "get_market_overview", context });
      await host.sees("What one QORT costs", "LTC", "DOGE", "RVN");
      assert.ok(await host.view.evaluate(() => [...document.querySelectorAll("button")].every((it) => it.textContent)), "every button has words");
      await host.picture(`market-overview-${theme}-${width}`);
      await host.close();
    }
  },

  async "many candles"(setup) {
    for (const [theme, width] of LOOKS) {
      const host = await StrictHost.open(setup, width);
      await host.show({ tool: "get_price_history", args: LITECOIN, context: { theme, locale: "en-US" }, result: result(history(60)) });
      await host.picture(`market-many-${theme}-${width}`);
      await host.press("Last 24");
      await host.picture(`market-many-24-${theme}-${width}`);
      await host.close();
    }
  },

  async "keys read the candles"(setup) {
    const host = await StrictHost.open(setup, 720);
    await host.show({ tool: "get_price_history", args: LITECOIN, context: { locale: "en-US" }, result: result(history(3)) });
    await host.view.evaluate(() => document.querySelector("svg").focus());
    await host.sees("Sep 6, 2026: open");
    await host.page.keyboard.press("Home");
    await host.sees("Sep 1, 2026: open");
    await host.page.keyboard.press("ArrowRight");
    await host.sees("Sep 2, 2026: open");
    await host.close();
  },

  async "a press shows another chart in place, and the model learns of it"(setup) {
    const host = await StrictHost.open(setup, 720);
    await host.show({ tool: "get_market_overview" });
    await host.press("Chart of LTC");
    await host.sees("Price of QORT in LTC", "All coins");
    await host.press("Hour");
    await host.view.waitForSelector('button[aria-pressed="true"]::-p-text(Hour)');
    await host.press("All coins");
    await host.press("4 offers for LTC");
    await host.sees("QORT for sale in LTC");
    await host.press("Only sellers online");
    await host.view.waitForSelector('button[aria-pressed="true"]::-p-text(Only sellers online)');
    const noted = (await host.hears("noted", 3)).map(([it]) => it.text);
    assert.deepEqual(noted, [
      "The user now looks at the price of QORT in LTC.",
      "The user now looks at the price of QORT in LTC by hour.",
      "The user now looks at the offers for LTC.",
    ]);
    await host.close();
  },

  async "nothing was traded"(setup) {
    const host = await StrictHost.open(setup, 720);
    await host.show({ tool: "get_price_history", args: LITECOIN, context: { theme: "light" }, result: result({ ...history(0) }) });
    await host.sees("Nothing was traded since");
    await host.picture("market-empty-history");
    const book = { foreignBlockchain: "LITECOIN", symbol: "LTC", levels: [], totalLevels: 0, totalOffers: 0, totalQort: "0.00000000", truncated: false };
    await host.show({ tool: "get_trade_order_book", args: LITECOIN, result: result(book) });
    await host.sees("No QORT is for sale in LTC now");
    await host.picture("market-empty-book");
    await host.close();
  },
};
