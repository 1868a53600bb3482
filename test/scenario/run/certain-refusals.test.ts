import { describe, expect, it } from 'vitest'
import { findCertainRefusals } from '../../../src/scenario/run/certain-refusals.ts'
import { runScenario } from '../../../src/scenario/run/run-scenario.ts'
import { createShippedLibrary } from '../../../src/world/shipped/shipped-scenarios.ts'
import { load } from '../fixtures.ts'

const scenario = (timeline: string, more = '') => `version: 1
name: probe
clock: {start: 2026-01-05T00:00:00Z, end: 1h}
market:
  flow: {kind: none}
  assets:
    BTC: {price: 50000, model: {kind: constant}, liquidity: {kind: none},
          pair: {priceStep: 1, quantityStep: 0.001, minQuantity: 0.01, maxQuantity: 10, minPrice: 10, minNotional: 100}}
    ETH: {price: 3000, liquidity: {kind: none}, pair: {status: inactive}}
accounts: [{id: alice, balances: {USD: 1000000, BTC: 10}, limits: {maxOrderSize: {BTC: 5}, maxOrderValue: 100000}}]
${more}
timeline:
${timeline}`

const order = (fields: string) => `order: {as: a, account: alice, side: buy, asset: BTC, ${fields}}`
const quote = (fields: string) => `quote: {as: q, account: alice, asset: BTC, ${fields}}`
const good = order('quantity: 0.1, price: 49000')

const doomed: readonly (readonly [string, readonly string[]])[] = [
  [
    quote('bidPrice: 50000, askPrice: 50000, bidSize: 1, askSize: 1'),
    ['bidPrice must be lower than askPrice'],
  ],
  [quote('bidPrice: +1%, askPrice: -1%, bidSize: 1, askSize: 1'), ['bidPrice must be lower than askPrice']],
  [
    quote('bidPrice: 49000, askPrice: 50000, bidSize: 0, askSize: 0'),
    ['bidSize and askSize must not both be 0'],
  ],
  [quote('bidPrice: -1%, askPrice: +1%, bidSize: 0, askSize: 11'), ['askSize must be at most 10']],
  [quote('bidPrice: 1, askPrice: 50000, bidSize: 1, askSize: 0'), ['bidPrice must be at least 10']],
  [order('quantity: 0.001, price: 49000'), ['quantity must be at least 0.01']],
  [order('quantity: 11, orderType: market'), ['quantity must be at most 10']],
  [order('quantity: 1, price: 9'), ['price must be at least 10']],
  [order('quantity: 0.01, price: 50'), ['quantity must be worth at least 100 USD']],
  [order('quantity: 6, price: 10000'), ['order size 6 exceeds the limit of 5']],
  [order('quantity: 3, price: 40000'), ['order value 120000 USD exceeds the limit of 100000 USD']],
  [
    'order: {account: alice, side: buy, asset: ETH, quantity: 1, price: 3000}',
    ['asset has a trading pair that is inactive'],
  ],
]
const entries = (...actions: readonly string[]) =>
  actions.map((action, index) => `  - {at: +${index + 1}s, ${action}}`).join('\n')
const reasonsIn = (text: string) => findCertainRefusals(load(text)).map(({ reason }) => reason)

describe('actions that the venue is certain to refuse', () => {
  it.each(doomed)('%s', (action, reasons) => {
    const text = scenario(entries(action))
    expect(reasonsIn(text)).toEqual(reasons)
    const { refusals } = runScenario(load(text))
    expect(refusals.map(({ reason }) => reason)).toEqual(reasons)
  })

  it.each<[readonly string[], string]>([
    [
      [
        order('quantity: 0.1, price: 49000, clientOrderId: x'),
        order('quantity: 0.1, price: 49000, clientOrderId: x').replace('as: a', 'as: b'),
      ],
      'the account has used the client id "x" before',
    ],
    [['cancel: {order: a}', good], 'there is no order "a" yet: it comes later (line 14)'],
    [
      ['amend: {quote: q, bidSize: 1}', quote('bidPrice: -1%, askPrice: +1%, bidSize: 1, askSize: 1')],
      'there is no quote "q" yet: it comes later (line 14)',
    ],
    [
      [order('quantity: 0.1, orderType: market'), 'amend: {order: a, quantity: 1}'],
      '"a" is a market order, which never rests',
    ],
  ])('%j', (actions, reason) => {
    const text = scenario(entries(...actions))
    expect(reasonsIn(text)).toEqual([reason])
    expect(runScenario(load(text)).refusals).toHaveLength(1)
  })

  it('include a repeated order with one client id', () => {
    const repeated = order('quantity: 0.1, price: 49000, clientOrderId: x')
    expect(reasonsIn(scenario(`  - {every: 1m, ${repeated}}`))).toEqual([
      'the client id "x" is used again at each repetition',
    ])
  })

  it('are reported at the place of their entry', () => {
    const [found] = findCertainRefusals(
      load(scenario(entries(good, order('quantity: 11, price: 100').replace('as: a', 'as: b')))),
    )
    expect(found?.place).toMatchObject({ file: 's.yaml', line: 14 })
  })
})

describe('no warning is given of', () => {
  it.each(doomed)('a refusal that an expectation reads: %s', (action) => {
    const named = action.includes('as:') ? action : action.replace('{', '{as: a, ')
    const label = named.startsWith('quote') ? 'quote[q]' : 'order[a]'
    expect(
      reasonsIn(
        `${scenario(entries(named))}\nexpect: [{at: +1m, that: "${label}.refusal == 'RISK_LIMIT_EXCEEDED'"}]`,
      ),
    ).toEqual([])
  })

  it.each([
    [
      'bounds that change',
      ['pair: {asset: BTC, set: {maxQuantity: 100}}', order('quantity: 11, orderType: market')],
    ],
    [
      'a pair that resumes',
      ['resume: {asset: ETH}', 'order: {account: alice, side: buy, asset: ETH, quantity: 1, price: 3000}'],
    ],
    [
      'limits that change',
      ['limits: {account: alice, set: {maxOrderSize: {BTC: 10}}}', order('quantity: 6, price: 10000')],
    ],
    [
      'balances',
      [order('quantity: 2, price: 45000'), 'withdraw: {account: alice, asset: BTC, quantity: 11}'],
    ],
    ['a second cancellation', [good, 'cancel: {order: a}', 'cancel: {order: a}']],
    ['prices nearly alike', [quote('bidPrice: +0.5bps, askPrice: 0bps, bidSize: 1, askSize: 1')]],
  ])('%s', (_name, actions) => {
    expect(reasonsIn(scenario(entries(...actions)))).toEqual([])
  })

  it('ids used again under a reading that allows that', () => {
    const twice = order('quantity: 0.1, price: 49000, clientOrderId: x')
    const text = scenario(
      entries(twice, twice.replace('as: a', 'as: b')),
      'readings: {clientId.duplicate: allow}',
    )
    expect(reasonsIn(text)).toEqual([])
  })

  it('anything in the shipped scenarios', () => {
    const library = createShippedLibrary()
    for (const name of library.names) {
      const loaded = library.load(name)
      if (loaded?.ok === true) expect([name, findCertainRefusals(loaded.value)]).toEqual([name, []])
    }
  })
})
