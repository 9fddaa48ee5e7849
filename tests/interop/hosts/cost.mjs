// What a conversion costs in JavaScript, in processor time.
import { convert } from "qortal-mcp-convert";

const said = [["2 bytes", 2, 3000], ["1 KB", 1000, 3000], ["1 MB", 1_000_000, 40]].map(([name, size, rounds]) => {
  const result = { content: [{ type: "text", text: "x".repeat(size) }] };
  for (let round = 0; round < 20; round++) convert(result, { to: "anthropic" });
  const begun = process.cpuUsage();
  for (let round = 0; round < rounds; round++) convert(result, { to: "anthropic" });
  const { user, system } = process.cpuUsage(begun);
  return `${name} ${((user + system) / rounds).toFixed(0)} µs`;
});
console.error(`JavaScript: ${said.join(", ")} a call`);
