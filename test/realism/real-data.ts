import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Candle } from '../../src/market/recordings/candle.ts'
import { listCandles } from '../../src/market/recordings/candle-table.ts'
import { readTable } from '../../src/market/recordings/recording.ts'
import { computeHourFigures } from '../../src/metrics/realism/facts.ts'
import { dayFigures, pairFigures, seasonFigures } from './long-facts.ts'
import { Sample } from './sample.ts'

/*
 * The same figures of recorded hours, from a folder of candle files that is not part of the project and is named by
 * TEST_RECORDINGS: BTC (2018 to 2022), SOL (2020 on) and ETH (2022), with a window per year.
 */

export interface RealMarket {
  readonly bitcoin: Sample
  readonly solana: Sample
  readonly pairs: ReadonlyMap<string, Sample>
}

export function measureReal(folder: string): RealMarket {
  const bitcoin = readHours(folder, 'BTC-USD_cdd_1h_2018_2022.csv.gz')
  const solana = readHours(folder, 'SOLUSDT_1h_2020_2026_novolume.csv.gz')
  const [btc2022, eth2022] = ['BTC', 'ETH'].map((symbol) =>
    readHours(folder, `${symbol}USDT_1h_open_2022.csv.gz`),
  )
  const pairs = new Map<string, Sample>()
  if (btc2022 !== undefined && eth2022 !== undefined) pairs.set('BTC-ETH', together(btc2022, eth2022))
  pairs.set('BTC-SOL', together(bitcoin, solana))
  return { bitcoin: sampleOf(bitcoin), solana: sampleOf(solana), pairs }
}

type Hours = ReadonlyMap<number, number>

const hourMillis = 3_600_000
const yearHours = 8_760

/** Log returns of hours, by their first instant. */
function readHours(folder: string, name: string): Hours {
  const file = join(folder, 'hourly', name)
  if (!existsSync(file)) throw new Error(`TEST_RECORDINGS has no hourly/${name}`)
  const text = gunzipSync(readFileSync(file)).toString('utf8')
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','))
  const table = readTable({ rows, hasSemicolons: false, firstRowNumber: 1 }, { columns: { volume: 'none' } })
  if (table.kind === 'trades' || table.problem !== null)
    throw new Error(`hourly/${name}, row ${table.problem?.row}: ${table.problem?.message}`)
  return new Map(
    listCandles(table.candles).map((candle: Candle) => [
      candle.atMillis,
      Math.log(candle.close / candle.open),
    ]),
  )
}

function sampleOf(hours: Hours): Sample {
  const sample = new Sample()
  const returns = Float64Array.from(hours.values())
  const begin = [...hours.keys()][0] ?? 0
  for (let from = 0; from + yearHours <= returns.length; from += yearHours) {
    const year = returns.subarray(from, from + yearHours)
    sample.add(computeHourFigures(year))
    sample.add(dayFigures(year, 24))
  }
  sample.add(seasonFigures(returns, begin, hourMillis))
  return sample
}

function together(left: Hours, right: Hours): Sample {
  const sample = new Sample()
  const both = [...left.keys()].filter((at) => right.has(at))
  sample.add(
    pairFigures(
      both.map((at) => left.get(at) ?? 0),
      both.map((at) => right.get(at) ?? 0),
    ),
  )
  return sample
}
