import type { ConvertError, check, convert, convertJson } from "./index.js";

/**
 * The functions of this package from its compiled module, for hosts that forbid to compile one: `mcp_convert.wasm` is exported,
 * and many of them import it as a `WebAssembly.Module`.
 */
export function start(module: object): {
  ConvertError: typeof ConvertError;
  check: typeof check;
  convert: typeof convert;
  convertJson: typeof convertJson;
};
