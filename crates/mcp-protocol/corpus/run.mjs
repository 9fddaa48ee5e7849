#!/usr/bin/env node
// Measures a converter by a vendor's outputs: run.mjs VENDOR COMMAND…
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

const [vendor, command, ...words] = process.argv.slice(2);
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url)));
const inputs = Object.fromEntries(Object.entries(read("inputs.json").inputs).map(([name, it]) => [name, it.result]));
for (const server of read("servers.json").servers)
  for (const [name, it] of Object.entries(server.results)) inputs[`${server.package} ${server.version} ${name}`] = it;
const outputs = Object.entries(read(`vendors/${vendor}.json`).outputs).filter(([, it]) => "value" in it);
const lines = outputs.map(([name]) => JSON.stringify(inputs[name]) + "\n").join("");
const answers = spawnSync(command, words, { input: lines, encoding: "utf8" }).stdout.trim().split("\n");
const wrong = outputs.filter(([, it], at) => !isDeepStrictEqual(JSON.parse(answers[at]), it.value));
console.log([`${outputs.length - wrong.length} of ${outputs.length} equal`, ...wrong.map(([name]) => name)].join("\n  "));
process.exit(wrong.length > 0 ? 1 : 0);
