import { describe, expect, it } from 'vitest'
import { makeRecordedBook } from '../../../src/market/books/make-recorded-book.ts'
import type { BookAnswer, BookRequest } from '../../../src/scenario/file/recorded-books.ts'
import { listMistakes, load } from '../fixtures.ts'

const startMillis = Date.UTC(2026, 0, 5, 8)
const book = makeRecordedBook([
  { atMillis: startMillis, kind: 1, side: 0, priceTicks: 2_500, quantitySteps: 5 },
  { atMillis: startMillis, kind: 1, side: 1, priceTicks: 2_504, quantitySteps: 5 },
  { atMillis: startMillis + 3_600_000, kind: 2, side: 1, priceTicks: 2_504, quantitySteps: 5 },
])

const textWith = (asset: string, market = ''): string => `version: 1
name: probe
market: {${market}assets: {BTC: {${asset}}}}
accounts: [{id: alice, balances: {USD: 1000000, BTC: 10}}]
`
const recorded = 'liquidity: {kind: recorded, data: book.csv}'

function reader(answer: Partial<BookAnswer> = {}) {
  const requests: BookRequest[] = []
  const readBook = (request: BookRequest): BookAnswer => {
    requests.push(request)
    const steps = { priceStep: { units: 5, scale: 1 }, quantityStep: { units: 1, scale: 3 } }
    return Object.assign({ ok: true as const, book, ...steps }, answer)
  }
  return { requests, readBook }
}

describe('a scenario with a recorded book', () => {
  it('starts and ends with the book, at its mid, in its steps', () => {
    const { requests, readBook } = reader()
    const scenario = load(textWith(recorded), { readBook })
    expect(requests).toEqual([
      expect.objectContaining({
        symbol: 'BTC',
        book: [{ name: 'book.csv', isParameter: false }],
        trades: [],
        hasTrades: false,
        priceStep: null,
      }),
    ])
    expect([scenario.clock.endMillis, scenario.venue.startMillis]).toEqual([
      startMillis + 3_600_000,
      startMillis,
    ])
    expect(scenario.venue.assets[1]).toMatchObject({
      pair: { priceStep: { units: 5, scale: 1 }, quantityStep: { units: 1, scale: 3 } },
      liquidity: {
        queue: { law: 'riskAverse', exponent: 1 },
        fills: 'shown',
        beyond: 'behind',
        gaps: 'hold',
      },
    })
    expect(scenario.venue.market.assets[0]).toMatchObject({
      price: 1251,
      flow: { kind: 'none' },
      model: { kind: 'book', tickUsd: 0.5, stepUnits: 0.001, gapAfterMillis: 60_000 },
    })
  })

  it('asks for trades where the flow is recorded, and tells the pair that it states', () => {
    const { requests, readBook } = reader()
    const flow = 'flow: {kind: recorded, data: [a.csv, b.csv]}, pair: {priceStep: 0.5}'
    const scenario = load(textWith(`${recorded}, ${flow}`), { readBook })
    expect(scenario.venue.market.assets[0]?.flow).toEqual({ kind: 'recorded' })
    expect(requests[0]).toMatchObject({
      trades: [{ name: 'a.csv' }, { name: 'b.csv' }],
      hasTrades: true,
      priceStep: { units: 5, scale: 1 },
    })
    load(textWith(recorded, 'flow: {kind: recorded}, '), { readBook })
    expect(requests[1]).toMatchObject({ trades: [], hasTrades: true })
  })

  it('has the choices of the reference by one word', () => {
    const like = 'liquidity: {kind: recorded, data: b.csv, queue: {law: log}, like: hftbacktest}'
    expect(load(textWith(like), reader()).venue.assets[1]?.liquidity).toMatchObject({
      like: 'hftbacktest',
      fills: 'whole',
      beyond: 'front',
      queue: { law: 'log' },
    })
  })

  it.each([
    [`${recorded}, model: {kind: constant}`, 'BTC.model: the price of a recorded book is its mid'],
    [`${recorded}, flow: {kind: poisson}`, 'BTC.flow: beside a recorded book, takers are recorded, or none'],
    [
      'price: 5, liquidity: {kind: none}, flow: {kind: recorded}',
      'BTC.flow: recorded takers need a recorded book',
    ],
    ['liquidity: {kind: recorded, data: b.csv, like: hftbacktest, fills: shown}', 'follows from "like"'],
    ['liquidity: {kind: recorded}', 'missing "data"'],
  ])('is refused with %s', (asset, message) => {
    const mistakes = listMistakes(textWith(asset), reader())
    expect(mistakes.filter((text) => text.includes(message))).toHaveLength(1)
  })

  it('is refused without a reader, with what the reader says, and with a gap if gaps are to fail', () => {
    expect(listMistakes(textWith(recorded))).toEqual([
      expect.stringContaining('liquidity.data: "book.csv" is not read here'),
    ])
    const unread = { readBook: () => ({ ok: false as const, reason: 'is cut off at line 7', file: 1 }) }
    const files = 'liquidity: {kind: recorded, data: [a.csv, b.csv]}'
    expect(listMistakes(textWith(files), unread)).toEqual([
      expect.stringContaining('liquidity.data[1]: is cut off at line 7'),
    ])
    const failing = 'liquidity: {kind: recorded, data: b.csv, gaps: fail}'
    expect(listMistakes(textWith(failing), reader()).join()).toContain('has no row for 3600 s')
  })
})
