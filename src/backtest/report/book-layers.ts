import type { Layer, Panel } from '../../pages/chart.ts'
import type { RecordedTouch } from '../result.ts'

/* What the price chart of a recorded book shows: the recorded touch, own best orders, and what stands ahead of them. */

/** Draws the recorded touch as a band from bid to ask, and the account's best bid and ask while they rest. */
export function drawTouch({ own, touch }: RecordedTouch): readonly Layer[] {
  const layers: Layer[] = []
  if (touch.atMillis.length > 0) {
    const [lows, highs] = [toFigures(touch.bid), toFigures(touch.ask)]
    layers.push({ kind: 'band', label: 'recorded bid to ask', color: 6, xs: touch.atMillis, lows, highs })
  }
  if (own.atMillis.length === 0) return layers
  const { atMillis: xs } = own
  return [
    ...layers,
    { kind: 'steps', label: 'own bid', color: 3, xs, ys: toFigures(own.bid) },
    { kind: 'steps', label: 'own ask', color: 2, xs, ys: toFigures(own.ask) },
  ]
}

/** Draws what stands ahead of the account's best bid and ask; null where none ever rested. */
export function drawPlaces({ asset, own }: RecordedTouch): Panel | null {
  const { askAhead, atMillis: xs, bidAhead } = own
  if (xs.length === 0) return null
  return {
    title: `Ahead of own orders, ${asset}`,
    height: 110,
    layers: [
      { kind: 'steps', label: 'ahead of own bid', color: 3, xs, ys: toFigures(bidAhead) },
      { kind: 'steps', label: 'ahead of own ask', color: 2, isDashed: true, xs, ys: toFigures(askAhead) },
    ],
  }
}

/** Returns the values as a chart draws them: NaN, which breaks the line, in place of null. */
const toFigures = (values: readonly (number | null)[]): readonly number[] =>
  values.map((value) => value ?? Number.NaN)
