import { expect, test } from 'vitest'
import { createMarket } from '../../../src/market/create-market.ts'
import { asset, startMillis } from '../market-of.ts'
import { everyModel } from './every-model.ts'

/* Markets of one process share the levels of equal paths; no path has another's. */

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

test('what one market has walked through, another reads, and only where the path is the same', () => {
  const names = Object.keys(cases)
  const read = (order: readonly string[], minutes: readonly number[]): Record<string, number[]> =>
    Object.fromEntries(order.map((name) => [name, minutes.map((minute) => priceOf(name, minute))]))
  const first = read(names, [6 * days, 3 * days, -2 * days])
  // Read again from the levels that are known.
  expect(read([...names].reverse(), [6 * days, 3 * days, -2 * days])).toEqual(first)
  const far = names.map((name) => first[name]?.[0])
  expect(new Set(far).size).toBe(names.length)
  // Other paths push the known ones out, so these are walked anew, the other way round.
  for (let seed = 0; seed < 64; seed += 1)
    createMarket({ seed: `other ${seed}`, startMillis, gridMillis: 60_000, assets: [asset(model)] })
  expect(read([...names].reverse(), [-2 * days, 3 * days, 6 * days])).toEqual(
    Object.fromEntries(names.map((name) => [name, [...(first[name] ?? [])].reverse()])),
  )
})
