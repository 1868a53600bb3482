import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { BookRow } from '../../../src/market/books/make-recorded-book.ts'
import { bookRowKinds, bookRowSides } from '../../../src/market/books/recorded-book.ts'
import { drawBookRows } from '../../engine/recorded/draw-book-rows.ts'

/*
 * A day of a book in the form in which most people have one: gzip CSV of Tardis, changes and trades apart. It repeats a
 * shorter recording, each time later, so that every repetition begins with a snapshot as after a reconnection.
 */

const { snapshot, trade } = bookRowKinds

/** A row of the shorter recording, as text. */
export interface TextRow {
  readonly atMillis: number
  readonly isTrade: boolean
  readonly isSnapshot: boolean
  readonly side: string
  readonly price: string
  readonly quantity: string
}

/** The files of a day, and how often they hold the shorter recording. */
export interface DayFiles {
  readonly book: string
  readonly trades: string
  readonly repetitions: number
}

/** The steps of prices and quantities in the files. */
export const dayUnits = { price: { units: 1, scale: 2 }, quantity: { units: 1, scale: 4 } } as const
export const dayLot = 0.0001

/** Reads `ts_ms,kind,side,price,quantity`, plain or gzip; without a file, draws a book of the kind. */
export function readShortRows(file: string): readonly TextRow[] {
  if (file === '') return drawShortRows()
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => {
      const [at = '', kind = '', side = '', price = '', quantity = ''] = line.split(',')
      return {
        ...{ atMillis: Number(at), isTrade: kind === 'trade', isSnapshot: kind === 'snapshot' },
        ...{ side, price, quantity },
      }
    })
}

/**
 * After eleven minutes of Binance's ETH/USDT of August 2024 (289,267 rows, of which 14,515 are trades): two milliseconds a
 * row, a trade in twenty rows, and so deep a book that the maker places about one order each time that it looks. With few
 * levels the bench would measure orders instead of rows.
 */
const drawnShape = { longestMillis: 4, levelsPerSide: 100, rowsPerMove: 300, rowsPerTrade: 20 }

function drawShortRows(): readonly TextRow[] {
  const startMillis = 1_767_571_200_000
  const first: readonly BookRow[] = [-1, -2, -3, 1, 2, 3].map((away) => ({
    atMillis: startMillis,
    kind: snapshot,
    side: away < 0 ? bookRowSides.bid : bookRowSides.ask,
    priceTicks: 10_000 + away,
    quantitySteps: 20,
  }))
  const rows = [...first, ...drawBookRows('bench', { startMillis, count: 290_000, ...drawnShape })]
  return rows.flatMap(({ atMillis, kind, priceTicks, quantitySteps, side }) =>
    kind === trade && quantitySteps === 0
      ? []
      : {
          ...{ atMillis, isTrade: kind === trade, isSnapshot: kind === snapshot },
          side: side === bookRowSides.bid ? 'buy' : 'sell',
          price: (priceTicks / 100).toFixed(2),
          quantity: (quantitySteps / 10).toString(),
        },
  )
}

/** Writes at least so many rows into two files of a folder, piece by piece. */
export function writeDay(folder: string, name: string, short: readonly TextRow[], rows: number): DayFiles {
  const firstMillis = short[0]?.atMillis ?? 0
  const spanMillis = (short.at(-1)?.atMillis ?? 0) - firstMillis + 1
  const repetitions = Math.ceil(rows / short.length)
  const book = new PackedText(join(folder, `${name}.book.csv.gz`))
  const trades = new PackedText(join(folder, `${name}.trades.csv.gz`))
  book.add('exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount\n')
  trades.add('exchange,symbol,timestamp,local_timestamp,id,side,price,amount\n')
  for (let time = 0; time < repetitions; time += 1)
    for (const { atMillis, isSnapshot, isTrade, price, quantity, side } of short) {
      const at = atMillis + time * spanMillis
      const head = `venue,COIN,${at}000,${at}250`
      if (isTrade) trades.add(`${head},1,${side},${price},${quantity}\n`)
      else book.add(`${head},${isSnapshot},${side === 'buy' ? 'bid' : 'ask'},${price},${quantity}\n`)
    }
  book.close()
  trades.close()
  return { book: book.path, trades: trades.path, repetitions }
}

/** A gzip file of text, written in members of some megabytes each. */
class PackedText {
  readonly path: string
  private readonly file: number
  private parts: string[] = []

  constructor(path: string) {
    this.path = path
    this.file = openSync(path, 'w')
  }

  add(text: string): void {
    if (this.parts.push(text) === partsOfMember) this.flush()
  }

  close(): void {
    this.flush()
    closeSync(this.file)
  }

  private flush(): void {
    const bytes = gzipSync(this.parts.join(''), { level: 4 })
    for (let done = 0; done < bytes.length; ) done += writeSync(this.file, bytes, done)
    this.parts = []
  }
}

const partsOfMember = 100_000
