// One account: who it is, what it has, and what it did.
{
  /** The highest level of minting. */
  const TOP_LEVEL = 10;
  /** @type {Data} */
  let shown = {};
  let kind = "";
  /** How much is shown at first: inline views stay low. */
  const [FEW_BELOW_CARD, FEW_EVENTS, FEW_CHIPS] = [2, 4, 8];
  let isWhole = false;

  /** @param {Data} data */
  function draw(data) {
    shown = data;
    const isReport = data.balance !== undefined;
    const again = async () => draw(isReport
      ? await host.call("get_account_report", { address: data.address })
      : await host.call("get_account_activity", { ...host.input, address: data.address }));
    const name = data.primaryName ?? data.resolvedFrom;
    show(
      el("div", { class: "row apart mid" }, el("h1", {}, name ?? "Account without a name"), copyable(data.address)),
      ...(isReport ? report(data) : []),
      timeline(data.recentActivity ?? data.activities ?? [], isReport),
      footer(again),
    );
  }

  /** @param {Data} data @returns {Child[]} */
  function report(data) {
    const figure = (/** @type {string} */ term, /** @type {Child} */ value, /** @type {Child} */ more) =>
      el("div", {}, el("dt", {}, term), el("dd", {}, value), more && el("dd", { class: "plain muted" }, more));
    const total = (/** @type {number | undefined} */ all, /** @type {any[]} */ list) => Math.max(0, (all ?? 0) - list.length);
    const { names = [], groups = [], openOffers = [], recentTrades = [] } = data;
    const others = names.filter((/** @type {string} */ it) => it !== data.primaryName);
    return [
      !data.isKnown && el("p", { class: "box" }, "This account has never appeared on the chain."),
      el("p", { class: "row" }, el("span", { class: "big" }, amount(data.balance)), el("span", { class: "muted" }, "QORT")),
      el("dl", { class: "figures" },
        figure("Minting level", `${data.level} of ${TOP_LEVEL}`, el("span", { class: "bar", "aria-hidden": "true" },
          ...Array.from({ length: TOP_LEVEL }, (_, at) => el("i", { class: at < data.level && "on" })))),
        figure("Blocks minted", amount(data.blocksMinted), data.blocksMintedPenalty ? `penalty ${amount(data.blocksMintedPenalty)}` : data.isFounder && "founder"),
        openOffers.length > 0 && figure("Open offers", amount(data.totalOpenOffers ?? openOffers.length), `${sum(openOffers)} QORT${total(data.totalOpenOffers, openOffers) ? " shown" : ""}`),
        recentTrades.length > 0 && figure("Trades in 30 days", amount(recentTrades.length), `${sum(recentTrades)} QORT`)),
      others.length > 0 && chips("Other names", others),
      groups.length > 0 && chips("Groups", groups.map((/** @type {Data} */ it) => it.groupName + (it.isOwner ? " (owner)" : it.isAdmin ? " (admin)" : "")), total(data.totalGroups, groups)),
    ];
  }

  /** The sum of amounts, in units of 8 places. @param {Data[]} rows */
  function sum(rows) {
    const units = (/** @type {string} */ it) => BigInt(it.replace(".", ""));
    const all = String(rows.reduce((all, it) => all + units(it.qortAmount), 0n)).padStart(9, "0");
    return amount(`${all.slice(0, -8)}.${all.slice(-8)}`);
  }

  /** @param {string} title @param {string[]} texts @param {number} [more] */
  function chips(title, texts, more = 0) {
    const left = more + Math.max(0, texts.length - FEW_CHIPS);
    return el("section", { class: "stack" }, el("h2", {}, title), el("ul", { class: "row" },
      ...texts.slice(0, FEW_CHIPS).map((it) => el("li", { class: "chip" }, it)), left > 0 && el("li", { class: "chip muted" }, `and ${left} more`)));
  }

  /** @param {Data[]} all @param {boolean} isReport */
  function timeline(all, isReport) {
    for (const it of all) it.timestamp ??= Date.parse(it.timestampIso);
    const kinds = [...new Set(all.map((it) => it.type))];
    if (!kinds.includes(kind)) kind = "";
    const chosen = all.filter((it) => !kind || it.type === kind);
    const rows = isWhole ? chosen : chosen.slice(0, isReport ? FEW_BELOW_CARD : FEW_EVENTS);
    const day = (/** @type {Data} */ it) => time(it.timestamp, { weekday: "short", day: "numeric", month: "long", year: "numeric" });
    /** @type {Map<string, Data[]>} */
    const days = new Map();
    for (const it of rows) days.set(day(it), [...(days.get(day(it)) ?? []), it]);
    const pick = (/** @type {string} */ it) => () => ((kind = it), draw(shown));
    const next = !isReport && host.canCall && shown.next;
    const more = async () => {
      if (!isWhole) {
        isWhole = true;
        draw(shown);
        return;
      }
      const page = await host.call("get_account_activity", next.arguments ?? next);
      draw({ ...page, activities: [...all, ...page.activities] });
    };
    return el("section", { class: "stack" },
      el("h2", {}, isReport ? "Latest activity" : "Activity"),
      !isReport && kinds.length > 1 && el("div", { class: "row pills", role: "group", "aria-label": "Kind of activity" },
        ...["", ...kinds].map((it) => button(it ? words(it) : "All", pick(it), { class: "pill", "aria-pressed": String(it === kind) }))),
      !all.length && el("p", { class: "box" }, "Nothing that is confirmed."),
      el("ol", { class: "stack" }, ...[...days].map(([title, list]) => el("li", { class: "stack day" },
        el("h3", {}, title), el("ul", { class: "stack" }, ...list.map(activity))))),
      el("p", { class: "muted" }, "Confirmed transactions only. Minting rewards are not listed, because they are not transactions."),
      (next || rows.length < chosen.length) && button("Show more", () => more().catch((/** @type {Error} */ why) => say(`Not read: ${why.message}`))),
    );
  }

  /** @param {Data} it */
  const activity = (it) => el("li", { class: "event" },
    el("span", { class: "muted" }, clock(it.timestamp)),
    el("div", {},
      el("p", {}, it.text),
      el("p", { class: "muted row" },
        [words(it.type), it.height && `block ${amount(it.height)}`, it.fee && `fee ${amount(it.fee)}`, it.approvalStatus && words(it.approvalStatus)].filter(Boolean).join(" · "),
        host.canAsk && it.transaction && button("Explain", () => host.ask(`Explain transaction ${it.transaction}.`), { class: "link", "aria-label": `Explain: ${it.text}` }))));

  /** @type {Data} */
  const KINDS = { ARBITRARY: "Publication", DEPLOY_AT: "New automated transaction", AT: "Automated transaction" };
  /** REGISTER_NAME as "Register name". @param {string} type */
  const words = (type) => KINDS[type] ?? type.charAt(0) + type.slice(1).toLowerCase().replaceAll("_", " ");

  host.start({
    name: "account",
    accepts: (data) => typeof data.address === "string" && (data.balance !== undefined || Array.isArray(data.activities)),
    draw,
  });
}
