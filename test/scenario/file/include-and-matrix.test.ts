import { describe, expect, it } from 'vitest'
import type { ReadInclude } from '../../../src/scenario/file/include.ts'
import { formatMistake } from '../../../src/scenario/file/mistake.ts'
import { parseDocument } from '../../../src/scenario/file/parse-document.ts'
import { loadScenario, loadScenarios } from '../../../src/scenario/load.ts'
import { loadScenarioValue } from '../../../src/scenario/load-tree.ts'

/** Files by name; a name in a folder is relative to the folder of the file that includes it. */
const reader =
  (files: { readonly [name: string]: string }): ReadInclude =>
  (name, from) => {
    const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/') + 1) : ''
    const text = files[folder + name]
    if (text === undefined) return { ok: false, reason: `there is no ${folder}${name}` }
    return { ok: true, file: folder + name, parsed: parseDocument(text, folder + name) }
  }

const main = (lines: string) => `version: 1\nname: main\n${lines}`

function load(text: string, files: { readonly [name: string]: string }) {
  const loaded = loadScenario(text, 'main.yaml', { readInclude: reader(files) })
  if (!loaded.ok) throw new Error(loaded.problems.map(formatMistake).join('\n'))
  return loaded.value
}

function complaints(text: string, files: { readonly [name: string]: string }): readonly string[] {
  const loaded = loadScenario(text, 'main.yaml', { readInclude: reader(files) })
  return loaded.ok ? [] : loaded.problems.map(formatMistake)
}

const base = `name: base
seed: 3
params: {price: 100}
clock: {start: 2026-02-01T00:00:00Z, end: 1h, grid: 5s}
market: {flow: {kind: none}, assets: {BTC: {price: "\${price}", model: {kind: gbm, vol: 0.3}}, ETH: {price: 5}}}
accounts: [{id: a, balances: {USD: 1}}, {id: b}]
timeline: [{at: +5m, id: news, note: from base}]
expect: [{at: news, that: clock == 300}]
`

describe('an included file', () => {
  it('comes first, shares its labels, and is overridden by the including file', () => {
    const scenario = load(
      main(`include: [base.yaml]
clock: {end: 2h}
params: {price: 200}
market: {assets: {BTC: {model: {kind: constant}}}}
accounts: [{id: b, balances: {USD: 7}}, {id: c}]
timeline: [{at: news+1m, note: from main}]`),
      { 'base.yaml': base },
    )
    expect(scenario.name).toBe('main')
    expect(scenario.venue).toMatchObject({ seed: '3', gridMillis: 5000 })
    expect(scenario.clock.endMillis).toBe(scenario.venue.startMillis + 7_200_000)
    expect(scenario.venue.market.assets).toMatchObject([
      { symbol: 'BTC', price: 200, model: { kind: 'constant' } },
      { symbol: 'ETH', price: 5 },
    ])
    expect(scenario.access.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(scenario.venue.accounts[1]?.balances.get('USD')).toBe(7_000_000)
    const start = scenario.venue.startMillis
    expect(scenario.timeline.map(({ trigger, place }) => [trigger, place.file])).toEqual([
      [{ kind: 'at', at: start + 300_000 }, 'base.yaml'],
      [{ kind: 'at', at: start + 360_000 }, 'main.yaml'],
    ])
    expect(scenario.expectations).toHaveLength(1)
  })

  it('may include others, relative to itself, and be included twice unless something would happen twice', () => {
    const scenario = load(main('include: [parts/one.yaml, parts/two.yaml]\n'), {
      'parts/one.yaml': 'include: base.yaml\ntimeline: [{at: +1m, note: one}]\n',
      'parts/two.yaml': 'timeline: [{at: news, note: two}]\n',
      'parts/base.yaml': base,
    })
    expect(scenario.timeline.map(({ action }) => 'text' in action && action.text)).toEqual([
      'from base',
      'one',
      'two',
    ])
    const shared = {
      'accounts.yaml': 'accounts: [{id: a}]\n',
      'story.yaml': 'timeline: [{at: +1m, note: x}]\n',
    }
    const market = 'market: {assets: {BTC: {price: 1}}}\n'
    expect(load(main(`include: [accounts.yaml, accounts.yaml]\n${market}`), shared).access).toHaveLength(1)
    expect(complaints(main(`include: [story.yaml, story.yaml]\n${market}`), shared)).toEqual([
      'main.yaml:3:23 include[1]: story.yaml is included a second time, and would happen twice',
    ])
  })

  it('is refused with its place when it is missing, not a scenario, or circular', () => {
    expect(complaints(main('include: [nix.yaml]\n'), {})).toEqual([
      'main.yaml:3:11 include[0]: there is no nix.yaml',
    ])
    expect(complaints(main('include: [{}]\n'), {})).toEqual([
      'main.yaml:3:11 include[0]: expected the name of a file',
    ])
    expect(complaints(main('include: [bad.yaml]\n'), { 'bad.yaml': 'timeline: [' })[0]).toMatch(
      /^bad\.yaml:1:\d+ /,
    )
    expect(
      complaints(main('include: [base.yaml]\n'), { 'base.yaml': base.replace('gbm', 'gmb') })[0],
    ).toMatch(/^base\.yaml:5:\d+ market\.assets\.BTC\.model\.kind: unknown kind "gmb"/)
    const round = { 'a.yaml': 'include: b.yaml\n', 'b.yaml': 'include: a.yaml\n' }
    expect(complaints(main('include: a.yaml\n'), round)).toEqual([
      'b.yaml:1:10 include[0]: goes round in a circle: main.yaml > a.yaml > b.yaml > a.yaml',
    ])
  })

  it('may go on after the end of the run, whatever the including file has of its own', () => {
    const late = base.replace('+5m, id: news', '+2h, id: news').replace('clock == 300', 'clock == 7200')
    for (const own of ['', 'timeline: []\n', 'expect: []\n', 'timeline: []\nexpect: []\n'])
      expect(complaints(main(`include: base.yaml\n${own}`), { 'base.yaml': late })).toEqual([])
  })

  it('is never read for a scenario given as a value', () => {
    const loaded = loadScenarioValue({ version: 1, name: 'x', include: ['/etc/passwd'] })
    expect(loaded.ok ? [] : loaded.problems.map(formatMistake)).toEqual([
      'include[0]: other files can only be read from scenario files, not here',
    ])
  })
})

const matrixOf = (
  lines: string,
  given: { readonly seed?: string; readonly params?: ReadonlyMap<string, string> } = {},
) => {
  const market =
    'market: {flow: {kind: none}, assets: {BTC: {price: "\u0024{price}", model: {kind: constant}}}}'
  return loadScenarios(main(`params: {price: 1}\n${market}\n${lines}`), 'main.yaml', given)
}

describe('a matrix', () => {
  const runs = (lines: string, given = {}) => {
    const loaded = matrixOf(lines, given)
    if (!loaded.ok) return loaded.problems.map(formatMistake)
    const { variants, compile } = loaded.value
    return variants.map((variant) => {
      const compiled = compile(variant)
      if (!compiled.ok) return compiled.problems.map(formatMistake).join()
      const { venue } = compiled.value
      return `${compiled.value.variant}: ${venue.seed} at ${venue.market.assets[0]?.price}`
    })
  }

  it.each([
    ['', {}, [': 1 at 1']],
    ['matrix: {seed: 1..3}', {}, ['seed=1: 1 at 1', 'seed=2: 2 at 1', 'seed=3: 3 at 1']],
    [
      'matrix: {seed: [7, x, 8..9]}',
      {},
      ['seed=7: 7 at 1', 'seed=x: x at 1', 'seed=8: 8 at 1', 'seed=9: 9 at 1'],
    ],
    [
      'matrix: {seed: [1, 2], price: [5, 6]}',
      {},
      [
        'seed=1 price=5: 1 at 5',
        'seed=1 price=6: 1 at 6',
        'seed=2 price=5: 2 at 5',
        'seed=2 price=6: 2 at 6',
      ],
    ],
    ['matrix: {seed: 1..9, price: [5, 6]}', { seed: 'own' }, ['price=5: own at 5', 'price=6: own at 6']],
    [
      'matrix: {seed: [1, 2], price: [5, 6]}',
      { params: new Map([['price', '9']]) },
      ['seed=1: 1 at 9', 'seed=2: 2 at 9'],
    ],
    [
      'matrix: {price: [5, -1]}',
      {},
      ['price=5: 1 at 5', expect.stringMatching(/price: must be above 0|expected an amount/)],
    ],
    [
      'matrix: {seed: 1..100000}',
      {},
      ['main.yaml:5:16 matrix.seed: 1..100000 is not a span of 1 to 10000 values'],
    ],
    ['matrix: {seed: [1..3, 9, 2]}', {}, ['main.yaml:5:16 matrix.seed: 2 is there twice']],
    ['matrix: {seed: 1..200, price: 1..200}', {}, ['main.yaml:5:31 matrix.price: more than 10000 runs']],
    [
      'matrix: {prise: [1]}',
      {},
      [expect.stringMatching(/the scenario has no parameter "prise". Did you mean "price"\?/)],
    ],
  ])('%s with %o', (lines, given, expected) => {
    expect(runs(lines, given)).toEqual(expected)
  })
})
