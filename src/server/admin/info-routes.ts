import { priceNumber, quantityNumber } from '../../api/amounts.ts'
import type { ExampleMarket } from '../../api/openapi/examples.ts'
import { openApi } from '../../api/openapi/openapi.ts'
import { readingEntries } from '../../api/readings/readings.ts'
import { shownPrices } from '../../engine/reports/top-of-book.ts'
import type { State } from '../../engine/state.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { type AdminCall, type AdminRoute, bare, ok } from './route.ts'

export const infoRoutes: readonly AdminRoute[] = [
  bare('GET', '/health', () => ok({ status: 'ok' })),
  bare('GET', '/info', info),
  bare('GET', '/readings', () => ok({ readings: readingEntries })),
  bare('GET', '/openapi.json', openApiDocument),
  bare('POST', '/shutdown', shutdown),
]

function info({ server, worlds }: AdminCall) {
  return ok({
    name: 'otcsim',
    version: server.version,
    url: server.url(),
    startedAt: millisToIso(server.startedAtMillis),
    uptimeMs: Math.max(0, worlds.wall.nowMillis() - server.startedAtMillis),
    seed: worlds.default.seed,
    scenario: worlds.default.scenario.name,
    readings: worlds.default.readings,
    scenarios: server.scenarios.names,
    worlds: worlds.list().map(({ id }) => id),
  })
}

/** Under the readings of the default world, with examples that its first pair allows. */
function openApiDocument({ server, worlds }: AdminCall) {
  const { readings, venue } = worlds.default
  const market = marketOf(venue.state, 1)
  return ok(openApi({ version: server.version, servers: [server.url()], readings, market }))
}

function marketOf(state: State, asset: number): ExampleMarket {
  const { pair, symbol } = state.assets.traded(asset)
  const { bidTicks, askTicks } = shownPrices(state, asset)
  return {
    asset: symbol,
    bid: priceNumber(pair, bidTicks),
    ask: priceNumber(pair, askTicks),
    quantity: quantityNumber(pair, Math.min(pair.minQuantitySteps * 10, pair.maxQuantitySteps)),
  }
}

/** Choice: the server process ends cleanly, after this answer has gone out. */
function shutdown({ server }: AdminCall) {
  server.shutdown()
  return ok({ status: 'stopping' })
}
