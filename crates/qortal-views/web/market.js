// Prices over time, the offers of one coin, or all coins: what the answer has.
{
  /** @type {Data} */
  let shown = {};
  /** @type {Data | null} */
  let coins = null;
  /** How many candles; 0 is all. */
  let range = 0;
  let isOnline = false;

  /** @param {Data} data */
  function draw(data) {
    [shown, range] = [data, 0];
    if (data.coins) coins = data;
    redraw();
  }

  function redraw() {
    if (shown.candles) history(shown.candles);
    else if (shown.levels) book(shown.levels);
    else overview(shown.coins);
  }

  /** Reads what is shown now, or something else. @param {string} tool @param {Data} args */
  const read = async (tool, args) => draw(await host.call(tool, args));

  /** A press that shows something else, of which the model learns. @param {string} tool @param {Data} args @param {string} what */
  const go = (tool, args, what) => () => read(tool, args).then(
    () => host.note(`The user now looks at ${what}.`),
    (why) => say(`Not read: ${why.message}`),
  );

  /** @param {string} title */
  const head = (title) => el("div", { class: "row apart" }, el("h1", {}, title),
    coins && shown !== coins && button("All coins", () => draw(/** @type {Data} */ (coins)), { class: "link" }));

  /** @param {string} value @param {...Child} more */
  const answer = (value, ...more) => el("div", { class: "row" }, el("span", { class: "big" }, value), ...more);

  /** @param {string} text */
  const small = (text) => el("span", { class: "muted" }, text);

  /** @param {Data[]} all */
  function history(all) {
    const { symbol, interval, unit, foreignBlockchain: blockchain } = shown;
    for (const it of all) it.start ??= Date.parse(it.startIso);
    const intervals = host.canCall && choice("Length of a candle", ["Hour", "Day", "Week"].map((it) => [
      it, it.toLowerCase() === interval, go("get_price_history", { blockchain, interval: it.toLowerCase(), limit: 60 }, `the price of QORT in ${symbol} by ${it.toLowerCase()}`),
    ]));
    const title = head(`Price of QORT in ${symbol}`);
    const foot = footer(() => read("get_price_history", { ...host.input, blockchain, interval }));
    if (!all.length) {
      show(title, el("p", { class: "box" }, `Nothing was traded since ${dayAndTime(shown.since)}.`), intervals, foot);
      return;
    }
    const length = range || all.length;
    const candles = all.slice(-length);
    const [first, last] = /** @type {[Data, Data]} */ ([candles[0], candles[candles.length - 1]]);
    const change = (last.close / first.open - 1) * 100;
    const members = ["open", "high", "low", "close"];
    const places = placesOf(candles.flatMap((it) => members.map((name) => it[name])));
    const hourly = interval === "hour" && { hour: /** @type {const} */ ("2-digit"), minute: /** @type {const} */ ("2-digit") };
    /** Days and weeks begin in UTC. @param {Data} it @param {boolean} [isShort] */
    const when = (it, isShort) => time(it.start, {
      ...((!hourly || !isShort) && { day: "numeric", month: "short" }), ...(!isShort && { year: "numeric" }), ...(hourly || { timeZone: "UTC" }),
    });
    const line = el("p", { class: "muted", "aria-live": "polite" });
    const tell = (/** @type {Data} */ it) => (line.textContent =
      `${when(it)}: ${members.map((name) => name + " " + amount(it[name], places)).join(", ")}, ${amount(it.volumeQort)} QORT in ${counted(it.trades, "trade")}`);
    tell(last);
    const ranges = [7, 24].filter((it) => it < all.length);
    const cut = (/** @type {number} */ count) => () => ((range = count), redraw());
    show(
      title,
      answer(amount(last.close, places), el("span", { class: change < 0 ? "bad" : "good" }, `${change < 0 ? "▼" : "▲"} ${Math.abs(change).toFixed(1)} % since ${when(first, true)}`), small(unit)),
      el("div", { class: "row apart" },
        intervals,
        ranges.length > 0 && choice("Candles shown", [...ranges, 0].map((it) => [it ? `Last ${it}` : "All", it === range, cut(it)]))),
      el("div", { class: "beside" }, fluid((width) => chart(candles, width, when, tell)), host.canCall && offers(blockchain, symbol)),
      line,
      el("details", {}, el("summary", {}, "As a table"), table(["Start", ...members, "QORT"],
        candles.map((it) => [when(it), ...members.map((name) => amount(it[name], places)), amount(it.volumeQort)]).reverse(), 1)),
      foot,
    );
  }

  /** @param {string} blockchain @param {string} symbol */
  function offers(blockchain, symbol) {
    const tool = "get_trade_order_book";
    const box = el("section", {});
    host.call(tool, { blockchain, limit: 5 }).then(({ levels, totalOffers }) => box.append(
      table(["For sale at", "QORT"], levels.map((/** @type {Data} */ it) => [amount(it.pricePerQort), amount(it.qortAmount)])),
      button(counted(totalOffers, "offer"), go(tool, { blockchain }, `the offers for ${symbol}`), { class: "link" }),
    ), (why) => say(`Not read: ${why.message}`));
    return box;
  }

  /**
   * Hollow where the price rose: color is not the only sign.
   * @param {Data[]} candles @param {number} width
   * @param {(candle: Data, isShort: boolean) => string} when @param {(candle: Data) => void} tell
   */
  function chart(candles, width, when, tell) {
    const millis = { hour: 36e5, day: 864e5, week: 6048e5 }[/** @type {"day"} */ (shown.interval)] || 864e5;
    const [bottom, height] = [204, 228];
    const scale = ticks(Math.min(...candles.map((it) => it.low)), Math.max(...candles.map((it) => it.high)), 4);
    const labels = scale.at.map((it) => it.toFixed(scale.places));
    const inner = width - 12 - 6.5 * Math.max(...labels.map((it) => it.length));
    const from = candles[0]?.start;
    const span = candles[candles.length - 1]?.start + millis - from;
    const x = (/** @type {Data} */ it) => ((it.start - from + millis / 2) / span) * inner;
    const y = (/** @type {number} */ it) => 8 + ((scale.high - it) / (scale.high - scale.low)) * 142;
    const thick = Math.max(2, Math.min(16, (millis / span) * inner * 0.66));
    const most = Math.max(...candles.map((it) => it.volumeQort)) || 1;
    let [rose, fell, volume, end] = ["", "", "", -20];
    const texts = [];
    for (const it of candles) {
      const [center, high, low] = [x(it), y(Math.max(it.open, it.close)), y(Math.min(it.open, it.close))];
      const left = center - thick / 2;
      const path = `M${center} ${y(it.high)}V${high}M${center} ${low}V${y(it.low)}M${left} ${high}h${thick}v${Math.max(1.5, low - high)}h${-thick}z`;
      if (Number(it.close) < Number(it.open)) fell += path;
      else rose += path;
      volume += `M${left} ${bottom}h${thick}v${(it.volumeQort / most) * -40}h${-thick}z`;
      const text = when(it, true);
      const half = text.length * 3.2;
      const middle = Math.min(Math.max(center, half), inner - half);
      if (middle - half > end + 16) {
        texts.push(el("text", { x: middle, y: bottom + 18, "text-anchor": "middle" }, text));
        end = middle + half;
      }
    }
    const mark = el("path", { class: "mark" });
    let at = candles.length - 1;
    const point = (/** @type {number} */ to) => {
      at = Math.max(0, Math.min(candles.length - 1, to));
      const it = /** @type {Data} */ (candles[at]);
      mark.setAttribute("d", `M${x(it)} 4V${bottom}`);
      tell(it);
    };
    /** @type {{[key: string]: () => number}} */
    const keys = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => candles.length };
    return el("svg", {
      height, tabindex: 0, role: "img", "aria-label": "Chart; arrow keys read the candles one by one",
      pointermove: (/** @type {PointerEvent} */ event) => {
        const away = (/** @type {number} */ to) => Math.abs(x(/** @type {Data} */ (candles[to])) - event.offsetX);
        point(candles.reduce((best, _, to) => (away(to) < away(best) ? to : best), 0));
      },
      pointerleave: () => mark.removeAttribute("d"),
      keydown: (/** @type {KeyboardEvent} */ event) => {
        const key = keys[event.key];
        if (key) event.preventDefault(), point(key());
      },
    },
      ...scale.at.map((it) => el("path", { class: "grid", d: `M0 ${y(it)}H${inner}` })),
      ...scale.at.map((it, index) => el("text", { x: inner + 6, y: y(it) + 4 }, labels[index])),
      ...texts, el("path", { class: "volume", d: volume }), mark, el("path", { class: "rose", d: rose }), el("path", { class: "fell", d: fell }));
  }

  /** @param {Data[]} all */
  function book(all) {
    const { symbol, bestAsk, lowestAsk, foreignBlockchain: blockchain } = shown;
    const levels = all.filter((it) => !isOnline || it.offersOnline);
    const places = placesOf(all.map((it) => it.pricePerQort));
    const price = (/** @type {any} */ it) => amount(it, places);
    const columns = ["qortAmount", "foreignAmount", "cumulativeQort"].map((name) => ({ name, places: placesOf(all.map((it) => it[name])) }));
    show(
      head(`QORT for sale in ${symbol}`),
      all.length ? answer(bestAsk ? price(bestAsk) : "No seller is online",
        small(bestAsk ? `${symbol} for one QORT: the best price that can be bought now` : `the lowest price is ${price(lowestAsk)} ${symbol}`))
        : el("p", { class: "box" }, `No QORT is for sale in ${symbol} now.`),
      all.length > 0 && el("div", { class: "row apart mid" },
        small(`${amount(shown.totalQort)} QORT in ${counted(shown.totalOffers, "offer")}; there are no bids on Qortal`),
        button("Only sellers online", () => ((isOnline = !isOnline), redraw()), { "aria-pressed": String(isOnline) })),
      levels.length > 1 && fluid((width) => steps(levels, width, price)),
      levels.length > 0 && table(["Price", "QORT", symbol, "Up to here", "Online"], levels.map((it) => [
        price(it.pricePerQort), ...columns.map(({ name, places }) => amount(it[name], places)), `${it.offersOnline} of ${it.offers}`,
      ]), 3),
      all.length < shown.totalLevels && small(`The lowest ${all.length} of ${shown.totalLevels} prices`),
      footer(() => read("get_trade_order_book", { ...host.input, blockchain })),
    );
  }

  /** QORT up to each price; the stronger part is of sellers who are online. @param {Data[]} levels @param {number} width @param {(it: any) => string} price */
  function steps(levels, width, price) {
    const [first, last] = /** @type {[Data, Data]} */ ([levels[0], levels[levels.length - 1]]);
    const [bottom, height] = [116, 138];
    const total = levels.reduce((sum, it) => sum + Number(it.qortAmount), 0);
    const x = (/** @type {Data} */ it) => ((it.pricePerQort - first.pricePerQort) / (last.pricePerQort - first.pricePerQort)) * (width - 24);
    const area = (/** @type {(it: Data) => number} */ share) => {
      let sum = 0;
      const rise = levels.map((it) => `H${x(it)}V${bottom - ((sum += it.qortAmount * share(it)) / total) * 98}`);
      return `M0 ${bottom}${rise.join("")}H${width}V${bottom}z`;
    };
    return el("svg", { height, role: "img", "aria-label": "QORT for sale up to each price" },
      el("path", { class: "area", d: area(() => 1) }),
      el("path", { class: "area", d: area((it) => it.offersOnline / it.offers) }),
      el("text", { x: width, y: 12, "text-anchor": "end" }, `${amount(total)} QORT`),
      el("text", { y: height - 4 }, price(first.pricePerQort)),
      el("text", { x: width, y: height - 4, "text-anchor": "end" }, price(last.pricePerQort)));
  }

  /** @param {Data[]} all */
  function overview(all) {
    const or = (/** @type {any} */ it) => (it ? amount(it) : "–");
    const link = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ press) => button(text, press, { class: "link", "aria-label": label });
    show(
      head("What one QORT costs"),
      table(["Coin", "Last", "Best ask", "24 h QORT", "Offers"], all.map((it) => {
        const { symbol, openOffers, foreignBlockchain: blockchain } = it;
        const what = `the price of QORT in ${symbol}`;
        const chart = host.canCall ? go("get_price_history", { blockchain, limit: 60 }, what) : host.canAsk && (() => host.ask(`Show ${what} over time.`));
        return [
          chart ? link(symbol, `Chart of ${symbol}`, chart) : symbol,
          or(it.lastPrice), or(it.bestAsk), or(it.volumeQort24h),
          host.canCall ? link(String(openOffers), `${openOffers} offers for ${symbol}`, go("get_trade_order_book", { blockchain }, `the offers for ${symbol}`)) : String(openOffers),
        ];
      }), 3),
      small("Last trade within seven days, lowest price of a seller who is online"),
      footer(() => read("get_market_overview", {})),
    );
  }

  /** @param {string[]} names @param {Child[][]} rows @param {number} [wide] the column for wide pages alone */
  function table(names, rows, wide) {
    const row = (/** @type {string} */ tag, /** @type {Child[]} */ cells) => el("tr", {}, ...cells.map((it, at) => el(tag, { class: at === wide && "wide" }, it)));
    return el("table", {}, el("thead", {}, row("th", names)), el("tbody", {}, ...rows.map((it) => row("td", it))));
  }

  host.start({ name: "market", accepts: (data) => [data.candles, data.levels, data.coins].some(Array.isArray), draw });
}
