// vitest: a converter must answer as a vendor's does. Here the converter is the program mcp-convert, or what MCP_CONVERT names.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { cases, isAnsweredBy } from "qortal-mcp-corpus/corpus.mjs";

/** Replace this by your converter. */
function convert(result) {
  const flags = ["--to", "copilot", "--preset", "compat", "--flavor", "node"];
  const { stdout } = spawnSync(process.env.MCP_CONVERT ?? "mcp-convert", flags, { input: JSON.stringify(result), encoding: "utf8" });
  const answer = JSON.parse(stdout);
  if (Object.keys(answer).join() === "error") throw new Error(answer.error);
  return answer;
}

for (const it of cases("copilot-node"))
  test.skipIf(it.differs)(it.name, () => {
    let [output, failed] = [undefined, false];
    try { output = convert(it.result); }
    catch { failed = true; }
    if (!isAnsweredBy(it, output, failed)) expect(output).toEqual(it.value ?? it.error);
  });
