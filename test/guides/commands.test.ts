import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { extractGuide } from '../../src/cli/guides.ts'
import { formatMistake } from '../../src/scenario/file/mistake.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { runScenario } from '../../src/scenario/run/run-scenario.ts'
import { built, ownEnvironment } from '../cli/built-command.ts'
import { otcsim, repository, serve } from '../cli/harness.ts'
import { programPath } from '../support/program-path.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { blocks, commandsOf, guideFiles, isScript, withoutRemarks, wordsOf } from './guide-blocks.ts'

it.each(guideFiles)('executes every command of %s, in order', { timeout: 300_000 }, async (file) => {
  journalFolder = temporaryFolder()
  const served = await serve(['--port', '0'])
  // A fast machine may come to more of them in one second than a key is allowed.
  await fetch(`${served.url}/__admin/worlds/default/rate-limits`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: '{"enabled":false}',
  })
  const env = { OTCSIM_URL: served.url, OTCSIM_PORT: '0' }
  const said: string[] = []
  for (const line of commandsOf(file)) said.push(await execute(line, env))
  const fills = said.filter(
    (text) => /^\{[\s\S]*"status": "filled"/.test(text) && !text.includes('"openapi"'),
  )
  expect(fills).toHaveLength(file === 'README.md' ? 1 : 0)
})

it('signs a request with the programs of a shell', { tags: ['sh', 'curl', 'openssl'] }, async () => {
  const served = await serve(['--port', '0'])
  const scripts = blocks('sh').filter(isScript)
  expect(scripts).toHaveLength(1)
  for (const script of scripts) {
    const text = script.replaceAll('http://127.0.0.1:4010', served.url)
    const { stdout } = await promisify(execFile)(programPath('sh'), ['-c', text], { timeout: 60_000 })
    expect(JSON.parse(stdout)).toMatchObject({ balances: expect.anything() })
  }
})

async function execute(line: string, env: { readonly [name: string]: string }): Promise<string> {
  if (line.startsWith('npm ci && ')) return checkNpm(line.slice('npm ci && '.length))
  const [npx, program, ...words] = wordsOf(line)
  expect([npx, program], line).toEqual(['npx', 'otcsim'])
  if (words[0] === 'serve' && !words.includes('--help')) {
    const other = await serve(words.slice(1).map(withFiles), { env })
    // As a reader does while it runs: a journal without a line has nothing to replay.
    if (words.includes('venue.journal')) await placeOrder(other.url)
    return JSON.stringify((await other.finished()).code)
  }
  // Threads of the built command load a bundle instead of hundreds of sources.
  const hasThreads = words[0] === 'sweep' || words.includes('--jobs')
  const given = words.map(withFiles)
  const ended = hasThreads ? await built(given, repository) : await otcsim(given, { env })
  const err = withoutRemarks(ended.err)
  expect({ ...ended, err }, line).toMatchObject({ code: 0, err: '' })
  return ended.out
}

async function placeOrder(url: string): Promise<void> {
  const order = { side: 'buy', asset: 'BTC', quantity: 0.1, price: 50_000 }
  await otcsim(['curl', 'POST', '/orders', '-d', JSON.stringify(order), '--url', url])
}

/** Puts files that a command writes into a temporary folder; journals into one that the guide's later commands know. */
function withFiles(word: string): string {
  if (/^[a-z]+\.(html|json)$/.test(word)) return join(temporaryFolder(), word)
  return /^[a-z]+\.journal$/.test(word) ? join(journalFolder, word) : word
}

let journalFolder = ''

/** Not executed, because `npm test` would run this test again. Its script is checked instead. */
function checkNpm(command: string): string {
  const manifest: { scripts: Record<string, string>; bin: Record<string, string> } = JSON.parse(
    readFileSync(join(repository, 'package.json'), 'utf8'),
  )
  expect(existsSync(join(repository, 'package-lock.json'))).toBe(true)
  const script = manifest.scripts[command === 'npm start' ? 'start' : command.replace('npm ', '')]
  expect(script, command).toMatch(command === 'npm start' ? /^node dist\/cli\.cjs serve$/ : /vitest/)
  expect(manifest.bin).toEqual({ otcsim: 'dist/cli.cjs' })
  return ''
}

it('runs the programs of the guides on the built package', async () => {
  const served = await serve(['--port', '0'])
  const folder = join(repository, '.otcsim', 'readme')
  mkdirSync(folder, { recursive: true })
  for (const [place, text] of blocks('ts').entries()) {
    const file = join(folder, `${place}.mjs`)
    writeFileSync(file, text.replaceAll('http://127.0.0.1:4010', served.url))
    const options = { timeout: 60_000, env: ownEnvironment, cwd: repository }
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], options)
    expect(stderr).toBe('')
    const wanted = text.includes(' sweep(')
      ? [/^1 5 -?\d+\.\d+\n1 20 .*\n2 5 .*\n2 20 /, /\[ 'fast=\d+', -?\d/]
      : [/status: 'filled'/, /ORDER_NOT_FOUND/]
    for (const pattern of wanted) expect(stdout).toMatch(pattern)
  }
})

it('runs the scenarios of the guides, and all their expectations hold', () => {
  const scenarios = blocks('yaml')
  expect(scenarios.length).toBeGreaterThan(0)
  for (const text of scenarios) {
    const loaded = loadScenario(text, 'README.md')
    if (!loaded.ok) throw new Error(loaded.problems.map(formatMistake).join('\n'))
    expect(runScenario(loaded.value).failures.map((failure) => [failure.expected, failure.got])).toEqual([])
  }
})

it('names every shipped scenario and no other', () => {
  const texts = ['scenarios/README.md', 'src/market/README.md'].map((file) =>
    extractGuide(readFileSync(join(repository, file), 'utf8'), file),
  )
  const named = texts.flatMap((text) =>
    [...text.matchAll(/^\| `([a-z0-9/-]+)` +\|/gm)].map((match) => match[1]),
  )
  expect(named.length).toBeGreaterThan(20)
  for (const name of named) expect(existsSync(join(repository, 'scenarios', `${name}.yaml`)), name).toBe(true)
})
