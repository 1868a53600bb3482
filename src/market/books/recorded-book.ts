/*
 * A recorded order book with its trades, as the engine reads it: columns in chunks, the whole book at the start of
 * each chunk, and an index of touches by the tenth of a second. Files are turned into this once; the engine asks for
 * chunks through `chunk`, which its host answers from a file, from memory or, in a browser, from bytes.
 */

/** What a row of a recorded book says. A snapshot's row is worked off as a depth row is. */
export const bookRowKinds = { depth: 1, trade: 2, clear: 3, snapshot: 4 } as const

/** The side of a level; of a trade the taker's: `bid` where a buyer took. A clear of both sides has `none`. */
export const bookRowSides = { bid: 0, ask: 1, none: 2 } as const

/** The rows of one chunk. All but the last one hold `bookChunkRows` rows. */
export interface BookRows {
  readonly count: number
  /** Milliseconds since 1970, never falling. Finer times were rounded up. */
  readonly atMillis: Float64Array
  /** A value of `bookRowKinds`. */
  readonly kinds: Uint8Array
  /** A value of `bookRowSides`. */
  readonly sides: Uint8Array
  /** A price in ticks of the pair; 0 for a clear without a price. */
  readonly priceTicks: Int32Array
  /** Steps of the pair, fractions of a step included: the level's new quantity, or the trade's. */
  readonly quantitySteps: Float64Array
}

export const bookChunkRows = 65_536

/** Levels of both sides, best first. */
export interface BookLevels {
  readonly bidTicks: Int32Array
  readonly bidSteps: Float64Array
  readonly askTicks: Int32Array
  readonly askSteps: Float64Array
}

/**
 * Touches and trades by the tenth of a second. Entry k is the state after all rows up to `firstMillis + k * 100`; the
 * last entry is the first one that holds every row.
 */
export interface BookIndex {
  /** A multiple of 100, at or before the first row. */
  readonly firstMillis: number
  readonly count: number
  /** The best prices in ticks; 0 where the side is empty. */
  readonly bidTicks: Int32Array
  readonly askTicks: Int32Array
  /** The last trade's price in ticks; 0 before the first one. */
  readonly lastTicks: Int32Array
  /** Steps traded since the start of the recording. */
  readonly tradedSteps: Float64Array
  /** The sum over all trades since the start of the recording of ticks times steps. */
  readonly tradedTickSteps: Float64Array
  /** The number of trades since the start of the recording. */
  readonly trades: Int32Array
  /** The highest and the lowest price of the trades after the entry before, in ticks; 0 where there was none. */
  readonly highTicks: Int32Array
  readonly lowTicks: Int32Array
}

export const bookIndexMillis = 100

/** A span without any row. */
export interface BookGap {
  readonly fromMillis: number
  readonly toMillis: number
}

/** The shortest span without rows that a recorded book lists, milliseconds. */
export const shortestBookGapMillis = 10_000

/** Place of a row in the files that it was read from. */
export interface BookRowPlace {
  readonly file: string
  /** The number of the line, counted from 1. */
  readonly line: number
}

export interface RecordedBook {
  /** Hash of the content of the files, the options by which they were read, and the version of this form. */
  readonly hash: string
  readonly rowCount: number
  readonly firstMillis: number
  readonly lastMillis: number
  readonly index: BookIndex
  /** The spans of at least ten seconds in which no row came, in order. */
  readonly gaps: readonly BookGap[]
  /** Returns chunk `number`, counted from 0. */
  chunk(number: number): BookRows
  /** Returns the whole book before the first row of chunk `number`. */
  levels(number: number): BookLevels
  /** Returns where a row stands in the files, or null where the form does not keep it. */
  place(row: number): BookRowPlace | null
}
