import type { Market } from '../../market/market.ts'
import type { MarketSpec } from '../../market/market-spec.ts'
import { bands, isWithinBand } from '../../metrics/realism/bands.ts'
import {
  computeHourFigures,
  computeLogReturns,
  computeMinuteFigures,
  type Figures,
} from '../../metrics/realism/facts.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { describeLikeness, isGenerated, judgeLikeness } from './likeness.ts'

export interface CheckedPath {
  readonly market: Market
  readonly spec: MarketSpec
  readonly fromMillis: number
  readonly toMillis: number
  readonly assets: readonly string[]
}

/** One figure of an asset's path, beside the band in which it is expected. */
interface RealismCheck {
  readonly asset: string
  readonly name: string
  readonly isPassed: boolean
  readonly measured: string
  readonly expected: string
}

/** The checks of a path, and over how much of it. */
export interface RealismReport {
  readonly checks: readonly RealismCheck[]
  /** How much of the run was looked at from its start, in milliseconds. */
  readonly checkedMillis: number
  readonly isCut: boolean
  /** How like a real one each asset's path is, in sentences. */
  readonly likeness: readonly { readonly asset: string; readonly sentences: readonly string[] }[]
}

/** The shortest path whose figures by the minute are judged; those by the hour need a year. */
const leastMinutes = 50_000
const leastHours = 8_760
/** Two years: checking more would take longer than most runs, and show no more. */
const maximumMinutes = 1_051_200

/**
 * Tests the stylized facts on the price path of a run, without anybody's impact on it. Returns null where nothing was
 * generated, or the run is too short to be judged.
 */
export function checkRealism(path: CheckedPath): RealismReport | null {
  const allMinutes = Math.floor((path.toMillis - path.fromMillis) / millisPerMinute)
  const minutes = Math.min(maximumMinutes, allMinutes)
  if (minutes < leastMinutes) return null
  const checks = path.spec.assets.flatMap(({ model, symbol }, asset) =>
    isGenerated(model) && path.assets.includes(symbol) ? checkAsset(path, asset, symbol, minutes) : [],
  )
  if (checks.length === 0) return null
  const checkedMillis = minutes * millisPerMinute
  const { market, fromMillis } = path
  const likeness = path.spec.assets.flatMap(({ model, symbol }, asset) => {
    if (!isGenerated(model) || !path.assets.includes(symbol)) return []
    const request = { markets: [market], asset, fromMillis, toMillis: fromMillis + checkedMillis }
    return { asset: symbol, sentences: describeLikeness(judgeLikeness(request)) }
  })
  return { checks, checkedMillis, isCut: minutes < allMinutes, likeness }
}

function checkAsset(
  path: CheckedPath,
  asset: number,
  symbol: string,
  minutes: number,
): readonly RealismCheck[] {
  const { market, fromMillis } = path
  const first = Math.floor((fromMillis - market.startMillis) / millisPerMinute) - 1
  const prices = Float64Array.from({ length: minutes + 1 }, (_, place) =>
    market.minuteClose(asset, first + place),
  )
  const figures: Figures = {
    ...computeMinuteFigures(computeLogReturns(prices, 1)),
    ...(minutes / 60 >= leastHours ? computeHourFigures(computeLogReturns(prices, 60)) : {}),
  }
  return Object.entries(figures).flatMap(([name, value]) => {
    const band = bands[name]
    if (band === undefined || !Number.isFinite(value)) return []
    const most = Number.isFinite(band.most) ? ` to ${band.most}` : ' or more'
    return {
      asset: symbol,
      name,
      isPassed: isWithinBand(name, value),
      measured: String(Number(value.toPrecision(3))),
      expected: `${band.least}${most}`,
    }
  })
}
