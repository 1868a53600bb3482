import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { LawSpec } from '../../src/engine/recorded/share-behind.ts'
import { type BookRow, makeRecordedBook } from '../../src/market/books/make-recorded-book.ts'
import { bookRowKinds } from '../../src/market/books/recorded-book.ts'

/* The runs of hftbacktest that were recorded, and the rows of the books that they ran on. */

export interface RunHead {
  readonly run: string
  readonly data: string
  readonly symbol: string
  readonly model: string
  readonly entry_ms: number
  readonly exchange: string
  readonly stopped: unknown
  readonly lot: number
  readonly repaired?: readonly string[]
  /** Whether the fills of an order within one millisecond are one, and no joins are told: a run of the published wheel. */
  readonly isByMillisecond?: boolean
}

export interface GoldenRequest {
  /** When it comes to the exchange, milliseconds since 1970. */
  readonly arrivesAtMillis: number
  readonly op: 'new' | 'cancel' | 'modify'
  readonly id: number
  readonly side: 'buy' | 'sell'
  readonly ticks: number
  readonly steps: number
  readonly timeInForce: string
  readonly isMarket: boolean
}

export interface GoldenFill {
  readonly id: number
  readonly atMillis: number
  readonly ticks: number
  readonly steps: number
  readonly isMaker: boolean
}

export interface GoldenRun {
  readonly head: RunHead
  readonly requests: readonly GoldenRequest[]
  /** What stood ahead of each order when it joined, in units of the asset, by id; the last joining counts. */
  readonly joins: ReadonlyMap<number, number>
  readonly fills: readonly GoldenFill[]
  /** The last instant that the run tells of. */
  readonly endMillis: number
}

const readLines = (file: string): readonly string[] =>
  gunzipSync(readFileSync(file))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')

const toMillis = (nanos: number): number => Math.round(nanos / 1e6)

export function readGoldenRun(file: string): GoldenRun {
  const [first, ...rest] = readLines(file).map((line) => JSON.parse(line))
  const head: RunHead = first
  const requests: GoldenRequest[] = []
  const joins = new Map<number, number>()
  const fills: GoldenFill[] = []
  let endMillis = 0
  for (const line of rest) {
    const { k, t, x, id, op, side, px, qty, tif, type, code, ahead, maker } = line
    endMillis = Math.max(endMillis, toMillis(x ?? t ?? 0))
    if (k === 'req' && (code ?? 0) === 0) {
      requests.push({
        arrivesAtMillis: toMillis(t) + head.entry_ms,
        op,
        id,
        side,
        ticks: px,
        steps: qty,
        timeInForce: tif,
        isMarket: type === 'market',
      })
    } else if (k === 'join') joins.set(id, ahead)
    else if (k === 'fill') fills.push({ id, atMillis: toMillis(x), ticks: px, steps: qty, isMaker: maker })
  }
  return { head, requests, joins, fills, endMillis }
}

/** Returns the law of a run by the reference's name: `powerB2` is power2 with the exponent 2. */
export function readLaw(model: string): LawSpec {
  const [, family = '', exponent = '1'] = /^power([BC]?)(\d+)$/.exec(model) ?? []
  if (model.startsWith('power')) {
    const law = family === 'B' ? 'power2' : family === 'C' ? 'power3' : 'power'
    return { law, exponent: Number(exponent) }
  }
  if (model === 'riskAverse' || model === 'log' || model === 'log2') return { law: model, exponent: 1 }
  throw new Error(`there is no law ${model}`)
}

const kinds = new Map<string, number>(Object.entries(bookRowKinds))

/** Reads the rows of a book (`ts_ms,kind,side,price,quantity`), with prices in cents and quantities in lots. */
function readBookRows(file: string, lot: number): readonly BookRow[] {
  return readLines(file)
    .slice(1)
    .map((line) => {
      const [at = '', kind = '', side = '', price = '', quantity = ''] = line.split(',')
      return {
        atMillis: Number(at),
        kind: kinds.get(kind) ?? 0,
        side: side === 'buy' ? 0 : 1,
        priceTicks: Math.round(Number(price) * 100),
        quantitySteps: toSteps(Number(quantity), lot),
      }
    })
}

/** Returns a quantity in lots: the nearest whole number where it is one but for the dust of a double. */
function toSteps(quantity: number, lot: number): number {
  const steps = quantity / lot
  const whole = Math.round(steps)
  return Math.abs(steps - whole) < 1e-6 ? whole : steps
}

export const readBook = (file: string, lot: number) => makeRecordedBook(readBookRows(file, lot))
