import type { Chart, Layer, Panel } from '../../pages/chart.ts'
import { drawChart } from '../../pages/draw-chart.ts'
import { colorOf, money } from '../pictures.ts'
import type { AssetSeries, RunSeries } from './run-series.ts'

/** The pictures of one run, as `<svg>` elements: prices, spread, depth and volume of each asset, then the equities. */
export function drawRun(series: RunSeries, place: number): readonly string[] {
  const assets = series.assets.map((asset, index) => drawChart(chartOf(series, asset, `${place}-${index}`)))
  const equity = equityOf(series, place)
  return equity === null ? assets : [...assets, drawChart(equity)]
}

function chartOf(series: RunSeries, asset: AssetSeries, id: string): Chart {
  const { mark } = asset
  const [least, greatest] = extremes([...mark, ...asset.low, ...asset.high])
  return {
    id: `market-${id}`,
    title: `${asset.asset}: price, spread, depth and volume`,
    description:
      `The mark of ${asset.asset} goes from ${money(mark[0])} to ${money(mark.at(-1))} USD, between ${money(least)} and ` +
      `${money(greatest)}; ${money(sum(asset.volumeUsd))} USD were traded.`,
    x: { kind: 'time' },
    panels: [
      pricePanel(series, asset),
      spreadPanel(series, asset),
      depthPanel(series, asset),
      volumePanel(series, asset),
    ],
  }
}

function pricePanel({ atMillis, bucketMillis, fills }: RunSeries, asset: AssetSeries): Panel {
  const layers: Layer[] = [
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
        (fill) => `${fill.account} ${isBuy ? 'bought' : 'sold'} ${fill.quantity} at ${money(fill.price)} USD`,
      ),
    })
  }
  return { title: `${asset.asset}, USD`, layers }
}

function spreadPanel({ atMillis }: RunSeries, { bid, ask }: AssetSeries): Panel {
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

function depthPanel({ atMillis }: RunSeries, { bidDepthUsd, askDepthUsd }: AssetSeries): Panel {
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

function volumePanel({ bucketMillis }: RunSeries, { volumeUsd }: AssetSeries): Panel {
  const bars = { froms: bucketMillis.slice(0, -1), tos: bucketMillis.slice(1), ys: volumeUsd }
  return { title: 'Volume, USD', height: 80, layers: [{ kind: 'bars', color: 1, ...bars }] }
}

/** Null when nobody's equity has moved. */
function equityOf(series: RunSeries, place: number): Chart | null {
  const moved = series.accounts.filter(({ equity }) => equity.some((value) => value !== equity[0]))
  if (moved.length === 0) return null
  const ends = moved.map(
    ({ account, equity }) => `${account} from ${money(equity[0])} to ${money(equity.at(-1))}`,
  )
  return {
    id: `equity-${place}`,
    title: 'Equity',
    description: `What each account is worth at the mark, USD: ${ends.join(', ')}.`,
    x: { kind: 'time' },
    panels: moved.map(({ account, equity: ys }, index) => ({
      title: `Equity of ${account}, USD`,
      height: 80,
      layers: [{ kind: 'line', color: colorOf(index), xs: series.atMillis, ys }],
    })),
  }
}

function extremes(values: readonly number[]): readonly [least: number, greatest: number] {
  let least = Number.NaN
  let greatest = Number.NaN
  for (const value of values) {
    if (value < least || !(value >= least || Number.isNaN(value))) least = value
    if (value > greatest || !(value <= greatest || Number.isNaN(value))) greatest = value
  }
  return [least, greatest]
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
