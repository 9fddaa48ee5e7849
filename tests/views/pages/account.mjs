// The Account view: the card of an account, and what it did.
import assert from "node:assert/strict";
import { StrictHost } from "../browser.mjs";
import { LOOKS, result } from "../looks.mjs";

const ADDRESS = "QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ";
const context = { theme: "light", locale: "en-US", timeZone: "UTC" };

export default {
  async "live: a report and what an account did"(setup) {
    for (const [theme, width] of LOOKS) {
      const host = await StrictHost.open(setup, width);
      await host.show({ tool: "get_account_report", args: { address: "rita-trades" }, context: { ...context, theme } });
      await host.sees("rita-trades", "QORT", "Minting level", "0 of 10", "Open offers", "Groups", "open-lounge", "Latest activity", "Sat, November 21, 2026", "05:48");
      await host.picture(`account-report-${theme}-${width}`);
      await host.show({ tool: "get_account_activity", args: { address: "victor" }, context: { ...context, theme } });
      await host.sees("victor", "Activity", "Register name", "Sat, November 21, 2026", "05:49");
      await host.picture(`account-activity-${theme}-${width}`);
      await host.close();
    }
  },

  async "a kind can be picked, and a row asks the model"(setup) {
    const host = await StrictHost.open(setup, 720);
    await host.show({ tool: "get_account_activity", args: { address: "victor" }, context, result: result({
      address: ADDRESS, truncated: false,
      activities: [
        { timestampIso: "2026-11-21T05:49:00.000Z", text: "This account registers <img src=x onerror=alert(1)>.", type: "REGISTER_NAME", fee: "1.25000000", height: 438, transaction: "438/tiopxLrh" },
        { timestampIso: "2026-11-20T05:49:00.000Z", text: "This account pays.", type: "PAYMENT", height: 437, transaction: "437/abc" },
      ],
    }) });
    await host.sees("<img src=x onerror=alert(1)>", "This account pays");
    await host.press("Register name");
    await host.seesNot("This account pays");
    await host.press("Explain: This account registers <img src=x onerror=alert(1)>.");
    assert.deepEqual(await host.hears("asked", 1), [[{ type: "text", text: "Explain transaction 438/tiopxLrh." }]]);
    await host.close();
  },

  async "more is read from where the page ended"(setup) {
    const host = await StrictHost.open(setup, 720);
    await host.show({ tool: "get_account_activity", args: { address: "victor", limit: 3 }, context });
    await host.sees("Show more");
    const rows = () => host.view.evaluate(() => document.querySelectorAll(".event").length);
    assert.equal(await rows(), 3);
    // First what is there, then the next page.
    await host.press("Show more");
    await host.press("Show more");
    await host.view.waitForFunction(() => document.querySelectorAll(".event").length > 3);
    await host.close();
  },

  async "an account of no one"(setup) {
    const host = await StrictHost.open(setup, 360);
    await host.show({ tool: "get_account_report", args: { address: ADDRESS }, context, result: result({
      address: ADDRESS, isKnown: false, balance: "0.00000000", names: [], level: 0, blocksMinted: 0, blocksMintedPenalty: 0, isFounder: false,
      groups: [], totalGroups: 0, openOffers: [], totalOpenOffers: 0, recentTrades: [], recentActivity: [], truncated: [],
    }) });
    await host.sees("Account without a name", "has never appeared on the chain", "Nothing that is confirmed");
    await host.picture("account-empty");
    await host.show({ tool: "get_account_report", args: { address: ADDRESS }, context: { ...context, theme: "dark" }, result: result({
      address: ADDRESS, isKnown: true, balance: "45835.00006873", primaryName: "A very long name that someone thought of, مع كلمات عربية", names: ["one", "two", "three"], level: 7,
      blocksMinted: 120345, blocksMintedPenalty: -1000, isFounder: true,
      groups: Array.from({ length: 20 }, (_, at) => ({ groupId: at, groupName: `group number ${at}`, isOwner: at === 1, isAdmin: at === 2 })), totalGroups: 23,
      openOffers: [{ qortAmount: "5.50000000" }, { qortAmount: "0.00000001" }], totalOpenOffers: 2,
      recentTrades: [{ qortAmount: "100.00000000" }], recentActivity: [], truncated: ["groups"],
    }) });
    await host.sees("7 of 10", "45,835.00006873", "and 15 more", "5.50000001 QORT", "penalty -1,000");
    await host.picture("account-full-dark-360");
    await host.close();
  },
};
