import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { selectOwnStackLines } from '../../src/cli/backtest/backtest.ts'
import { findNodeProblem } from '../../src/cli/main.ts'
import { folderWith, temporaryFolder } from '../support/temporary-folder.ts'
import { built, project } from './built-command.ts'
import { otcsim, repository } from './harness.ts'

/* Mistakes of users of the command line, and the messages for them. */

const strategy = `export default { name: 'still', onTick() {} }`

describe('flags without effect are refused', () => {
  it.each([
    [['--cash', '5'], '--cash needs --data, --book or --model'],
    [['--margin'], '--margin needs --data, --book or --model'],
    [['--asset', 'ETH', '--scenario', 'calm'], '--asset needs --data, --book or --model'],
    [['--price', '100'], '--price needs --model'],
    [['--volume-in', 'usd', '--model', 'gbm'], '--volume-in needs --data'],
    [['--volume-in', 'usd', '--book', 'book.csv'], '--volume-in needs --data'],
    [['--sort', '--model', 'gbm'], '--sort needs --data or --book'],
    [['--clock', 'realtime'], '--clock needs --live'],
    [['--api-key', 'k'], '--api-key needs --live'],
    [
      ['--param', 'vol=1', '--model', 'gbm'],
      '--param does not go with --model: --set gives parameters of the strategy',
    ],
    [
      ['--param', 'vol=1', '--book', 'book.csv'],
      '--param does not go with --book: --set gives parameters of the strategy',
    ],
    [['--live', 'http://127.0.0.1:1', '--model', 'gbm'], '--model does not go with --live'],
    [['--live', 'http://127.0.0.1:1', '--journal', 'x'], '--journal does not go with --live'],
  ])('backtest %j', async (flags, problem) => {
    const cwd = folderWith({ 'still.mjs': strategy })
    const answer = await otcsim(['backtest', 'still.mjs', '--to', '1m', ...flags], { cwd })
    expect(answer).toEqual({ code: 2, out: '', err: `${problem}\n` })
    expect(existsSync(join(cwd, 'x'))).toBe(false)
  })

  it('but not settings of variables or the configuration file, which are for all commands', async () => {
    const cwd = folderWith({ 'still.mjs': strategy, 'otcsim.config.json': '{"takerBps": "5"}' })
    const env = { OTCSIM_CASH: '5' }
    expect(await otcsim(['backtest', 'still.mjs', '--to', '1m'], { cwd, env })).toMatchObject({ code: 0 })
  })

  it('also by sweep and by its plan', async () => {
    const cwd = folderWith({ 'still.mjs': strategy })
    for (const words of [['sweep'], ['sweep', 'plan']]) {
      expect(await otcsim([...words, 'still.mjs', '--cash', '5'], { cwd })).toMatchObject({ code: 2 })
    }
  })
})

describe('files and folders of another kind', () => {
  it('a sweep never overwrites a file that is not a sweep', async () => {
    const cwd = project()
    const sweep = ['sweep', 'holder.mjs', '--scenario', 'walk.yaml', '--seeds', '1']
    for (const [name, text] of [
      ['one-line.txt', 'mine'],
      ['lines.txt', 'mine\nall mine\n'],
    ] as const) {
      writeFileSync(join(cwd, name), text)
      for (const more of [[], ['--fresh']]) {
        const answer = await otcsim([...sweep, '--store', name, ...more], { cwd })
        expect(answer).toMatchObject({ code: 5, out: '' })
        expect(answer.err).toMatch(/ is not a store of a sweep; give another --store\n$/)
        expect(readFileSync(join(cwd, name), 'utf8')).toBe(text)
      }
    }
  })

  it.each([
    [['sweep', 'merge', 'folder'], 5, 'cannot read folder: it is a directory'],
    [
      ['sweep', 'plan', 'still.mjs', '-o', 'still.mjs/plan.json'],
      2,
      'cannot write still.mjs/plan.json: a part of its path is not a folder',
    ],
    [['backtest', 'folder'], 2, 'cannot read folder: it is a directory'],
    [['init', 'still.mjs'], 2, 'a part of its path is not a folder'],
    [
      ['serve', '--port', '0', '--journal-dir', 'still.mjs'],
      5,
      'cannot use still.mjs: a part of its path is not a folder',
    ],
    [
      ['serve', '--port', '0', '--ready-file', 'still.mjs/ready'],
      2,
      'cannot write still.mjs/ready: a part of its path is not a folder',
    ],
    [['serve', '--port', '0', '--journal', 'folder'], 5, 'cannot use folder: it is a directory'],
    [['serve', '--port', '0', '--journal', '/dev/full'], 5, 'cannot use /dev/full: it is not a regular file'],
    [['serve', '--port', '0', '--journal', '/proc/none/j'], 2, 'cannot write /proc/none/j: '],
    [['serve', '--port', '0', '--journal-dir', '/proc/none/j'], 5, 'cannot use /proc/none/j: '],
    [['serve', '--port', '0', '--ready-file', 'folder'], 2, 'cannot write folder: it is a directory'],
  ])('%j', async (words, code, problem) => {
    const cwd = folderWith({ 'still.mjs': strategy })
    mkdirSync(join(cwd, 'folder'))
    const answer = await otcsim(words, { cwd })
    expect(answer).toMatchObject({ code, out: '' })
    expect(answer.err).toContain(problem)
  })
})

it.each([
  ['random bytes', Buffer.from([0x07, 0x1b, 0x5b, 0x32, 0x4a, 0x22, 0xff, 0x00])],
  ['UTF-16, as spreadsheets write it', Buffer.from('ts_ms,open\n1,2\n', 'utf16le')],
])('a recording that is %s is reported as such, and none of it reaches the terminal', async (_, bytes) => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'x.csv'), bytes)
  const problem = 'it is not text; a CSV, JSON or Parquet file, plain, gzip, zip or zstd, is needed'
  const answer = await otcsim(['doctor', 'x.csv'], { cwd })
  expect(answer).toMatchObject({ code: 5, out: expect.stringContaining(problem) })
  const path = join(cwd, 'x.csv')
  writeFileSync(join(cwd, 'still.mjs'), strategy)
  expect(await otcsim(['backtest', 'still.mjs', '--data', 'x.csv'], { cwd })).toEqual({
    code: 5,
    out: '',
    err: `cannot read ${path}: ${problem}\n`,
  })
})

describe('invalid addresses, instants and methods', () => {
  it.each([
    [
      ['sign', 'GET', '/orders', '--timestamp', 'now'],
      '--timestamp: expected milliseconds since 1970, found "now"',
    ],
    [['sign', 'G T', '/orders'], '"G T" is not an HTTP method'],
  ])('%j', async (words, problem) => {
    const cwd = folderWith({ 'still.mjs': strategy })
    expect(await otcsim(words, { cwd })).toEqual({ code: 2, out: '', err: `${problem}\n` })
  })
})

it.each(['curl', 'sign'])('%s takes a path, and no whole address', async (command) => {
  const address = 'http://127.0.0.1:4010/api/sdk/orders'
  const err = `"${address}" is a whole address; give its path alone, such as /orders\n`
  expect(await otcsim([command, 'GET', address])).toEqual({ code: 2, out: '', err })
})

it.each([
  ['keys', '--url', 'nowhere'],
  ['openapi', '--url', 'venue.test'],
  ['curl', '--url', 'ftp://127.0.0.1', 'GET', '/orders'],
  ['backtest', 'still.mjs', '--to', '1m', '--live', 'nowhere'],
])('an address is one of HTTP: %j', async (...words) => {
  const ended = await otcsim(words)
  expect(ended).toMatchObject({ code: 2, out: '' })
  expect(ended.err).toContain('expected an address with http:// or https://')
})

describe('variables and the configuration file', () => {
  it('apply to validate, which checks what run would run', async () => {
    const scenario = `version: 1\nname: s\nparams: { price: }\nmarket: { assets: { BTC: { price: "\${price}" } } }\n`
    const cwd = folderWith({ 's.yaml': scenario, 'otcsim.config.yaml': 'param: { price: 100 }\n' })
    expect(await otcsim(['validate', 's.yaml'], { cwd })).toMatchObject({ code: 0 })
    expect(await otcsim(['validate', 's.yaml'], { cwd, env: { OTCSIM_PARAM: 'price=x' } })).toMatchObject({
      code: 2,
    })
  })

  it('apply to sign', async () => {
    const words = ['sign', 'GET', '/orders', '--timestamp', '5']
    const given = await otcsim([...words, '--key', 'k', '--secret', 's'])
    expect(await otcsim(words, { env: { OTCSIM_KEY: 'k', OTCSIM_SECRET: 's' } })).toEqual(given)
  })
})

it('refuses an unknown figure, however much of a sweep is done', async () => {
  const cwd = project()
  const sweep = [
    'sweep',
    'holder.mjs',
    '--scenario',
    'walk.yaml',
    '--seeds',
    '1..2',
    '--store',
    's',
    '--jobs',
    '1',
  ]
  expect(await built(sweep, cwd)).toMatchObject({ code: 0 })
  for (const words of [sweep, ['sweep', 'merge', 's']]) {
    const answer = await built([...words, '--objective', 'returns.profits'], cwd)
    expect(answer).toMatchObject({ code: 2, out: '' })
    expect(answer.err).toContain('there is no figure "returns.profits"; did you mean "returns.profit"?')
  }
})

// /dev/full is a device that is always full.
describe('the streams', () => {
  const program = join(repository, 'dist', 'cli.cjs')
  const full = (): number => openSync('/dev/full', 'w')

  it('a result that does not fit on the disk is a failure with one line', () => {
    const { status, stderr } = spawnSync(process.execPath, [program, 'readings'], {
      stdio: ['ignore', full(), 'pipe'],
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'cannot write the result to standard output: the disk is full\n',
    })
  })

  it('a closed standard error changes neither result nor exit code', () => {
    const run = (...words: readonly string[]) =>
      spawnSync(process.execPath, [program, ...words], {
        stdio: ['ignore', 'pipe', full()],
        encoding: 'utf8',
      })
    expect(run('serve', '--port', 'x').status).toBe(2)
    expect(run('sign', 'GET', '/orders', '--timestamp', '5')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('X-API-Signature'),
    })
  })
})

describe('help', () => {
  it('explains where options come from, and what the exit codes mean', async () => {
    const { code, out, err } = await otcsim(['--help'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const part of ['OTCSIM_READY_FILE', 'otcsim.config.yaml', '3 determinism broken', '130 interrupted'])
      expect(out).toContain(part)
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('of an unknown command is an error that names the nearest one', async () => {
    expect(await otcsim(['help', 'serv'])).toEqual({
      code: 2,
      out: '',
      err: expect.stringContaining('unknown command or guide "serv"; did you mean "serve"?'),
    })
    expect(await otcsim(['help', 'run'])).toMatchObject({ code: 0, err: '' })
    expect(await otcsim(['help'])).toMatchObject({ code: 0, err: '' })
  })
})

it.each([
  ['18.20.8', 'otcsim needs Node 20.19 or newer; this is Node 18.20.8'],
  ['20.18.3', 'otcsim needs Node 20.19 or newer; this is Node 20.18.3'],
  ['20.19.0', null],
  ['22.0.0', null],
  ['24.21.0', null],
])('the message on Node %s', (version, problem) => {
  expect(findNodeProblem(version)).toBe(problem)
})

it('shows where a strategy threw, without our own stack frames', () => {
  const source = 'data:text/javascript,const%20a%3D1%3B(()%3D%3E%7B%7D)()'
  const stack = [
    'TypeError: no',
    `    at f (${source}?filePath=%2Fmy%20folder%2Fs.ts%3Fnamespace%3D8dfa435a-d22c:2:1020)`,
    `    at ${source}?filePath=%2Fs.ts%3Fnamespace%3D8dfa435a-d22c:2:1028`,
    '    at Object.onStart (/my folder/other.ts:12:5)',
    `    at run (${join(repository, 'src', 'cli', 'backtest.ts')}:1:1)`,
    '    at node:internal/process:3:1',
  ].join('\n')
  expect(selectOwnStackLines(stack)).toEqual([
    '    at f (/my folder/s.ts)',
    '    at /s.ts',
    '    at Object.onStart (/my folder/other.ts:12:5)',
  ])
})
