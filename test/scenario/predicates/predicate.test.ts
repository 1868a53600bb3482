import fc from 'fast-check'
import { expect, it } from 'vitest'
import { evaluatePredicate, observe } from '../../../src/scenario/predicates/evaluate-predicate.ts'
import type { Value } from '../../../src/scenario/predicates/exact.ts'
import {
  addExact,
  compareExact,
  exact,
  exactFromText,
  exactToText,
  multiplyExact,
} from '../../../src/scenario/predicates/exact.ts'
import { parsePredicate } from '../../../src/scenario/predicates/parse-predicate.ts'
import type { Names, Readout, ReadoutSource } from '../../../src/scenario/predicates/readouts.ts'

const names: Names = {
  assets: new Map([
    ['BTC', 1],
    ['ETH', 2],
  ]),
  accounts: new Map([['acme', 3]]),
  orders: new Set(['bid', 'c-far']),
  quotes: new Set(['q1']),
  labels: new Set(['news']),
  apiKeys: new Set(['k1']),
}

/** BTC trades at 50000.10, acme has 0.3 USD of which 0.1 is locked; the order `bid` is open, `c-far` does not exist. */
const source: ReadoutSource = {
  read: (readout: Readout): Value => {
    if (readout.family === 'price') return exact(5_000_010, 2)
    if (readout.family === 'balance') {
      return exact(
        new Map([
          ['total', 3],
          ['locked', 1],
          ['available', 2],
        ]).get(readout.field) ?? 0,
        1,
      )
    }
    if (readout.family === 'order') return readout.label === 'bid' ? 'open' : null
    if (readout.family === 'market') return true
    return exact(90_500, 3)
  },
  listRows: () => [],
}

const holds = (text: string): boolean | null => {
  const parsed = parsePredicate(text, names)
  if (!parsed.ok) throw new Error(`${parsed.offset}: ${parsed.reason}`)
  return evaluatePredicate(parsed.value, source)
}

it.each([
  ['price.BTC.mid == 50000.1', true],
  ['price.BTC.mid != 50000.10', false],
  ['price.BTC.mid > 5e4 and price.BTC.mid < 50001', true],
  ['not price.BTC.mid > 5e4', false],
  ['not not price.BTC.mid > 5e4', true],
  // 0.1 + 0.2 == 0.3 is false in doubles; here it is exact.
  [
    'account[acme].balance.USD.total == account[acme].balance.USD.available + account[acme].balance.USD.locked',
    true,
  ],
  ["order[bid].status == 'open'", true],
  ['order[bid].status in ["filled", \'open\']', true],
  ["order[bid].status in ['filled']", false],
  ['market.BTC.halted', true],
  ['not market.BTC.halted or false', false],
  ['clock between [90, 91]', true],
  ['abs(1 - 3) * 2 + 1 == 5', true],
  ['abs(price.BTC.mid * -1) == price.BTC.mid', true],
  ['2 + 3 * 4 == 14 and (2 + 3) * 4 == 20', true],
  ['-2 < -1', true],
  ['1 < 2 or 1 > 2 and 1 > 2', true],
  // What does not exist is unknown, and so is any expression with it, unless the other side decides.
  ["order[c-far].status == 'open'", null],
  ["order[c-far].status == 'open' and 1 > 2", false],
  ["order[c-far].status == 'open' or 1 < 2", true],
  ["not order[c-far].status == 'open'", null],
  ["order[c-far].status in ['open']", null],
])('%s is %s', (text, value) => {
  expect(holds(text)).toBe(value)
})

it.each([
  ['price.BTC.mid = 5', 14, '"=" is not known here', '=='],
  ['price.BTC.mid > 5 && true', 18, '"&&" is not known here', 'and'],
  [
    'price.BTC.mid / 2 > 5',
    14,
    'there is no division, so that results are exact; multiply the other side',
    null,
  ],
  ['price.BCT.mid > 5', 6, 'unknown asset "BCT"', 'BTC'],
  ['price.BTC.mdi > 5', 10, 'unknown field "mdi"', 'mid'],
  [
    'price.BTC > 5',
    6,
    'a field must follow: bid, ask, mid, last, mark, open, high24h, low24h, volume24h, change24h',
    null,
  ],
  ['order[bdi].status == 1', 0, 'no order is called "bdi"; an action\'s "as" gives it its name', 'bid'],
  ['order.bid.status == 1', 0, 'a label in brackets must follow, as in order[first].status', null],
  ['order[bid].status == 1', 18, 'a text cannot be compared with a number', null],
  ["order[bid].status < 'open'", 18, 'a text has no order; use == or !=', null],
  ['order[bid', 5, 'the bracket that opens here is not closed', null],
  ['account[acme].balence.USD.total > 1', 14, 'unknown field "balence"', 'balance'],
  ['requests[k].count > 1', 0, '"k" is not a method and path, a key or an account', 'k1'],
  ['requests[PATH /api/sdk/quotes/*].count > 1', 0, '"PATH" is not a method of a request', 'PATCH'],
  ['requests[get /api/sdk/orders].count > 1', 0, '"get" is not a method of a request', 'GET'],
  [
    'requests.count > 1',
    0,
    'requests must follow in brackets, as in requests[POST /api/sdk/orders].count',
    null,
  ],
  ['order[*].status == 1', 16, 'a text cannot be compared with a number', null],
  [
    "order[*].status == 'open' and fill.asset == 'BTC'",
    0,
    'a predicate runs over orders, quotes or fills, not over two of them',
    null,
  ],
  [
    'orders.opne.count > 1',
    0,
    'unknown count "orders.opne.count": known are orders.count, orders.open.count, orders.byClientId.duplicates, quotes.count, quotes.live.count, fills.count',
    'orders.open.count',
  ],
  ['metrics[acme].pnll > 1', 14, 'unknown figure "pnll"', 'pnl'],
  ['happened[nwes]', 0, 'no action has the id "nwes"', 'news'],
  [
    'account[acme].lockedByLiveQuotes > 1',
    14,
    'an asset must follow, as in account[acme].lockedByLiveQuotes.BTC',
    null,
  ],
  ['price.BTC.mid', 0, 'this is a value; compare it with something', null],
  ['1 < 2 < 3', 6, 'comparisons do not chain; join two with "and"', null],
  ['1 < 2 and 3', 10, '"and" joins comparisons, and this is a value', null],
  ["'a' + 1 == 2", 4, '"+" needs a number on both sides', null],
  ['1 <', 3, 'a value is missing at the end', null],
  ['(1 < 2', 6, 'a ")" is missing', null],
  ['1 < 2)', 5, '")" does not belong here', null],
  ["'open", 0, "the text that begins here has no closing '", null],
  ['5bps > 1', 0, 'numbers have no unit here; write a plain decimal', null],
  ['min(1) > 1', 0, 'unknown function "min"', null],
  ['1 in []', 2, 'the list after "in" is empty', null],
  ['price.BTC.mid § 1', 14, '"§" is not known here', null],
  ['', 0, 'a value is missing at the end', null],
])('refuses %j at %i', (text, offset, reason, nearest) => {
  const parsed = parsePredicate(text, names)
  expect(parsed).toMatchObject({ ok: false, offset, reason, nearest })
})

it('refuses endless nesting and endless text', () => {
  expect(parsePredicate(`${'('.repeat(500)}1 < 2`, names)).toMatchObject({ ok: false })
  expect(parsePredicate(`${'1 < 2 and '.repeat(500)}1 < 2`, names)).toMatchObject({ ok: false, offset: 0 })
})

it('reports the values of a failed predicate, each read-out once', () => {
  const parsed = parsePredicate(
    "order[bid].status == 'filled' and price.BTC.mid > 1 and price.BTC.mid < 2 and order[c-far].price > 1",
    names,
  )
  if (!parsed.ok) throw new Error(parsed.reason)
  expect(observe(parsed.value, source, 'some').values).toBe(
    "order[bid].status = 'open', price.BTC.mid = 50000.1, order[c-far].price = nothing yet",
  )
})

it('answers every text, and never throws', () => {
  const words = fc.array(
    fc.constantFrom(
      'price.BTC.mid',
      'order[bid].status',
      'and',
      'or',
      'not',
      'in',
      '(',
      ')',
      '[',
      ']',
      '1',
      "'x'",
      '==',
      '<',
      '+',
      '*',
      '-',
      'abs',
      ',',
      'between',
      '.',
      '$',
    ),
    { maxLength: 25 },
  )
  fc.assert(
    fc.property(words, (parts) => {
      const text = parts.join(' ')
      const parsed = parsePredicate(text, names)
      if (parsed.ok) expect([true, false, null]).toContain(evaluatePredicate(parsed.value, source))
      else expect(parsed.offset).toBeLessThanOrEqual(text.length)
    }),
    { seed: 7, numRuns: 3000 },
  )
})

it('calculates exactly, like integers scaled by hand', () => {
  const number = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }))
  fc.assert(
    fc.property(number, number, ([a, aScale], [b, bScale]) => {
      const [left, right] = [exact(a, aScale), exact(b, bScale)]
      const to24 = (units: bigint, scale: number): bigint => units * 10n ** BigInt(24 - scale)
      const difference = to24(a, aScale) - to24(b, bScale)
      expect(compareExact(left, right)).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0)
      expect(compareExact(addExact(left, right), exact(to24(a, aScale) + to24(b, bScale), 24))).toBe(0)
      expect(compareExact(multiplyExact(left, right), exact(a * b, aScale + bScale))).toBe(0)
      expect(exactFromText(exactToText(left))).toSatisfy(
        (back) => back !== null && compareExact(back, left) === 0,
      )
    }),
    { seed: 7, numRuns: 500 },
  )
})
