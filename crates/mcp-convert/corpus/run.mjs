#!/usr/bin/env node
// Measures a converter by a vendor's outputs: run.mjs VENDOR COMMAND…
//
// The command gets one result a line on standard input, and writes one output a line, or {"error": …} for what it refuses. Members
// that the vendor's outputs leave out are not compared. Exits with 1 if anything differs that is not documented.
import { spawnSync } from "node:child_process";
import { cases, isAnsweredBy, vendors } from "./corpus.mjs";

const [vendor, command, ...words] = process.argv.slice(2);
if (!command) throw new Error("run.mjs VENDOR COMMAND…");
const all = cases(vendor);
// As it stands in the file: JavaScript would round its numbers.
const input = all.map(({ line }) => line.match(/"result":(.*),"outputs":/s)[1] + "\n").join("");
const { stdout, error } = spawnSync(command, words, { input, encoding: "utf8", stdio: ["pipe", "pipe", "inherit"], maxBuffer: 1 << 28 });
if (error) throw error;
const answers = stdout.trim().split("\n");
if (answers.length !== all.length) throw new Error(`${answers.length} lines came for ${all.length} results: one each is needed`);
const shown = (it) => ((text) => (text.length > 400 ? text.slice(0, 400) + "…" : text))(JSON.stringify(it));
let [equal, documented] = [0, 0];
const wrong = [];
all.forEach((it, at) => {
  const answer = JSON.parse(answers[at]);
  const failed = JSON.stringify(Object.keys(answer ?? {})) === '["error"]';
  if (typeof answer === "object" && !Array.isArray(answer)) for (const name of vendors[vendor].leaves_out) delete answer[name];
  if (isAnsweredBy(it, answer, failed)) equal += 1;
  else if (it.differs) documented += 1;
  else wrong.push(`${it.name}\n    theirs ${shown(it.error ? { error: it.error } : it.value)}\n    yours  ${shown(answer)}`);
});
console.log([`${equal} of ${all.length} equal, ${documented} differ for a reason that differences.json gives, ${wrong.length} differ`, ...wrong].join("\n  "));
process.exit(wrong.length > 0 ? 1 : 0);
