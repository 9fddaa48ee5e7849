// Elements. Text becomes text nodes, so that what strangers wrote is never markup.

/** @typedef {Node | string | null | undefined | false} Child */

const SHAPES = ["svg", "path", "text"];

/**
 * @param {string} tag
 * @param {Data} props attributes; functions are listeners
 * @param {...Child} children
 * @returns {any}
 */
function el(tag, props, ...children) {
  const node = SHAPES.includes(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value || value === 0) node.setAttribute(name, String(value));
  }
  node.append(...children.map((it) => it || ""));
  return node;
}

/** Replaces what the page shows; the focus stays on the button of the same words. @param {...Child} nodes */
function show(...nodes) {
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  const words = document.activeElement?.textContent;
  main.replaceChildren(...nodes.map((it) => it || ""));
  main.removeAttribute("aria-busy");
  [...main.querySelectorAll("button")].find((it) => it.textContent === words)?.focus();
}

/** Tells people who cannot see what changed. @param {string} text */
function say(text) {
  /** @type {HTMLElement} */ (document.getElementById("live")).textContent = text;
}

/** @param {string} text @param {() => void} click @param {Data} [props] */
const button = (text, click, props) => el("button", { type: "button", click, ...props }, text);

/** When this was read, and a button that reads it again where the host can. @param {() => Promise<void>} [again] */
function footer(again) {
  const failed = el("span", { class: "bad" });
  const refresh = () => again?.().then(
    () => say("Read again"),
    (why) => (failed.textContent = `Not read again: ${why.message}`),
  );
  const it = button("Refresh", refresh, { class: "link" });
  return el("p", { class: "row muted" }, el("span", {}, `As of ${clock(Date.now())}`), again && host.canCall && it, failed);
}
