// The Node view: each verdict, and the figures that move.
import { StrictHost } from "../browser.mjs";
import { LOOKS, result } from "../looks.mjs";

const TOOL = "get_node_health";
const health = {
  verdict: "healthy", reasons: [], height: 2_401_468, lastBlockTimestamp: Date.UTC(2026, 10, 21, 6, 22), lastBlockAge: "40 s", isSynchronizing: false,
  blocksBehind: 0, inboundPeers: 18, outboundPeers: 14, dataPeers: 12, clockSkew: 12, isMintingPossible: true, buildVersion: "qortal-6.1.8-bb6b1bf", uptimeText: "3 d 4 h",
};
const STATES = {
  healthy: [health, "The node is healthy", "2,401,468", "32", "18 in, 14 out", "Within a second", "12 ms off", "running for 3 d 4 h"],
  synchronizing: [{ ...health, verdict: "synchronizing", isSynchronizing: true, syncPercent: 63, reasons: ["It is still downloading blocks, 63 percent done: wait until it has them."], blocksBehind: 812 }, "The node is synchronizing", "63 % synchronized", "812 blocks behind"],
  degraded: [{ ...health, verdict: "degraded", reasons: ["It has 2 peers, fewer than 3.", "Its last block is 12 min old (more than 5 min), though one should come every minute."], lastBlockAge: "12 min", clockSkew: -7200 }, "The node is degraded", "fewer than 3", "7 s off"],
  bare: [{ verdict: "degraded", reasons: ["Something is missing."], height: 5, isSynchronizing: false, isMintingPossible: false }, "The node is degraded", "Not possible"],
};

export default {
  async "live: the demo's node"(setup) {
    for (const [theme, width] of LOOKS) {
      const host = await StrictHost.open(setup, width);
      await host.show({ tool: TOOL, context: { theme, locale: "en-US", timeZone: "UTC" } });
      await host.sees("The node is", "Height", "Last block", "ago", "Peers", "Clock");
      await host.picture(`node-live-${theme}-${width}`);
      await host.close();
    }
  },

  async "every verdict"(setup) {
    for (const [name, [answer, ...texts]] of Object.entries(STATES)) {
      for (const [theme, width] of [["light", 720], ["dark", 360]]) {
        const host = await StrictHost.open(setup, width);
        await host.show({ tool: TOOL, context: { theme, locale: "en-US", timeZone: "UTC" }, result: result(answer) });
        await host.sees(...texts);
        await host.picture(`node-${name}-${theme}-${width}`);
        await host.close();
      }
    }
  },

  async "the age of the last block counts up"(setup) {
    const host = await StrictHost.open(setup, 720);
    await host.show({ tool: TOOL, result: result({ ...health, lastBlockAge: "1 h 2 min" }) });
    await host.sees("1 h 2 min ago");
    await host.show({ tool: TOOL, result: result(health) });
    await host.sees("40 s ago", "41 s ago");
    await host.close();
  },
};
