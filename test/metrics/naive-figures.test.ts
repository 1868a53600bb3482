import { expect, it } from 'vitest'
import { computeMetrics, flattenMetrics } from '../../src/metrics/metrics.ts'
import { naiveFigures } from '../reference/naive-figures.ts'
import { naiveTradingFigures } from '../reference/naive-trading-figures.ts'
import { isFullRun } from '../support/full-run.ts'
import { kinds, makeHistory } from './histories.ts'

/* Every figure of the catalogue against a second telling from its source, on two hundred accounts by seed. */

const accounts = 200
const isRandom = (name: string): boolean => /^maker\.markouts\.\d+\.(?:low|high)Bps$/.test(name)

/** Whether two figures are one: to 1e-9 of their size, or of the sums in USD that they are what is left of. */
function isSame(found: number | null, wanted: number | null, scale: number): boolean {
  if (found === null || wanted === null) return found === wanted
  return Math.abs(found - wanted) <= 1e-9 * Math.max(scale, Math.abs(found), Math.abs(wanted))
}

/** A short run compares each kind on each span once, a full run twice. */
const rounds = (isFullRun ? accounts : accounts / 2) / kinds.length

it.each(Array.from({ length: rounds }, (_, round) => round))(
  'are what their sources say, of ten kinds of accounts: round %i',
  (round) => {
    for (const place of kinds.keys()) {
      const history = makeHistory(round * kinds.length + place)
      const flat = flattenMetrics(computeMetrics(history))
      const found = Object.fromEntries(Object.entries(flat).filter(([name]) => !isRandom(name)))
      const wanted = { ...naiveFigures(history), ...naiveTradingFigures(history) }
      expect(Object.keys(found).toSorted()).toEqual(Object.keys(wanted).toSorted())
      const usd =
        /^(?:attribution|benchmark\.(?:held|trading)|returns\.profit|trips\.(?:real|unreal|net(?:Real|Unreal)|open)|costs\.shortfall)/
      const differences = Object.entries(found).filter(
        ([name, value]) => !isSame(value, wanted[name] ?? null, usd.test(name) ? 1e6 : 1),
      )
      expect([history.kind, differences.map(([name, value]) => [name, value, wanted[name]])]).toEqual([
        history.kind,
        [],
      ])
    }
  },
)

it('are each defined for at least ten of the accounts, and undefined ratios for some', () => {
  const defined = new Map<string, number>()
  const undefinedNames = new Set<string>()
  for (let seed = 0; seed < accounts; seed += 1)
    for (const [name, value] of Object.entries(flattenMetrics(computeMetrics(makeHistory(seed))))) {
      if (value === null) undefinedNames.add(name)
      else defined.set(name, (defined.get(name) ?? 0) + 1)
    }
  expect([...defined].filter(([, times]) => times < 10)).toEqual([])
  for (const name of [
    'returns.sharpe',
    'returns.omega',
    'benchmark.alpha',
    'benchmark.upCapture',
    'trips.netHitRate',
  ])
    expect([name, undefinedNames.has(name)]).toEqual([name, true])
  expect([...undefinedNames].filter((name) => !defined.has(name))).toEqual([])
})
