import type { BacktestResult } from '../result.ts'
import { count } from './figures.ts'
import { paragraph, type Section } from './html.ts'
import type { Pictures } from './page-pictures.ts'

const maximumDrawn = 12

/** What the strategy has recorded, a panel for each series over one time axis; null where it has recorded nothing. */
export function seriesSection(result: BacktestResult, pictures: Pictures): Section | null {
  const all = Object.entries(result.series)
  if (all.length === 0) return null
  const drawn = all.slice(0, maximumDrawn)
  const left = all.slice(maximumDrawn).map(([name]) => name)
  const picture = pictures.chart({
    id: 'series',
    title: 'Recorded by the strategy',
    description: 'What the strategy has recorded, by name. What was not a finite number is a gap.',
    x: { kind: 'time', from: result.fromMillis, to: result.toMillis },
    panels: drawn.map(([name, { atMillis, values }]) => ({
      title: name,
      height: 110,
      layers: [{ kind: 'line', color: 1, xs: atMillis, ys: values.map((value) => value ?? Number.NaN) }],
    })),
  })
  const rest =
    left.length === 0
      ? ''
      : paragraph(
          `Not drawn, but in the result: ${count(left.length)} more, such as ${left[0] ?? ''}.`,
          'soft',
        )
  return { id: 'recorded', title: 'Recorded by the strategy', body: picture + rest }
}
