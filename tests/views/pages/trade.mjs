// The Trade view: one trade in each of its states.
import { StrictHost } from "../browser.mjs";
import { LOOKS, result } from "../looks.mjs";

const TOOL = "explain_trade";
const args = { at_address: "Aes2JuboJupax6uybgMa2was61y7MRiDJS" };
const trade = {
  qortalAtAddress: args.at_address, mode: "TRADING", isFinal: false, summary: "", meaning: "What it means.", nextStep: "What to do.",
  qortAmount: "1300.00000000", expectedForeignAmount: "0.03300000", symbol: "LTC", pricePerQort: "0.00002538",
  seller: "QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ", sellerName: "<b>rita</b>", created: Date.UTC(2026, 10, 21, 5, 6),
};
const STATES = {
  offering: [{ ...trade, mode: "OFFERING", sellerOnline: false, isHidden: false, height: 468 }, "On offer", "not online"],
  redeemed: [{ ...trade, mode: "REDEEMED", isFinal: true, buyer: "QPxkbALbBSkWAhiqj8KnNftQ7b2QbCy3U6", receiver: "QPxkbALbBSkWAhiqj8KnNftQ7b2QbCy3U6", receiverName: "bob" }, "Completed", "QORT went to"],
  refunded: [{ ...trade, mode: "REFUNDED", isFinal: true, buyer: "QPxkbALbBSkWAhiqj8KnNftQ7b2QbCy3U6" }, "Refunded", "Locked for a buyer"],
  cancelled: [{ ...trade, mode: "CANCELLED", isFinal: true }, "Cancelled", "Offered"],
  due: [{ ...trade, height: 1119, refundHeight: 1119, blocksUntilRefund: 0, buyer: "QPxkbALbBSkWAhiqj8KnNftQ7b2QbCy3U6", buyerOnline: false, sellerOnline: true }, "now due", "In progress"],
  unknown: [{ ...trade, mode: "NEW_STATE" }, "NEW_STATE", "What to do"],
};

export default {
  async "live: a trade in progress"(setup) {
    for (const [theme, width] of LOOKS) {
      const host = await StrictHost.open(setup, width);
      await host.show({ tool: TOOL, args, context: { theme, locale: "en-US", timeZone: "UTC" } });
      await host.sees("QORT for", "LTC", "In progress", "Locked for a buyer", "QORT go back to the seller", "What to do", "rita-trades", "online");
      await host.picture(`trade-live-${theme}-${width}`);
      await host.close();
    }
  },

  async "every state"(setup) {
    for (const [name, [answer, ...texts]] of Object.entries(STATES)) {
      for (const [theme, width] of [["light", 720], ["dark", 360]]) {
        const host = await StrictHost.open(setup, width);
        await host.show({ tool: TOOL, args, context: { theme, locale: "en-US", timeZone: "UTC" }, result: result(answer) });
        await host.sees("1,300 QORT for 0.033 LTC", "<b>rita</b>", ...texts);
        await host.picture(`trade-${name}-${theme}-${width}`);
        await host.close();
      }
    }
  },

  async "an address is selected where it cannot be copied"(setup) {
    const host = await StrictHost.open(setup, 720);
    await host.show({ tool: TOOL, args });
    await host.press(`Copy ${args.at_address}`);
    await host.sees(args.at_address, "Selected");
    await host.close();
  },

  async "an open trade is read again by itself"(setup) {
    const host = await StrictHost.open(setup, 720, { hasten: "setInterval" });
    await host.show({ tool: TOOL, args, result: result(STATES.due[0]) });
    await host.sees("rita-trades");
    await host.close();
  },
};
