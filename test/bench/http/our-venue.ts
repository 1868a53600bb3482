import type { CompiledScenario } from '../../../src/scenario/compile/compiled.ts'
import { loadScenarioValue } from '../../../src/scenario/load-tree.ts'
import { createVenueServer, type VenueServer } from '../../../src/server/create-venue-server.ts'
import { systemWallClock } from '../../../src/world/clock.ts'
import { createWorld } from '../../../src/world/world.ts'
import { defaultWorld, Worlds } from '../../../src/world/worlds.ts'
import { libraryOf } from '../../support/library-of.ts'
import { credentialsOf, traders } from './keys.ts'

const most = 1_000_000
const limits = {
  maxOrderSize: { default: most },
  maxOrderValue: 1e9,
  maxDailyVolume: 9e9,
  maxOpenOrders: most,
  maxOpenOrdersPerAsset: most,
  maxExposure: 9e9,
  maxExposurePerAsset: { default: 9e9 },
  minOrderSize: { default: 0.001 },
}

/** Two accounts that trade only with each other, at one price, without limits that a bench would reach. */
export const scenario = {
  version: 1,
  name: 'bench',
  clock: { start: '2026-01-05T00:00:00Z' },
  market: {
    flow: { kind: 'none' },
    assets: { BTC: { price: 50_000, model: { kind: 'constant' }, liquidity: { kind: 'none' } } },
  },
  rateLimits: { enabled: false },
  accounts: traders.map((id) => {
    const { apiKey, apiSecret } = credentialsOf(id)
    const keys = [{ key: apiKey, secret: apiSecret, scopes: ['READ', 'TRADE'] }]
    return { id, type: 'cash', balances: { USD: 1e9, BTC: 10_000 }, limits, keys }
  }),
}

export function benchScenario(): CompiledScenario {
  const loaded = loadScenarioValue(scenario)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.value
}

/** What the venue answers to an order, for those who answer without a venue. */
export function cannedOrder(): Readonly<Record<string, unknown>> {
  const { body } = createWorld(benchScenario()).request(
    'alice',
    'POST',
    '/api/sdk/orders',
    JSON.parse(orderBody(0)),
  )
  return JSON.parse(JSON.stringify(body))
}

/** Our server on a free port, with a realtime clock. */
export function startOurs(): Promise<VenueServer> {
  const worlds = new Worlds(systemWallClock)
  worlds.create(benchScenario(), { id: defaultWorld, clock: { mode: 'realtime' } })
  return createVenueServer({ worlds, scenarios: libraryOf({}), port: 0 })
}

/** Even connections buy what odd ones sell: every second order trades. */
export function orderBody(connection: number): string {
  const side = connection % 2 === 0 ? 'buy' : 'sell'
  return JSON.stringify({
    side,
    asset: 'BTC',
    quantity: 0.001,
    price: 50_000,
    orderType: 'limit',
    timeInForce: 'GTC',
  })
}
