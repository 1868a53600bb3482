import { beforeEach, describe, expect, it } from 'vitest'
import { buy, sell } from '../../src/engine/codes.ts'
import type { EventSink } from '../../src/engine/events.ts'
import { AccountRecorder } from '../../src/metrics/account-recorder.ts'
import { TradeRecorder } from '../../src/metrics/trade-recorder.ts'
import type { Float64Column } from '../../src/numeric/columns.ts'
import {
  alice,
  bob,
  btc,
  eth,
  hourMillis,
  SmallVenue,
  startMillis,
  usd,
} from '../engine/fixtures/small-venue.ts'

/* Alice begins with 1,000,000 USD, 10 BTC at 50,000 and 100 ETH at 2,000: 1,700,000 USD. */

let sink: EventSink | null = null
let small: SmallVenue
let trades: TradeRecorder
let recorder: AccountRecorder

beforeEach(() => {
  sink = null
  small = new SmallVenue({}, { emit: (...event) => sink?.emit(...event) })
  small.trade(alice, buy, btc, 50_000, 0.5)
  trades = new TradeRecorder(small.state, () => 7)
  sink = trades
  recorder = new AccountRecorder(small.state, alice, trades)
})

const listed = (column: Float64Column): readonly number[] => [...column.slice(recorder.points.count)]
const lastTrade = (): number => small.state.fills.count - 1

it('adds a point for each sample, with what the account has and the marks', () => {
  recorder.sample(small.state)
  small.trade(alice, buy, btc, 51_000, 2)
  small.movePrice(eth, 2_500)
  small.advance(1_000)
  recorder.sample(small.state)
  const { atMillis, cashAtoms, equityAtoms, flowAtoms, markTicks, positionAtoms } = recorder.points
  expect([atMillis, equityAtoms, flowAtoms, cashAtoms].map(listed)).toEqual([
    [startMillis, startMillis + 1_000],
    [usd(1_700_000), usd(873_000 + 12.5 * 50_000 + 250_000)],
    [0, 0],
    [usd(975_000), usd(873_000)],
  ])
  expect(markTicks.map(listed)).toEqual([
    [5_000_000, 5_000_000],
    [200_000, 250_000],
  ])
  expect(positionAtoms.map(listed)).toEqual([
    [10.5e8, 12.5e8],
    [100e8, 100e8],
  ])
})

it('knows the fills and transfers since it began, and which point a flow belongs to', () => {
  recorder.sample(small.state)
  const before = small.state.fills.count
  small.transfer('deposit', alice, 0, usd(100))
  recorder.refresh(small.state)
  small.transfer('withdraw', alice, 0, usd(30))
  small.trade(bob, buy, btc, 50_000, 1)
  small.advance(1_000)
  recorder.sample(small.state)
  small.advance(1_000)
  recorder.sample(small.state)
  expect(listed(recorder.points.flowAtoms)).toEqual([0, usd(70), 0])
  expect(recorder.transfers).toHaveLength(2)
  // Alice was the maker, whose fill comes first.
  expect(recorder.fills).toEqual([before])
})

describe('the last point', () => {
  it('replaces one of the same instant, flows until then included', () => {
    recorder.sample(small.state)
    small.advance(1_000)
    small.transfer('deposit', alice, 0, usd(100))
    recorder.sample(small.state)
    small.trade(alice, sell, btc, 50_000, 1)
    small.transfer('deposit', alice, 0, usd(5))
    recorder.sampleEnd(small.state)
    const { atMillis, cashAtoms, count, flowAtoms } = recorder.points
    expect(count).toBe(2)
    expect(listed(atMillis)).toEqual([startMillis, startMillis + 1_000])
    expect(listed(flowAtoms)).toEqual([0, usd(105)])
    expect(listed(cashAtoms)).toEqual([usd(975_000), usd(1_025_105)])
  })

  it('is added if the newest one is earlier, and beside the first one, from which the profit counts', () => {
    recorder.sample(small.state)
    recorder.sampleEnd(small.state)
    expect(listed(recorder.points.atMillis)).toEqual([startMillis, startMillis])
    small.advance(500)
    recorder.sampleEnd(small.state)
    expect(listed(recorder.points.atMillis)).toEqual([startMillis, startMillis, startMillis + 500])
  })
})

describe('the marks after a fill', () => {
  it('are those after each horizon, once that has passed', () => {
    small.trade(alice, buy, btc, 50_000, 1)
    small.advance(500)
    small.movePrice(btc, 50_100)
    small.advance(500)
    recorder.refresh(small.state)
    // After 0 s and 1 s; 5 s have not passed yet.
    expect([0, 1, 2].map((horizon) => recorder.markAfter(0, horizon))).toEqual([5_000_000, 5_010_000, null])
    small.movePrice(btc, 50_300)
    small.advance(4_000)
    recorder.refresh(small.state)
    expect(recorder.markAfter(0, 2)).toBe(5_030_000)
    small.advance(hourMillis)
    recorder.refresh(small.state)
    expect([3, 4, 5, 6].map((horizon) => recorder.markAfter(0, horizon))).toEqual(Array(4).fill(5_030_000))
    expect([recorder.markAfter(1, 0), recorder.markAfter(0, 7)]).toEqual([null, null])
  })

  it('come with the mark at the arrival of its order', () => {
    small.place(alice, buy, btc, 49_000, 1)
    const rested = small.state.orders.count - 1
    small.advance(2_000)
    small.movePrice(btc, 48_000)
    small.advance(2_000)
    recorder.refresh(small.state)
    small.place(bob, sell, btc, 49_000, 1)
    recorder.refresh(small.state)
    expect([recorder.arrivalTicks(rested), recorder.arrivalTicks(rested + 1)]).toEqual([5_000_000, null])
    expect(trades.markTicks(lastTrade())).toBe(4_800_000)
  })
})

it('takes the mark at an order’s first trade as its arrival mark, though the mark moves at that instant', () => {
  small.advance(1_000)
  small.trade(alice, buy, btc, 50_000, 1)
  small.movePrice(btc, 51_000)
  small.place(alice, buy, btc, 100, 1)
  recorder.refresh(small.state)
  const last = small.state.orders.count - 1
  expect(small.state.markTicks.get(btc)).toBe(5_100_000)
  expect([recorder.arrivalTicks(last - 1), recorder.arrivalTicks(last)]).toEqual([5_000_000, 5_100_000])
})

describe('the trade recorder', () => {
  it('knows the other side, the cause and the command of both fills', () => {
    small.trade(alice, buy, btc, 50_000, 1)
    const taken = lastTrade()
    const orders = small.state.orders.count
    expect([trades.other(taken - 1), trades.other(taken)]).toEqual([orders - 1, orders - 2])
    for (const fill of [taken - 1, taken]) {
      expect(trades.cause(fill)).toBe('order')
      expect([trades.markTicks(fill), trades.sequenceOf(fill)]).toEqual([5_000_000, 7])
      expect(trades.volumeBefore(fill)).toEqual({ steps: 0, tickSteps: 0 })
    }
    small.trade(alice, sell, btc, 50_000, 2)
    expect(trades.volumeBefore(lastTrade())).toEqual({ steps: 10_000, tickSteps: 10_000 * 5_000_000 })
    small.trade(alice, sell, eth, 2_000, 1)
    expect(trades.volumeBefore(lastTrade())).toEqual({ steps: 0, tickSteps: 0 })
  })

  it('knows nothing of what was filled before it listened', () => {
    expect(trades.markTicks(0)).toBeNull()
    expect(trades.volumeBefore(0)).toBeNull()
    expect([trades.other(0), trades.sequenceOf(0)]).toEqual([-1, 0])
  })
})
