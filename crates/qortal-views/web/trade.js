// One trade: where it stands, who is online, how long there is, and what to do.
{
  /** How often an open trade is read again, and for how long. */
  const [EVERY, AT_MOST] = [60_000, 3_600_000];
  /** @type {{[mode: string]: [string, string, string]}} what it is called, its color, and its sign */
  const MODES = {
    OFFERING: ["On offer", "info", "○"],
    TRADING: ["In progress", "info", "◐"],
    REDEEMED: ["Completed", "good", "✓"],
    REFUNDED: ["Refunded", "warn", "↩"],
    CANCELLED: ["Cancelled", "muted", "✕"],
  };
  /** @type {Intl.DateTimeFormatOptions} */
  const SHORT = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  let end = () => {};

  /** @param {Data} data */
  function draw(data) {
    const [word, color, sign] = MODES[data.mode] ?? [String(data.mode), "muted", "?"];
    const again = async () => draw(await host.call("explain_trade", { at_address: data.qortalAtAddress }));
    end();
    if (host.canCall && !data.isFinal) end = whileVisible(() => again().catch(() => undefined), EVERY, AT_MOST);
    show(
      el("div", { class: "row apart" },
        el("h1", {}, `${amount(data.qortAmount)} QORT for ${amount(data.expectedForeignAmount)} ${data.symbol}`),
        el("span", { class: `badge ${color}` }, el("span", { "aria-hidden": "true" }, sign), ` ${word}`)),
      el("p", { class: "muted" }, [
        data.pricePerQort && `${amount(data.pricePerQort)} ${data.symbol} for one QORT`, `offered ${dayAndTime(data.created)}`,
      ].filter(Boolean).join(" · ")),
      progress(data),
      deadline(data),
      el("section", { class: "box stack" }, el("h2", {}, "What to do"), el("p", {}, local(data.nextStep))),
      el("details", {}, el("summary", {}, "What this means"), el("p", {}, data.meaning)),
      el("dl", { class: "figures" },
        party("Seller", data.seller, data.sellerName, data.sellerOnline),
        party("Buyer", data.buyer, data.buyerName, data.buyerOnline),
        party("QORT went to", data.receiver, data.receiverName),
        party("Trade", data.qortalAtAddress)),
      footer(again),
    );
  }

  /** A sentence with its times as the reader writes them. @param {string} text */
  const local = (text) => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (it) => dayAndTime(Date.parse(it)));

  /** The steps so far, and the ones to come. @param {Data} data */
  function progress(data) {
    const last = data.mode === "REFUNDED" ? "Refunded" : "Completed";
    const steps = data.mode === "CANCELLED" ? ["Offered", "Cancelled"] : ["Offered", "Locked for a buyer", last];
    const at = data.isFinal ? steps.length - 1 : data.mode === "TRADING" ? 1 : 0;
    return el("ol", { class: "steps" }, ...steps.map((it, index) => el("li", {
      class: index < at || data.mode === "REDEEMED" ? "done" : index === at && (data.isFinal ? "over" : "now"),
      "aria-current": index === at && "step",
    }, it)));
  }

  /** @param {Data} data */
  function deadline(data) {
    const { height, refundHeight, blocksUntilRefund: blocks, buyerRefundFrom: from } = data;
    if (blocks === undefined && !from) return null;
    const figure = (/** @type {string} */ name, /** @type {string} */ value, /** @type {string} */ more) =>
      el("div", {}, el("dt", {}, name), el("dd", {}, value), el("dd", { class: "muted" }, more));
    return el("dl", { class: "figures" },
      blocks !== undefined && figure("QORT go back to the seller", blocks ? `in ${counted(blocks, "block")}` : "now due",
        [data.timeUntilRefund, `at block ${amount(refundHeight)}`].filter(Boolean).join(", ")),
      from && figure(`${data.symbol} can be taken back`, `from ${time(from, SHORT)}`, "by the buyer, if not spent"),
      height && figure("The chain is at", `block ${amount(height)}`, ""));
  }

  /** @param {string} role @param {string} [address] @param {string} [name] @param {boolean} [isOnline] */
  const party = (role, address, name, isOnline) => address && el("div", {},
    el("dt", {}, role),
    name && el("dd", {}, name),
    el("dd", { class: "plain" }, copyable(address)),
    isOnline !== undefined && el("dd", { class: `plain ${isOnline ? "good" : "muted"}` }, isOnline ? "● online" : "○ not online"));

  host.start({ name: "trade", accepts: (data) => typeof data.mode === "string" && typeof data.nextStep === "string", draw, end: () => end() });
}
