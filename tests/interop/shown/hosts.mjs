#!/usr/bin/env node
// hosts.mjs MODULES [HOST…]: what hosts tell their models of results. Plays each host, installed by npm in MODULES (node_modules), in an empty home with
// the server of server.mjs and a model that model.mjs stands in for, and writes crates/mcp-convert/corpus/hosts.json; it also sees
// how many of the 55 tools of qortal-mcp, the program MANY, reach the model.
//   npm install --prefix /tmp/hosts @anthropic-ai/claude-code @openai/codex …
//   MANY=target/debug/qortal-mcp node tests/interop/shown/hosts.mjs /tmp/hosts/node_modules
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isCalled, standIn } from './model.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const corpus = join(here, '../../../crates/mcp-convert/corpus')
/** The inputs of the corpus that are shown, each another kind of thing. */
const INPUTS = ['text', 'sc_only', 'sc_dup', 'sc_summary', 'image_png', 'audio', 'res_text', 'res_blob_pdf', 'link_full', 'err_text']
/** Hosts look into pictures: a red square instead of what the corpus has. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAF0lEQVR4nGP4z8BAEiJN9aiGUQ1DSgMAkPn/Afnh+ngAAAAASUVORK5CYII='
const DEADLINE = 120_000
const PROMPT = 'call the tools'

/** For each host its package, and how it is told the servers and the model: arguments, environment and files. */
const HOSTS = {
  'Claude Code': {
    package: '@anthropic-ai/claude-code',
    bin: 'claude',
    args: ['-p', PROMPT, '--mcp-config', '.mcp.json', '--strict-mcp-config', '--dangerously-skip-permissions'],
    env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'stub', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1', IS_SANDBOX: '1' }),
    files: (servers) => ({ 'work/.mcp.json': { mcpServers: servers } }),
  },
  Cline: {
    package: 'cline',
    bin: 'cline',
    args: ['--auto-approve', 'true', PROMPT],
    env: () => ({}),
    files: (servers, url) => ({
      '.cline/data/settings/cline_mcp_settings.json': { mcpServers: servers },
      '.cline/data/settings/providers.json': {
        version: 1,
        lastUsedProvider: 'openai-compatible',
        providers: { 'openai-compatible': { settings: { provider: 'openai-compatible', apiKey: 'stub', baseUrl: `${url}/v1`, model: 'gpt-4o' }, updatedAt: '2026-01-01T00:00:00Z', tokenSource: 'manual' } },
      },
    }),
  },
  Codex: {
    package: '@openai/codex',
    bin: 'codex',
    args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', PROMPT],
    env: () => ({ STUB_KEY: 'stub' }),
    files: (servers, url) => ({
      '.codex/config.toml': [
        'model = "stub"\nmodel_provider = "stub"\napproval_policy = "never"',
        `[model_providers.stub]\nname = "stub"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "STUB_KEY"`,
        ...Object.entries(servers).map(([name, it]) => `[mcp_servers.${name}]\ncommand = "${it.command}"\nargs = ${JSON.stringify(it.args)}`),
      ].join('\n'),
    }),
  },
  'Copilot CLI': {
    package: '@github/copilot',
    bin: 'copilot',
    args: ['-p', PROMPT, '--allow-all-tools', '--model', 'gpt-5.4'],
    env: (url) => ({ COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_PROVIDER_API_KEY: 'stub', COPILOT_PROVIDER_WIRE_API: 'responses', COPILOT_MODEL: 'gpt-5.4', COPILOT_OFFLINE: 'true' }),
    files: (servers) => ({ '.copilot/mcp-config.json': { mcpServers: each(servers, (it) => ({ type: 'local', ...it, tools: ['*'] })) } }),
  },
  'Gemini CLI': {
    package: '@google/gemini-cli',
    bin: 'gemini',
    args: ['-p', PROMPT, '-m', 'gemini-2.5-pro', '--yolo'],
    env: (url) => ({ GEMINI_API_KEY: 'stub', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    files: (servers) => ({
      '.gemini/settings.json': { mcpServers: each(servers, (it) => ({ ...it, trust: true })), security: { auth: { selectedType: 'gemini-api-key' } }, privacy: { usageStatisticsEnabled: false } },
    }),
  },
  opencode: {
    package: 'opencode-ai',
    bin: 'opencode',
    args: ['run', PROMPT],
    env: () => ({}),
    files: (servers, url) => ({
      '.config/opencode/opencode.json': {
        provider: { stub: { npm: '@ai-sdk/openai-compatible', name: 'stub', options: { baseURL: `${url}/v1`, apiKey: 'stub' }, models: { stub: { name: 'stub', attachment: true, modalities: { input: ['text', 'image', 'audio', 'pdf'], output: ['text'] } } } } },
        model: 'stub/stub',
        small_model: 'stub/stub',
        mcp: each(servers, (it) => ({ type: 'local', command: [it.command, ...it.args], enabled: true })),
        autoupdate: false,
        share: 'disabled',
      },
    }),
  },
  'Qwen Code': {
    package: '@qwen-code/qwen-code',
    bin: 'qwen',
    args: ['-p', PROMPT, '--yolo'],
    env: (url) => ({ OPENAI_API_KEY: 'stub', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'qwen3-vl-plus' }),
    files: (servers) => ({
      '.qwen/settings.json': { mcpServers: each(servers, (it) => ({ ...it, trust: true })), security: { auth: { selectedType: 'openai' } }, privacy: { usageStatisticsEnabled: false } },
    }),
  },
}

function each(servers, change) {
  return Object.fromEntries(Object.entries(servers).map(([name, it]) => [name, change(it)]))
}

/** What comes of a host with these servers. */
async function play(modules, host, servers) {
  const home = mkdtempSync(join(tmpdir(), 'host-'))
  const model = await standIn(INPUTS)
  const work = join(home, 'work')
  mkdirSync(work)
  for (const [path, content] of Object.entries(host.files(servers, model.url))) {
    const whole = join(home, path)
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, typeof content === 'string' ? content : JSON.stringify(content))
  }
  const env = { PATH: process.env.PATH, HOME: home, TERM: 'dumb', ...host.env(model.url) }
  const child = spawn(join(modules, '.bin', host.bin), host.args, { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (it) => (said += it))
  const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE)
  await new Promise((done) => child.on('close', done))
  clearTimeout(timer)
  const seen = model.seen()
  model.close()
  rmSync(home, { recursive: true, force: true })
  // What is another one each time, and what hosts say to their models beside the result.
  const shown = JSON.stringify(seen.shown, (_, it) => (Array.isArray(it) ? it.filter((inner) => inner?.role !== 'system') : it))
    .replace(/\\n\\n<system-reminder>.*?<\/system-reminder>/g, '')
    .replaceAll(home, '~')
    .replaceAll(home.replaceAll('/', '-'), '-')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, '…')
    .replace(/-blob-[0-9a-z-]+/g, '-blob-…')
    .replace(/Wall time: [0-9.]+/g, 'Wall time: …')
    .replace(/_[0-9]{13}_[0-9]+/g, '')
  return { ...seen, shown: JSON.parse(shown), said }
}

const [modules, ...wanted] = process.argv.slice(2)
const cases = readFileSync(join(corpus, 'cases.jsonl'), 'utf8').split('\n').slice(1).filter(Boolean).map((it) => JSON.parse(it))
const results = Object.fromEntries(INPUTS.map((name) => [name, cases.find((it) => it.name === name).result]))
results.image_png.content[0].data = PNG
const scratch = mkdtempSync(join(tmpdir(), 'shown-'))
writeFileSync(join(scratch, 'results.json'), JSON.stringify(results))
const servers = { shown: { command: process.execPath, args: [join(here, 'server.mjs'), join(scratch, 'results.json')] } }
servers.many = { command: resolve(process.env.MANY), args: ['--demo'] }
const many = JSON.parse(execFileSync(servers.many.command, ['tools', '--json'])).map((it) => it.name)

const path = join(corpus, 'hosts.json')
const written = wanted.length ? JSON.parse(readFileSync(path, 'utf8')) : { $schema: 'schema.json', many: many.length, hosts: {} }
let failed = false
for (const [name, host] of Object.entries(HOSTS)) {
  if (wanted.length && !wanted.includes(name)) continue
  const { version } = JSON.parse(readFileSync(join(modules, host.package, 'package.json'), 'utf8'))
  const { api, deferred, tools, shown, said } = await play(resolve(modules), host, servers)
  const missing = INPUTS.filter((it) => !shown[it])
  console.log(`${name} ${version}: ${missing.length ? `nothing of ${missing.join(', ')}` : 'all shown'}`)
  if (missing.length) {
    failed = true
    console.log(said.slice(-2000), tools.join(' '))
    continue
  }
  const offered = tools.filter((it) => many.some((name) => isCalled(it, name, 'many'))).length
  written.hosts[name] = { package: host.package, version, api, defers: deferred, many_tools: offered, command: [host.bin, ...host.args].join(' '), outputs: shown }
}
rmSync(scratch, { recursive: true })
writeFileSync(path, `${JSON.stringify(written, null, 1)}\n`)
process.exit(failed ? 1 : 0)
