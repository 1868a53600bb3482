import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, expectTypeOf, it } from 'vitest'
import type { NewOrder, Order, OrderQuery, Quote, TradeQuery, VenueClient } from '../../src/client/entry.ts'
import * as entry from '../../src/client/entry.ts'

/** The modules that a file loads at run time, itself first. */
function loadedBy(path: string, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(path)) return known
  known.add(path)
  // The build replaces it by its values: `test/build/prepared-modules.ts`.
  if (path === 'src/client/endpoints.ts') return known
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  for (const [, specifier = ''] of text.matchAll(/^(?:import|export) (?!type\b)[^']*?from '([^']+)'/gm)) {
    if (specifier.startsWith('.')) loadedBy(posix.join(posix.dirname(path), specifier), known)
    else known.add(specifier)
  }
  return known
}

it('loads nothing that a browser lacks, and no schemas', () => {
  const others = [...loadedBy('src/client/entry.ts')].filter((path) => !path.startsWith('src/client/'))
  expect(others.toSorted()).toEqual([
    '@noble/hashes/hmac.js',
    '@noble/hashes/sha2.js',
    '@noble/hashes/utils.js',
    'src/api/error-types.ts',
    'src/api/json.ts',
    'src/api/nearest-word.ts',
    'src/api/options.ts',
    'src/numeric/assert.ts',
    'src/numeric/units.ts',
  ])
})

it('exports the client, its transports, its errors and the rounding to steps', () => {
  expect(Object.keys(entry).toSorted()).toEqual([
    'ConnectionError',
    'VenueError',
    'createVenueClient',
    'httpTransport',
    'inProcessTransport',
    'systemClock',
    'toStep',
  ])
})

it('exports the types of the contract', () => {
  expectTypeOf<NewOrder['side']>().toEqualTypeOf<'buy' | 'sell'>()
  expectTypeOf<NewOrder['price']>().toEqualTypeOf<number | null | undefined>()
  expectTypeOf<{ side: 'buy'; asset: string; quantity: number; price: undefined }>().toExtend<NewOrder>()
  expectTypeOf<{ side: 'hold'; asset: string; quantity: number }>().not.toExtend<NewOrder>()
  expectTypeOf<{ side: 'buy'; asset: string }>().not.toExtend<NewOrder>()
  expectTypeOf<Order['averagePrice']>().toEqualTypeOf<number | null>()
  expectTypeOf<Quote['status']>().toEqualTypeOf<
    'active' | 'partially_filled' | 'filled' | 'cancelled' | 'expired'
  >()
  expectTypeOf<Record<never, never>>().toExtend<OrderQuery>()
  expectTypeOf<OrderQuery['limit']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<{ page: string }>().not.toExtend<OrderQuery>()
  expectTypeOf<TradeQuery['startDate']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Parameters<VenueClient['orders']['amend']>[1]>().toExtend<{ readonly price?: unknown }>()
})
