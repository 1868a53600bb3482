import { describe, expect, it } from 'vitest'
import { Venue } from '../../../src/engine/venue.ts'
import { millis } from '../../../src/numeric/units.ts'
import { runScenario } from '../../../src/scenario/run/run-scenario.ts'
import { Script } from '../../../src/scenario/run/script.ts'
import { load, scenarioWith } from '../fixtures.ts'

const start = 1_767_571_200_000

/** Which entries acted, when in seconds since the start, and why they were refused. */
function acts(lines: string): readonly string[] {
  const scenario = load(scenarioWith(lines))
  const venue = Venue.open(scenario.venue, { emit: () => {} })
  const script = new Script(scenario)
  const told: string[] = []
  script.runTo(venue, millis(start + 3_600_000), ({ at, id, action }, problem) => {
    const name = id ?? (action.kind === 'note' ? action.text : action.kind)
    told.push(`${(at - start) / 1000} ${name}${problem === null ? '' : ` ${problem}`}`)
  })
  return told
}

describe('triggers', () => {
  it('act at their instants, and within an instant in the order of the file', () => {
    expect(
      acts(`timeline:
  - {at: +10s, note: b}
  - {at: +5s, note: a}
  - {at: +10s, note: c}`),
    ).toEqual(['5 a', '10 b', '10 c'])
  })

  it('repeat from their first instant to their last, both included', () => {
    expect(
      acts(`timeline:
  - {every: {each: 2s, from: +1s, to: +5s}, id: beat, note: x}
  - {at: beat+1.5s, note: after}
  - {every: 40m, note: long}`),
    ).toEqual(['0 long', '1 beat', '2.5 after', '3 beat', '5 beat', '2400 long'])
  })

  it('act once when a predicate becomes true, or each time', () => {
    const lines = (once: string) => `timeline:
  - {every: {each: 10s, from: +5s, to: +25s}, path: {asset: BTC, price: 60000}}
  - {every: {each: 10s, from: +10s, to: +30s}, path: {asset: BTC, price: 50000}}
  - {when: price.BTC.mark > 55000, ${once}id: high, note: x}
  - {at: high+2s, note: later}`
    const marked = (once: string) => acts(lines(once)).filter((act) => !act.endsWith('path'))
    expect(marked('')).toEqual(['5 high', '7 later'])
    expect(marked('once: false, ')).toEqual(['5 high', '7 later', '15 high', '25 high'])
  })

  it('act at the start where the predicate holds from the start, and never where it never holds', () => {
    expect(
      acts(`timeline:
  - {when: price.BTC.mark == 50000, note: now}
  - {when: price.BTC.mark == 1, note: never}`),
    ).toEqual(['0 now'])
  })

  it('are evaluated on the grid, and whenever the script acts', () => {
    expect(
      acts(`timeline:
  - {when: clock >= 3.5, note: grid}
  - {at: +7.25s, order: {as: o, account: alice, side: sell, asset: BTC, quantity: 1, price: 60000}}
  - {when: "order[o].status == 'open'", note: at once}
  - {when: "happened[done]", note: chained}
  - {at: +9s, id: done, note: x}`),
    ).toEqual(['4 grid', '7.25 order', '7.25 at once', '9 done', '9 chained'])
  })

  it('end a repetition at a label whose time is only known in the run', () => {
    expect(
      acts(`timeline:
  - {when: clock >= 4, id: stop, note: x}
  - {every: {each: 1s, from: +1s, to: stop+2s}, note: beat}`),
    ).toEqual(['1 beat', '2 beat', '3 beat', '4 beat', '4 stop', '5 beat', '6 beat'])
  })
})

describe('actions', () => {
  const run = (lines: string) => runScenario(load(scenarioWith(lines)))
  const failures = (lines: string) => run(lines).failures.map(({ expected, got }) => `${expected} | ${got}`)

  it.each([
    ['path by price', 'path: {asset: BTC, price: 40000}', 'price.BTC.mark == 40000'],
    ['path by shock over time', 'path: {asset: BTC, shock: -10%, over: 10s}', 'price.BTC.mark == 45000'],
    [
      'path by waypoints',
      'path: {asset: BTC, waypoints: [[+1s, 51000], [+2s, 52000]]}',
      'price.BTC.mark == 52000',
    ],
    ['halt', 'halt: {asset: BTC, mode: rest}', "market.BTC.halted and market.BTC.status == 'active'"],
    ['halt that ends', 'halt: {asset: "*", for: 5s}', 'not market.BTC.halted'],
    ['pair status', 'pair: {asset: BTC, set: {status: inactive}}', "market.BTC.status == 'inactive'"],
    [
      'deposit',
      'deposit: {account: alice, asset: BTC, quantity: 2}',
      'account[alice].balance.BTC.total == 12',
    ],
    [
      'withdrawal that waits',
      'withdraw: {account: alice, asset: USD, quantity: 5, pending: 1h}',
      'account[alice].balance.USD.pendingWithdrawal == 5',
    ],
    [
      'order',
      'order: {as: o, account: alice, side: buy, asset: BTC, quantity: 1, price: -1%}',
      "order[o].status == 'open' and orders.open.count == 1",
    ],
    [
      'quote',
      'quote: {as: q, account: alice, asset: BTC, bidPrice: 49000, askPrice: 51000, bidSize: 1, askSize: 2, validForSeconds: 300}',
      "quote[q].status == 'active' and account[alice].lockedByLiveQuotes.BTC == 2 and quotes.live.count == 1",
    ],
    ['note', 'note: x', 'clock > 0'],
  ])('%s', (_, action, holds) => {
    expect(failures(`timeline: [{at: +1s, ${action}}]\nexpect: [{at: +15s, that: "${holds}"}]`)).toEqual([])
  })

  it('amend and cancel by label', () => {
    expect(
      failures(`timeline:
  - {at: +1s, order: {as: o, account: alice, side: buy, asset: BTC, quantity: 1, price: 40000}}
  - {at: +2s, amend: {order: o, quantity: 2, price: 41000}}
  - {at: +3s, cancel: {order: o}}
  - {at: +1s, order: {as: p, account: alice, side: sell, asset: BTC, quantity: 1, price: 60000}}
  - {at: +4s, cancel: {account: alice, side: sell}}
expect:
  - {at: +2s, that: 'order[o].quantity == 2 and order[o].price == 41000'}
  - {at: end, that: "order[o].status == 'cancelled' and order[p].status == 'cancelled'"}`),
    ).toEqual([])
  })

  it('settle one transfer by label, or all of an account', () => {
    const { failures: found, refusals } = run(`timeline:
  - {at: +1s, deposit: {as: first, account: alice, asset: BTC, quantity: 1, pending: 10m}}
  - {at: +1s, deposit: {account: alice, asset: USD, quantity: 5, pending: 10m}}
  - {at: +1s, withdraw: {account: alice, asset: USD, quantity: 7, pending: 10m}}
  - {at: +2s, settle: {transfer: first}}
  - {at: +3s, settle: {account: alice, asset: USD}}
  - {at: +4s, settle: {transfer: first}}
expect:
  - {at: +2s, that: 'account[alice].balance.BTC.total == 11 and account[alice].balance.USD.pendingDeposit == 5'}
  - {at: +3s, that: 'account[alice].balance.USD.total == 999998 and account[alice].balance.USD.pendingWithdrawal == 0'}`)
    expect(found.map(({ got }) => got)).toEqual([])
    expect(refusals.map(({ problem }) => problem)).toEqual(['transfer-terminal'])
  })

  it('keep what is refused to a transfer apart from an order of its name', () => {
    const { failures: found } = run(`timeline:
  - {at: +1s, order: {as: x, account: alice, side: buy, asset: BTC, quantity: 1, price: 40000}}
  - {at: +2s, withdraw: {as: x, account: alice, asset: USD, quantity: 100000000}}
expect:
  - {at: end, that: "order[x].refusal != 'pair-inactive'"}`)
    expect(found.map(({ got }) => got.replace(/ at .*/, ''))).toEqual(['order[x].refusal = nothing yet'])
  })

  it('change the bounds of a pair, which then refuse orders', () => {
    const { refusals } = run(`timeline:
  - {at: +1s, pair: {asset: BTC, set: {minQuantity: 2, maxQuantity: 3, minNotional: 10}}}
  - {at: +2s, order: {account: alice, side: sell, asset: BTC, quantity: 1, price: 60000}}
  - {at: +3s, order: {account: alice, side: sell, asset: BTC, quantity: 2, price: 60000}}
  - {at: +4s, order: {account: alice, side: sell, asset: BTC, quantity: 4, price: 60000}}`)
    expect(refusals.map(({ entry }) => (entry.at - start) / 1000)).toEqual([2, 4])
  })

  it("send a taker against an account's best order, at most for its remaining quantity", () => {
    const { failures: found, refusals } = run(`timeline:
  - {at: +1s, order: {as: far, account: alice, side: sell, asset: BTC, quantity: 1, price: 60000}}
  - {at: +1s, quote: {as: q, account: alice, asset: BTC, bidPrice: 49000, askPrice: 51000, bidSize: 1, askSize: 2, validForSeconds: 300}}
  - {at: +2s, agentOrder: {kind: taker, asset: BTC, side: buy, quantity: 1.5, target: {account: alice}}}
  - {at: +3s, agentOrder: {kind: taker, asset: BTC, side: buy, quantity: 100, target: {account: alice}}}
  - {at: +4s, agentOrder: {kind: taker, asset: BTC, side: sell, quantity: 100, target: {account: alice}}}
  - {at: +5s, agentOrder: {kind: taker, asset: BTC, side: sell, quantity: 1, target: {account: alice}}}
expect:
  - {at: +2s, that: "quote[q].askFilled == 1.5 and quote[q].status == 'partially_filled'"}
  - {at: +4s, that: "quote[q].status == 'filled' and order[far].status == 'open'"}
  - {always: "fills.count == account[alice].fills"}`)
    expect(found.map(({ got }) => got)).toEqual([])
    expect(refusals.map(({ problem }) => problem)).toEqual(['nothing-to-meet'])
  })

  it("follow another asset's path with a beta", () => {
    const text = `version: 1
name: beta
clock: {end: 1m}
market: {flow: {kind: none}, assets: {BTC: {price: 50000, model: {kind: constant}}, ETH: {price: 2000, model: {kind: constant}}}}
timeline:
  - {at: +1s, id: news, path: {asset: BTC, waypoints: [[+10s, -10%], [+20s, -5%]]}}
  - {at: news, path: {asset: ETH, betaTo: BTC, beta: 2}}
  - {at: +40s, path: {asset: ETH, betaTo: BTC}}
`
    const { state, refusals } = runScenario(load(text))
    // Twice the logarithm of 0.95.
    expect(state.markTicks.get(2)).toBe(Math.round(200_000 * 0.95 * 0.95))
    expect(refusals.map(({ problem }) => problem)).toEqual(['no-path-to-follow'])
  })
})

describe('agents', () => {
  const lines = `agents:
  - {id: maker, kind: market_maker, account: alice, asset: BTC, starts: never, params: {every: 1s, spreadBps: 20, skewBps: 0, validFor: 1m}}
timeline:
  - {at: +10s, agent: {id: maker, start: true}}
  - {at: +20s, agent: {id: maker, set: {spreadBps: 100}}}
  - {at: +30s, agent: {id: maker, stop: true}}
expect:
  - {at: +9s, that: quotes.count == 0}
  - {at: +19s, that: "quote[*].askPrice == 50050"}
  - {at: +22s, that: "quote[*].askPrice == 50250"}
  - {at: +29s, that: quotes.live.count == 1}
  - {at: end, that: quotes.live.count == 0}
`

  it('start, change and stop by the timeline', () => {
    const { failures, refusals } = runScenario(load(scenarioWith(lines)))
    expect(failures.map(({ expected, got }) => `${expected} | ${got}`)).toEqual([])
    expect(refusals).toEqual([])
  })
})

describe('bending a model', () => {
  const marks = (action: string, kind = 'gbm, vol: 0.8', lines = '') => {
    const scenario = load(`version: 1
name: bend
clock: {end: 1h, grid: 1s}
market: {flow: {kind: none}, impact: none, assets: {BTC: {price: 50000, model: {kind: ${kind}}, liquidity: {kind: none}}}}
timeline:
  - {at: +10m, ${action === '' ? 'note: x' : `path: {asset: BTC, ${action}}`}}
${lines}`)
    const venue = Venue.open(scenario.venue, { emit: () => {} })
    const script = new Script(scenario)
    return [600, 1200, 1800, 3600].map((seconds) => {
      script.runTo(venue, millis(start + seconds * 1000), () => {})
      return venue.state.markTicks.get(1)
    })
  }
  const own = marks('')
  const [from = 0] = own

  it('multiplies the logarithmic moves from the present price on', () => {
    expect(marks('volX: 1')).toEqual(own)
    const twice = own.map((ticks) => Math.round(from * (ticks / from) ** 2))
    const off = marks('volX: 2').map((ticks, index) => Math.abs(ticks - (twice[index] ?? 0)))
    expect(Math.max(...off)).toBeLessThanOrEqual(4)
  })

  it('can make the price constant, add a drift, or change the volatility', () => {
    expect(marks('model: {kind: constant}')).toEqual([from, from, from, from])
    expect(marks('volX: 0, drift: 100').at(-1)).toBe(Math.round(from * Math.exp((100 * 3000) / 31_536_000)))
    expect(marks('model: {kind: gbm, vol: 0.8}')).toEqual(own)
    expect(marks('model: {kind: gbm, vol: 1.6}')).not.toEqual(own)
    expect(marks('drift: 50', 'constant').at(-1)).toBe(
      Math.round(5_000_000 * Math.exp((50 * 3000) / 31_536_000)),
    )
  })

  it('ends at the next path or price, from which the model continues', () => {
    const [at = 0, , , end = 0] = own
    const later = marks('volX: 3', 'gbm, vol: 0.8', `  - {at: +10m, path: {asset: BTC, price: ${at / 100}}}`)
    expect(later.at(-1)).toBe(end)
  })
})
