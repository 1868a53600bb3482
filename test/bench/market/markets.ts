import { Venue } from '../../../src/engine/venue.ts'
import { createMarket } from '../../../src/market/create-market.ts'
import type { Market } from '../../../src/market/market.ts'
import type { Millis } from '../../../src/numeric/units.ts'
import { millis } from '../../../src/numeric/units.ts'
import type { CompiledScenario } from '../../../src/scenario/compile/compiled.ts'
import { loadScenario } from '../../../src/scenario/load.ts'
import { defaultModel } from '../../market/market-of.ts'
import { timed } from '../stopwatch.ts'

const startMillis = 1_767_571_200_000
const majors = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE'] as const
const prices: Readonly<Record<string, number>> = { BTC: 95_000, ETH: 3_300, SOL: 190, XRP: 2.4, DOGE: 0.32 }

/** The majors, and as many others as are needed. */
export function symbolsOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, place) => majors[place] ?? `ALT${place}`)
}

/** Walks the default model's paths along the grid; returns their last prices. */
export function pathOf(symbols: readonly string[], gridMillis: number, steps: number): readonly number[] {
  const market = marketOf(symbols, gridMillis)
  const last = symbols.map(() => 0)
  for (let index = 1; index <= steps; index += 1) {
    for (let asset = 0; asset < symbols.length; asset += 1) last[asset] = market.fundamentalAt(asset, index)
  }
  return last
}

/** Processor time of looking at single minutes of a path, by what was read of it before. */
export interface FarLooks {
  readonly firstMillis: number
  /** The first look of another market that has the same path. */
  readonly secondMillis: number
  /** Any minute in between, on average. */
  readonly anyMillis: number
}

export function lookFar(minutes: number): FarLooks {
  const [market, second] = [marketOf(['BTC'], 60_000), marketOf(['BTC'], 60_000)]
  const looks = 300
  const firstMillis = timed(() => market.minuteClose(0, minutes)).cpuMillis
  const secondMillis = timed(() => second.minuteClose(0, minutes)).cpuMillis
  const all = timed(() => {
    for (let look = 0; look < looks; look += 1) market.minuteClose(0, (look * 104_729 + 7) % minutes)
  })
  return { firstMillis, secondMillis, anyMillis: all.cpuMillis / looks }
}

function marketOf(symbols: readonly string[], gridMillis: number): Market {
  return createMarket({
    seed: '7',
    startMillis,
    gridMillis,
    assets: symbols.map((symbol) => ({
      symbol,
      price: prices[symbol] ?? 1,
      model: defaultModel(symbol, prices[symbol] ?? 1),
      flow: { kind: 'none' },
    })),
  })
}

/** A venue whose market is the default one in all its parts, and in which nobody trades. */
export function defaultVenue(symbols: readonly string[], grid = '1s'): Venue {
  return Venue.open(defaultScenario(symbols, grid).venue, { emit: () => undefined })
}

/** The default market but for what `market` says of it, and a desk that can trade in it. */
export function defaultScenario(symbols: readonly string[], grid: string, market = ''): CompiledScenario {
  const assets = symbols.map((symbol) => `    ${symbol}: {price: ${prices[symbol] ?? 1}}`).join('\n')
  const desk = '  - {id: desk, type: margin, balances: {USD: 10000000}}'
  const text = `version: 1\nname: bench\nseed: "7"\nclock: {grid: ${grid}}\nmarket:\n${market}  assets:\n${assets}\naccounts:\n${desk}\n`
  const loaded = loadScenario(text, 'bench.yaml', {})
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.value
}

/** Moves a venue on, an hour at a time. */
export function advanceBy(venue: Venue, byMillis: Millis): void {
  const endMillis = venue.now + byMillis
  while (venue.now < endMillis) {
    venue.execute({ kind: 'advance', at: millis(Math.min(venue.now + 3_600_000, endMillis)) })
  }
}
