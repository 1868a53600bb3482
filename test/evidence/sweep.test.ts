import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { built } from '../cli/built-command.ts'
import { otcsim } from '../cli/harness.ts'
import { folderWith } from '../support/temporary-folder.ts'

/* A sweep's cases count for what they are of, and for nothing else. */

const strategy = `export default {
  name: 'holder',
  parameters: { size: { type: 'number', default: 1 }, lots: { type: 'integer', default: 1 } },
  onTick({ parameters, sync }, { index }) {
    if (index === 1) sync.orders.create({ side: 'buy', asset: 'BTC', quantity: parameters.size * parameters.lots, orderType: 'market' })
  },
}
`
const market = ['--model', 'gbm,vol=0.6']

describe('backtest --among', () => {
  let cases = ''
  let store = ''
  const cwd = mkdtempSync(join(tmpdir(), 'otcsim-among-'))
  afterAll(() => rmSync(cwd, { recursive: true }))
  beforeAll(async () => {
    writeFileSync(join(cwd, 's.mjs'), strategy)
    const words = ['sweep', 's.mjs', ...market, '--to', '10m', '--seeds', '1..3', '--set', 'size=0.5,1']
    const done = await built([...words, '--jobs', '1', '--ndjson', 'cases', '--store', 'store'], cwd)
    expect(done.code).toBe(0)
    cases = readFileSync(join(cwd, 'cases'), 'utf8')
    store = readFileSync(join(cwd, 'store'), 'utf8')
  })

  async function runAmong(file: string, words: readonly string[], of = strategy) {
    const cwd = folderWith({ 's.mjs': of, cases: file })
    const done = await otcsim(['backtest', 's.mjs', ...words, '--html', 'r.html', '--among', 'cases'], {
      cwd,
    })
    return { ...done, cwd }
  }

  it.each([
    ['one of them', ['--to', '10m', '--seed', '2', '--set', 'size=0.5']],
    ['another seed, in other words', ['--to', '600s', '--seed', '9', '--set', 'lots=1']],
  ])('shows a run among its seeds: %s', async (_what, words) => {
    const { code, cwd } = await runAmong(cases, [...market, ...words])
    expect(code).toBe(0)
    expect(readFileSync(join(cwd, 'r.html'), 'utf8')).toContain('Profits of 3 seeds in USD')
  })

  const span = ['--to', '10m']
  it.each<[what: string, words: readonly string[], told: RegExp, of?: string]>([
    [
      'another strategy',
      [...market, ...span],
      /its strategy s\.mjs is another one/,
      `${strategy}// edited\n`,
    ],
    ['another market', ['--model', 'gbm,vol=0.7', ...span], /its market gbm\S* is another one/],
    ['another opening balance', [...market, ...span, '--cash', '777777'], /its market gbm\S* is another one/],
    [
      'another span',
      [...market, '--to', '20m'],
      /it ran over \S+ to 2026-01-05T00:10\S+, and this run over \S+ to 2026-01-05T00:20/,
    ],
    ['another start', [...market, '--from', '1m', '--to', '9m'], /it ran over .*, and this run over/],
    [
      'another latency',
      [...market, ...span, '--latency', '50ms'],
      /its option latency is left out, and here it is 50ms/,
    ],
    [
      'another grid of the equity',
      [...market, ...span, '--equity-grid', '5m'],
      /its option equityGrid is left out, and here it is 5m/,
    ],
    [
      'a parameter beyond its grid',
      [...market, ...span, '--set', 'size=2'],
      /its parameter size is 0\.5 or 1, and here it is 2/,
    ],
    [
      'a parameter that the sweep had left alone',
      [...market, ...span, '--set', 'lots=2'],
      /its parameter lots is 1, and here it is 2/,
    ],
  ])('refuses the cases of %s', async (_what, words, told, of) => {
    const { code, err, cwd } = await runAmong(cases, words, of)
    expect({ code, err }).toMatchObject({ code: 5, err: expect.stringMatching(told) })
    expect(existsSync(join(cwd, 'r.html'))).toBe(false)
  })

  const lines = (): readonly string[] => cases.trimEnd().split('\n')
  const failed = (line: string) =>
    JSON.stringify({ ...JSON.parse(line), digest: null, metrics: {}, failure: 'it was too large' })
  it.each<[what: string, file: () => string, told: RegExp]>([
    ['an empty file', () => '', /its first line is another one/],
    ['a first line alone', () => lines()[0] ?? '', /it has no cases/],
    ['cases without a first line', () => lines().slice(1).join('\n'), /its first line is another one/],
    ['the store of a sweep', () => store, /its first line is another one/],
    [
      'cases of another version',
      () => cases.replace(/"version":"[^"]+"/, '"version":"0.0.1"'),
      /by otcsim 0\.0\.1, and/,
    ],
    ['a line that is no case', () => `${cases}{}\n`, /its line 8 is not a case/],
    [
      'a case of another sweep',
      () => cases.replace(/\{"id":"[0-9a-f]{8}/, '{"id":"00000000'),
      /its line 2 is not a case of the plan/,
    ],
    [
      'nothing but failures',
      () => [lines()[0], ...lines().slice(1).map(failed)].join('\n'),
      /ended with a failure, and this run with|none of its cases has a profit/,
    ],
    [
      'another result of the same seed',
      () => cases.replaceAll(/"digest":"[0-9a-f]{4}(?=[0-9a-f]{28}","metrics)/g, '"digest":"ffff'),
      /its case of seed "1" ended with ffff\w+, and this run with \w+, .* not a function of its inputs/,
    ],
  ])('refuses %s', async (_what, file, told) => {
    const { code, err } = await runAmong(file(), [...market, ...span, '--seed', '1'])
    expect({ code, err }).toMatchObject({ code: 5, err: expect.stringMatching(told) })
  })

  it('says how many seeds failed or are not done', async () => {
    const [head, ...rows] = lines()
    const some = [
      head,
      ...rows
        .filter((row) => !row.includes('"seed":"3"'))
        .map((row) => (row.includes('"seed":"2"') ? failed(row) : row)),
    ]
    const { code, cwd } = await runAmong(some.join('\n'), [...market, ...span, '--seed', '1'])
    expect(code).toBe(0)
    const page = readFileSync(join(cwd, 'r.html'), 'utf8')
    expect(page).toContain('Profits of 1 of 3 seeds (1 failed, 1 are not done) in USD')
  })

  it('does not go with a run elsewhere', async () => {
    const { code, err } = await runAmong(cases, ['--live', 'http://127.0.0.1:1', ...span])
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--live.*--among|--among.*--live/),
    })
  })
})

describe('a store', () => {
  const words = [
    'sweep',
    's.mjs',
    ...market,
    '--to',
    '10m',
    '--seeds',
    '1..2',
    '--jobs',
    '1',
    '--store',
    'store',
  ]
  const inputs = [
    ['fetch', "await fetch('data:,1')"],
    ['a subprocess', "import { execFileSync } from 'node:child_process'\nexecFileSync('true')"],
    ['a file with a computed name', "import { existsSync } from 'node:fs'\nexistsSync(String(Date.now()))"],
  ] as const

  it.each(inputs)(
    'gives no cases of a strategy that takes in %s, until it is told to',
    async (_what, head) => {
      const cwd = folderWith({ 's.mjs': `${head}\n${strategy}` })
      const first = await built(words, cwd)
      expect(first).toMatchObject({
        code: 0,
        out: expect.stringMatching(/is not all known beforehand \(s\.mjs:\d /),
      })
      const again = await built(words, cwd)
      expect(again).toMatchObject({ code: 5, out: '' })
      expect(again.err).toMatch(
        /store has 2 cases, the first of 20.* may have had other inputs.*\n--trust-store takes them, --fresh runs them anew/,
      )
      const trusted = JSON.parse((await built([...words, '--trust-store', '--json'], cwd)).out)
      expect(trusted).toMatchObject({ ok: true, lookedAt: { cases: 0, storedCases: 2 } })
      expect(trusted.warnings).toEqual([expect.stringContaining('is not all known beforehand')])
      const fresh = JSON.parse((await built([...words, '--fresh', '--json'], cwd)).out)
      expect(fresh).toMatchObject({
        ok: true,
        lookedAt: { cases: 2, storedCases: 0 },
        digest: trusted.digest,
      })
    },
  )

  it('says on its page, in its results and in those of its shards what is not known', async () => {
    const cwd = folderWith({ 's.mjs': `await fetch('data:,1')\n${strategy}` })
    await built([...words, '--html', 'page', '--ndjson', 'cases'], cwd)
    expect(readFileSync(join(cwd, 'page'), 'utf8')).toContain('is not all known beforehand (s.mjs:1 fetch())')
    const [head = ''] = readFileSync(join(cwd, 'cases'), 'utf8').split('\n')
    expect(JSON.parse(head).strategy.unknown).toEqual(['s.mjs:1 fetch()'])
    const merged = await built(['sweep', 'merge', 'store'], cwd)
    expect(merged).toMatchObject({ code: 0, out: expect.stringContaining('is not all known beforehand') })
  })

  it('of a shard is a part, and every result says so', async () => {
    const cwd = folderWith({ 's.mjs': strategy })
    const planned = [...words.slice(0, -4), '--set', 'size=0.5,1']
    expect((await built(['sweep', 'plan', ...planned.slice(1), '-o', 'plan'], cwd)).code).toBe(0)
    const shard = [
      'sweep',
      'run',
      'plan',
      '--shard',
      '1/2',
      '--jobs',
      '1',
      '--store',
      'part',
      '--html',
      'page',
    ]
    const { out } = await built(shard, cwd)
    const part = 'These are 2 of the 4 cases of the plan: a part, which does not speak for the whole.'
    expect(out).toContain(part)
    expect(readFileSync(join(cwd, 'page'), 'utf8')).toContain(part)
    const summary = JSON.parse((await built([...shard, '--json'], cwd)).out)
    expect(summary).toMatchObject({ cases: 2, plannedCases: 4, warnings: [part] })
  })

  it('that cannot be read is named where cells of earlier sweeps are counted', async () => {
    const cwd = folderWith({ 's.mjs': strategy })
    expect((await built(words, cwd)).code).toBe(0)
    const text = readFileSync(join(cwd, 'store'), 'utf8')
    writeFileSync(join(cwd, 'old'), text.replace('otcsim sweep store 2', 'otcsim sweep store 7'))
    const { out } = await built([...words, '--fresh', '--set', 'size=2'], cwd)
    expect(out).toMatch(
      /Cells of 1 store that cannot be read \(\S+old\) are not counted as tried; --trials states/,
    )
  })

  const from = (change: (text: string) => string) => change
  it.each<[what: string, change: (text: string) => string, told: RegExp]>([
    [
      'an earlier version',
      from((text) => text.replaceAll(/"version":"[^"]+"/g, '"version":"0.0.9"')),
      /was made by otcsim 0\.0\.9, and this is \S+; remove it, or give another --store/,
    ],
    [
      'an earlier format',
      from((text) => text.replace(/^.*"plan":(.*)\}\n/, '$1\n')),
      /was made by otcsim \S+ \(store format 1\), and this is \S+ \(store format 2\); remove it, or/,
    ],
    ['a damaged line', from((text) => text.replace('"failure":null', '"failure":"x"')), /store:2 is damaged/],
    ['no store', from(() => 'dear diary\n'), /is not a store of a sweep; give another --store\n/],
    [
      'another sweep',
      from((text) => text.replaceAll('"seeds":["1"', '"seeds":["7"')),
      /is the store of another sweep/,
    ],
  ])('is refused in its own words: %s', async (_what, change, told) => {
    const cwd = folderWith({ 's.mjs': strategy })
    expect((await built(words, cwd)).code).toBe(0)
    const path = join(cwd, 'store')
    const text = change(readFileSync(path, 'utf8'))
    writeFileSync(path, text)
    copyFileSync(path, join(cwd, 'before'))
    expect(await built(words, cwd)).toMatchObject({ code: 5, out: '', err: expect.stringMatching(told) })
    expect(readFileSync(path)).toEqual(readFileSync(join(cwd, 'before')))
  })
})
