import { resolveSource } from '../../src/backtest/source.ts'
import { createMarket } from '../../src/market/create-market.ts'
import { millisToIso } from '../../src/numeric/time-text.ts'

/*
 * The candles that ship as scenarios/data/candles-4h.csv: a year of the model `market`, seed "7", that begins at 10,000 USD.
 * `npx tsx test/build/generate-candles.ts > scenarios/data/candles-4h.csv` writes the file again.
 */

const firstMillis = Date.UTC(2025, 0, 1)
const days = 365
const minutesOfCandle = 240

/** The text of the shipped file of candles. They have no volume, because a price path has no trades. */
export function candlesText(): string {
  const { scenario } = resolveSource({ model: 'market', seed: '7', market: { price: 10_000, grid: '1m' } })
  const market = createMarket(scenario.venue.market)
  const rows = ['time,open,high,low,close']
  for (let candle = 0; candle < (days * 1440) / minutesOfCandle; candle += 1) {
    const first = candle * minutesOfCandle
    const prices = Array.from({ length: minutesOfCandle + 1 }, (_, minute) =>
      market.fundamentalAt(0, first + minute),
    )
    const figures = [prices[0], Math.max(...prices), Math.min(...prices), prices.at(-1)]
    const time = millisToIso(firstMillis + first * 60_000).replace('.000Z', 'Z')
    rows.push([time, ...figures.map((price) => (price ?? 0).toFixed(2))].join())
  }
  return `${rows.join('\n')}\n`
}

if (process.argv[1]?.endsWith('generate-candles.ts') === true) process.stdout.write(candlesText())
