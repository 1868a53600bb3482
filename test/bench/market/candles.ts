import { createMarket } from '../../../src/market/create-market.ts'
import type { Candle } from '../../../src/market/recordings/candle.ts'
import { createStream } from '../../../src/numeric/random.ts'

const startMillis = 1_767_571_200_000

/** Minute candles as a CSV text, as an exchange's archive has them. */
export function candleText(minutes: number): string {
  const stream = createStream('7', 'candles', '', 0)
  const rows = ['open_time,open,high,low,close,volume']
  let price = 50_000
  for (let minute = 0; minute < minutes; minute += 1) {
    const open = price
    price = open * (1 + 7e-4 * stream.normal())
    const [top, bottom] = [Math.max(open, price), Math.min(open, price)]
    const fields = [open, top * 1.0002, bottom * 0.9998, price].map((value) => value.toFixed(2))
    rows.push(`${startMillis + minute * 60_000},${fields.join(',')},${stream.uniform().toFixed(4)}`)
    price = Number(fields[3])
  }
  return rows.join('\n')
}

export function splitRows(text: string): readonly (readonly string[])[] {
  return text.split('\n').map((row) => row.split(','))
}

/** Reads every minute's price and prints of a replay. */
export function replayAll(candles: readonly Candle[]): number {
  const market = createMarket({
    seed: '7',
    startMillis,
    gridMillis: 60_000,
    assets: [
      {
        symbol: 'BTC',
        price: 1,
        model: { kind: 'replay', candles, gaps: 'hold', noiseVol: 0 },
        flow: { kind: 'none' },
      },
    ],
  })
  let sum = 0
  for (let minute = 1; minute <= candles.length; minute += 1) {
    sum += market.fundamentalAt(0, minute)
    const prints = market.recordedPrints(0, minute - 1, minute)
    for (let row = 0; row < prints.count; row += 1) sum += prints.quantity.get(row)
  }
  return sum
}
