import { expect, it } from 'vitest'
import type { Chart, Layer } from '../../src/pages/chart.ts'
import { describeCuts } from '../../src/pages/cut-notes.ts'

const row = (count: number): readonly number[] => Array.from({ length: count }, (_, place) => place)
const line = (count: number): Layer => ({ kind: 'line', color: 1, xs: row(count), ys: row(count) })
const marks = (count: number, label?: string): Layer => ({
  kind: 'markers',
  shape: 'dot',
  color: 1,
  xs: row(count),
  ys: row(count),
  titles: row(count).map(String),
  ...(label === undefined ? {} : { label }),
})
const chartOf = (...layers: readonly Layer[]): Chart => ({
  id: 'one',
  title: 'One',
  description: 'All of it.',
  x: { kind: 'time' },
  panels: [{ title: '', layers }],
})

it.each<[string, readonly Layer[], string]>([
  ['few points', [line(1720), marks(400, 'bought')], ''],
  ['no layers', [], ''],
  [
    'marks without tooltips anyway',
    [{ kind: 'markers', shape: 'dot', color: 1, xs: row(900), ys: row(900) }],
    '',
  ],
  ['many marks', [marks(401, 'bought')], 'The 401 marks "bought" have no tooltips: 400 is the most.'],
  ['many marks without a name', [marks(1401)], 'The 1,401 markers have no tooltips: 400 is the most.'],
  [
    'long lines',
    [line(1721), line(525_600)],
    'Of up to 525,600 points, lines show the lowest and the highest in each pixel.',
  ],
])('says what a picture leaves out of %s', (_, layers, said) => {
  expect(describeCuts(chartOf(...layers))).toBe(said)
})
