// Who requires the package gets what those who import it get.
const { deepStrictEqual, strictEqual, throws } = require("node:assert");
const { ConvertError, check, convert } = require("qortal-mcp-convert");

const failed = { content: [{ type: "text", text: "boom" }], isError: true };
const { output, losses } = convert(failed, { to: "openai-chat", callId: "c1" });
deepStrictEqual(output, { role: "tool", tool_call_id: "c1", content: "Error: boom" });
strictEqual(losses[0].code, "error_flag_as_text");
deepStrictEqual(check(output, { to: "openai-chat" }), []);
throws(() => convert(failed, { to: "nowhere" }), ConvertError);
import("qortal-mcp-convert").then((imported) => {
  strictEqual(imported.ConvertError, ConvertError);
  console.error("CommonJS: the package is required");
});
