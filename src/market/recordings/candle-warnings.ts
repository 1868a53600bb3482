import { element } from '../../numeric/columns.ts'
import { formatDuration, millisPerHour, millisToIso } from '../../numeric/time-text.ts'
import { withCommas } from '../../numeric/units.ts'
import type { CandleTable } from './candle-table.ts'
import { getTradeTable, type Trades } from './trade-table.ts'

/* The warnings of a recording: leaps, gaps, and phases that change. */

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

/** Describes the leaps, gaps and changed phases of recorded candles between two instants. */
export function describeCandles(
  symbol: string,
  table: CandleTable,
  { fromMillis, toMillis }: Stretch,
): readonly string[] {
  const { atMillis, close, count, endMillis, high, low, open } = table
  const troubles = new Troubles()
  for (let place = 0; place < count; place += 1) {
    const at = element(atMillis, place)
    if (at >= toMillis || element(endMillis, place) <= fromMillis) continue
    const before = place === 0 ? element(open, 0) : element(close, place - 1)
    troubles.addPrices(at, before, element(low, place), element(high, place))
    const beforeEnd = place === 0 ? at : element(endMillis, place - 1)
    if (at > beforeEnd && at > fromMillis) troubles.addGap({ fromMillis: beforeEnd, toMillis: at })
  }
  const phases = describePhaseChanges(table, { fromMillis, toMillis }, () => '')
  return [
    ...troubles.list(symbol),
    ...(phases === null ? [] : [`The recording of ${symbol} changes its phase. ${phases}`]),
  ]
}

/**
 * Describes where candles begin at another place of their span than before, between two instants; null where they never
 * do. `rowOf` says in which row of its file a candle is, as `row 12, `.
 */
export function describePhaseChanges(
  { atMillis, grid }: CandleTable,
  { fromMillis, toMillis }: Stretch,
  rowOf: (place: number) => string,
): string | null {
  const { phases, spanMillis } = grid
  const changes = (phases ?? []).slice(1).filter(({ first }) => {
    const at = element(atMillis, first)
    return at > fromMillis && at < toMillis
  })
  const [change] = changes
  if (change === undefined) return null
  const { first, offsetMillis } = change
  const before = element(atMillis, first - 1) % spanMillis
  const more = changes.length === 1 ? '' : ` (and ${changes.length - 1} times more)`
  return `From ${rowOf(first)}${millisToIso(element(atMillis, first))} on, candles begin ${formatDuration(offsetMillis)} after a multiple of ${formatDuration(spanMillis)}, before that ${formatDuration(before)}${more}: they are ${changes.length + 1} recordings with gaps between them, and no bar reaches across a gap.`
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
