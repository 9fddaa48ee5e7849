// What a right answer is, whichever client brings it. Each function throws for a wrong one.
import { deepStrictEqual, equal, ok } from "node:assert/strict";

export const exactly = (value) => (got) => deepStrictEqual(got, value);
export const includes = (name) => (got) => ok(got.includes(name), `no ${name}`);

/** A tool's outcome: no error, and the same facts as text and as structured content. */
export function outcome(got) {
  ok(got.isError !== true, "isError");
  const text = JSON.parse(texts(got)[0]);
  const structure = got.structuredContent ?? undefined;
  // A picture comes without, since some hosts show their model nothing else.
  if (structure === undefined) return ok(got.content.some((it) => it.type === "image"), "neither structuredContent nor a picture");
  ok(typeof structure === "object" && !Array.isArray(structure), "structuredContent is no object");
  deepStrictEqual(text, structure, "text and structuredContent differ");
}

/** One block of text, which is this. */
export const says = (text) => (got) => {
  ok(got.isError !== true, "isError");
  deepStrictEqual(texts(got), [text]);
};

/** Resources, each with contents under its URI. */
export function resources(got) {
  ok(got.length, "no resources");
  for (const { uri, contents } of got) {
    ok(contents.some((it) => it.uri === uri && (it.text || it.blob)), `${uri} has no contents`);
  }
}

/** A list of prompts with this one, and its messages. */
export const prompt = (name) => ({ listed, messages }) => {
  ok(listed.includes(name), `${name} is not listed`);
  ok(messages[0]?.content.text, "no message");
};

/**
 * The steps of the slow tool in order. A client may lose the last one: it comes with the result, and some have stopped listening
 * when they have read that.
 */
export const progress = (got) => deepStrictEqual(got, [0, 50, 100].slice(0, got.length === 2 ? 2 : 3));

/**
 * How the servers ended that `watched.sh` ran. Where a client probes, one process of two is asked whether it is there, and ended by a
 * signal; a program that does not handle the signal ends with 143.
 */
export function ended(text, probes) {
  const lines = text.split("\n");
  const count = (test) => lines.filter(test).length;
  const started = count((it) => it === "start");
  const allowed = probes ? started / 2 : 0;
  const ends = count((it) => it.startsWith("end "));
  ok(started, "no server was started");
  equal(ends, started, "a server outlives its client");
  ok(count((it) => it === "signal") <= allowed, "a server had to be ended by a signal");
  const rightly = count((it) => it === "end 0") + Math.min(count((it) => it === "end 143"), allowed);
  ok(rightly >= ends, "a server ended with a failure");
}

const texts = (got) => got.content.map((it) => it.text).filter((it) => it !== undefined);
