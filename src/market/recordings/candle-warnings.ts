import { element } from '../../numeric/columns.ts'
import { formatDuration, millisPerHour, millisToIso } from '../../numeric/time-text.ts'
import { withCommas } from '../../numeric/units.ts'
import type { CandleTable } from './candle-table.ts'
import { getTradeTable, type Trades } from './trade-table.ts'

/* What whoever runs with a recording has to know of it: leaps, and gaps. */

/**
 * A price that is less than a third of the one before, or more than three times it, is a leap: a bad print, or a real
 * crash.
 */
export const leapFactor = 3
/** How long there must be no trade to make a gap. */
export const tradeGapMillis = millisPerHour

interface Stretch {
  readonly fromMillis: number
  readonly toMillis: number
}

/** Counts leaps and gaps as rows come by. */
class Troubles {
  private leaps = 0
  private firstLeap = ''
  private gaps = 0
  private gapsMillis = 0
  private longest: Stretch | null = null

  addPrices(atMillis: number, before: number, low: number, high: number): void {
    if (low >= before / leapFactor && high <= before * leapFactor) return
    this.leaps += 1
    if (this.leaps === 1)
      this.firstLeap = `${millisToIso(atMillis)} from ${before} to ${low < before / leapFactor ? low : high}`
  }

  addGap(gap: Stretch): void {
    const length = gap.toMillis - gap.fromMillis
    this.gaps += 1
    this.gapsMillis += length
    if (this.longest === null || length > this.longest.toMillis - this.longest.fromMillis) this.longest = gap
  }

  list(symbol: string): readonly string[] {
    const { firstLeap, gaps, gapsMillis, leaps, longest } = this
    const rows = leaps === 1 ? '1 row leaps' : `${withCommas(leaps)} rows leap`
    const leap = `The recording of ${symbol}: ${rows} by more than a factor of ${leapFactor}, the first at ${firstLeap}. Such prices are bad prints or real crashes, and a fill at one is as good as it is.`
    const gap =
      longest === null
        ? ''
        : `The recording of ${symbol} has ${gaps === 1 ? '1 gap' : `${withCommas(gaps)} gaps`}, together ${formatDuration(gapsMillis)}, the longest ${formatDuration(longest.toMillis - longest.fromMillis)} from ${millisToIso(longest.fromMillis)}.`
    return [...(leaps === 0 ? [] : [leap]), ...(gaps === 0 ? [] : [gap])]
  }
}

/** Describes the leaps and gaps of recorded candles between two instants. */
export function describeCandles(
  symbol: string,
  { atMillis, close, count, endMillis, high, low, open }: CandleTable,
  { fromMillis, toMillis }: Stretch,
): readonly string[] {
  const troubles = new Troubles()
  for (let place = 0; place < count; place += 1) {
    const at = element(atMillis, place)
    if (at >= toMillis || element(endMillis, place) <= fromMillis) continue
    const before = place === 0 ? element(open, 0) : element(close, place - 1)
    troubles.addPrices(at, before, element(low, place), element(high, place))
    const beforeEnd = place === 0 ? at : element(endMillis, place - 1)
    if (at > beforeEnd && at > fromMillis) troubles.addGap({ fromMillis: beforeEnd, toMillis: at })
  }
  return troubles.list(symbol)
}

/** Describes the leaps and gaps of recorded trades between two instants. */
export function describePrints(
  symbol: string,
  trades: Trades,
  { fromMillis, toMillis }: Stretch,
): readonly string[] {
  const { atMillis, count, price } = getTradeTable(trades)
  const troubles = new Troubles()
  for (let place = 1; place < count; place += 1) {
    const at = element(atMillis, place)
    if (at > toMillis) break
    if (at < fromMillis) continue
    const [before, own] = [element(price, place - 1), element(price, place)]
    troubles.addPrices(at, before, own, own)
    const beforeMillis = element(atMillis, place - 1)
    if (at - beforeMillis > tradeGapMillis) troubles.addGap({ fromMillis: beforeMillis, toMillis: at })
  }
  return troubles.list(symbol)
}
