import { expect, it } from 'vitest'
import { findEmptyJudgement, followsFrom } from '../../../src/scenario/predicates/find-constant.ts'
import { parsePredicate } from '../../../src/scenario/predicates/parse-predicate.ts'
import type { Names } from '../../../src/scenario/predicates/readouts.ts'

const names: Names = {
  assets: new Map([
    ['BTC', 1],
    ['ETH', 2],
  ]),
  accounts: new Map([['acme', 3]]),
  orders: new Set(['bid', 'ask']),
  quotes: new Set(['q1']),
  labels: new Set(['news']),
  apiKeys: new Set(['k1']),
}

const findReason = (text: string): string | null => findEmptyJudgement(listParts(text))?.reason ?? null

const findFollowing = (from: string, to: string): boolean => followsFrom(listParts(to), listParts(from))

function listParts(text: string) {
  const parsed = parsePredicate(text, names)
  if (!parsed.ok) throw new Error(`${text}: ${parsed.reason}`)
  return parsed.value.parts
}

const mid = 'price.BTC.mid'
const status = 'order[bid].status'

it.each([
  '1 < 2',
  '(2 + 2) * 2 == 8',
  "'open' == 'filled'",
  'true',
  `${mid} > 1 and 1 > 2`,
  `${mid} > 1 and false`,
  '1 < 2 and 2 < 3',
])('sees that %s looks at nothing', (text) => {
  expect(findReason(text)).toMatch(/^looks at nothing/)
})

it.each([
  `${mid} == ${mid}`,
  `${mid} <= ${mid}`,
  `${mid} - ${mid} == 0`,
  `${mid} < ${mid} + 1`,
  `-${mid} > -1 - ${mid}`,
  `(${mid} + 1) * 2 == 2 * ${mid} + 2`,
  `price.ETH.mid * ${mid} == ${mid} * price.ETH.mid`,
  `${mid} in [1, ${mid}]`,
  `abs(${mid}) >= 0`,
  `${mid} * ${mid} > -1`,
  `${mid} < 5 or ${mid} >= 5`,
  `${mid} > 5 or ${mid} <= 7`,
  `not (${mid} > 5 and ${mid} < 4)`,
  `${status} == ${status}`,
  `${status} == 'open' or ${status} != 'open'`,
  `${status} == 'open' or not ${status} == 'open'`,
  `${mid} > 1 or 1 < 2`,
  'clock >= 0',
  'clock > -1',
  'clock * 2 + 1 > 0',
  'account[acme].openOrders >= 0',
  'metrics[acme].fills >= 0',
  `order[bid].status == order[ask].status or order[ask].status != order[bid].status`,
])('sees that nothing can break %s', (text) => {
  expect(findReason(text)).toMatch(/^holds whatever the venue does/)
})

it.each([
  `${mid} != ${mid}`,
  `${mid} > 5 and ${mid} < 4`,
  `${status} == 'open' and ${status} == 'filled'`,
  `abs(${mid}) < 0`,
  'clock < 0',
  `order[*].price < order[*].price`,
])('sees that %s holds at no time', (text) => {
  expect(findReason(text)).toMatch(/^holds at no time/)
})

it.each([
  'clock > 0',
  'clock >= 1',
  '-clock >= 0',
  `clock >= ${mid}`,
  `clock - 5 >= 0`,
  `${mid} > 5`,
  `${mid} == price.ETH.mid`,
  `${mid} < price.ETH.mid + 1`,
  `${mid} > 5 or ${mid} < 5`,
  `${mid} > 5 or ${mid} <= 4`,
  `abs(${mid}) > 0`,
  `abs(${mid} - 5) <= 0`,
  `${mid} * price.ETH.mid >= 0`,
  `${status} != 'open' or ${mid} > 1`,
  `${status} in ['open', 'filled']`,
  `order[bid].status == order[ask].status`,
  `fill.price >= 1`,
  `fill.asset == 'BTC' and ${mid} > 1`,
  `not (${mid} > 5 and ${mid} < 6)`,
  `${mid} > 1 and 1 < 2`,
  `${mid} > 7 and abs(${mid} - 1) >= 0`,
])('leaves what the venue decides: %s', (text) => {
  expect(findReason(text)).toBeNull()
})

it.each([
  [`${mid} > 2`, `${mid} > 1`],
  [`${status} == 'open'`, `${status} == 'open'`],
  [`${status} == 'open' and ${mid} > 1`, `${status} in ['open', 'filled']`],
  [`${mid} > 1 and 1 < 2`, `${mid} > 0 and clock >= 0`],
  ["order[*].status == 'open'", "order[*].status != 'filled'"],
])('sees that from %s follows %s', (from, to) => {
  expect(findFollowing(from, to)).toBe(true)
})

it.each([
  [`${mid} > 1`, `${mid} > 2`],
  [`${status} == 'open'`, `${status} == 'filled'`],
  [`${status} == 'open'`, 'order[ask].status == "open"'],
  [`${mid} > 1`, `${mid} > 1 and price.ETH.mid > 1`],
  ['clock > 5', `${status} == 'filled' and 1 < 2`],
  // What holds at no time is told by itself.
  [`${mid} != ${mid}`, `${mid} > 1`],
])('leaves that %s leads to %s, which the venue decides', (from, to) => {
  expect(findFollowing(from, to)).toBe(false)
})

it('gives up on what is too large to tell, and always ends', () => {
  const product = Array.from({ length: 60 }, () => `(${mid} + 1)`).join(' * ')
  expect(findReason(`${product} == 1`)).toBeNull()
  const many = Array.from({ length: 40 }, (_, bound) => `${mid} * ${bound + 1} + price.ETH.mid > 1`).join(
    ' or ',
  )
  expect(findReason(many)).toBeNull()
  expect(findReason(`${Array.from({ length: 9 }, () => '1e-400').join(' * ')} * ${mid} == 1`)).toBeNull()
})
