// An MCP server over stdio with one tool for each result of the corpus that it is given: what its host makes of a result is seen in what the
// host sends to its model.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const results = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const tools = Object.keys(results).map((name) => ({
  name,
  description: `Answers with ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
}))
const answers = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'shown', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name }) => results[name],
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  const said = answer ? { result: answer(params) } : { error: { code: -32601, message: `no method ${method}` } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...said })}\n`)
})
