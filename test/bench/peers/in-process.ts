import { backtest } from '../../../src/backtest/backtest.ts'
import type { BacktestResult, ParameterValues } from '../../../src/backtest/result.ts'
import { defineStrategy, type Strategy } from '../../../src/backtest/strategy.ts'
import { readRecordingFile } from '../../../src/cli/recordings/read-recording.ts'
import { listCandles } from '../../../src/market/recordings/candle-table.ts'
import { bisectPlaces } from '../../../src/numeric/columns.ts'
import { formatDuration } from '../../../src/numeric/time-text.ts'
import { loadScenarioValue } from '../../../src/scenario/load-tree.ts'
import { orderContenders, stillMarket } from '../backtest/contenders.ts'
import { grademarkOver, longWhile } from '../backtest/grademark.ts'
import emaCross from './ema-cross.ts'
import type { PeerReport } from './report.ts'

/*
 * What runs in Node: ours with default settings, ours with a bid that follows the price, ours without fees, spread and
 * impact, grademark, and ours that do little but send orders. Arguments: which, the recording, how often, and for `orders`
 * the contender. Prints what it found as one line of JSON.
 */

const [work = '', file = '', loops = '1', sender = ''] = process.argv.slice(2)
const read = readRecordingFile(file)
if (!read.ok) throw new Error(read.reason)
const candles = listCandles(read.candles)
const [first] = candles
if (first === undefined) throw new Error(`${file}: there are no candles`)
const barMillis = first.spanMillis
const bar = formatDuration(barMillis)

/** A bid at half of the price, moved at each bar: something is always in the book, so that no time is idle. */
const follower = defineStrategy({
  name: 'follower',
  bar,
  state: () => ({ orderId: '' }),
  /** A crash may reach even that. */
  onFill({ state }) {
    state.orderId = ''
  },
  onBar({ state, sync }, { asset, close }) {
    const price = Math.round(close * 50) / 100
    if (state.orderId === '') {
      const order = { asset, side: 'buy', quantity: 10, orderType: 'limit', price } as const
      state.orderId = sync.orders.create(order).orderId
    } else sync.orders.amend(state.orderId, { price })
  },
})

const cash = 10_000_000
const play: Readonly<Record<string, () => Promise<Partial<PeerReport>>>> = {
  cross: () => ours(emaCross, { bar }),
  resting: () => ours(follower, {}),
  plain: () => withoutCosts(),
  grademark: async () => grademarkCross(),
  orders: () => sendOrders(),
}
const barsPerSecond: number[] = []
let found: Partial<PeerReport> = {}
for (let loop = 0; loop < Number(loops); loop += 1) {
  const before = process.cpuUsage()
  found = (await play[work]?.()) ?? {}
  const { system, user } = process.cpuUsage(before)
  barsPerSecond.push(candles.length / ((user + system) / 1e6))
}
const report: PeerReport = {
  bars: candles.length,
  barsPerSecond,
  trades: 0,
  equity: 0,
  ...found,
}
console.log(JSON.stringify(report))

async function ours(strategy: Strategy, parameters: ParameterValues): Promise<Partial<PeerReport>> {
  return told(await backtest(strategy, { candles, market: { cash }, parameters }))
}

/** At the prices of the recording to a millionth of a dollar: a ladder's two sides are a step from its mid. */
async function withoutCosts(): Promise<Partial<PeerReport>> {
  const { atMillis, open, spanMillis } = first ?? { atMillis: 0, open: 0, spanMillis: 0 }
  const document = {
    version: 1,
    name: 'plain',
    clock: { start: new Date(atMillis).toISOString(), grid: `${Math.min(spanMillis / 4, 3_600_000)}ms` },
    market: {
      flow: { kind: 'none' },
      impact: 'none',
      assets: {
        BTC: {
          price: open,
          pair: { priceStep: '0.000001', quantityStep: '0.0001' },
          model: { kind: 'replay', data: 'candles' },
          liquidity: { kind: 'flat', spreadBps: 0, levelUsd: 1e9, levels: 1 },
        },
      },
    },
    fees: { makerBps: 0, takerBps: 0 },
    accounts: [{ id: 'desk', balances: { USD: cash }, limits: { maxOrderValue: 1e8, maxDailyVolume: 1e9 } }],
  }
  const loaded = loadScenarioValue(document, { readCandles: () => ({ ok: true, candles }) })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const endMillis = (candles.at(-1)?.atMillis ?? atMillis) + spanMillis
  const to = `${endMillis - atMillis}ms`
  return told(await backtest(emaCross, { scenario: loaded.value, to, parameters: { bar } }))
}

function told({ equity, fills }: BacktestResult): Partial<PeerReport> {
  return {
    trades: Math.ceil(fills.length / 2),
    equity: equity.equity.at(-1) ?? 0,
    // In a gap of the recording others wait for its next candle, while an order here trades at once.
    fills: fills.map(({ atMillis, price }) => {
      const next = bisectPlaces(candles.length, (place) => Number(candles[place]?.atMillis) >= atMillis)
      return [candles[next]?.atMillis ?? atMillis, price] as const
    }),
  }
}

async function sendOrders(): Promise<Partial<PeerReport>> {
  const contenders = orderContenders(stillMarket(candles), candles.length)
  const contender = contenders.find(({ name }) => name === sender)
  if (contender === undefined) throw new Error(`${sender} is none of ${contenders.map(({ name }) => name)}`)
  return contender.play()
}

function grademarkCross(): Partial<PeerReport> {
  const trades = grademarkOver(candles)({ ...longWhile(crossOfAverages), fees: () => 0.1 })
  return { trades: trades.length, equity: trades.reduce((sum, { profit }) => sum + profit, cash) }
}

function crossOfAverages(): (close: number) => boolean {
  let [fast, slow, count] = [0, 0, 0]
  return (close) => {
    fast += (count === 0 ? 1 : 2 / 21) * (close - fast)
    slow += (count === 0 ? 1 : 2 / 61) * (close - slow)
    count += 1
    return count >= 60 && fast > slow
  }
}
