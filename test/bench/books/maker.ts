import { join } from 'node:path'
import process from 'node:process'
import { buy, goodTillCancelled, limit, type Side, sell } from '../../src/engine/codes.ts'
import { stateOf } from '../../src/engine/state.ts'
import { Venue } from '../../src/engine/venue.ts'
import { makeRecordedBook } from '../../src/market/books/make-recorded-book.ts'
import type { QueueLawName } from '../../src/market/liquidity/liquidity.ts'
import { millis, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { readBookRows } from './golden-run.ts'
import { createConfig } from './replay-run.ts'

/*
 * `npx tsx test/hftbacktest/speed.ts FOLDER [TIMES]`: rows a second of processor time, from memory, of a recording that
 * is repeated one after the other: read alone, and with a maker who replaces both its orders each 100 ms.
 */

const [folder = '', times = '20'] = process.argv.slice(2)
const lot = 0.0001
const rows = readBookRows(join(folder, 'books', 'events_B_ETHUSDT.csv.gz'), lot)
const first = rows[0]?.atMillis ?? 0
const spanMillis = (rows.at(-1)?.atMillis ?? 0) - first + 1

function* repeatRows() {
  for (let time = 0; time < Number(times); time += 1) {
    const later = time * spanMillis
    yield { atMillis: first + later, kind: 3, side: 2, priceTicks: 0, quantitySteps: 0 }
    for (const row of rows) yield { ...row, atMillis: row.atMillis + later }
  }
}

const book = makeRecordedBook(repeatRows(), { hash: 'repeated' })

function measure(name: string, law: QueueLawName, run: (venue: Venue) => void): void {
  const config = createConfig(book, lot, {
    kind: 'recorded',
    queue: { law, exponent: 3 },
    fills: 'shown',
    beyond: 'behind',
    gaps: 'hold',
    gapAfterMillis: 60_000,
  })
  for (const pass of ['cold', 'warm']) {
    const venue = Venue.open(config, { emit: () => undefined })
    const before = process.cpuUsage()
    run(venue)
    const { system, user } = process.cpuUsage(before)
    const seconds = (system + user) / 1e6
    const million = book.rowCount / seconds / 1e6
    const { fills, orders } = venue.state
    process.stdout.write(
      `${name}, ${pass}: ${book.rowCount} rows in ${seconds.toFixed(2)} s, ${million.toFixed(2)} M/s, ${orders.count} orders, ${fills.count} fills\n`,
    )
  }
}

const advance = (venue: Venue, atMillis: number): void => {
  venue.execute({ kind: 'advance', at: millis(atMillis) })
}

function quoteBothSides(venue: Venue): void {
  const { state } = venue
  const { recorded } = stateOf(state, 1)
  const live: [number, number] = [-1, -1]
  const at = (): ReturnType<typeof millis> => venue.now
  const replace = (side: Side, ticks: number): void => {
    const order = live[side]
    if (order !== -1 && state.orders.status.get(order) < 2) {
      if (state.orders.priceTicks.get(order) === ticks) return
      venue.execute({ kind: 'cancel-order', at: at(), account: 3, order })
    }
    const outcome = venue.execute({
      kind: 'place-order',
      at: at(),
      account: 3,
      asset: 1,
      side,
      type: limit,
      timeInForce: goodTillCancelled,
      priceTicks: priceTicks(ticks),
      quantitySteps: quantitySteps(1000),
      clientOrderId: null,
      allowsDuplicateId: false,
      keepsRefused: false,
      metadata: null,
    })
    live[side] = outcome.ok ? outcome.row : -1
  }
  for (let atMillis = book.firstMillis + 100; atMillis < book.lastMillis; atMillis += 100) {
    advance(venue, atMillis)
    const bidTicks = recorded?.bestTicks(buy) ?? 0
    const askTicks = recorded?.bestTicks(sell) ?? 0
    if (bidTicks <= 0 || askTicks <= 0) continue
    replace(buy, bidTicks)
    replace(sell, askTicks)
  }
  advance(venue, book.lastMillis)
}

measure('read alone', 'power3', (venue) => advance(venue, book.lastMillis))
measure('a maker of both sides at 100 ms', 'power3', quoteBothSides)
