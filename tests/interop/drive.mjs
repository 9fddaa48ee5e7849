// Drives a server with all clients on both transports and prints a matrix.
//
//     node drive.mjs PATH_OF_THE_SERVER

import * as inspector from "./inspector.mjs";
import * as sdk from "./sdk.mjs";
import { catalogue, serveHttp, stdioCommand } from "./server.mjs";

// How many of a cell's problems are printed.
const SHOWN = 10;

const [path] = process.argv.slice(2);
if (!path) {
  console.error("usage: node drive.mjs PATH_OF_THE_SERVER");
  process.exit(2);
}

const tools = await catalogue(path);
const http = await serveHttp(path);
const targets = [
  ["stdio", stdioCommand(path)],
  ["HTTP", http.url],
];
const cells = [];
try {
  for (const [transport, target] of targets) {
    for (const era of inspector.ERAS) {
      const problems = await inspector.drive(target, era, tools);
      cells.push({ client: "Inspector 2.12.0", transport, era, problems });
    }
    cells.push({
      client: "TypeScript SDK 1.32.2",
      transport,
      era: "legacy",
      problems: await sdk.drive(target, tools),
    });
  }
} finally {
  await http.stop();
}

console.log(`${tools.length} tools, each listed and called\n`);
console.log("| client | transport | era | outcome |\n| --- | --- | --- | --- |");
for (const { client, transport, era, problems } of cells) {
  const outcome = problems.length === 0 ? "pass" : `${problems.length} problems`;
  console.log(`| ${client} | ${transport} | ${era} | ${outcome} |`);
}
const failed = cells.filter(({ problems }) => problems.length > 0);
for (const { client, transport, era, problems } of failed) {
  console.log(`\n${client}, ${transport}, ${era}:`);
  for (const problem of problems.slice(0, SHOWN)) {
    console.log(`- ${problem}`);
  }
}
process.exitCode = failed.length > 0 || tools.length === 0 ? 1 : 0;
