// The node: is it well, and if not, why.
{
  /** How often it is read again, and for how long. */
  const [EVERY, AT_MOST] = [15_000, 600_000];
  /** @type {{[verdict: string]: [string, string, string]}} its word, its color, and its sign */
  const VERDICTS = {
    healthy: ["The node is healthy", "good", "✓"],
    synchronizing: ["The node is synchronizing", "info", "↻"],
    degraded: ["The node is degraded", "warn", "!"],
    unhealthy: ["The node is unhealthy", "bad", "✕"],
  };
  /** Seconds of the units in a text such as "2 h 5 min". @type {{[unit: string]: number}} */
  const UNITS = { s: 1, min: 60, h: 3600, d: 86_400, day: 86_400, days: 86_400 };
  /** @type {Intl.DateTimeFormatOptions} */
  const SHORT = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  /** @type {(() => void)[]} */
  let ends = [];
  let tick = () => {};
  const end = () => ends.splice(0).forEach((it) => it());

  /** @param {Data} data */
  function draw(data) {
    const [word, color, sign] = VERDICTS[data.verdict] ?? [String(data.verdict), "muted", "?"];
    const again = async () => draw(await host.call("get_node_health", {}));
    const isFirst = !ends.length;
    const age = el("dd", {});
    tick = ageOf(data.lastBlockAge, age);
    if (isFirst) {
      const timer = setInterval(() => tick(), 1000);
      ends.push(() => clearInterval(timer));
      if (host.canCall) ends.push(whileVisible(() => again().catch(() => undefined), EVERY, AT_MOST));
    }
    const figure = (/** @type {string} */ term, /** @type {Child} */ value, /** @type {Child} */ more) => value !== undefined
      && el("div", {}, el("dt", {}, term), value instanceof Node ? value : el("dd", {}, value), more && el("dd", { class: "plain muted" }, more));
    const peers = data.inboundPeers === undefined ? undefined : amount(data.inboundPeers + data.outboundPeers);
    const skew = data.clockSkew === undefined ? undefined : Math.abs(data.clockSkew);
    show(
      el("div", { class: "row mid" },
        el("span", { class: `sign ${color}`, "aria-hidden": "true" }, sign),
        el("h1", { class: color }, word)),
      data.reasons?.length > 0 && el("ul", { class: "box stack" }, ...data.reasons.map((/** @type {string} */ it) => el("li", {}, it))),
      data.isSynchronizing && data.syncPercent !== undefined && el("div", { class: "stack" },
        el("progress", { max: 100, value: data.syncPercent, "aria-label": "Synchronized" }), el("p", { class: "muted" }, `${data.syncPercent} % synchronized`)),
      el("dl", { class: "figures" },
        figure("Height", amount(data.height), data.blocksBehind ? `${counted(data.blocksBehind, "block")} behind its peers` : data.blocksBehind === 0 && "like its peers"),
        data.lastBlockAge && figure("Last block", age, data.lastBlockTimestamp && time(data.lastBlockTimestamp, SHORT)),
        figure("Peers", peers, peers && `${data.inboundPeers} in, ${data.outboundPeers} out`),
        figure("Clock", skew === undefined ? skew : skew < 1000 ? "Within a second" : `${duration(skew / 1000)} off`, skew !== undefined && `${amount(skew)} ms off`),
        figure("Minting", data.isMintingPossible ? "Possible" : "Not possible", !data.isMintingPossible && "most nodes do not mint")),
      el("p", { class: "muted" }, [data.buildVersion, data.uptimeText && `running for ${data.uptimeText}`].filter(Boolean).join(" · ")),
      footer(again),
    );
  }

  /** The age counts up from what the node said: the clock here may be another. @param {string} text @param {HTMLElement} target */
  function ageOf(text, target) {
    const begun = Date.now();
    const parts = [...String(text).matchAll(/(\d+)\s([a-z]+)/g)];
    const seconds = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[String(unit)] ?? 0), 0);
    const write = () => (target.textContent = `${duration(seconds + (Date.now() - begun) / 1000)} ago`);
    write();
    return write;
  }

  host.start({ name: "node", accepts: (data) => typeof data.verdict === "string", draw, end });
}
