import { readFileSync, writeFileSync } from 'node:fs'

/*
 * A workload is one fixed sequence of commands in typed columns, made before anything is timed. Every contender gets
 * the same file, and translates each command into its own library's call inside the timed region, as a caller would.
 *
 * Orders are numbered 0, 1, ... in the order in which they are placed (a market or IOC order has a number, too).
 * Cancels and moves only name orders that still rest, so no contender is timed on its errors.
 */

export const opPlace = 0
export const opImmediate = 1
export const opMarket = 2
export const opCancel = 3
/** A new price, the remaining quantity stays, priority is lost; it may cross. */
export const opMove = 4

export interface Workload {
  readonly name: string
  readonly assets: number
  readonly accounts: number
  readonly orders: number
  /** Commands before this one fill the book and are not timed. */
  readonly firstTimed: number
  readonly count: number
  readonly op: Uint8Array
  readonly order: Int32Array
  readonly asset: Uint8Array
  readonly side: Uint8Array
  readonly account: Int32Array
  /** 0 for market orders and cancels. */
  readonly priceTicks: Int32Array
  /** 0 for cancels and moves. */
  readonly quantitySteps: Int32Array
  readonly expected: Expected
  readonly facts: Facts
}

/** The reference book's final state; a contender that ends with anything else has not done the work. */
export interface Expected {
  readonly depthChecksum: number
  /** Checksum of the makers that a sweep of each side then meets, in order, which also proves time priority. */
  readonly sweepChecksum: number
  readonly sweepSteps: number
}

/** What the timed commands are like, as the reference book saw them. */
export interface Facts {
  /** Timed ones. */
  readonly commands: number
  readonly tradingShare: number
  readonly crossingLimitShare: number
  readonly fills: number
  readonly restingAtStart: number
  readonly restingAtEnd: number
  readonly levelsAtEnd: number
}

const columnNames = ['op', 'order', 'asset', 'side', 'account', 'priceTicks', 'quantitySteps'] as const
const byteColumns: ReadonlySet<string> = new Set(['op', 'asset', 'side'])

/** One JSON line, then the columns. */
export function writeWorkload(path: string, workload: Workload): void {
  const { name, assets, accounts, orders, firstTimed, count, expected, facts } = workload
  const header = JSON.stringify({ name, assets, accounts, orders, firstTimed, count, expected, facts })
  const parts: Uint8Array[] = [Buffer.from(`${header.padEnd(4095)}\n`)]
  for (const column of columnNames) {
    const values = workload[column]
    parts.push(Buffer.from(values.buffer, values.byteOffset, values.byteLength))
  }
  writeFileSync(path, Buffer.concat(parts))
}

export function readWorkload(path: string): Workload {
  const bytes = readFileSync(path)
  const header: Omit<Workload, (typeof columnNames)[number]> = JSON.parse(bytes.toString('utf8', 0, 4096))
  let offset = 4096
  const take = (width: number): ArrayBuffer => {
    const part = Uint8Array.from(bytes.subarray(offset, offset + header.count * width))
    offset += header.count * width
    return part.buffer
  }
  const columns = new Map(columnNames.map((column) => [column, take(byteColumns.has(column) ? 1 : 4)]))
  const bytesOf = (column: (typeof columnNames)[number]) => new Uint8Array(columns.get(column) ?? take(1))
  const integersOf = (column: (typeof columnNames)[number]) => new Int32Array(columns.get(column) ?? take(4))
  return {
    ...header,
    op: bytesOf('op'),
    order: integersOf('order'),
    asset: bytesOf('asset'),
    side: bytesOf('side'),
    account: integersOf('account'),
    priceTicks: integersOf('priceTicks'),
    quantitySteps: integersOf('quantitySteps'),
  }
}
