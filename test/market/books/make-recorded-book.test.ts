import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BookRow, makeRecordedBook } from '../../../src/market/books/make-recorded-book.ts'
import { bookChunkRows, bookRowKinds, bookRowSides } from '../../../src/market/books/recorded-book.ts'
import { createNaiveBook, sortedAsks, sortedBids, workOff } from './naive-book.ts'

const { depth, trade, clear, snapshot } = bookRowKinds
const startMillis = 1_767_571_200_037

/** Prices on both sides of several page limits of 1,024 ticks, so that the next level is looked for across pages. */
const ticks = fc.oneof(
  fc.integer({ min: 1_000, max: 1_060 }),
  fc.integer({ min: 1, max: 9_000 }),
  fc.constantFrom(1, 1_023, 1_024, 1_025, 2_047, 2_048, 2_147_483_647),
)
const quantity = fc.oneof(fc.constantFrom(0, 0.2, 0.5, 0.49, 1.5), fc.integer({ min: 0, max: 50 }))

const row = fc.record({
  afterMillis: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 250 }),
    fc.constantFrom(9_999, 10_000, 11_111),
  ),
  kind: fc.constantFrom(depth, depth, depth, depth, depth, trade, snapshot, clear),
  side: fc.constantFrom(0, 1, 0, 1, 2),
  priceTicks: ticks,
  quantitySteps: quantity,
  isWhole: fc.boolean(),
})

const rows = fc.array(row, { minLength: 1, maxLength: 400 }).map((list) => {
  let atMillis = startMillis
  return list.map(({ afterMillis, kind, side, priceTicks, quantitySteps, isWhole }): BookRow => {
    atMillis += afterMillis
    if (kind === clear)
      return { atMillis, kind, side, priceTicks: isWhole ? 0 : priceTicks, quantitySteps: 0 }
    return { atMillis, kind, side: side % 2, priceTicks, quantitySteps }
  })
})

test('the index of a recorded book tells touches and trades after all rows of each tenth of a second', () => {
  fc.assert(
    fc.property(rows, (list) => {
      const { index, firstMillis, lastMillis, rowCount } = makeRecordedBook(list)
      expect([rowCount, firstMillis, lastMillis]).toEqual([
        list.length,
        list[0]?.atMillis,
        list.at(-1)?.atMillis,
      ])
      expect(index.firstMillis % 100).toBe(0)
      expect(firstMillis - index.firstMillis).toBeLessThan(100)
      const end = index.firstMillis + (index.count - 1) * 100
      expect([end >= lastMillis, end - 100 < lastMillis]).toEqual([true, true])
      const book = createNaiveBook()
      let next = 0
      for (let entry = 0; entry < index.count; entry += 1) {
        const until = index.firstMillis + entry * 100
        const prices: number[] = []
        for (let at = list[next]; at !== undefined && at.atMillis <= until; at = list[next]) {
          workOff(book, at)
          if (at.kind === trade) prices.push(at.priceTicks)
          next += 1
        }
        const told = [
          index.bidTicks[entry],
          index.askTicks[entry],
          index.lastTicks[entry],
          index.tradedSteps[entry],
          index.trades[entry],
          index.highTicks[entry],
          index.lowTicks[entry],
        ]
        const bid = sortedBids(book)[0]?.[0] ?? 0
        const ask = sortedAsks(book)[0]?.[0] ?? 0
        const extremes = prices.length === 0 ? [0, 0] : [Math.max(...prices), Math.min(...prices)]
        expect(told).toEqual([bid, ask, book.lastTicks, book.tradedSteps, book.trades, ...extremes])
      }
    }),
  )
})

test('each chunk of a recorded book comes with the whole book before its first row', () => {
  const list: BookRow[] = []
  let seed = 1
  const draw = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let count = 0; count < 2 * bookChunkRows + 5; count += 1) {
    const side = draw(2)
    const kind = draw(20) === 0 ? trade : draw(5_000) === 0 ? clear : depth
    const priceTicks = kind === clear ? 0 : 60_000 + (side === 0 ? -draw(3_000) : draw(3_000))
    list.push({ atMillis: startMillis + count, kind, side, priceTicks, quantitySteps: draw(4) })
  }
  const recorded = makeRecordedBook(list)
  const book = createNaiveBook()
  for (let number = 0; number < 3; number += 1) {
    const levels = recorded.levels(number)
    expect([...levels.bidTicks].map((ticks, place) => [ticks, levels.bidSteps[place]])).toEqual(
      sortedBids(book),
    )
    expect([...levels.askTicks].map((ticks, place) => [ticks, levels.askSteps[place]])).toEqual(
      sortedAsks(book),
    )
    const chunk = recorded.chunk(number)
    const part = list.slice(number * bookChunkRows, (number + 1) * bookChunkRows)
    expect(chunk.count).toBe(part.length)
    const told = part.map((_, place) => ({
      atMillis: chunk.atMillis[place],
      kind: chunk.kinds[place],
      side: chunk.sides[place],
      priceTicks: chunk.priceTicks[place],
      quantitySteps: chunk.quantitySteps[place],
    }))
    expect(JSON.stringify(told) === JSON.stringify(part)).toBe(true)
    for (const one of part) workOff(book, one)
  }
})

test('the gaps of a recorded book are its spans of ten seconds or more without a row', () => {
  const at = (atMillis: number): BookRow => ({
    atMillis,
    kind: depth,
    side: bookRowSides.bid,
    priceTicks: 1,
    quantitySteps: 1,
  })
  const { gaps } = makeRecordedBook([at(0), at(9_999), at(19_999), at(20_000), at(60_000)])
  expect(gaps).toEqual([
    { fromMillis: 9_999, toMillis: 19_999 },
    { fromMillis: 20_000, toMillis: 60_000 },
  ])
})

test('books of other rows have other hashes', () => {
  const one = { atMillis: 5, kind: depth, side: 0, priceTicks: 7, quantitySteps: 2 }
  const hashes = [one, { ...one, atMillis: 6 }, { ...one, side: 1 }, { ...one, quantitySteps: 2.5 }].map(
    (only) => makeRecordedBook([only]).hash,
  )
  expect(new Set(hashes).size).toBe(4)
  expect(makeRecordedBook([one]).hash).toBe(hashes[0])
})

test.each([
  ['a time that falls', [{ atMillis: 5 }, { atMillis: 4 }], 'in order of time'],
  ['a price of 0', [{ priceTicks: 0 }], 'a count of ticks'],
  ['a price of half a tick', [{ priceTicks: 1.5 }], 'a count of ticks'],
  ['a quantity below 0', [{ quantitySteps: -1 }], 'not negative'],
])('%s is refused', (_, parts, message) => {
  const one = { atMillis: 5, kind: depth, side: 0, priceTicks: 7, quantitySteps: 2 }
  expect(() => makeRecordedBook(parts.map((part) => ({ ...one, ...part })))).toThrow(message)
})
