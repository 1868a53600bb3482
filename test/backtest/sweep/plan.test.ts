import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { identifyStrategy } from '../../../src/backtest/loading/strategy-identity.ts'
import { scenarioDigest } from '../../../src/backtest/sweep/digests.ts'
import {
  checkGrid,
  formatPlan,
  listCases,
  listCells,
  parseAxis,
  parsePlan,
  parseSeeds,
  pickParameters,
  planDigest,
  type SweepPlan,
} from '../../../src/backtest/sweep/plan.ts'
import { loadScenario } from '../../../src/scenario/load.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { plan } from './fixtures.ts'

describe('seeds', () => {
  it.each([
    ['7', ['7']],
    ['1..3', ['1', '2', '3']],
    ['5..5', ['5']],
    ['a, 2..3,b,2', ['a', '2', '3', 'b']],
    ['1.5', ['1.5']],
  ])('reads %j', (text, seeds) => {
    expect(parseSeeds(text)).toEqual({ ok: true, value: seeds })
  })

  it.each([
    ['', /are texts or ranges/],
    ['1,,2', /are texts or ranges/],
    ['5..4', /the range 5\.\.4 is empty/],
    ['1..', /"1\.\." is not a range/],
    ['a..c', /"a\.\.c" is not a range/],
    ['1..9000000', /more than 1000000 seeds/],
  ])('refuses %j', (text, problem) => {
    expect(parseSeeds(text)).toEqual({ ok: false, problem: expect.stringMatching(problem) })
  })
})

describe('the grid', () => {
  it('takes names and values as written', () => {
    expect(parseAxis('k=a,b=c', 'strategy')).toEqual({
      ok: true,
      value: { name: 'k', of: 'strategy', values: ['a', 'b=c'] },
    })
  })

  it.each([
    ['k', /expected NAME=VALUE/],
    ['=1', /expected NAME=VALUE/],
    ['k=', /k: a value is empty/],
    ['k=1,,2', /k: a value is empty/],
    ['k=1,2,1', /k: 1 is there twice/],
  ])('refuses %j', (text, problem) => {
    expect(parseAxis(text, 'strategy')).toEqual({ ok: false, problem: expect.stringMatching(problem) })
  })

  it('refuses a name that is used twice, and too many cases', () => {
    const twice = [...plan.grid, { name: 'spreadBps', of: 'scenario' as const, values: ['1'] }]
    expect(checkGrid(twice, 1)).toEqual({ ok: false, problem: 'the parameter spreadBps is given twice' })
    expect(checkGrid(plan.grid, 1e7)).toMatchObject({ ok: false })
    expect(checkGrid(plan.grid, 500)).toMatchObject({ ok: true })
  })

  it('has one empty cell without parameters', () => {
    expect(listCells([])).toEqual([{}])
  })
})

describe('the cases of a plan', () => {
  it('are ordered by seed, with the last parameter changing fastest', () => {
    const named = listCases(plan).map(({ seed, parameters }) =>
      [seed, ...Object.values(parameters)].join(' '),
    )
    expect(named.slice(0, 5)).toEqual(['1 1 0.2', '1 1 0.6', '1 5 0.2', '1 5 0.6', '2 1 0.2'])
    expect(named).toHaveLength(12)
  })

  it('keep their ids when a sweep grows, and when its parameters are reordered', () => {
    const ids = listCases(plan).map(({ id }) => id)
    expect(new Set(ids).size).toBe(12)
    const longer = listCases({ ...plan, seeds: ['1', '2', '3', '4'] }).map(({ id }) => id)
    expect(longer.slice(0, 12)).toEqual(ids)
    const turned = listCases({ ...plan, grid: plan.grid.toReversed() }).map(({ id }) => id)
    expect(turned.toSorted()).toEqual(ids.toSorted())
  })

  it.each<[string, SweepPlan]>([
    ['version', { ...plan, work: { ...plan.work, version: '1.2.4' } }],
    ['strategy', { ...plan, work: { ...plan.work, strategy: { file: 'maker.ts', digest: 'ab' } } }],
    [
      'scenario',
      {
        ...plan,
        work: {
          ...plan.work,
          scenario: { name: 'calm', digests: { 'informed=0.2': 'c2', 'informed=0.6': 'c6' } },
        },
      },
    ],
    ['options', { ...plan, work: { ...plan.work, options: { account: 'maker' } } }],
  ])('have other ids with another %s', (_, other) => {
    const ids = new Set(listCases(plan).map(({ id }) => id))
    expect(listCases(other).filter(({ id }) => ids.has(id))).toEqual([])
    expect(planDigest(other)).not.toBe(planDigest(plan))
  })

  it('distinguish parameters of the strategy from those of the scenario', () => {
    const [first] = listCases(plan)
    if (first === undefined) throw new Error('no case')
    expect(pickParameters(plan, first, 'strategy')).toEqual(new Map([['spreadBps', '1']]))
    expect(pickParameters(plan, first, 'scenario')).toEqual(new Map([['informed', '0.2']]))
  })

  it('keep their ids when a parameter of the scenario gets another value', () => {
    const ids = new Set(listCases(plan).map(({ id }) => id))
    const digests = { ...plan.work.scenario.digests, 'informed=0.9': 'b9' }
    const work = { ...plan.work, scenario: { name: 'calm', digests } }
    const [spread] = plan.grid
    if (spread === undefined) throw new Error('no axis')
    const grid = [spread, { name: 'informed', of: 'scenario' as const, values: ['0.2', '0.6', '0.9'] }]
    expect(listCases({ ...plan, work, grid }).filter(({ id }) => ids.has(id))).toHaveLength(12)
  })

  it('do not depend on where the files are', () => {
    const moved = { ...plan.work, strategy: { file: 'elsewhere/maker.ts', digest: 'aa' } }
    expect(listCases({ ...plan, work: moved })).toEqual(listCases(plan))
  })
})

describe('a plan as a file', () => {
  it('is read back as it was', () => {
    expect(parsePlan(formatPlan(plan))).toEqual(plan)
  })

  it.each([
    '',
    '{}',
    formatPlan(plan).replace('plan 1', 'plan 2'),
    formatPlan(plan).replace('"strategy"', '"other"'),
  ])('is not read from %j', (text) => {
    expect(parsePlan(text)).toBeNull()
  })
})

describe('the digest of a strategy', () => {
  function write(files: { readonly [name: string]: string }): string {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'lib'))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    return join(folder, 'main.ts')
  }
  const files = {
    'main.ts': "import { x } from './lib/x.js'\nimport 'otcsim'\nexport * from './y'\n",
    'lib/x.ts': "const z = await import('../z.json')\n",
    'y.ts': '',
    'z.json': '{}',
    'other.ts': '',
  }

  it('depends on its contents only, not on their folder or line ends', () => {
    const crlf = { ...files, 'lib/x.ts': files['lib/x.ts'].replaceAll('\n', '\r\n') }
    expect(identifyStrategy(write(crlf)).digest).toBe(identifyStrategy(write(files)).digest)
    expect(identifyStrategy(write({ ...files, 'other.ts': 'changed' })).digest).toBe(
      identifyStrategy(write(files)).digest,
    )
  })

  it.each(['main.ts', 'lib/x.ts', 'y.ts', 'z.json'] as const)('changes with %s', (name) => {
    const changed = { ...files, [name]: `${files[name]} ` }
    expect(identifyStrategy(write(changed)).digest).not.toBe(identifyStrategy(write(files)).digest)
  })

  it('ends where files import each other', () => {
    const circle = { ...files, 'lib/x.ts': "import '../main.ts'" }
    expect(identifyStrategy(write(circle)).digest).toMatch(/^[0-9a-f]{32}$/)
  })
})

describe('the digest of a scenario', () => {
  const text = (price: number, comment = '') =>
    `${comment}version: 1\nname: s\nmarket: {assets: {BTC: {price: ${price}, model: {kind: gbm, vol: 0.5}}}}\ntimeline:\n  - {at: +1m, note: x}\n`
  const digestOf = (yaml: string, file: string) => {
    const loaded = loadScenario(yaml, file)
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
    return scenarioDigest(loaded.value)
  }

  it('depends on its meaning, not on its text or its folder', () => {
    expect(digestOf(text(100, '# why\n\n'), 'a.yaml')).toBe(digestOf(text(100), 'b/c.yaml'))
    expect(digestOf(text(101), 'a.yaml')).not.toBe(digestOf(text(100), 'a.yaml'))
  })
})
