import { element } from '../../numeric/columns.ts'
import type { CandleResult } from './candle-reading.ts'
import { findCommonestDistance } from './candle-spans.ts'
import { leapFactor, tradeGapMillis } from './candle-warnings.ts'
import type { RecordingProblem } from './interpretation.ts'
import type { CandleRows } from './row-table.ts'
import type { TradeResult } from './trades.ts'

/**
 * Summary of a table of candles or trades, good and bad rows alike: where parsing stops at the first problem,
 * this counts them all.
 */
export interface RecordingSummary {
  readonly kind: 'candles' | 'trades'
  readonly layout: string
  /* Number of rows that could be read, and of rows that could not. */
  readonly goodRows: number
  readonly badRows: number
  /** Problems of the first few rows that could not be read. */
  readonly problems: readonly RecordingProblem[]
  readonly order: 'ascending' | 'descending'
  /** Number of rows that stand before an earlier one (a later one in a descending table). */
  readonly outOfOrder: number
  /* Number of candles at the time of another one: with the same figures, and with others. */
  readonly repeated: number
  readonly contradicting: number
  readonly fromMillis: number
  readonly toMillis: number
  /** Commonest distance of neighbours, milliseconds; for candles this is their span. */
  readonly stepMillis: number
  /** Number of distances longer than the step (candles) or than an hour (trades). */
  readonly gaps: number
  readonly gapsMillis: number
  readonly longestGap: { readonly fromMillis: number; readonly toMillis: number } | null
  readonly price: {
    readonly first: number
    readonly last: number
    readonly least: number
    readonly greatest: number
  }
  readonly volume: { readonly total: number; readonly usd: number; readonly rowsWithout: number }
  /**
   * Number of rows whose price is less than a third of the one before, or more than three times it. They are
   * either bad prints or real crashes.
   */
  readonly leaps: number
  /** Instant of the first such row, milliseconds since 1970; null without any. */
  readonly firstLeapMillis: number | null
}

/** Rows by column, in the order of the file or of time. */
interface Rows {
  readonly atMillis: Float64Array
  readonly low: Float64Array
  readonly high: Float64Array
  readonly first: Float64Array
  readonly last: Float64Array
  readonly volume: Float64Array
}

/** Summarizes every row of a reading, good and bad. */
export function summarizeReading(reading: CandleResult | TradeResult): RecordingSummary {
  const { badRows, kind, layout, problems } = reading
  const good = reading.kind === 'trades' ? columnsOfTrades(reading.rows) : columnsOfCandles(reading.rows)
  const goodRows = good.atMillis.length
  return { kind, layout, goodRows, badRows, problems, ...summarizeRows(good, kind === 'trades') }
}

const columnsOfCandles = ({ atMillis, close, high, low, open, volume }: CandleRows): Rows => ({
  ...{ atMillis, low, high, first: open, last: close, volume },
})

function columnsOfTrades(rows: TradeResult['rows']): Rows {
  const price = Float64Array.from(rows, (row) => row.price)
  return {
    ...{ low: price, high: price, first: price, last: price },
    atMillis: Float64Array.from(rows, (row) => row.atMillis),
    volume: Float64Array.from(rows, (row) => row.quantity),
  }
}

function summarizeRows(rows: Rows, isTrades: boolean) {
  const { atMillis } = rows
  const order =
    (atMillis[0] ?? 0) <= (atMillis.at(-1) ?? 0) ? ('ascending' as const) : ('descending' as const)
  const oldestFirst = sortRows(rows, order)
  return {
    order,
    ...summarizeTimes(atMillis, order, oldestFirst, isTrades),
    ...summarizeFigures(oldestFirst),
  }
}

/** Returns rows in the order of time; rows of one time keep the order that the file has. */
function sortRows(rows: Rows, order: RecordingSummary['order']): Rows {
  const { atMillis } = rows
  const count = atMillis.length
  if (
    order === 'ascending' &&
    atMillis.every((at, place) => place === 0 || at >= element(atMillis, place - 1))
  )
    return rows
  const places = Array.from({ length: count }, (_, place) =>
    order === 'ascending' ? place : count - 1 - place,
  )
  places.sort((left, right) => element(atMillis, left) - element(atMillis, right))
  const gather = (column: Float64Array): Float64Array =>
    Float64Array.from(places, (place) => element(column, place))
  return {
    ...{ atMillis: gather(atMillis), low: gather(rows.low), high: gather(rows.high) },
    ...{ first: gather(rows.first), last: gather(rows.last), volume: gather(rows.volume) },
  }
}

function summarizeTimes(
  inFile: Float64Array,
  order: RecordingSummary['order'],
  sorted: Rows,
  isTrades: boolean,
) {
  const sign = order === 'ascending' ? 1 : -1
  let outOfOrder = 0
  for (let place = 1; place < inFile.length; place += 1)
    if ((element(inFile, place) - element(inFile, place - 1)) * sign < 0) outOfOrder += 1
  const { atMillis } = sorted
  const stepMillis = findCommonestDistance(atMillis)
  const limit = isTrades ? tradeGapMillis : stepMillis
  let [repeated, contradicting, gaps, gapsMillis] = [0, 0, 0, 0]
  let longestGap: RecordingSummary['longestGap'] = null
  for (let place = 1; place < atMillis.length; place += 1) {
    const [at, before] = [element(atMillis, place), element(atMillis, place - 1)]
    if (!isTrades && at === before) {
      if (isSame(sorted, place - 1, place)) repeated += 1
      else contradicting += 1
    }
    if (at - before <= limit) continue
    const fromMillis = isTrades ? before : before + stepMillis
    gaps += 1
    gapsMillis += at - fromMillis
    const longest = longestGap === null ? 0 : longestGap.toMillis - longestGap.fromMillis
    if (at - fromMillis > longest) longestGap = { fromMillis, toMillis: at }
  }
  return {
    outOfOrder,
    repeated,
    contradicting,
    fromMillis: atMillis[0] ?? 0,
    toMillis: (atMillis.at(-1) ?? 0) + (isTrades ? 0 : stepMillis),
    stepMillis,
    gaps,
    gapsMillis,
    longestGap,
  }
}

function summarizeFigures(
  rows: Rows,
): Pick<RecordingSummary, 'price' | 'volume' | 'leaps' | 'firstLeapMillis'> {
  const { first, last } = rows
  const price = { first: first[0] ?? 0, last: last.at(-1) ?? 0, least: rows.low[0] ?? 0, greatest: 0 }
  const volume = { total: 0, usd: 0, rowsWithout: 0 }
  let leaps = 0
  let firstLeapMillis: number | null = null
  let before = first[0] ?? 0
  for (let place = 0; place < first.length; place += 1) {
    const [low, high, amount] = [
      element(rows.low, place),
      element(rows.high, place),
      element(rows.volume, place),
    ]
    if (low < before / leapFactor || high > before * leapFactor) {
      leaps += 1
      firstLeapMillis ??= element(rows.atMillis, place)
    }
    before = element(last, place)
    price.least = Math.min(price.least, low)
    price.greatest = Math.max(price.greatest, high)
    volume.total += amount
    volume.usd += (amount * (low + high)) / 2
    if (amount === 0) volume.rowsWithout += 1
  }
  return { price, volume, leaps, firstLeapMillis }
}

const isSame = ({ first, high, last, low, volume }: Rows, left: number, right: number): boolean =>
  [first, last, low, high, volume].every((column) => column[left] === column[right])
