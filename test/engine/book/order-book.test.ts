import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ClientBook, RestingTable } from '../../../src/engine/book/order-book.ts'
import type { Side } from '../../../src/engine/codes.ts'
import { buy, sell } from '../../../src/engine/codes.ts'

interface Resting {
  readonly row: number
  readonly side: Side
  readonly ticks: number
  steps: number
}

/** More prices than a new book has room for, and several rows at most of them. */
const ops = fc.array(
  fc.record({
    kind: fc.constantFrom('rest', 'rest', 'rest', 'remove', 'reduce'),
    side: fc.constantFrom<Side>(buy, sell),
    ticks: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 100_000 })),
    steps: fc.integer({ min: 2, max: 9 }),
    which: fc.nat(),
  }),
  { minLength: 150, maxLength: 400, size: 'max' },
)

it('is a list of rows by price and then by time', () => {
  fc.assert(
    fc.property(ops, (drawn) => {
      const table = new RestingTable()
      table.reserve(drawn.length)
      const book = new ClientBook(table)
      const rows: Resting[] = []
      for (const [row, { kind, side, ticks, steps, which }] of drawn.entries()) {
        const chosen = rows[which % rows.length]
        if (kind === 'rest' || chosen === undefined) {
          book.rest(row, side, ticks, steps)
          rows.push({ row, side, ticks, steps })
        } else if (kind === 'remove') {
          book.remove(chosen.row)
          rows.splice(rows.indexOf(chosen), 1)
          expect(table.isResting(chosen.row)).toBe(false)
        } else if (chosen.steps > 1) {
          book.reduce(chosen.row, 1)
          chosen.steps -= 1
        }
      }
      for (const side of [buy, sell] as const) expect(readLevels(book, side)).toEqual(expected(rows, side))
    }),
    { seed: 7, numRuns: 40 },
  )
})

type Level = readonly [ticks: number, steps: number, rows: readonly (readonly [number, number])[]]

function readLevels(book: ClientBook, side: Side): readonly Level[] {
  const levels: Level[] = []
  book.visitLevels(side, (ticks, steps, head) => {
    const rows: (readonly [number, number])[] = []
    for (let row = head; row >= 0; row = book.rowAfter(row)) rows.push([row, book.stepsOf(row)])
    levels.push([ticks, steps, rows])
    return true
  })
  expect([book.bestTicks(side), book.bestRow(side)]).toEqual([
    levels[0]?.[0] ?? -1,
    levels[0]?.[2][0]?.[0] ?? -1,
  ])
  return levels
}

function expected(rows: readonly Resting[], side: Side): readonly Level[] {
  const own = rows.filter((resting) => resting.side === side)
  const prices = [...new Set(own.map(({ ticks }) => ticks))].sort((left, right) =>
    side === buy ? right - left : left - right,
  )
  return prices.map((price) => {
    const queue = own.filter(({ ticks }) => ticks === price)
    const steps = queue.reduce((sum, resting) => sum + resting.steps, 0)
    return [price, steps, queue.map((resting) => [resting.row, resting.steps] as const)]
  })
}
