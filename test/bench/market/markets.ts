import { Venue } from '../../../src/engine/venue.ts'
import { createMarket } from '../../../src/market/create-market.ts'
import { type FlowSpec, readFlow } from '../../../src/market/flow/flow-spec.ts'
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

/** Processor time of looking at single minutes of a path, by what was read of it before; the code is warm. */
export interface FarLooks {
  /** The first look of a process: all blocks up to there are walked for their sum. */
  readonly firstMillis: number
  /** The first look of another market that has the same path, on average. */
  readonly secondMillis: number
  /** The takers of a minute, in another such market that has looked at nothing: up to two hours before it are drawn. */
  readonly takersMillis: number
  /** Any minute in between, on average. */
  readonly anyMillis: number
}

export function lookFar(minutes: number): FarLooks {
  const looks = 300
  const placeOf = (look: number): number => (look * 104_729 + 7) % minutes
  const warmUp = marketOf(['BTC'], 60_000, '8', busyFlow)
  for (let minute = 0; minute < minutes / 4; minute += 97) {
    warmUp.minuteClose(0, minute)
    if (minute < minutes / 60) warmUp.arrivalsInMinute(0, minute)
  }
  const market = marketOf(['BTC'], 60_000)
  const firstMillis = timed(() => market.minuteClose(0, minutes)).cpuMillis
  const fresh = (look: (market: Market, minute: number) => void): number => {
    const opened = Array.from({ length: 25 }, () => marketOf(['BTC'], 60_000, '7', busyFlow))
    const all = timed(() => {
      for (const [place, one] of opened.entries()) look(one, placeOf(place))
    })
    return all.cpuMillis / opened.length
  }
  const secondMillis = fresh((opened, minute) => opened.minuteClose(0, minute))
  const takersMillis = fresh((opened, minute) => opened.arrivalsInMinute(0, minute))
  const all = timed(() => {
    for (let look = 0; look < looks; look += 1) market.minuteClose(0, placeOf(look))
  })
  return { firstMillis, secondMillis, takersMillis, anyMillis: all.cpuMillis / looks }
}

const busyFlow = readFlow(null, { symbol: 'BTC', touchBps: null }, [])

function marketOf(
  symbols: readonly string[],
  gridMillis: number,
  seed = '7',
  flow: FlowSpec = { kind: 'none' },
): Market {
  return createMarket({
    seed,
    startMillis,
    gridMillis,
    assets: symbols.map((symbol) => ({
      symbol,
      price: prices[symbol] ?? 1,
      model: defaultModel(symbol, prices[symbol] ?? 1),
      flow,
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
