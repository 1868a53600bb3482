import { createMarket } from '../../src/market/create-market.ts'
import type { AssetMarketSpec } from '../../src/market/market-spec.ts'
import {
  computeHourFigures,
  computeLogReturns,
  computeMinuteFigures,
  type Figures,
} from '../../src/metrics/realism/facts.ts'
import { dayFigures, minutePairFigures, pairFigures, seasonFigures, volumeFigures } from './long-facts.ts'
import { Sample } from './sample.ts'
import { aggregated, firstPassages } from './series.ts'
import { defaultAsset } from './specs.ts'

/** 2026-01-05T00:00:00Z, a Monday. */
export const startMillis = 1_767_571_200_000
const yearMinutes = 525_600
const windowMinutes = 50_400
const windowsAYear = 4

/** Log returns of minutes, one row per asset. */
export function minuteReturns(
  assets: readonly AssetMarketSpec[],
  seed: string,
  minutes: number,
): readonly Float64Array[] {
  const market = createMarket({ seed, startMillis, gridMillis: 60_000, assets })
  const closes = assets.map(() => new Float64Array(minutes + 1))
  for (let minute = 0; minute <= minutes; minute += 1) {
    for (const [row, prices] of closes.entries()) prices[minute] = market.fundamentalAt(row, minute)
  }
  return closes.map((prices) => computeLogReturns(prices, 1))
}

/** Every figure of one asset, from a year of minutes. */
function addYear(sample: Sample, returns: Float64Array): void {
  for (let window = 0; window < windowsAYear; window += 1) {
    const from = window * Math.floor(yearMinutes / windowsAYear)
    sample.add(computeMinuteFigures(returns.subarray(from, from + windowMinutes)))
  }
  sample.add(computeHourFigures(aggregated(returns, 60)))
  sample.add(dayFigures(aggregated(returns, 15), 96))
  sample.add(seasonFigures(returns, startMillis, 60_000))
}

export interface DefaultMarket {
  readonly bitcoin: Sample
  readonly solana: Sample
  readonly pairs: Readonly<Record<'BTC-ETH' | 'BTC-SOL' | 'ETH-SOL', Sample>>
  /** Median hours to +10 % divided by median hours to -10 %, over all seeds together. */
  readonly passageRatio: number
}

/** The default market of three assets, one year per seed. */
export function measureDefault(seeds: readonly string[]): DefaultMarket {
  const assets = ['BTC', 'ETH', 'SOL'].map(defaultAsset)
  const [bitcoin, solana] = [new Sample(), new Sample()]
  const pairs = { 'BTC-ETH': new Sample(), 'BTC-SOL': new Sample(), 'ETH-SOL': new Sample() }
  const hours: number[] = []
  for (const seed of seeds) {
    const [btc = none, eth = none, sol = none] = minuteReturns(assets, seed, yearMinutes)
    addYear(bitcoin, btc)
    addYear(solana, sol)
    bitcoin.add(volumeOf(assets, seed, btc))
    const [btcHours, ethHours, solHours] = [aggregated(btc, 60), aggregated(eth, 60), aggregated(sol, 60)]
    pairs['BTC-ETH'].add(pairFigures(btcHours, ethHours))
    pairs['BTC-SOL'].add(pairFigures(btcHours, solHours))
    pairs['ETH-SOL'].add(pairFigures(ethHours, solHours))
    pairs['BTC-ETH'].add(minutePairFigures(btc, eth))
    pairs['BTC-SOL'].add(minutePairFigures(btc, sol))
    pairs['ETH-SOL'].add(minutePairFigures(eth, sol))
    hours.push(...btcHours)
  }
  const { up, down } = firstPassages(hours, Math.log(1.1), Math.log(0.9), 24)
  return { bitcoin, solana, pairs, passageRatio: up / down }
}

/** A single model. */
export function measureModel(asset: AssetMarketSpec, seeds: readonly string[]): Sample {
  const sample = new Sample()
  for (const seed of seeds) addYear(sample, minuteReturns([asset], seed, yearMinutes)[0] ?? none)
  return sample
}

const none = new Float64Array(0)

function volumeOf(assets: readonly AssetMarketSpec[], seed: string, returns: Float64Array): Figures {
  const market = createMarket({ seed, startMillis, gridMillis: 60_000, assets })
  const volumes = Float64Array.from(
    { length: windowMinutes },
    (_, minute) => market.volumeUsdIn(0, minute) ?? 0,
  )
  return volumeFigures(returns.subarray(0, windowMinutes), volumes)
}
