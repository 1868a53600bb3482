import { createMarket } from '../../src/market/create-market.ts'
import type { AssetMarketSpec } from '../../src/market/market-spec.ts'
import { cutMarketWindows } from '../../src/metrics/realism/market-windows.ts'
import { daysOfMinutes, type WindowKind, weeksOfHours } from '../../src/metrics/realism/window-features.ts'
import type { PathWindow } from '../../src/metrics/realism/windows.ts'
import { exp, log } from '../../src/numeric/portable-math.ts'
import { startMillis } from './measure.ts'

/*
 * Windows of generated markets, drawn as the recorded ones were: seven months of minutes of each asset, most of a year
 * apart, and years of hours.
 */

const dayMillis = 86_400_000
const months = { count: 7, days: 33, everyDays: 240 }
const weeks = 140

/**
 * Draws the windows of one asset and seed. `tickBps` rounds prices to ticks of that many basis points: recorded hours
 * stand still now and then because of their ticks. The law by which minutes stand still has them already.
 */
export function drawWindows(
  asset: AssetMarketSpec,
  seed: string,
  kind: WindowKind,
  tickBps = 0,
): readonly PathWindow[] {
  const made = createMarket({ seed, startMillis, gridMillis: 60_000, assets: [asset] })
  const market = tickBps === 0 ? made : roundToTicks(made, tickBps)
  const cut = (fromMillis: number, days: number): readonly PathWindow[] =>
    cutMarketWindows({ market, asset: 0, fromMillis, toMillis: fromMillis + days * dayMillis }, kind).windows
  if (kind === weeksOfHours) return cut(startMillis, weeks * 7)
  return Array.from(
    { length: months.count },
    (_, month) => startMillis + month * months.everyDays * dayMillis,
  ).flatMap((fromMillis) => cut(fromMillis, months.days))
}

type MarketLike = ReturnType<typeof createMarket>

function roundToTicks(market: MarketLike, tickBps: number): MarketLike {
  const step = tickBps / 1e4
  return {
    ...market,
    minuteClose: (asset, minute) => exp(Math.round(log(market.minuteClose(asset, minute)) / step) * step),
  }
}

/** Ticks of the recorded assets over their usual prices, in basis points: 0.01 USD of 30,000, 1,800 and 50 USD. */
export const recordedTickBps: Readonly<Record<string, number>> = { BTC: 0.0033, ETH: 0.056, SOL: 2 }

/** The assets whose windows are judged together. */
export const judgedAssets = (kind: WindowKind): readonly string[] =>
  kind === daysOfMinutes ? ['BTC', 'ETH'] : ['BTC', 'ETH', 'SOL']
