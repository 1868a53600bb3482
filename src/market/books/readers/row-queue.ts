import { element } from '../../../numeric/columns.ts'

/*
 * Rows of a recorded book between their file and the book. Files are in the order in which a recorder received their
 * messages; a book needs the order of the exchange. Rows wait here for a bounded time, so that those that arrived late
 * can still go before others.
 */

/** How far behind the newest row of its file a row can still be put in order, microseconds. */
export const reorderMicros = 5_000_000

/** Packs where a row stands into one number: its file, counted from 0, and its line, counted from 1. */
export const packPlace = (file: number, line: number): number => file * lineLimit + line

export const lineOfPlace = (place: number): number => place % lineLimit
export const fileOfPlace = (place: number): number => Math.floor(place / lineLimit)

const lineLimit = 4_294_967_296

/** Rows that came too late to be put in order. */
export interface LateRows {
  readonly count: number
  /** Place of the first of them, or -1. */
  readonly firstPlace: number
  /** The most that one of them came too late, microseconds. */
  readonly mostMicros: number
}

/**
 * Rows in the order of their times; rows of one time keep the order in which they were added. A row that is earlier than
 * one that has been taken out already gets the time of that one, and is counted as late.
 */
export class RowQueue {
  atMicros = new Float64Array(firstCapacity)
  kinds = new Uint8Array(firstCapacity)
  sides = new Uint8Array(firstCapacity)
  prices = new Float64Array(firstCapacity)
  quantities = new Float64Array(firstCapacity)
  places = new Float64Array(firstCapacity)
  /** The place of the first row, and that after the last one. */
  head = 0
  tail = 0
  /** The latest time of any row that was added, microseconds since 1970; -1 before the first one. */
  newestMicros = -1
  /** How many rows were put before others that their file has before them. */
  movedCount = 0
  /** What is added to the time of each row, microseconds. */
  shiftMicros = 0
  private floorMicros = 0
  private releasedMicros = 0
  private lateCount = 0
  private firstLatePlace = -1
  private mostLateMicros = 0

  get count(): number {
    return this.tail - this.head
  }

  get late(): LateRows {
    return { count: this.lateCount, firstPlace: this.firstLatePlace, mostMicros: this.mostLateMicros }
  }

  /** Adds a row. `kind` is a value of `bookRowKinds`, `side` one of `bookRowSides`. */
  add(
    atMicros: number,
    kind: number,
    side: number,
    price: number,
    quantity: number,
    filePlace: number,
  ): void {
    if (this.tail === this.atMicros.length) this.makeRoom()
    const shifted = atMicros + this.shiftMicros
    const at = shifted < this.floorMicros ? this.raise(shifted, filePlace) : shifted
    let place = this.tail
    this.tail += 1
    if (at >= this.newestMicros) this.newestMicros = at
    else place = this.openGap(at, place)
    this.atMicros[place] = at
    this.kinds[place] = kind
    this.sides[place] = side
    this.prices[place] = price
    this.quantities[place] = quantity
    this.places[place] = filePlace
  }

  /** Keeps later rows behind all rows so far: a book that begins anew is no older than what it replaces. */
  close(): void {
    this.floorMicros = Math.max(this.floorMicros, this.newestMicros)
  }

  /** Notes that rows up to a time were taken out: no row goes before it any more. */
  release(untilMicros: number): void {
    this.releasedMicros = Math.max(this.releasedMicros, untilMicros)
    this.floorMicros = Math.max(this.floorMicros, untilMicros)
  }

  private raise(atMicros: number, filePlace: number): number {
    if (atMicros >= this.releasedMicros) return this.floorMicros
    this.lateCount += 1
    if (this.firstLatePlace < 0) this.firstLatePlace = filePlace
    this.mostLateMicros = Math.max(this.mostLateMicros, this.releasedMicros - atMicros)
    return this.floorMicros
  }

  /** Moves the later rows by one place, and returns the free place before them. */
  private openGap(atMicros: number, tail: number): number {
    const { atMicros: times, head } = this
    let place = tail
    while (place > head && (times[place - 1] ?? 0) > atMicros) place -= 1
    if (place === tail) return place
    this.movedCount += 1
    for (const column of this.listColumns()) column.copyWithin(place + 1, place, tail)
    return place
  }

  private makeRoom(): void {
    const { count, head, tail } = this
    if (head > tail / 2) {
      for (const column of this.listColumns()) column.copyWithin(0, head, tail)
    } else {
      const capacity = 2 * this.atMicros.length
      this.atMicros = growDoubles(this.atMicros, head, tail, capacity)
      this.prices = growDoubles(this.prices, head, tail, capacity)
      this.quantities = growDoubles(this.quantities, head, tail, capacity)
      this.places = growDoubles(this.places, head, tail, capacity)
      this.kinds = growBytes(this.kinds, head, tail, capacity)
      this.sides = growBytes(this.sides, head, tail, capacity)
    }
    this.head = 0
    this.tail = count
  }

  private listColumns(): readonly (Float64Array | Uint8Array)[] {
    return [this.atMicros, this.prices, this.quantities, this.places, this.kinds, this.sides]
  }
}

const firstCapacity = 16_384

function growDoubles(from: Float64Array, head: number, tail: number, capacity: number) {
  const grown = new Float64Array(capacity)
  grown.set(from.subarray(head, tail))
  return grown
}

function growBytes(from: Uint8Array, head: number, tail: number, capacity: number) {
  const grown = new Uint8Array(capacity)
  grown.set(from.subarray(head, tail))
  return grown
}

/** What takes rows in their final order. */
export interface RowTarget {
  /** Adds the row at a place of a queue; its numbers are not passed one by one, for doubles would have to be boxed. */
  add(rows: RowQueue, place: number): void
}

/**
 * Moves the rows up to a time, both queues merged, into a target. At one time trades come before changes of the book:
 * the book's next change already holds what they took.
 */
export function mergeRows(book: RowQueue, trades: RowQueue, untilMicros: number, target: RowTarget): void {
  for (;;) {
    const bookMicros = firstMicros(book, untilMicros)
    const tradeMicros = firstMicros(trades, untilMicros)
    if (bookMicros === none && tradeMicros === none) break
    const next = tradeMicros <= bookMicros ? trades : book
    const place = next.head
    next.head += 1
    target.add(next, place)
  }
  if (untilMicros < none) {
    book.release(untilMicros)
    trades.release(untilMicros)
  }
}

const none = Number.POSITIVE_INFINITY

function firstMicros({ atMicros, head, tail }: RowQueue, untilMicros: number): number {
  if (head === tail) return none
  const at = element(atMicros, head)
  return at <= untilMicros ? at : none
}
