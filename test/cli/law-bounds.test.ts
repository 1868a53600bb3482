import { expect, test } from 'vitest'
import type { CellSummary } from '../../src/backtest/sweep/summary.ts'
import { formatLawBounds, isOfLawsAlone } from '../../src/cli/sweep/law-bounds.ts'

function makeCell(parameters: Record<string, string>, ...profits: readonly number[]): CellSummary {
  const rows = profits.map((profit, place) => ({
    ...{ id: `${place}`, seed: `${place}`, parameters, digest: 'aa', equity: [], failure: null },
    metrics: { 'returns.profit': profit },
  }))
  return { name: JSON.stringify(parameters), parameters, rows, failed: 0 }
}

const format = (cells: readonly CellSummary[]): readonly string[] =>
  formatLawBounds(cells, 'returns.profit', String)

test('a sweep of laws alone has bounds', () => {
  const cells = [
    makeCell({ queueLaw: 'front' }, 1, 9, 3),
    makeCell({ queueLaw: 'riskAverse' }, -2),
    makeCell({ queueLaw: 'log' }, 1),
    makeCell({ queueLaw: 'log2' }),
  ]
  expect(isOfLawsAlone(cells)).toBe(true)
  expect(format(cells)).toEqual([
    'by the law of the queue alone, the median is from -2 (riskAverse) to 3 (front): no record tells which law is right',
  ])
})

test('beside other parameters, the bounds are those of the best cell', () => {
  const cells = [
    makeCell({ size: '1', queueLaw: 'front' }, 50),
    makeCell({ size: '1', queueLaw: 'log' }, -50),
    makeCell({ size: '2', queueLaw: 'front' }, 60),
    makeCell({ size: '2', queueLaw: 'log' }, 10),
  ]
  expect(isOfLawsAlone(cells)).toBe(false)
  expect(format(cells)).toEqual([
    'by the law of the queue alone, the median with size=2 is from 10 (log) to 60 (front): no record tells which law is right',
  ])
})

test.each<[string, readonly CellSummary[]]>([
  ['no laws', [makeCell({ size: '1' }, 1), makeCell({ size: '2' }, 2)]],
  ['one law', [makeCell({ queueLaw: 'front' }, 1)]],
  ['no figures', [makeCell({ queueLaw: 'front' }), makeCell({ queueLaw: 'log' })]],
  ['no cells', []],
])('a sweep of %s has none', (_, cells) => {
  expect(format(cells)).toEqual([])
})
