// For Node.js, Deno and Bun.
import { readFile } from "node:fs/promises";

export const bytes = () => readFile(new URL("../mcp_convert.wasm", import.meta.url));
