// What charts share.

/** Buttons of which one is chosen. @param {string} label @param {[string, boolean, () => void][]} choices */
const choice = (label, choices) => el("div", { class: "group", role: "group", "aria-label": label },
  ...choices.map(([text, isChosen, press]) => button(text, press, { "aria-pressed": String(isChosen) })));

/** The most decimal places that any of these amounts needs. @param {string[]} amounts */
const placesOf = (amounts) => Math.max(...amounts.map((it) => (it.split(".")[1] ?? "").replace(/0+$/, "").length));

/** Draws anew whenever the width changes. @param {(width: number) => Node} draw */
function fluid(draw) {
  const box = el("div", {});
  let width = 0;
  new ResizeObserver(() => {
    if (box.clientWidth !== width) box.replaceChildren(draw((width = box.clientWidth)));
  }).observe(box);
  return box;
}

/** A scale of round values around two, about as many as wanted. @param {number} least @param {number} most @param {number} wanted */
function ticks(least, most, wanted) {
  const rough = (most - least || most * 0.1 || 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((it) => it * power >= rough) ?? 10);
  const [from, to] = [Math.floor(least / step + 1e-9), Math.ceil(most / step - 1e-9)];
  const at = Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step);
  return { at, low: from * step, high: to * step, places: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}
