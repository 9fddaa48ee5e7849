// For pages and workers.
export async function bytes() {
  const response = await fetch(new URL("../mcp_convert.wasm", import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return response.arrayBuffer();
}
