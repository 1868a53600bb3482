import { backtest } from '../../../src/backtest/backtest.ts'
import { defineStrategy } from '../../../src/backtest/strategy.ts'
import { defaultScenario } from './markets.ts'

const quantities: Readonly<Record<string, number>> = { BTC: 0.5, ETH: 10, SOL: 100 }

/** Buys and sells where the average of twenty hours crosses that of sixty. */
const hourlyCross = defineStrategy({
  name: 'hourly-cross',
  bar: '1h',
  state: () => new Map<string, { fast: number; slow: number; bars: number; isLong: boolean }>(),
  onBar({ state, sync }, { asset, close }) {
    const known = state.get(asset) ?? { fast: close, slow: close, bars: 0, isLong: false }
    state.set(asset, known)
    known.fast += (close - known.fast) * (2 / 21)
    known.slow += (close - known.slow) * (2 / 61)
    known.bars += 1
    if (known.bars <= 60 || known.fast > known.slow === known.isLong) return
    known.isLong = !known.isLong
    const quantity = quantities[asset] ?? 1
    sync.orders.create({ asset, side: known.isLong ? 'buy' : 'sell', quantity, orderType: 'market' })
  },
})

/** A year of three assets by the minute, one strategy on hourly bars. Returns how many fills it had. */
export async function yearBacktest(market: string): Promise<number> {
  const scenario = defaultScenario(['BTC', 'ETH', 'SOL'], '1m', market)
  const { fills } = await backtest(hourlyCross, { scenario, to: '365d' })
  return fills.length
}
