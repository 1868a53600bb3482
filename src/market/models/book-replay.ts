import { bisectPlaces, element } from '../../numeric/columns.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { integer, kind, type RecordOf, record, shapeTyped, words } from '../../shape/shape.ts'
import { hundredYearsMillis, problem, type SpecProblem } from '../../shape/spec-checks.ts'
import { type BookMids, findBookMids } from '../books/book-mids.ts'
import type { BookGap, RecordedBook } from '../books/recorded-book.ts'
import { defineModel } from './model-definition.ts'
import type { Grid, MinuteFigures, PriceModel, Recording } from './price-model.ts'
import { TrailingActivity } from './trailing-activity.ts'

const shape = record({
  kind: kind('book'),
  /** The rows of the recorded book, which the asset's ladder follows one by one. */
  book: shapeTyped<RecordedBook>({ type: 'object' }),
  /** One tick in USD, by which the book's prices count. */
  tickUsd: shapeTyped<number>({ type: 'number', exclusiveMinimum: 0 }),
  /** One step in units of the asset, by which its quantities count. */
  stepUnits: shapeTyped<number>({ type: 'number', exclusiveMinimum: 0 }),
  gaps: words(
    ['hold', 'halt', 'fail'],
    'What happens in a gap: nothing, a halt, or the recording is refused.',
  ),
  gapAfterMillis: integer(10_000, hundredYearsMillis, 'A longer time without rows is a gap.'),
})

export type BookReplaySpec = RecordOf<typeof shape>

/** Model `book`: the mid of a recorded order book. Files state it by a liquidity that is `recorded`. */
export const book = defineModel<BookReplaySpec>({
  shape,
  stated: null,
  rule: checkGaps,
  path: (_price, spec, { startMillis }) => createBookReplay(spec, startMillis),
})

function checkGaps(spec: BookReplaySpec): SpecProblem | null {
  const { gapAfterMillis, gaps } = spec
  const gap = gaps === 'fail' ? spec.book.gaps.find((found) => isGap(found, gapAfterMillis)) : undefined
  if (gap === undefined) return null
  const seconds = (gap.toMillis - gap.fromMillis) / 1000
  return problem(
    'book',
    `has no row for ${seconds} s after ${gap.fromMillis} ms since 1970, and gaps are to fail`,
  )
}

const isGap = ({ fromMillis, toMillis }: BookGap, gapAfterMillis: number): boolean =>
  toMillis - fromMillis > gapAfterMillis

/**
 * Creates the path of a recorded book: at each instant the mid of the best prices after all rows up to the last
 * tenth of a second. While a side is empty, the mid that both last had stays; before the first mid, it is that one.
 *
 * The trades are no prints of the model, because the ladder works them off with the rows of the book.
 */
function createBookReplay(spec: BookReplaySpec, startMillis: number): PriceModel {
  const mids = findBookMids(spec.book.index)
  const halfTickUsd = spec.tickUsd / 2
  const priceAt = (offsetMillis: number): number => mids.halfTicksAt(startMillis + offsetMillis) * halfTickUsd
  const write = ({ firstMillis, stepMillis, count }: Grid, prices: Float64Array, after: number): void => {
    for (let row = 0; row < count; row += 1) prices[row] = priceAt(after + firstMillis + row * stepMillis)
  }
  const firstMinute = Math.ceil((spec.book.firstMillis - startMillis) / millisPerMinute)
  const trailing = new TrailingActivity((minute) => priceAt(minute * millisPerMinute), firstMinute)
  return {
    recording: new BookRecording(spec, startMillis),
    fillPrices: (minute, grid, prices) => write(grid, prices, minute * millisPerMinute),
    fillGrid: (grid, prices) => write(grid, prices, 0),
    activityAt: (minute) => trailing.at(minute),
    figuresIn: (minute) => readFigures(spec, mids, startMillis + minute * millisPerMinute),
  }
}

/** Returns the trades of the minute that begins at an instant, from the index. */
function readFigures(
  { tickUsd, stepUnits }: BookReplaySpec,
  mids: BookMids,
  fromMillis: number,
): MinuteFigures {
  const { trades, tickSteps, highTicks, lowTicks } = mids.tradesIn(fromMillis, fromMillis + millisPerMinute)
  return {
    trades,
    volumeUsd: tickSteps * tickUsd * stepUnits,
    high: highTicks * tickUsd,
    low: lowTicks * tickUsd,
  }
}

class BookRecording implements Recording {
  readonly canHalt: boolean
  private readonly from: Float64Array
  private readonly to: Float64Array
  private readonly book: RecordedBook
  private readonly startMillis: number

  constructor(spec: BookReplaySpec, startMillis: number) {
    const gaps = spec.book.gaps.filter((gap) => isGap(gap, spec.gapAfterMillis))
    this.canHalt = spec.gaps === 'halt'
    this.from = Float64Array.from(gaps, ({ fromMillis }) => fromMillis)
    this.to = Float64Array.from(gaps, ({ toMillis }) => toMillis)
    this.book = spec.book
    this.startMillis = startMillis
  }

  /** Returns whether an instant is within a gap, or before or after the recording. */
  isHaltedAt(offsetMillis: number): boolean {
    if (!this.canHalt) return false
    const atMillis = this.startMillis + offsetMillis
    if (atMillis < this.book.firstMillis || atMillis > this.book.lastMillis) return true
    const { from, to } = this
    const gap = bisectPlaces(from.length, (place) => element(from, place) >= atMillis) - 1
    return gap >= 0 && atMillis < element(to, gap)
  }

  addPrints(): void {
    // The rows of the recorded book have the trades.
  }
}
