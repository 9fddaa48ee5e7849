"use strict";
// The conversation with the host: JSON-RPC over postMessage (MCP Apps 2026-01-26).

/**
 * @typedef {{[name: string]: any}} Data
 * @typedef {object} App
 * @property {string} name
 * @property {(data: Data) => boolean} accepts whether it can draw this
 * @property {(data: Data) => void} draw
 * @property {() => void} [end] stops what runs by itself
 */

const host = (() => {
  const PATIENCE = 30_000; // of a request, and of a silent host
  /** @type {Map<number, {resolve: (result: any) => void, reject: (why: Error) => void}>} */
  const pending = new Map();
  let last = 0;
  /** @type {Data} */
  let context = {};
  /** @type {Data} */
  let capabilities = {};
  /** @type {Data} */
  let input = {};
  /** @type {App} */
  let app;
  let silence = 0;
  let hasResult = false;
  /** @type {Data | null} */
  let drawn = null;

  /** @param {Data} message */
  const send = (message) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

  /** @param {string} method @param {Data} params @returns {Promise<any>} */
  function request(method, params) {
    const id = ++last;
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject });
      setTimeout(() => pending.delete(id) && reject(new Error("the host does not answer")), PATIENCE);
      send({ id, method, params });
    });
  }

  /** @param {Data} change */
  function adopt(change) {
    context = { ...context, ...change };
    const root = document.documentElement;
    if (context.theme) root.style.colorScheme = root.dataset.theme = context.theme;
    for (const [name, value] of Object.entries(context.styles?.variables ?? {})) {
      if (name.startsWith("--") && typeof value === "string") root.style.setProperty(name, value);
    }
    const inset = context.safeAreaInsets;
    if (inset) {
      const sides = [inset.top, inset.right, inset.bottom, inset.left];
      document.body.style.padding = sides.map((it) => `${16 + (Number(it) || 0)}px`).join(" ");
    }
    if (drawn && (change.locale || change.timeZone)) app.draw(drawn);
  }

  /** The structured content, or the object in the first text. @param {Data} result @returns {Data | null} */
  function dataOf(result) {
    if (result.structuredContent) return result.structuredContent;
    try {
      const data = JSON.parse(textOf(result));
      return data && typeof data === "object" ? data : null;
    } catch {
      return null;
    }
  }

  /** @param {Data} result @returns {string} */
  const textOf = (result) =>
    (Array.isArray(result.content) ? result.content : []).find((it) => it?.type === "text")?.text ?? "";

  /** What is drawn stays unless this can be drawn. @param {Data} result */
  function take(result) {
    hasResult = true;
    const data = dataOf(result);
    if (!result.isError && data && app.accepts(data)) app.draw((drawn = data));
    else if (drawn) return;
    else if (result.isError) state("The tool could not answer", textOf(result) || "It gave no reason.", true);
    else state("Nothing to draw", "This view cannot draw this answer. Its text has it all.");
  }

  /** @param {string} title @param {string} text @param {boolean} [isError] */
  function state(title, text, isError) {
    show(el("div", { class: "box stack", role: isError ? "alert" : "status" }, el("h1", {}, title), el("p", {}, text)));
  }

  function listen() {
    clearTimeout(silence);
    if (!hasResult) {
      silence = setTimeout(() => state("Still waiting", "The host has sent nothing. The text of the answer has it all."), PATIENCE);
    }
  }

  /** @type {{[method: string]: (params: Data) => void}} */
  const notified = {
    "ui/notifications/tool-input": (params) => (input = params.arguments ?? {}),
    "ui/notifications/tool-result": take,
    "ui/notifications/tool-cancelled": (params) => {
      hasResult = true;
      if (!drawn) state("Cancelled", params.reason ? String(params.reason) : "The call was cancelled.");
    },
    "ui/notifications/host-context-changed": adopt,
  };

  /** @param {MessageEvent} event */
  function receive(event) {
    const message = event.data;
    if (event.source !== window.parent || message?.jsonrpc !== "2.0") return;
    if (typeof message.method === "string") {
      notified[message.method]?.(message.params ?? {});
      if (message.id !== undefined) {
        if (message.method === "ui/resource-teardown") app.end?.();
        const isKnown = ["ui/resource-teardown", "ping"].includes(message.method);
        send({ id: message.id, ...(isKnown ? { result: {} } : { error: { code: -32601, message: "unknown method" } }) });
      }
      listen();
      return;
    }
    const waiting = pending.get(message.id);
    pending.delete(message.id);
    if (message.error) waiting?.reject(new Error(String(message.error.message)));
    else waiting?.resolve(message.result ?? {});
  }

  /** Reports the height of the page when it changes. */
  function measure() {
    let [width, height] = [0, 0];
    new ResizeObserver(() => requestAnimationFrame(() => {
      const box = document.body.getBoundingClientRect();
      if (Math.hypot(box.width - width, box.height - height) <= 1) return;
      [width, height] = [Math.ceil(box.width), Math.ceil(box.height)];
      send({ method: "ui/notifications/size-changed", params: { width, height } });
    })).observe(document.body);
  }

  return {
    /** @param {App} it */
    async start(it) {
      app = it;
      if (window.parent === window) {
        state("A view of Qortal", "It shows an answer in a chat.");
        return;
      }
      window.addEventListener("message", receive);
      const params = {
        protocolVersion: "2026-01-26",
        appInfo: { name: `qortal-${app.name}`, version: "1" },
        appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
      };
      listen();
      // A host that does not answer is named once it has been silent for long enough.
      const answer = await request("ui/initialize", params).catch(() => ({}));
      capabilities = answer.hostCapabilities ?? {};
      adopt(answer.hostContext ?? {});
      send({ method: "ui/notifications/initialized" });
      measure();
    },
    /** Calls a tool; the data of its answer. @param {string} name @param {Data} args @returns {Promise<Data>} */
    async call(name, args) {
      const result = await request("tools/call", { name, arguments: args });
      const data = dataOf(result);
      if (result.isError || !data) throw new Error(textOf(result) || "the answer is empty");
      return data;
    },
    /** Asks the model in the name of the user. @param {string} text */
    ask: (text) => request("ui/message", { role: "user", content: [{ type: "text", text }] }).catch(() => say("The host did not take the question.")),
    /** Tells the model what is looked at. @param {string} text */
    note(text) {
      if (capabilities.updateModelContext) {
        request("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => undefined);
      }
    },
    get canCall() { return Boolean(capabilities.serverTools); },
    get canAsk() { return Boolean(capabilities.message); },
    get input() { return input; },
    get locale() { return context.locale; },
    get timeZone() { return context.timeZone; },
  };
})();
