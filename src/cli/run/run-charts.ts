import type { Chart, Layer, Panel } from '../../pages/chart.ts'
import { findExtent } from '../../pages/frame.ts'
import { collectPictures } from '../../pages/pictures.ts'
import { colorOf, formatMoney } from '../pictures.ts'
import type { RunBound, RunMark } from './run-marks.ts'
import type { RunReport } from './run-report.ts'
import type { AssetSeries, RunSeries } from './run-series.ts'

/** Draws a run's markets and equity with events, failures and thresholds; nothing where no series was recorded. */
export function drawRun(report: RunReport, place: number): readonly string[] {
  const { series } = report
  if (series === null) return []
  const pictures = collectPictures()
  const assets = series.assets.map((asset, index) => drawMarket(series, report, asset, `${place}-${index}`))
  const equity = drawEquity(series, report.thresholds, place)
  return (equity === null ? assets : [...assets, equity]).map((chart) => pictures.chart(chart))
}

type Drawn = Pick<RunReport, 'marks' | 'thresholds'>

/** The most events of a script that a chart shows; a table has all of them. */
const maximumDrawnMarks = 60

function drawMarks(marks: readonly RunMark[]): readonly Layer[] {
  const events = marks.filter(({ isFailure }) => !isFailure).slice(0, maximumDrawnMarks)
  const failures = marks.filter(({ isFailure }) => isFailure)
  return [
    ...events.map(
      ({ atMillis }, place): Layer => ({
        ...{ kind: 'rule', axis: 'x', at: atMillis, color: 8 },
        ...(place === 0 ? { label: 'script event' } : {}),
      }),
    ),
    ...failures.map(
      ({ atMillis }, place): Layer => ({
        ...{ kind: 'rule', axis: 'x', at: atMillis, color: 2 },
        ...(place === 0 ? { label: 'expectation failed' } : {}),
      }),
    ),
  ]
}

/** Draws thresholds as dashed lines over the time in which they count, or as dots where that is one instant. */
function drawThresholds(thresholds: readonly RunBound[], rows: readonly (readonly number[])[]) {
  const extent = findExtent(rows)
  const isNear = ({ value }: RunBound): boolean => extent !== null && isNearTo(extent, value)
  const near = thresholds.filter(isNear).slice(0, maximumThresholds)
  const rest = thresholds.filter((threshold) => !near.includes(threshold)).map(({ text }) => text)
  const layers = near.flatMap(({ fromMillis, hasFailed, text, toMillis, value }): readonly Layer[] => {
    const color = hasFailed ? 2 : 0
    const titles = [`${text}: ${hasFailed ? 'failed' : 'not failed'}`]
    const dot = { kind: 'markers', shape: 'dot', color, xs: [toMillis], ys: [value], titles } as const
    if (fromMillis === toMillis) return [{ ...dot, label: text }]
    const [xs, ys] = [
      [fromMillis, toMillis],
      [value, value],
    ]
    return [{ kind: 'line', label: text, color, xs, ys, isDashed: true }, dot]
  })
  const told = rest.length === 0 ? '' : ` Bounds that are not drawn: ${rest.join('; ')}.`
  return { layers, told }
}

/** The most thresholds that a panel shows; the table of expectations has all of them. */
const maximumThresholds = 8

/**
 * Returns whether a value is so near to what is drawn that the axis may reach it: farther off, it would flatten
 * everything.
 */
function isNearTo({ least, greatest }: { readonly least: number; readonly greatest: number }, value: number) {
  const room = Math.max(2 * (greatest - least), 0.25 * Math.abs(greatest))
  return value >= least - room && value <= greatest + room
}

function drawMarket(series: RunSeries, { marks, thresholds }: Drawn, asset: AssetSeries, id: string): Chart {
  const left = marks.filter(({ isFailure }) => !isFailure).length - maximumDrawnMarks
  const { mark } = asset
  const extent = findExtent([mark, asset.low, asset.high])
  const own = thresholds.filter(({ of }) => of.kind === 'price' && of.name === asset.asset)
  const bounds = drawThresholds(own, [mark, asset.low, asset.high, asset.bid, asset.ask])
  return {
    id: `market-${id}`,
    title: `${asset.asset}: price, spread, depth and volume`,
    description:
      `The mark of ${asset.asset} goes from ${formatMoney(mark[0])} to ${formatMoney(mark.at(-1))} USD, between ${formatMoney(extent?.least)} and ` +
      `${formatMoney(extent?.greatest)}; ${formatMoney(sum(asset.volumeUsd))} USD were traded.${left > 0 ? ` The last ${left} events of the script are in the table alone.` : ''}${bounds.told}`,
    x: { kind: 'time' },
    panels: [
      drawPrices(series, marks, asset, bounds.layers),
      drawSpread(series, asset),
      drawDepth(series, asset),
      drawVolume(series, asset),
    ],
  }
}

function drawPrices(
  { atMillis, bucketMillis, fills }: RunSeries,
  marks: readonly RunMark[],
  asset: AssetSeries,
  bounds: readonly Layer[],
): Panel {
  const layers: Layer[] = [
    ...drawMarks(marks),
    ...bounds,
    { kind: 'band', label: 'bid to ask', color: 2, xs: atMillis, lows: asset.bid, highs: asset.ask },
    { kind: 'band', label: 'marks between', color: 1, xs: bucketMillis, lows: asset.low, highs: asset.high },
    { kind: 'line', label: 'mark', color: 1, xs: atMillis, ys: asset.mark },
  ]
  for (const isBuy of [true, false]) {
    const own = fills.filter((fill) => fill.asset === asset.asset && fill.isBuy === isBuy)
    if (own.length === 0) continue
    layers.push({
      kind: 'markers',
      label: isBuy ? 'bought' : 'sold',
      color: isBuy ? 3 : 4,
      shape: isBuy ? 'up' : 'down',
      xs: own.map((fill) => fill.atMillis),
      ys: own.map((fill) => fill.price),
      titles: own.map(
        (fill) =>
          `${fill.account} ${isBuy ? 'bought' : 'sold'} ${fill.quantity} at ${formatMoney(fill.price)} USD`,
      ),
    })
  }
  return { title: `${asset.asset}, USD`, layers }
}

function drawSpread({ atMillis }: RunSeries, { bid, ask }: AssetSeries): Panel {
  const ys = bid.map((price, place) => {
    const other = ask[place] ?? Number.NaN
    return ((other - price) / (other + price)) * 20_000
  })
  return {
    title: 'Spread, basis points',
    height: 80,
    includeZero: true,
    layers: [{ kind: 'line', color: 2, xs: atMillis, ys }],
  }
}

function drawDepth({ atMillis }: RunSeries, { bidDepthUsd, askDepthUsd }: AssetSeries): Panel {
  return {
    title: 'Depth within 1 % of the mid, USD',
    height: 80,
    includeZero: true,
    layers: [
      { kind: 'line', label: 'bids', color: 3, xs: atMillis, ys: bidDepthUsd },
      { kind: 'line', label: 'asks', color: 4, xs: atMillis, ys: askDepthUsd, isDashed: true },
    ],
  }
}

function drawVolume({ bucketMillis }: RunSeries, { volumeUsd }: AssetSeries): Panel {
  const bars = { froms: bucketMillis.slice(0, -1), tos: bucketMillis.slice(1), ys: volumeUsd }
  return { title: 'Volume, USD', height: 80, layers: [{ kind: 'bars', color: 1, ...bars }] }
}

/** Draws the equity of each account that had changes; null when no equity changed. */
function drawEquity(series: RunSeries, thresholds: readonly RunBound[], place: number): Chart | null {
  const moved = series.accounts.filter(({ equity }) => equity.some((value) => value !== equity[0]))
  if (moved.length === 0) return null
  const drawn = moved.map(({ account, equity }) => {
    const own = thresholds.filter(({ of }) => of.kind === 'equity' && of.name === account)
    return drawThresholds(own, [equity])
  })
  const ends = moved.map(
    ({ account, equity }) => `${account} from ${formatMoney(equity[0])} to ${formatMoney(equity.at(-1))}`,
  )
  return {
    id: `equity-${place}`,
    title: 'Equity',
    description: `What each account is worth at the mark, USD: ${ends.join(', ')}.${drawn.map(({ told }) => told).join('')}`,
    x: { kind: 'time' },
    panels: moved.map(({ account, equity: ys }, index) => ({
      title: `Equity of ${account}, USD`,
      height: 80,
      layers: [
        ...(drawn[index]?.layers ?? []),
        { kind: 'line', color: colorOf(index), xs: series.atMillis, ys },
      ],
    })),
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
