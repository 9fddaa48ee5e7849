// What a right answer is, whichever client brings it.

import { isDeepStrictEqual } from "node:util";

/** What is wrong with the listed tools, or null. */
export function judgeList(listed, tools) {
  const wanted = tools.map((tool) => tool.name);
  const found = listed?.map((tool) => tool.name);
  if (!isDeepStrictEqual(found, wanted)) {
    return `tools/list: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`;
  }
  return null;
}

/** What is wrong with the outcome of a call, or null. */
export function judgeCall(name, result) {
  const text = result?.content?.find((block) => block.type === "text")?.text;
  if (typeof text !== "string") {
    return `${name}: no text block in ${shown(result)}`;
  }
  if (result.isError) {
    return `${name}: isError: ${text}`;
  }
  const structure = result.structuredContent;
  if (structure === null || typeof structure !== "object" || Array.isArray(structure)) {
    return `${name}: structuredContent is no object: ${shown(structure)}`;
  }
  if (!saysTheSame(text, structure)) {
    return `${name}: text and structuredContent differ: ${shown(result)}`;
  }
  return null;
}

function saysTheSame(text, structure) {
  try {
    return isDeepStrictEqual(JSON.parse(text), structure);
  } catch {
    return false;
  }
}

function shown(value) {
  return (JSON.stringify(value) ?? "nothing").slice(0, 300);
}
