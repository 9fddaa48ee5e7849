// A worker whose host forbids to make code: it is given the compiled module, as such hosts give it to `import`.
import { strictEqual, throws } from "node:assert";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { runInContext, createContext } from "node:vm";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

if (isMainThread) {
  const require = createRequire(import.meta.url);
  const module = new WebAssembly.Module(readFileSync(require.resolve("qortal-mcp-convert/mcp_convert.wasm")));
  const core = readFileSync(require.resolve("qortal-mcp-convert/core"), "utf8");
  const worker = new Worker(new URL(import.meta.url), { workerData: { module, core } });
  worker.once("message", (text) => {
    strictEqual(text, "Error: boom");
    console.error("a worker without code generation: the module that it was given converts");
  });
  worker.once("error", (error) => { throw error; });
} else {
  const { module, core } = workerData;
  const exports = {};
  const globals = { TextEncoder, TextDecoder, Uint8Array, module, exports };
  const context = createContext(globals, { codeGeneration: { strings: false, wasm: false } });
  throws(() => runInContext("new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))", context), /disallowed|code generation/i);
  throws(() => runInContext("new Function('return 1')()", context), /disallowed|code generation/i);
  runInContext(core, context);
  const { convert } = exports.start(module);
  const failed = { content: [{ type: "text", text: "boom" }], isError: true };
  parentPort.postMessage(convert(failed, { to: "openai-chat" }).output.content);
}
