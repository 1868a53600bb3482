import { invalid } from '../../api/errors.ts'
import { openApiVersions } from '../../api/openapi/openapi-30.ts'
import { readingEntries } from '../../api/readings/readings.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { venueDocument } from '../../world/contract/venue-document.ts'
import { type AdminAnswer, type AdminCall, type AdminRoute, bare, ok, refused } from './route.ts'

export const infoRoutes: readonly AdminRoute[] = [
  bare('GET', '/health', () => ok({ status: 'ok' })),
  bare('GET', '/info', info),
  bare('GET', '/readings', () => ok({ readings: readingEntries })),
  bare('GET', '/openapi.json', openApiDocument, ['openapi']),
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

/** Of the default world as it began: its scenario, seed and readings. Errors: 400 for another version of OpenAPI. */
function openApiDocument({ server, worlds, query }: AdminCall): AdminAnswer {
  const asked = query.get('openapi') ?? '3.1'
  const version = openApiVersions.find((known) => known === asked)
  if (version === undefined) {
    const reason = `must be one of ${openApiVersions.join(', ')}`
    return refused(invalid({ field: 'openapi', reason }))
  }
  const { readings, running, seed } = worlds.default
  const about = {
    version: server.version,
    url: server.url(),
    scenario: running.startScenario,
    seed,
    readings,
  }
  return ok(venueDocument(about, version))
}

/** Choice: the server process ends cleanly, after this answer has gone out. */
function shutdown({ server }: AdminCall) {
  server.shutdown()
  return ok({ status: 'stopping' })
}
