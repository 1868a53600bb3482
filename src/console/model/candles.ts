import { millisPerDay, millisPerHour, roundSpans } from '../../numeric/time-text.ts'
import { findReadEnd, type Span } from './chart-data.ts'
import type { HistoryPrices } from './documents.ts'

/** Candle of the mark, with the quantity traded meanwhile. `at` is its first instant, in milliseconds since 1970. */
export interface DrawnCandle {
  readonly at: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** The number of candles to aim at, unless an interval is chosen. */
const usualCandles = 120
/** More candles than this are too thin to tell apart. */
const mostCandles = 400
/** The shortest candle, in milliseconds. */
const shortest = 1000

/**
 * Lists the intervals of candles, in milliseconds, that suit a span. They are whole multiples of the steps into which the
 * server has divided the time, so that no candle is cut.
 */
export function listIntervals(
  { stepMs }: Pick<HistoryPrices, 'stepMs'>,
  { from, to }: Span,
): readonly number[] {
  const least = Math.max(stepMs, shortest, (to - from) / mostCandles)
  return roundSpans.filter(
    (interval) =>
      interval >= least &&
      (stepMs === 0 || interval % stepMs === 0) &&
      interval <= Math.max(to - from, least * 2),
  )
}

/** Chooses the interval of candles in a span: the one that is asked for if it suits, else one that makes about 120. */
export function chooseInterval(
  prices: Pick<HistoryPrices, 'stepMs'>,
  span: Span,
  asked: number | null,
): number {
  const suitable = listIntervals(prices, span)
  if (asked !== null && suitable.includes(asked)) return asked
  const usual = (span.to - span.from) / usualCandles
  const least = Math.max(prices.stepMs, shortest, usual)
  const whole = Math.max(prices.stepMs, shortest)
  return suitable.find((interval) => interval >= usual) ?? Math.ceil(least / whole) * whole
}

/** Formats an interval: `15 s`, `5 m`, `1 h`, `1 d`. */
export function formatInterval(millis: number): string {
  if (millis >= millisPerDay) return `${millis / millisPerDay} d`
  if (millis >= millisPerHour) return `${millis / millisPerHour} h`
  return millis >= 60_000 ? `${millis / 60_000} m` : `${millis / 1000} s`
}

/**
 * Builds the candles of the mark in a span, up to the instant until which prices were read. The mark holds until it
 * changes, so an interval without a change has a candle, too. One that begins before the span is left out, because only a
 * part of it is known, unless the world began within it.
 */
export function buildCandles(prices: HistoryPrices, span: Span, interval: number): readonly DrawnCandle[] {
  const begins = Math.max(span.from, Date.parse(prices.begins.at))
  const cut = Math.floor(begins / interval) * interval
  const first =
    cut < begins && begins === span.from && span.from > Date.parse(prices.begins.at) ? cut + interval : cut
  const count = Math.ceil((Math.min(span.to, findReadEnd(prices)) + 1 - first) / interval)
  const made: Drawn[] = []
  let held: number | null = null
  const addUntil = (place: number): void => {
    while (held !== null && made.length <= Math.min(place, count - 1))
      made.push({ ...flat(held), at: first + made.length * interval })
  }
  for (const [at, , mark] of prices.rows) {
    if (at === null || at === undefined || mark === null || mark === undefined || at > span.to) continue
    const place = Math.floor((at - first) / interval)
    // A candle opens where the one before it closed, unless the price moved at its very start.
    if (place >= 0) addUntil(held === null ? place : at === first + place * interval ? place - 1 : place)
    held = mark
    if (place >= 0) addUntil(place)
    const candle = made[place]
    if (candle === undefined) continue
    candle.high = Math.max(candle.high, mark)
    candle.low = Math.min(candle.low, mark)
    candle.close = mark
  }
  addUntil(count - 1)
  for (const [at, , , quantity] of prices.trades) {
    const candle = made[Math.floor((Number(at) - first) / interval)]
    if (candle !== undefined) candle.volume += quantity ?? 0
  }
  return made
}

type Drawn = { -readonly [field in keyof DrawnCandle]: DrawnCandle[field] }

const flat = (price: number) => ({ open: price, high: price, low: price, close: price, volume: 0 })

/** Returns the candle of an instant in milliseconds; the last one for null. */
export function findCandle(
  candles: readonly DrawnCandle[],
  interval: number,
  at: number | null,
): DrawnCandle | undefined {
  const [first] = candles
  if (at === null || first === undefined) return candles.at(-1)
  return candles[Math.floor((at - first.at) / interval)]
}
