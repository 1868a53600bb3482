import type { Candle } from '../market/market-spec.ts'
import { candlesProblem, tradeRowsProblem } from '../market/recordings/check-recording.ts'
import { candlesAsTrades } from '../market/recordings/recording.ts'
import { formatDuration, millisToIso } from '../numeric/time-text.ts'

/** Recordings by the symbols of their assets. */
export type NamedCandles = Readonly<Record<string, readonly Candle[]>>

export function isNamed(candles: readonly Candle[] | NamedCandles): candles is NamedCandles {
  return !Array.isArray(candles)
}

export interface CommonSpan {
  /** Where all recordings have begun, and where the first of them ends. */
  readonly startMillis: number
  readonly endMillis: number
  /** The span of a candle; 0 for trades. */
  readonly candleMillis: number
}

/**
 * The time that recordings have in common. Throws a RangeError for one that is empty or unsound, for candles of
 * different spans (bars of one instant would know different parts of the future), and where they have no time in
 * common.
 */
export function spanInCommon(recordings: NamedCandles, isNamed: boolean): CommonSpan {
  const spans = Object.entries(recordings).map(([symbol, candles]) => spanOf(symbol, candles, isNamed))
  const [first] = spans
  if (first === undefined) throw new RangeError('candles: there are none')
  const other = spans.find(({ candleMillis }) => candleMillis !== first.candleMillis)
  if (other !== undefined) {
    throw new RangeError(
      `candles: ${other.symbol} has ${kindOf(other)}, ${first.symbol} has ${kindOf(first)}; the recordings of a run are of one span`,
    )
  }
  const startMillis = Math.max(...spans.map((span) => span.startMillis))
  const endMillis = Math.min(...spans.map((span) => span.endMillis))
  if (startMillis < endMillis || spans.length === 1) return { ...first, startMillis, endMillis }
  const told = spans.map((span) => `${span.symbol} ${iso(span.startMillis)} to ${iso(span.endMillis)}`)
  throw new RangeError(`candles: the recordings have no time in common: ${told.join(', ')}`)
}

interface NamedSpan extends CommonSpan {
  readonly symbol: string
}

function spanOf(symbol: string, candles: readonly Candle[], isNamed: boolean): NamedSpan {
  const field = isNamed ? `candles.${symbol}` : 'candles'
  const first = candles[0]
  const last = candles.at(-1)
  if (first === undefined || last === undefined) throw new RangeError(`${field}: there are none`)
  const trades = candlesAsTrades(candles)
  const flaw = trades === null ? candlesProblem(candles) : tradeRowsProblem(trades)
  if (flaw !== null) {
    const name = isNamed
      ? flaw.field.replace(/^model\.(?:candles|trades)/, field)
      : flaw.field.replace(/^model\./, '')
    throw new RangeError(`${name} ${flaw.message}`)
  }
  const { atMillis, spanMillis } = first
  return {
    symbol,
    startMillis: atMillis,
    endMillis: last.atMillis + last.spanMillis,
    candleMillis: spanMillis,
  }
}

const kindOf = ({ candleMillis }: CommonSpan): string =>
  candleMillis === 0 ? 'trades' : `candles of ${formatDuration(candleMillis)}`

const iso = (millis: number): string => millisToIso(millis).replace('.000Z', 'Z')
