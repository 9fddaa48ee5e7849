// The cases of the corpus, and how outputs are compared: import { cases, same } from "qortal-mcp-corpus/corpus.mjs".
import { readFileSync } from "node:fs";

const [head, ...lines] = readFileSync(new URL("cases.jsonl", import.meta.url), "utf8").trim().split("\n");
/** By name: language, package, version, the version of its MCP package, what its outputs leave out, and more. */
export const vendors = JSON.parse(head).vendors;

/** All cases of a vendor: `result`, and `value` that its converter makes of it, or the `error` that it raised. */
export function cases(vendor) {
  if (!vendors[vendor]) throw new Error(`no vendor ${vendor}: use one of ${Object.keys(vendors).join(", ")}`);
  return lines.flatMap((line) => {
    const { name, valid, result, outputs, differs } = JSON.parse(line);
    return outputs[vendor] ? [{ name, valid, result, ...outputs[vendor], differs: differs[vendor], line }] : [];
  });
}

/** Whether a converter answers as the vendor: an error, whichever, is the answer to an error. */
export const isAnsweredBy = (it, output, failed = false) => failed === (it.error !== undefined) && (failed || same(output, it.value));

/** Equal as JSON; texts that hold JSON are compared as such, because vendors lay it out in their own way. */
export function same(a, b) {
  if (typeof a === "string" && typeof b === "string") return a === b || isSameJson(a, b);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]));
}

function isSameJson(a, b) {
  try {
    const [left, right] = [JSON.parse(a), JSON.parse(b)];
    return typeof left === "object" && left !== null && same(left, right);
  } catch {
    return false;
  }
}
