import { readingEntries } from '../../api/readings.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { type AdminCall, type AdminRoute, bare, ok } from './route.ts'

export const infoRoutes: readonly AdminRoute[] = [
  bare('GET', '/health', () => ok({ status: 'ok' })),
  bare('GET', '/info', info),
  bare('GET', '/readings', () => ok({ readings: readingEntries })),
  bare('POST', '/shutdown', shutdown),
]

function info({ server, worlds }: AdminCall) {
  return ok({
    name: 'otcsim',
    version: server.version,
    url: server.url(),
    startedAt: millisToIso(server.startedAtMillis),
    uptimeMs: worlds.wall.nowMillis() - server.startedAtMillis,
    seed: worlds.default.seed,
    scenario: worlds.default.scenario.name,
    readings: worlds.default.readings,
    scenarios: server.scenarios.names,
    worlds: worlds.list().map(({ id }) => id),
  })
}

/** Choice: whoever serves ends cleanly, after this answer is out. */
function shutdown({ server }: AdminCall) {
  server.shutdown()
  return ok({ status: 'stopping' })
}
