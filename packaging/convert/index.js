// For pages and workers, which fetch the module that comes with this file.
import { start } from "./core.js";

const url = new URL("mcp_convert.wasm", import.meta.url);
const response = await fetch(url);
if (!response.ok) throw new Error(`${url}: ${response.status}`);
export const { ConvertError, check, convert, convertJson } = start(await WebAssembly.compile(await response.arrayBuffer()));
