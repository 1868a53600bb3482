import { element } from '../../numeric/columns.ts'

/** A stretch of a recording whose candles begin at multiples of their span since 1970, all shifted by one offset. */
export interface CandleSection {
  /** The place of the first candle of the stretch, which ends where the next one begins. */
  readonly first: number
  readonly offsetMillis: number
}

/** The grid of a recording's candles. */
export interface CandleGrid {
  /** The commonest span of a candle, in milliseconds; of equally common ones the shortest. */
  readonly spanMillis: number
  /**
   * The stretches of one phase, oldest first: one, unless the recording changed its phase. Null where candles differ in
   * span, as months do and local days at a change of the clock.
   */
  readonly phases: readonly CandleSection[] | null
}

/** The first instants of candles, and those at which they end, in milliseconds since 1970. */
interface CandleTimes {
  readonly atMillis: Float64Array
  readonly endMillis: Float64Array
}

/** Finds the span of candles, and the phases at which they begin. */
export function findCandleGrid(times: CandleTimes): CandleGrid {
  const { atMillis, endMillis } = times
  // Most recordings have one span. In others the commonest is found by counting.
  const firstMillis = atMillis.length === 0 ? 0 : element(endMillis, 0) - element(atMillis, 0)
  const phases = findPhases(times, firstMillis)
  if (phases !== null) return { spanMillis: firstMillis, phases }
  return { spanMillis: findCommonestSpan(times), phases: null }
}

/** Finds the phases of candles of one span; null for candles of several, and for trades, which have none. */
function findPhases(
  { atMillis, endMillis }: CandleTimes,
  spanMillis: number,
): readonly CandleSection[] | null {
  if (spanMillis === 0) return null
  const phases: CandleSection[] = []
  let offsetMillis = Number.NaN
  for (let place = 0; place < atMillis.length; place += 1) {
    const begin = element(atMillis, place)
    if (element(endMillis, place) - begin !== spanMillis) return null
    // Most candles begin where the one before ends, and so at its phase.
    if (place > 0 && begin === element(endMillis, place - 1)) continue
    const own = begin % spanMillis
    if (own === offsetMillis) continue
    offsetMillis = own
    phases.push({ first: place, offsetMillis })
  }
  return phases
}

function findCommonestSpan({ atMillis, endMillis }: CandleTimes): number {
  const counts = new Map<number, number>()
  // Most spans are equal to the one before, so that stretches are counted.
  let [stretch, length] = [0, 0]
  for (let place = 0; place < atMillis.length; place += 1) {
    const span = element(endMillis, place) - element(atMillis, place)
    if (span !== stretch && length > 0) counts.set(stretch, (counts.get(stretch) ?? 0) + length)
    length = span === stretch ? length + 1 : 1
    stretch = span
  }
  if (length > 0) counts.set(stretch, (counts.get(stretch) ?? 0) + length)
  let commonest = 0
  let most = 0
  for (const [span, times] of counts) {
    if (times < most || (times === most && span > commonest)) continue
    commonest = span
    most = times
  }
  return commonest
}
