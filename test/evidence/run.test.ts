import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { otcsim } from '../cli/harness.ts'
import { caseBudget } from '../support/full-run.ts'
import { folderWith } from '../support/temporary-folder.ts'

const world = `version: 1
name: vacuous
clock: {start: 2026-01-05T00:00:00Z, end: 20s, mode: manual}
market: {flow: {kind: none}, assets: {BTC: {price: 50000, model: {kind: constant}, liquidity: {kind: power}}}}
accounts: [{id: trader, balances: {USD: 100000}}]
`
/** One order is placed, one is refused, and one is never placed. */
const timeline = `timeline:
  - {at: +1s, order: {as: bid, account: trader, side: buy, asset: BTC, quantity: 1, price: 49000}}
  - {at: +2s, order: {as: dear, account: trader, side: buy, asset: BTC, quantity: 100, price: 49000}}
  - {when: price.BTC.mark == 1, id: nowhere, order: {as: none, account: trader, side: buy, asset: BTC, quantity: 1, price: 49000}}
  - {when: clock > 15, id: late, note: x}
`
const expecting = (...lines: readonly string[]): string =>
  `${world}${timeline}expect:\n${lines.map((line) => `  - {${line}}\n`).join('')}`

const matrix = world.replace('clock:', 'matrix: {seed: 1..4}\nclock:')
const overSeeds = `${matrix}expect:
  - {at: end, that: {price.BTC.mark: {gt: 1}}, aggregate: {over: seed, stat: median}}
`
const unnumbered = overSeeds.replace('price.BTC.mark', '"metrics[trader].makerFillRatio"')

const run = (file: string, words: readonly string[] = []) =>
  otcsim(['run', 's.yaml', ...words], {
    cwd: folderWith({ 's.yaml': file }),
    env: { PATH: process.env['PATH'] ?? '' },
  })

describe('otcsim run', () => {
  it.each([
    [
      'always, of a refused order',
      expecting(`always: "order[dear].status == 'filled'"`),
      [],
      /was refused \(RISK/,
    ],
    [
      'never, of a refused order',
      expecting('never: "order[dear].filledQuantity < 9"'),
      [],
      /was refused \(RISK/,
    ],
    ['an order that was never placed', expecting(`always: "order[none].price > 1"`), [], /was never placed/],
    [
      'fills that never came',
      expecting('never: fill.price < 1'),
      [],
      /at none of 601 instants: there was no fill/,
    ],
    ['quotes that nobody made', expecting(`always: "quote[*].bidPrice > 1"`), [], /there was no quote/],
    [
      'a ratio without trades',
      expecting('always: "metrics[trader].makerFillRatio > 0.9"'),
      [],
      /at none of 601/,
    ],
    [
      'a mark-out without trades',
      expecting('never: "metrics[trader].markout5sBps < 0"'),
      [],
      /at none of 601/,
    ],
    [
      'a price of no position',
      expecting('always: "account[trader].position.BTC.averageEntryPrice > 0"'),
      [],
      /none of 601/,
    ],
    [
      'a leadsTo never set off',
      expecting('leadsTo: {from: price.BTC.mark < 1, to: clock > 1}'),
      [],
      /never set off/,
    ],
    [
      'what is after the end',
      expecting('at: +1m, ifReached: true, that: clock > 1'),
      [],
      /1 expectation, and none was/,
    ],
    ['a window after the end', expecting('within: [late+1m, 5s], that: clock > 1'), [], /run ended before/],
    ['a moment that never came', expecting('at: nowhere, that: clock > 1'), [], /"nowhere" never happened/],
    [
      'what may be unjudged, alone',
      expecting('never: fill.price < 1, mayBeUnjudged: true'),
      [],
      /nothing was judged/,
    ],
    ['no expectations', world, [], /nothing was judged: there is no expectation/],
    ['no expectations in any run', matrix, [], /\[all 4 runs\]: nothing was judged: there is no expectation/],
    [
      'an await that need not come',
      `${world}timeline: [{at: +1s, await: {that: clock > 9999, required: false}}]\n`,
      [],
      /no expectation/,
    ],
    ['a shard, of what is judged over all runs', overSeeds, ['--shard', '1/2'], /2 of 4 runs ran/],
    ['one run, of what is judged over all runs', overSeeds, ['--only', 'seed=3'], /1 of 4 runs ran/],
    ['an empty shard', overSeeds, ['--shard', '5/5'], /the shard 5\/5 is empty/],
    ['a statistic of nothing', unnumbered, [], /4 of 4 runs have no metrics/],
    [
      'a client that asks for nothing',
      expecting('always: clock < 9999'),
      ['--client', 'true'],
      /no request came at all/,
    ],
    ['no expectations, and no requests', world, ['--client', 'true'], /no request came at all/],
    [
      'a client killed at the end',
      world.replace('manual', 'scaled, scale: 100'),
      ['--client', 'sleep 60'],
      /no request came/,
    ],
  ])('fails for %s', async (_what, file, words, said) => {
    const done = await run(file, words)
    expect(done.out + done.err).toMatch(said)
    expect(done.code).toBe(1)
    expect(done.out).not.toContain('✓')
    const json = await run(file, [...words, '--reporter', 'json'])
    expect(JSON.parse(json.out)).toMatchObject({ ok: false })
  })

  it.each(['always: 1 < 2', 'at: +1s, that: "(2 + 2) * 2 == 8"', "never: \"'open' == 'filled'\""])(
    'takes no expectation that looks at nothing: %s',
    async (entry) => {
      const { code, err } = await run(expecting(entry))
      expect(err).toMatch(/expect\[0\]\S* looks at nothing of the venue; compare a read-out/)
      expect(code).toBe(2)
    },
  )

  it.each([
    ['always: fill.price == fill.price', 'holds whatever the venue does'],
    ['always: clock < 5 or clock >= 5', 'holds whatever the venue does'],
    ['always: clock >= 0', 'holds whatever the venue does'],
    ['leadsTo: {from: clock > 5, to: clock > 4}', 'to: follows from "from" whatever the venue does'],
    ['never: clock < 3 and clock > 4', 'holds at no time'],
    ['at: +1s, that: clock >= 0 and 1 > 2', 'has a part that looks at nothing'],
  ])('takes no expectation that nothing can break: %s', async (entry, reason) => {
    const { code, err } = await run(expecting(entry))
    expect(err).toContain(reason)
    expect(code).toBe(2)
  })

  it('lets a file pass that holds nothing where it is told to, and never ticks it', async () => {
    for (const file of [world, matrix, expecting('never: fill.price < 1, mayBeUnjudged: true')]) {
      const { code, out, err } = await run(file, ['--allow-no-expectations'])
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toMatch(/^– vacuous/)
      expect(out).toMatch(/looked at: \d expectations?, \d+ evaluations, 0 known values/)
      expect(out).not.toContain('✓')
    }
  })

  it('says in every report what was looked at, and what was not judged', async () => {
    const cwd = folderWith({})
    const file = expecting(
      'always: price.BTC.mark == 50000',
      'never: fill.price < 1, mayBeUnjudged: true',
      'at: +1m, ifReached: true, that: clock > 1',
      'leadsTo: {from: clock == 3, to: price.BTC.mark > 1}',
    )
    writeFileSync(join(cwd, 's.yaml'), file)
    const reporters = ['json', 'junit', 'html', 'github'].map((kind) => `${kind}:${kind}`)
    const env = { GITHUB_STEP_SUMMARY: join(cwd, 'summary') }
    const done = await otcsim(['run', 's.yaml', '--reporter', ['pretty', ...reporters].join(',')], {
      cwd,
      env,
    })
    expect(done.code).toBe(0)
    const looked = 'looked at: 3 expectations, 1803 evaluations, 602 known values'
    for (const name of ['html', 'github', 'summary'])
      expect(readFileSync(join(cwd, name), 'utf8')).toContain(looked)
    expect(done.out).toContain(`  expectations  2 of 4 held, 2 not judged\n  ${looked}\n`)
    const json = JSON.parse(readFileSync(join(cwd, 'json'), 'utf8'))
    const lookedAt = { expectations: 3, evaluations: 1803, knownValues: 602 }
    expect(json).toMatchObject({ ok: true, lookedAt, scenarios: [{ lookedAt }] })
    expect(json.scenarios[0].expectations).toMatchObject([
      { result: 'held', evaluations: 601, known: 601, reason: null },
      {
        result: 'not judged',
        evaluations: 601,
        known: 0,
        reason: expect.stringContaining('there was no fill'),
      },
      { result: 'held', evaluations: 601, known: 1, reason: null },
      { result: 'not judged', evaluations: 0, known: 0, reason: expect.stringContaining('after the end') },
    ])
    const junit = readFileSync(join(cwd, 'junit'), 'utf8')
    expect(junit).toContain('tests="4" failures="0" errors="0" skipped="2"')
    expect(junit.match(/<skipped message="/g)).toHaveLength(2)
    expect(junit).toContain('<property name="lookedAt.knownValues" value="602"/>')
    expect(
      readFileSync(join(cwd, 'github'), 'utf8').match(/^::notice file=s\.yaml,line=1[34]/gm),
    ).toHaveLength(2)
  })
})

const readouts = [
  "order[bid].status == 'open'",
  "order[dear].status == 'open'",
  'order[none].filledQuantity < 1',
  'order[bid].averagePrice < 50000',
  'fill.price < 1',
  'quote[*].bidPrice > 1',
  'metrics[trader].makerFillRatio > 0.5',
  'metrics[trader].pnl >= 0',
  'account[trader].position.BTC.averageEntryPrice > 0',
  'price.BTC.mark == 50000',
  'happened[nowhere]',
  'clock > 10',
]
/** One predicate runs over rows of one kind. */
const single = readouts.filter((readout) => !/^fill|\*/.test(readout))
const moments = ['+5s', 'late', 'late+1s', 'late+1m', 'nowhere', 'nowhere+1s', 'end']
const predicate = fc
  .tuple(fc.constantFrom(...readouts), fc.constantFrom(' and ', ' or ', null), fc.constantFrom(...single))
  .map(([left, word, right]) => (word === null ? left : `(${left})${word}(${right})`))
const when = fc.constantFrom(...moments)
const flags = fc.constantFrom('', ', mayBeUnjudged: true', ', ifReached: true')

const expectation = fc
  .oneof(
    fc
      .tuple(fc.constantFrom('always', 'never', 'eventually'), predicate)
      .map(([kind, that]) => `${kind}: "${that}"`),
    fc
      .tuple(fc.constantFrom('at', 'by'), when, predicate)
      .map(([kind, at, that]) => `${kind}: ${at}, that: "${that}"`),
    fc.tuple(when, predicate).map(([from, that]) => `within: [${from}, 2s], that: "${that}"`),
    fc
      .tuple(predicate, predicate)
      .map(([from, to]) => `leadsTo: {from: "${from}", to: "(${to}) and price.BTC.ask > 1"}`),
    fc.constant('at: +1m, ifReached: true, that: clock > 1'),
  )
  .chain((line) => flags.map((flag) => (line.includes('ifReached') ? line : line + flag)))

interface Result {
  readonly line: number
  readonly result: string
  readonly known: number
}

it('run ends with 0 only where each expectation was known at least once, or may be unjudged by its name', async () => {
  const property = fc.asyncProperty(fc.array(expectation, { maxLength: 4 }), async (lines) => {
    const file = expecting(...lines).replace(/expect:\n$/, '')
    const { code, out } = await run(file, ['--reporter', 'json'])
    const { ok, lookedAt, scenarios } = JSON.parse(out)
    const results: readonly Result[] = scenarios[0].expectations
    expect(ok).toBe(code === 0)
    expect(results).toHaveLength(lines.length)
    expect(lookedAt.knownValues).toBe(results.reduce((sum, { known }) => sum + known, 0))
    const isAllowed = ({ line }: Result): boolean =>
      /mayBeUnjudged|ifReached/.test(file.split('\n')[line - 1] ?? '')
    for (const one of results) {
      if (one.result === 'held') expect(one.known).toBeGreaterThan(0)
      if (one.result === 'not judged') expect([one.known, isAllowed(one)]).toEqual([0, true])
    }
    const isGreen = results.every(({ result }) => result !== 'failed') && lookedAt.knownValues > 0
    expect(code).toBe(isGreen ? 0 : 1)
  })
  await fc.assert(property, { numRuns: caseBudget(150) })
})

it('names in JUnit the entries of the timeline that had no effect', async () => {
  const { out } = await run(expecting('at: +1s, that: price.BTC.mark > 1'), ['--reporter', 'junit'])
  const named = out.match(/<property name="noEffect" value="[^"]*"\/>/g)
  expect(named).toEqual([expect.stringContaining('value="nowhere: price.BTC.mark == 1 never became true')])
})
