import { describe, expect, it } from 'vitest'
import { findConfigProblem } from '../../../src/engine/check-config.ts'
import { buy, sell } from '../../../src/engine/codes.ts'
import { findQueuePlace } from '../../../src/engine/reports/queue-place.ts'
import { statistics24h } from '../../../src/engine/reports/statistics.ts'
import { shownPrices, topOfBook } from '../../../src/engine/reports/top-of-book.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { type BookRow, makeRecordedBook } from '../../../src/market/books/make-recorded-book.ts'
import { millis, partsPerMillion, priceTicks } from '../../../src/numeric/units.ts'
import { ann, bob, coin, createRecordedConfig, RecordedVenue } from './recorded-venue.ts'

const at = 1_767_571_200_000
const bid = (after: number, ticks: number, steps: number): BookRow => row(after, 1, 0, ticks, steps)
const ask = (after: number, ticks: number, steps: number): BookRow => row(after, 1, 1, ticks, steps)
const bought = (after: number, ticks: number, steps: number): BookRow => row(after, 2, 0, ticks, steps)
const sold = (after: number, ticks: number, steps: number): BookRow => row(after, 2, 1, ticks, steps)

function row(after: number, kind: number, side: number, ticks: number, steps: number): BookRow {
  return { atMillis: at + after, kind, side, priceTicks: ticks, quantitySteps: steps }
}

/** Bids at 99 and 98, asks at 101 and 102, with 10 and 20 steps. */
const opening: readonly BookRow[] = [bid(0, 99, 10), bid(0, 98, 20), ask(0, 101, 10), ask(0, 102, 20)]
const venueOf = (rows: readonly BookRow[], options = {}) =>
  new RecordedVenue(makeRecordedBook([...opening, ...rows]), options)

const fillsOf = ({ state: { fills } }: RecordedVenue) =>
  Array.from({ length: fills.count }, (_, fill) => ({
    order: fills.order.get(fill),
    after: fills.atMillis.get(fill) - at,
    ticks: fills.priceTicks.get(fill),
    steps: fills.quantitySteps.get(fill),
    cause: fills.cause.get(fill),
    behind: fills.joinedBehindSteps.get(fill),
    traded: fills.takenByTradesSteps.get(fill),
    left: fills.leftByLawSteps.get(fill),
    row: fills.bookRow.get(fill),
  }))

describe('what a client takes', () => {
  it('stays taken until a row changes the quantity of its level', () => {
    const venue = venueOf([ask(10, 101, 10), ask(20, 102, 20), ask(30, 101, 12)])
    venue.place(ann, buy, 0, 4)
    expect(venue.levels(sell)[0]).toEqual([101, 6])
    venue.place(ann, buy, 101, 100, true)
    expect(venue.levels(sell)).toEqual([[102, 20]])
    venue.advanceTo(at + 20)
    expect(venue.levels(sell)).toEqual([[102, 20]])
    venue.advanceTo(at + 30)
    expect(venue.levels(sell)).toEqual([
      [101, 12],
      [102, 20],
    ])
  })

  it('is there again at once in the reference', () => {
    const venue = venueOf([], { like: 'hftbacktest' })
    venue.place(ann, buy, 0, 15)
    venue.place(ann, buy, 0, 15)
    expect(venue.levels(sell)[0]).toEqual([101, 10])
    expect(fillsOf(venue).map(({ ticks, steps }) => [ticks, steps])).toEqual([
      [101, 10],
      [102, 5],
      [101, 10],
      [102, 5],
    ])
  })
})

describe('fills', () => {
  it('tell by what turn an order was filled, with exact sums', () => {
    // 10 ahead: trades take 3, then 4 leave by the law, then a trade of 5 brings 2 to the order.
    const venue = venueOf([sold(10, 99, 3), bid(10, 99, 7), bid(20, 99, 3), sold(30, 99, 5), bid(30, 99, 0)])
    venue.place(ann, buy, 99, 9)
    venue.advanceTo(at + 100)
    expect(fillsOf(venue)).toEqual([
      { order: 0, after: 30, ticks: 99, steps: 2, cause: 1, behind: 10, traded: 6, left: 4, row: 7 },
    ])
  })

  it.each([
    ['shown', 4],
    ['whole', 9],
  ])('where a trade goes through are of what was traded, or whole: %s', (fills, steps) => {
    const venue = venueOf([sold(10, 98, 4)], { fills })
    venue.place(ann, buy, 99, 9)
    venue.advanceTo(at + 100)
    expect(fillsOf(venue).map((fill) => [fill.steps, fill.ticks, fill.cause])).toEqual([[steps, 99, 2]])
    expect(statistics24h(venue.state, coin).volumeSteps).toBe(steps)
  })

  it.each([
    ['shown', [3, 2, 4]],
    ['whole', [9]],
  ])('where the other side crosses are of what it shows, or whole: %s', (fills, steps) => {
    const venue = venueOf([ask(10, 99, 3), ask(20, 98, 2), ask(30, 98, 40)], { fills })
    venue.place(ann, buy, 99, 9)
    venue.advanceTo(at + 100)
    const expected = steps.map((part) => [part, 99, 3])
    expect(fillsOf(venue).map((fill) => [fill.steps, fill.ticks, fill.cause])).toEqual(expected)
  })

  it('share a trade by place, then time', () => {
    const venue = venueOf([sold(10, 99, 13), bid(20, 99, 8), sold(30, 99, 4)])
    venue.place(ann, buy, 99, 2)
    venue.place(bob, buy, 99, 5)
    venue.advanceTo(at + 100)
    expect(fillsOf(venue).map(({ after, order, steps }) => [after, order, steps])).toEqual([
      [10, 0, 2],
      [10, 1, 1],
      [30, 1, 4],
    ])
  })

  it('go by time where the shares of a law have left two orders equal but for the dust of doubles', () => {
    // Both stand behind all that is shown after the cut: the older one at 130,727 steps, the other 1.5e-11 before.
    const rows = [
      ...[bid(10, 99, 415_000), bid(20, 99, 416_626), bid(30, 99, 416_647), bid(40, 99, 416_626)],
      ...[sold(50, 99, 336), sold(51, 99, 2_000), bid(60, 99, 414_290), bid(70, 99, 130_727)],
      sold(80, 99, 131_000),
    ]
    const book = makeRecordedBook([bid(0, 99, 416_000), ask(0, 101, 10), ...rows])
    const venue = new RecordedVenue(book, { queue: { law: 'power3', exponent: 3 }, fills: 'whole' })
    venue.place(ann, buy, 99, 200)
    venue.advanceTo(at + 20)
    venue.place(bob, buy, 99, 200)
    venue.advanceTo(at + 75)
    const [older = 0, newer = 0] = [0, 1].map((order) => venue.ladder.queue.placeOf(order).ahead)
    expect(Math.abs(older - newer)).toBeLessThan(1e-6)
    venue.advanceTo(at + 100)
    expect(fillsOf(venue).map(({ order, steps }) => [order, steps])).toEqual([
      [0, 200],
      [1, 73],
    ])
  })

  it('of a taker meet what stands before a client at its price first', () => {
    const venue = venueOf([])
    venue.place(ann, sell, 101, 6)
    venue.place(bob, buy, 101, 13)
    expect(fillsOf(venue).map(({ order, steps }) => [order, steps])).toEqual([
      [1, 10],
      [0, 3],
      [1, 3],
    ])
  })
})

describe('places', () => {
  it('beyond the record stand behind what their level first shows', () => {
    const venue = venueOf([bid(10, 90, 7)])
    venue.place(ann, buy, 90, 5)
    expect(findQueuePlace(venue.state, 0)).toMatchObject({ isBeyond: true, aheadSteps: 0 })
    venue.advanceTo(at + 10)
    expect(findQueuePlace(venue.state, 0)).toEqual({
      law: 'riskAverse',
      isBeyond: false,
      aheadSteps: 7,
      joinedBehindSteps: 7,
      takenByTradesSteps: 0,
      leftByLawSteps: 0,
      shownSteps: 7,
    })
  })

  it('stay through a clear, and the next row at their level is a change from nothing', () => {
    const venue = venueOf([row(10, 3, 2, 0, 0), bid(20, 99, 4), bid(30, 99, 50)])
    venue.place(ann, buy, 99, 5)
    venue.advanceTo(at + 10)
    expect(findQueuePlace(venue.state, 0)).toMatchObject({ aheadSteps: 10, shownSteps: 0 })
    venue.advanceTo(at + 30)
    expect(findQueuePlace(venue.state, 0)).toMatchObject({ aheadSteps: 4, leftByLawSteps: 6, shownSteps: 50 })
  })

  it('of orders that have ended, or in markets without a record, are not there', () => {
    const venue = venueOf([])
    venue.place(ann, buy, 99, 5)
    venue.cancel(0)
    expect(findQueuePlace(venue.state, 0)).toBe(null)
  })
})

describe('conditions act on what is shown', () => {
  const set = (venue: RecordedVenue, change: object): void => {
    venue.venue.execute({
      kind: 'set-liquidity',
      at: venue.venue.now,
      asset: coin,
      conditions: { spreadMultiplier: 1, depthMultiplier: 1, sides: 'both', ...change },
      isStale: 'isStale' in change,
      forMillis: millis(0),
    })
  }

  it.each([
    [
      { depthMultiplier: 0.25 },
      [
        [99, 3],
        [98, 5],
      ],
      [
        [101, 3],
        [102, 5],
      ],
    ],
    [{ depthMultiplier: 0.04 }, [[98, 1]], [[102, 1]]],
    [
      { spreadMultiplier: 5 },
      [
        [95, 10],
        [94, 20],
      ],
      [
        [105, 10],
        [106, 20],
      ],
    ],
    [
      { spreadMultiplier: 0 },
      [
        [99, 10],
        [98, 20],
      ],
      [
        [101, 10],
        [102, 20],
      ],
    ],
    [
      { sides: 'asks' },
      [],
      [
        [101, 10],
        [102, 20],
      ],
    ],
    [{ sides: 'none' }, [], []],
  ])('%j', (change, bids, asks) => {
    const venue = venueOf([])
    set(venue, change)
    expect([venue.levels(buy), venue.levels(sell)]).toEqual([bids, asks])
  })

  it('a stale book stands still, fills nobody, and jumps to the present when that ends', () => {
    const venue = venueOf([sold(10, 98, 30), bid(20, 99, 0), ask(30, 99, 4)])
    venue.place(ann, buy, 99, 9)
    set(venue, { isStale: true })
    venue.advanceTo(at + 50)
    expect([venue.levels(buy)[0], fillsOf(venue)]).toEqual([[99, 10], []])
    venue.restore()
    set(venue, {})
    expect(venue.levels(buy)[0]).toEqual([98, 20])
    expect(fillsOf(venue).map(({ after, cause, steps }) => [after, cause, steps])).toEqual([[50, 3, 4]])
  })

  it('a halted pair only moves places, and what crossed matches when it resumes', () => {
    const venue = venueOf([sold(10, 99, 30), ask(20, 99, 4)])
    venue.place(ann, buy, 99, 9)
    venue.venue.execute({
      kind: 'halt',
      at: venue.venue.now,
      asset: coin,
      mode: 'rest',
      forMillis: millis(0),
    })
    venue.advanceTo(at + 50)
    expect(fillsOf(venue)).toEqual([])
    expect(findQueuePlace(venue.state, 0)).toMatchObject({ aheadSteps: 0, takenByTradesSteps: 10 })
    venue.venue.execute({ kind: 'resume', at: venue.venue.now, asset: coin })
    expect(fillsOf(venue).map(({ after, cause, steps }) => [after, cause, steps])).toEqual([[50, 3, 4]])
  })
})

describe('prices', () => {
  it('are the mid at the instants of the grid, and the last trade', () => {
    const venue = venueOf([bid(500, 97, 3), bid(500, 99, 0), bid(500, 98, 0), bought(1_500, 101, 2)])
    expect([venue.state.markTicks.get(coin), venue.state.lastTicks.get(coin)]).toEqual([100, 0])
    venue.advanceTo(at + 500)
    expect(topOfBook(venue.state, coin)).toEqual({ bidTicks: 97, askTicks: 101, midHalfTicks: 198 })
    expect(venue.state.markTicks.get(coin)).toBe(100)
    venue.advanceTo(at + 1_500)
    expect([venue.state.markTicks.get(coin), venue.state.lastTicks.get(coin)]).toEqual([99, 101])
  })

  it('of a start within the recording come from what was before', () => {
    const rows = [bought(1_000, 101, 2), sold(90_000, 99, 3), bid(3_600_000, 97, 5), bid(3_600_001, 96, 5)]
    const venue = venueOf(rows, { startMillis: at + 3_600_000 })
    expect(venue.levels(buy).map(([ticks]) => ticks)).toEqual([99, 98, 97])
    expect(venue.state.lastTicks.get(coin)).toBe(99)
    expect(statistics24h(venue.state, coin)).toMatchObject({
      volumeSteps: 5,
      trades: 2,
      highHalfTicks: 202,
      lowHalfTicks: 198,
    })
    expect(shownPrices(venue.state, coin)).toEqual({ bidTicks: 99, askTicks: 101 })
  })

  it.each([
    {
      kind: 'move-price',
      points: [{ offsetMillis: millis(0), priceTicks: priceTicks(90) }],
      noiseVol: partsPerMillion(0),
    },
    { kind: 'bend-price', volMultiplier: partsPerMillion(1), drift: partsPerMillion(0) },
    { kind: 'switch-model', model: { kind: 'constant' } },
  ] as const)('cannot be moved: $kind', (command) => {
    const venue = venueOf([])
    const before = venue.venue.digest()
    const outcome = venue.venue.execute({ ...command, at: venue.venue.now, asset: coin })
    expect(outcome).toEqual({ ok: false, rejection: { code: 'price-is-recorded' } })
    expect(venue.venue.digest()).toBe(before)
  })

  it('of a gap halt the pair, if gaps do', () => {
    const venue = venueOf([bid(200_000, 97, 5)], { model: { gaps: 'halt' } })
    venue.advanceTo(at + 100_000)
    expect(venue.state.byAsset[coin]?.isHaltedByRecording).toBe(true)
    venue.advanceTo(at + 200_000)
    expect(venue.state.byAsset[coin]?.isHaltedByRecording).toBe(false)
  })
})

describe('a configuration is refused', () => {
  const book = makeRecordedBook([...opening, bid(200_000, 97, 5)])

  it.each([
    ['whose pair has other steps', { model: { tickUsd: 0.1 } }, 'in other steps than those of the pair'],
    [
      'with invented takers',
      { flow: { kind: 'poisson', ratePerMinute: 1, medianUsd: 1, sizeSd: 1 } },
      'takers are recorded, or none',
    ],
    ['whose gaps are to fail', { model: { gaps: 'fail' } }, 'has no row for 200 s'],
  ] as const)('%s', (_, options, message) => {
    expect(findConfigProblem(createRecordedConfig(book, options))?.message).toContain(message)
  })

  it('with the snapshot of another recording', () => {
    const snapshot = venueOf([]).venue.snapshot()
    expect(() => Venue.restore(createRecordedConfig(book), snapshot, { emit: () => undefined })).toThrow(
      'the recorded book is the one of the snapshot',
    )
  })
})

it('two books are worked off in the order of time, and each instant in the order of the file', () => {
  const told: string[] = []
  const rows = [bought(10, 101, 1), ask(10, 101, 9), bought(10, 101, 2), bought(11, 102, 3)]
  const sink = {
    emit: (type: number, ...rest: readonly number[]) =>
      void (type === 14 && told.push(rest.slice(3, 5).join('x'))),
  }
  const venue = new RecordedVenue(makeRecordedBook([...opening, ...rows]), {}, sink)
  venue.venue.execute({ kind: 'advance', at: millis(at + 20) })
  expect(told).toEqual(['101x1', '101x2', '102x3'])
})
