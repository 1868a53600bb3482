import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { buy, isTerminal, orderStatusNames, type Side, sell } from '../../../src/engine/codes.ts'
import { type BookRow, makeRecordedBook } from '../../../src/market/books/make-recorded-book.ts'
import { queueLawNames } from '../../../src/market/liquidity/liquidity.ts'
import { createStream } from '../../../src/numeric/random.ts'
import { NaiveRecordedQueue, type NaiveRules } from '../../reference/naive-recorded-queue.ts'
import { caseBudget, isFullRun } from '../../support/full-run.ts'
import { ann, RecordedVenue, stepUnits } from './recorded-venue.ts'

/*
 * The places, fills and statuses of random orders in random recorded books, beside a naive twin: crossings, clears,
 * empty sides, quantities below a step, three clients. The venue is split, snapshotted, restored and forked on the way.
 */

const startMillis = 1_767_571_200_000
const stepsEach = caseBudget(800)
const seeds = isFullRun ? ['1', '2', '3'] : ['1', '2']

/** What all cases together have looked at. */
const seen = {
  rows: 0,
  orders: 0,
  amends: 0,
  cancels: 0,
  restores: 0,
  forks: 0,
  clears: 0,
  parts: 0,
  emptySides: 0,
}
const causes = new Map<string, number>()

interface Command {
  readonly atMillis: number
  readonly kind: 'place' | 'amend' | 'cancel' | 'wait' | 'restore'
  readonly account: number
  readonly side: Side
  readonly ticks: number
  readonly steps: number
  readonly isImmediate: boolean
  /** Which of the orders so far, as a share of their number. */
  readonly order: number
}

type Draw = (below: number) => number

function drawRow(draw: Draw, atMillis: number): BookRow {
  const kind = [1, 1, 1, 1, 1, 1, 2, 2, 2, 4][draw(10)] ?? 1
  const side = draw(2)
  const priceTicks = 1_000 + draw(9) + (side === 0 ? -6 : 0) + (kind === 2 ? 3 * (1 - 2 * side) : 0)
  const quantitySteps = kind === 2 ? 0.5 * draw(30) : ([0, 0, 0.3, 0.5, 2.25, 7, 12, 40][draw(8)] ?? 0)
  if (draw(60) === 0)
    return { atMillis, kind: 3, side: draw(3), priceTicks: draw(2) * priceTicks, quantitySteps: 0 }
  return { atMillis, kind, side, priceTicks, quantitySteps }
}

function drawCommand(draw: Draw, atMillis: number): Command {
  const kind = (['place', 'place', 'place', 'amend', 'cancel', 'wait', 'restore'] as const)[draw(7)] ?? 'wait'
  const side = draw(2) === 0 ? buy : sell
  const isMarket = draw(12) === 0 && kind === 'place'
  return {
    atMillis,
    kind,
    account: ann + draw(3),
    side,
    ticks: isMarket ? 0 : 1_000 + draw(9) + (side === 0 ? -7 : 1),
    steps: 1 + draw(25),
    isImmediate: isMarket || draw(10) === 0,
    order: draw(1000) / 1000,
  }
}

function drawCase(seed: string) {
  const stream = createStream(seed, 'queue-twin', 'COIN', 0)
  const draw: Draw = (below) => Math.floor(stream.uniform() * below)
  const rows: BookRow[] = []
  const commands: Command[] = []
  let atMillis = startMillis
  for (let count = 0; count < stepsEach; count += 1) {
    atMillis += draw(3) === 0 ? draw(200) : draw(2)
    if (rows.length === 0 || draw(3) > 0) rows.push(drawRow(draw, atMillis))
    else commands.push(drawCommand(draw, atMillis))
  }
  return { rows, commands }
}

/** What both say after a command: fills so far, orders, and the levels that are left. */
function tellVenue(venue: RecordedVenue): unknown {
  const { fills, orders } = venue.state
  return {
    fills: Array.from({ length: fills.count }, (_, fill) => [
      fills.order.get(fill),
      fills.atMillis.get(fill),
      fills.priceTicks.get(fill),
      fills.quantitySteps.get(fill),
      ['none', 'turn', 'through', 'crossing'][fills.cause.get(fill)],
    ]),
    orders: Array.from({ length: orders.count }, (_, row) => {
      const isLive = !isTerminal(orders.status.get(row))
      const place = isLive ? venue.ladder.queue.placeOf(row) : null
      const status = orderStatusNames[orders.status.get(row)] ?? ''
      return [
        status.replace('partially_filled', 'open'),
        orders.filledSteps.get(row),
        place === null ? '' : roundPlace(place.ahead),
        place?.isBeyond ?? false,
      ]
    }),
    bids: venue.levels(buy),
    asks: venue.levels(sell),
  }
}

function tellTwin(twin: NaiveRecordedQueue): unknown {
  return {
    fills: twin.fills.map(({ order, atMillis, ticks, steps, cause }) => [
      order,
      atMillis,
      ticks,
      steps,
      cause,
    ]),
    orders: twin.orders.map(({ ahead, filled, isBeyond, status }) => [
      status,
      filled,
      status === 'open' ? roundPlace(ahead) : '',
      status === 'open' && isBeyond,
    ]),
    bids: twin.shown(0).map(({ ticks, steps }) => [ticks, steps]),
    asks: twin.shown(1).map(({ ticks, steps }) => [ticks, steps]),
  }
}

/** The engine's logarithms are its own, and differ in the last places. */
const roundPlace = (steps: number): number => Math.round(steps * 1e9) / 1e9 + 0

function playBoth(seed: string, rules: NaiveRules): number {
  const { commands, rows } = drawCase(seed)
  const { beyond, exponent, fills, isLike } = rules
  const law = queueLawNames.find((name) => name === rules.law) ?? 'front'
  const like = isLike ? { like: 'hftbacktest' as const } : {}
  const venue = new RecordedVenue(makeRecordedBook(rows), {
    queue: { law, exponent },
    fills,
    beyond,
    ...like,
  })
  const twin = new NaiveRecordedQueue(rules)
  for (const { kind, quantitySteps } of rows) {
    seen.rows += 1
    if (kind === 3) seen.clears += 1
    if (quantitySteps % 1 !== 0) seen.parts += 1
  }
  const forks: RecordedVenue[] = []
  let next = 0
  let gridMillis = (rows[0]?.atMillis ?? 0) + 1000
  const passTo = (atMillis: number): void => {
    for (;;) {
      const row = rows[next]
      const rowMillis = row?.atMillis ?? Number.POSITIVE_INFINITY
      if (Math.min(rowMillis, gridMillis) > atMillis) return
      if (row !== undefined && rowMillis <= gridMillis) {
        twin.workOff(row)
        next += 1
      } else {
        twin.now = gridMillis
        twin.refresh()
        gridMillis += 1000
      }
    }
  }
  passTo(rows[0]?.atMillis ?? 0)
  for (const { account, atMillis, isImmediate, kind, order, side, steps, ticks } of commands) {
    if (atMillis < venue.venue.now) continue
    passTo(atMillis)
    twin.now = atMillis
    venue.advanceTo(atMillis)
    checkForks(forks, venue, atMillis)
    const id = Math.floor(order * twin.orders.length)
    if (kind === 'place') {
      seen.orders += 1
      venue.place(account, side, ticks, steps, isImmediate)
      twin.place(account, side, ticks, steps, isImmediate)
    } else if (twin.orders.length > 0 && kind === 'amend') {
      const total = steps
      const priceTicks = order < 0.5 ? (twin.orders[id]?.ticks ?? 0) || 1 : ticks
      seen.amends += 1
      venue.amend(id, priceTicks, total)
      twin.amend(id, priceTicks, total)
    } else if (twin.orders.length > 0 && kind === 'cancel') {
      seen.cancels += 1
      venue.cancel(id)
      twin.cancel(id)
    } else if (kind === 'restore') {
      const before = venue.venue.digest()
      venue.restore()
      seen.restores += 1
      expect(venue.venue.digest()).toBe(before)
      forks.push(venue.fork())
    }
    if (twin.shown(0).length === 0 || twin.shown(1).length === 0) seen.emptySides += 1
    const [told, wanted] = [tellVenue(venue), tellTwin(twin)]
    // The runner's own comparison is slow, and only needed for what differs.
    if (!isDeepStrictEqual(told, wanted))
      expect(told, `${JSON.stringify(rules)} at ${atMillis - startMillis}`).toEqual(wanted)
  }
  for (const { cause } of twin.fills) causes.set(cause, (causes.get(cause) ?? 0) + 1)
  return twin.fills.length
}

/**
 * Ends the forks that were made before this command: each comes to the same state by other steps, and what is then done
 * to it does not touch the venue.
 */
function checkForks(forks: RecordedVenue[], venue: RecordedVenue, atMillis: number): void {
  for (const fork of forks.splice(0)) {
    const before = venue.venue.digest()
    fork.advanceTo(Math.floor((fork.venue.now + atMillis) / 2))
    fork.advanceTo(atMillis)
    expect(fork.venue.digest()).toBe(before)
    fork.place(ann, sell, 0, 9, true)
    fork.advanceTo(atMillis + 2_000)
    expect(venue.venue.digest()).toBe(before)
    seen.forks += 1
  }
}

const laws = [
  ...queueLawNames.map((law) => ({ law, exponent: 1 })),
  { law: 'power', exponent: 3 },
  { law: 'power2', exponent: 2 },
  { law: 'power3', exponent: 2.5 },
] as const

const modes = [
  { fills: 'shown', beyond: 'behind', isLike: false },
  { fills: 'whole', beyond: 'front', isLike: false },
  { fills: 'whole', beyond: 'front', isLike: true },
] as const

describe.each(laws)('the law $law of exponent $exponent', ({ law, exponent }) => {
  it.each(modes)(
    'moves places as the naive twin does: $fills, $beyond, like the reference: $isLike',
    (mode) => {
      let fills = 0
      for (const seed of seeds) fills += playBoth(seed, { law, exponent, stepUnits, ...mode })
      expect(fills).toBeGreaterThan(20)
    },
  )
})

it('all laws together have looked at every kind of thing', () => {
  const share = (stepsEach / 800) * (seeds.length / 3)
  const least: Record<keyof typeof seen, number> = {
    ...{ rows: 30_000, orders: 6_000, amends: 1_500, cancels: 1_500, restores: 1_500, forks: 1_500 },
    ...{ clears: 400, parts: 6_000, emptySides: 200 },
  }
  for (const [what, count] of Object.entries(seen))
    expect(count, what).toBeGreaterThan(
      share * (Object.entries(least).find(([name]) => name === what)?.[1] ?? 0),
    )
  expect(seen.restores).toBeGreaterThan(100)
  expect([...causes.keys()].sort()).toEqual(['crossing', 'none', 'through', 'turn'])
  for (const [cause, count] of causes) expect(count, cause).toBeGreaterThan(100)
})
