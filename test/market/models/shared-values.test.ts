import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMarket } from '../../../src/market/create-market.ts'
import { readFlow } from '../../../src/market/flow/flow-spec.ts'
import type { Market } from '../../../src/market/market.ts'
import { caseBudget } from '../../support/full-run.ts'
import { asset, defaultModel, startMillis } from '../market-of.ts'
import { everyModel } from './every-model.ts'

/* Markets of one process share the levels and trends of equal paths; no path has another's. */

const model = everyModel.market
const days = 1_440
const cases: Readonly<
  Record<string, { seed?: string; startMillis?: number; symbol?: string; part?: object }>
> = {
  usual: {},
  seed: { seed: '8' },
  start: { startMillis: startMillis + 86_400_000 },
  symbol: { symbol: 'ETH' },
  vol: { part: { vol: 0.9 } },
  drift: { part: { drift: 1 } },
  marketShare: { part: { marketShare: 0.5 } },
  marketShareSd: { part: { marketShareSd: 0.3 } },
  altShare: { part: { altShare: 0.4 } },
  ownShare: { part: { ownShare: 1 } },
  commonVolatility: { part: { commonVolatility: 0.7 } },
  standstillBps: { part: { standstillBps: 5 } },
}

function priceOf(name: string, minute: number): number {
  const { part, symbol = 'BTC', ...rest } = cases[name] ?? {}
  const spec = { seed: '7', startMillis, gridMillis: 60_000, ...rest }
  return createMarket({ ...spec, assets: [asset({ ...model, ...part }, symbol)] }).minuteClose(0, minute)
}

/** Asks for as many other paths as are kept, which pushes the known ones out. */
function forgetPaths(): void {
  for (let seed = 0; seed < 64; seed += 1)
    createMarket({ seed: `other ${seed}`, startMillis, gridMillis: 60_000, assets: [asset(model)] })
}

test('what one market has walked through, another reads, and only where the path is the same', () => {
  const names = Object.keys(cases)
  const read = (order: readonly string[], minutes: readonly number[]): Record<string, number[]> =>
    Object.fromEntries(order.map((name) => [name, minutes.map((minute) => priceOf(name, minute))]))
  const first = read(names, [6 * days, 3 * days, -2 * days])
  // Read again from the levels that are known.
  expect(read([...names].reverse(), [6 * days, 3 * days, -2 * days])).toEqual(first)
  const far = names.map((name) => first[name]?.[0])
  expect(new Set(far).size).toBe(names.length)
  // These are walked anew, the other way round.
  forgetPaths()
  expect(read([...names].reverse(), [-2 * days, 3 * days, 6 * days])).toEqual(
    Object.fromEntries(names.map((name) => [name, [...(first[name] ?? [])].reverse()])),
  )
})

test('a far minute that is looked at first is the one that steps lead to', () => {
  const symbols = ['BTC', 'ETH', 'SOL']
  const open = (seed: string): Market =>
    createMarket({
      seed,
      startMillis,
      gridMillis: 60_000,
      assets: symbols.map((symbol) => ({
        ...asset(defaultModel(symbol, 100), symbol),
        flow: readFlow(null, { symbol, touchBps: null }, []),
      })),
    })
  const look = (market: Market, minute: number): unknown =>
    symbols.map((_, row) => [
      market.minuteClose(row, minute),
      market.activityAt(row, minute),
      market.volumeUsdIn(row, minute),
      market.arrivalsInMinute(row, minute),
    ])
  const minutes = fc.integer({ min: -days, max: 3 * days })
  fc.assert(
    fc.property(fc.integer(), fc.array(minutes, { minLength: 1, maxLength: 3 }), (seed, looks) => {
      forgetPaths()
      const first = looks.map((minute) => look(open(String(seed)), minute))
      forgetPaths()
      const market = open(String(seed))
      for (const [place, minute] of looks.entries()) {
        const step = Math.sign(minute)
        for (let at = 0; at !== minute; at += step) for (const row of [0, 1, 2]) market.minuteClose(row, at)
        expect(look(market, minute)).toEqual(first[place])
      }
    }),
    { seed: 7, numRuns: caseBudget(16) },
  )
})
