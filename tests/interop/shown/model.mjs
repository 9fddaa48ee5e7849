// Stands in for a model behind the APIs of Anthropic, OpenAI and Google: it calls one tool of the server `shown` after another, whatever it is
// told, and keeps what it is sent.
import { createServer } from 'node:http'

/** By which a model loads the tools of which its host tells it the names alone. */
const SEARCH = 'tool_search'
const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, prompt_tokens: 1, completion_tokens: 1 }

/**
 * An API: its path, the tools and the messages of a request, the calls in a message, and the answer that calls a tool with these arguments or, without
 * one, ends: as a whole, and as events.
 */
const APIS = [
  {
    name: 'Anthropic Messages',
    path: /\/messages$/,
    tools: ({ tools = [] }) => tools.map((it) => it.name),
    messages: (body) => body.messages,
    calls: ({ content }) => (Array.isArray(content) ? content : []).filter((it) => it.type === 'tool_use').map((it) => it.name),
    answer({ model }, tool, given) {
      const block = tool ? { type: 'tool_use', id: `toolu_${tool}`, name: tool, input: given } : { type: 'text', text: 'done' }
      const stop_reason = tool ? 'tool_use' : 'end_turn'
      const head = { id: `msg_${tool ?? 'end'}`, type: 'message', role: 'assistant', model, stop_sequence: null, usage }
      const delta = tool ? { type: 'input_json_delta', partial_json: JSON.stringify(given) } : { type: 'text_delta', text: 'done' }
      const events = [
        { type: 'message_start', message: { ...head, content: [], stop_reason: null } },
        { type: 'content_block_start', index: 0, content_block: tool ? { ...block, input: {} } : { ...block, text: '' } },
        { type: 'content_block_delta', index: 0, delta },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
        { type: 'message_stop' },
      ]
      return { whole: { ...head, content: [block], stop_reason }, events }
    },
  },
  {
    name: 'OpenAI Responses',
    path: /\/responses$/,
    tools: ({ tools = [] }) => tools.flatMap((it) => it.tools?.map((inner) => `${it.name}/${inner.name}`) ?? it.name ?? []),
    messages: ({ input }) => (Array.isArray(input) ? input : []),
    calls: (item) => (item.type === 'function_call' ? [item.namespace ? `${item.namespace}/${item.name}` : item.name] : []),
    answer({ model }, tool, given) {
      const [name, namespace] = tool?.split('/').reverse() ?? []
      const item = tool
        ? { type: 'function_call', id: 'fc_1', call_id: `call_${name}`, namespace, name, arguments: JSON.stringify(given), status: 'completed' }
        : { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'done', annotations: [] }] }
      const whole = { id: 'resp_1', object: 'response', created_at: 1, model, status: 'completed', output: [item], usage }
      const events = [
        { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: whole },
      ]
      return { whole, events }
    },
  },
  {
    name: 'OpenAI Chat Completions',
    path: /\/chat\/completions$/,
    tools: ({ tools = [] }) => tools.map((it) => it.function?.name ?? ''),
    messages: (body) => body.messages,
    calls: ({ tool_calls }) => (tool_calls ?? []).map((it) => it.function.name),
    answer({ model }, tool, given) {
      const tool_calls = tool && [{ index: 0, id: `call_${tool}`, type: 'function', function: { name: tool, arguments: JSON.stringify(given) } }]
      const message = tool ? { role: 'assistant', content: null, tool_calls } : { role: 'assistant', content: 'done' }
      const finish_reason = tool ? 'tool_calls' : 'stop'
      const head = { id: 'chatcmpl_1', created: 1, model, usage }
      const chunk = (delta, finish) => ({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })
      return {
        whole: { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }] },
        events: [chunk(message, null), chunk({}, finish_reason), '[DONE]'],
      }
    },
  },
  {
    name: 'Gemini',
    path: /generateContent$/i,
    tools: ({ tools = [] }) => tools.flatMap((it) => it.functionDeclarations ?? []).map((it) => it.name),
    messages: (body) => body.contents,
    calls: ({ role, parts = [] }) => (role === 'model' ? parts : []).flatMap((it) => it.functionCall?.name ?? []),
    answer(_, tool, given) {
      const part = tool ? { functionCall: { name: tool, args: given } } : { text: 'done' }
      const candidates = [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }]
      const whole = { candidates, usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } }
      return { whole, events: [whole] }
    },
  },
]

/** Whether a host calls the tool `name` of a server so: all put the name of the server before it. */
export const isCalled = (tool, name, server = 'shown') => new RegExp(`${server}(__|/|_|-)${name}$`).test(tool)

/** A model that calls these tools in this order. */
export async function standIn(names) {
  const seen = { deferred: false, tools: [] }
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://model').pathname
    let text = ''
    for await (const part of request) text += part
    const api = APIS.find((it) => it.path.test(path))
    const isJson = request.headers['content-type']?.includes('json')
    if (!api || !isJson) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'stub', object: 'model' }], models: [], input_tokens: 1, totalTokens: 1 }))
      return
    }
    const body = JSON.parse(text)
    const tools = api.tools(body)
    const messages = api.messages(body)
    const called = messages.flatMap(api.calls)
    const next = names.find((name) => !called.some((tool) => isCalled(tool, name)))
    let tool = next && tools.find((tool) => isCalled(tool, next))
    let given = {}
    if (next && !tool && tools.includes(SEARCH) && !called.includes(SEARCH)) {
      seen.deferred = true
      tool = SEARCH
      given = { query: `select:${names.map((it) => `mcp__shown__${it}`).join()}`, max_results: 20 }
    }
    if (tools.length > seen.tools.length) seen.tools = tools
    if (called.length) Object.assign(seen, { api, messages })
    const { whole, events } = api.answer(body, tool, given)
    if (body.stream || /stream/i.test(path)) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of events) {
        const data = typeof event === 'string' ? event : JSON.stringify(event)
        response.write(`${event.type ? `event: ${event.type}\n` : ''}data: ${data}\n\n`)
      }
      response.end()
    } else {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(whole))
    }
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** The API that was asked, the tools that were offered, and for each call what came between it and the next one. */
    seen() {
      const shown = {}
      let name
      for (const message of seen.messages ?? []) {
        const [tool] = seen.api.calls(message)
        if (tool) name = names.find((it) => isCalled(tool, it))
        else if (name) (shown[name] ??= []).push(message)
      }
      return { api: seen.api?.name, deferred: seen.deferred, tools: seen.tools, shown }
    },
    close: () => server.close(),
  }
}
