import trend from '../../../scenarios/strategies/trend.ts'
import { backtest } from '../../../src/backtest/backtest.ts'
import type { BacktestResult } from '../../../src/backtest/result.ts'
import { resolveSource } from '../../../src/backtest/source.ts'
import { defineStrategy, type Strategy } from '../../../src/backtest/strategy.ts'
import type { Candle } from '../../../src/market/recordings/candle.ts'
import type { CompiledScenario } from '../../../src/scenario/compile/compiled.ts'
import { grademarkOver, longWhile } from './grademark.ts'
import { orderCommands, orderSender, promisingOrderSender } from './order-commands.ts'

/** The result of one pass: how much was done, so that no contender gets away with doing nothing. */
export interface Outcome {
  /** Orders and quotes that were made; of those that send orders all the time, each amendment and cancel, too. */
  readonly orders: number
  readonly trades: number
}

export interface Contender {
  readonly name: string
  readonly bars: number
  readonly play: () => Promise<Outcome>
}

const fast = 10
const slow = 30

/** The moving-average cross and the idle one as grademark has them. */
export function grademarkContenders(candles: readonly Candle[]): readonly Contender[] {
  const bars = candles.length
  const run = grademarkOver(candles)
  const played = (trades: readonly unknown[]): Outcome => ({
    orders: 2 * trades.length,
    trades: trades.length,
  })
  return [
    { name: 'grademark, cross', bars, play: async () => played(run(longWhile(crossOfAverages))) },
    { name: 'grademark, idle', bars, play: async () => played(run({ entryRule: () => undefined })) },
  ]
}

/** Running sums over rings, as our own strategy has them: a rolling window of data-forge would be slower. */
function crossOfAverages(): (close: number) => boolean {
  const closes = new Float64Array(slow)
  let count = 0
  let fastSum = 0
  let slowSum = 0
  return (close) => {
    fastSum += close - (count >= fast ? (closes[(count - fast) % slow] ?? 0) : 0)
    slowSum += close - (count >= slow ? (closes[count % slow] ?? 0) : 0)
    closes[count % slow] = close
    count += 1
    return count >= slow && fastSum / fast > slowSum / slow
  }
}

const idle = defineStrategy({ name: 'idle', bar: '1m', onBar: () => undefined })

/** One two-sided quote, cancelled and made anew at every bar. */
const quoter = defineStrategy({
  name: 'quoter',
  tick: '1m',
  state: () => ({ quoteId: '' }),
  onTick({ price, state, sync }) {
    const { mid } = price('BTC')
    if (state.quoteId !== '' && sync.quotes.get(state.quoteId).status === 'active')
      sync.quotes.cancel(state.quoteId)
    state.quoteId = sync.quotes.submit(quoteAround(mid)).quoteId
  },
})

const promisingQuoter = defineStrategy({
  name: 'promising-quoter',
  tick: '1m',
  state: () => ({ quoteId: '' }),
  async onTick({ price, state, venue }) {
    const { mid } = price('BTC')
    if (state.quoteId !== '' && (await venue.quotes.get(state.quoteId)).status === 'active') {
      await venue.quotes.cancel(state.quoteId)
    }
    state.quoteId = (await venue.quotes.submit(quoteAround(mid))).quoteId
  },
})

function quoteAround(mid: number) {
  const bidPrice = Math.round(mid * 0.999 * 100) / 100
  const askPrice = Math.round(mid * 1.001 * 100) / 100
  return { asset: 'BTC', bidPrice, askPrice, bidSize: 0.01, askSize: 0.01, validForSeconds: 300 }
}

/** Worlds are kept until the end: when one is collected, V8 drops code that it optimised for it. */
const kept: unknown[] = []

/** Our whole venue underneath: ledger, limits, book, ladder, digest and all figures of the result. */
export function otcsimContenders(scenario: CompiledScenario, bars: number): readonly Contender[] {
  const contender = (name: string, strategy: Strategy, client: Client, parameters = {}): Contender => ({
    name: `otcsim, ${name}`,
    bars,
    async play() {
      const { fills, orders, quotes } = await played(scenario, strategy, bars, client, parameters)
      return { orders: orders.length + quotes.length, trades: fills.length }
    },
  })
  const bar = { bar: '1m', quantity: '0.1' }
  return [
    contender('idle', idle, 'sync'),
    contender('cross', trend, 'sync', bar),
    contender('cross, promises', trend, 'async', bar),
    contender('quoting', quoter, 'sync'),
    contender('quoting, promises', promisingQuoter, 'async'),
  ]
}

/** Of the candles, with a ladder that stands still but for its mid. */
export function stillMarket(candles: readonly Candle[]): CompiledScenario {
  const { scenario } = resolveSource({
    candles,
    market: {
      grid: '1m',
      type: 'margin',
      cash: 10_000_000,
      liquidity: { kind: 'power', spreadBps: 4, depth10bpUsd: 2_000_000, dynamics: 'none' },
    },
  })
  return scenario
}

/** Strategies that do little but send orders, with few and with many at rest. */
export function orderContenders(scenario: CompiledScenario, bars: number): readonly Contender[] {
  return [20, 1000].flatMap((resting) => {
    const contender = (name: string, strategy: Strategy, client: Client): Contender => ({
      name: `otcsim, ${name}`,
      bars,
      async play() {
        const { fills, rejects, sequence } = await played(scenario, strategy, bars, client, {})
        const orders = orderCommands(resting, bars)
        if (rejects.length > 0 || (sequence ?? 0) < orders) throw new Error('every order is carried out')
        return { orders, trades: fills.length }
      },
    })
    return [
      contender(`orders at ${resting}`, orderSender(resting), 'sync'),
      contender(`orders at ${resting}, promises`, promisingOrderSender(resting), 'async'),
    ]
  })
}

type Client = 'sync' | 'async'

async function played(
  scenario: CompiledScenario,
  strategy: Strategy,
  bars: number,
  client: Client,
  parameters: Readonly<Record<string, string>>,
): Promise<BacktestResult> {
  const result = await backtest(strategy, {
    scenario,
    to: `${bars}m`,
    tick: '1m',
    equityGrid: '1d',
    client,
    parameters,
    onWorld: (world) => kept.push(world),
  })
  const { calls } = result
  if (calls['onBar'] !== bars && calls['onTick'] !== bars) throw new Error('every bar is played')
  return result
}
