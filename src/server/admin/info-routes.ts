import * as shapes from '../../api/admin-answers.ts'
import { type OpenApiVersion, openApiVersions } from '../../api/openapi/openapi-30.ts'
import { readingEntries } from '../../api/readings/readings.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { venueDocument } from '../../world/venue-document.ts'
import { adminDocument } from './admin-document.ts'
import { type AdminCall, type AdminRoute, onServer, wrongField } from './route.ts'

const openApiQuery = {
  enum: openApiVersions,
  description: 'the version of OpenAPI; 3.1 when left out',
} as const

export const infoRoutes: readonly AdminRoute[] = [
  onServer('GET', '/health', {
    id: 'getHealth',
    summary: 'Whether the server answers',
    response: shapes.health,
    answer: () => ({ status: 'ok' }),
  }),
  onServer('GET', '/info', {
    id: 'getInfo',
    summary: 'The server, and what it was started with',
    response: shapes.info,
    answer: info,
  }),
  onServer('GET', '/readings', {
    id: 'listReadings',
    summary: 'Every open point of the specification, and how it can be read',
    response: shapes.readingList,
    answer: () => ({ readings: readingEntries }),
  }),
  onServer('GET', '/openapi.json', {
    id: 'getOpenApi',
    summary: 'The venue’s interface as an OpenAPI document',
    response: shapes.anyDocument,
    query: { openapi: openApiQuery },
    example: { query: { openapi: '3.1' } },
    // Of the default world as it began.
    answer: ({ server, worlds, query }) => {
      const { readings, running, seed } = worlds.default
      const { version } = server
      const about = { version, url: server.url(), scenario: running.startScenario, seed, readings }
      return venueDocument(about, versionIn(query))
    },
  }),
  onServer('GET', '/admin-openapi.json', {
    id: 'getAdminOpenApi',
    summary: 'This document',
    response: shapes.anyDocument,
    query: { openapi: openApiQuery },
    example: { query: { openapi: '3.1' } },
    answer: ({ server, worlds, query, routes }) =>
      adminDocument(routes, worlds.default, server, versionIn(query)),
  }),
]

/** The last operation of the documentation. Choice: the process ends cleanly, after this answer has gone out. */
export const shutdownRoutes: readonly AdminRoute[] = [
  onServer('POST', '/shutdown', {
    id: 'shutDown',
    summary: 'End the process, after this answer has gone out',
    response: shapes.stopping,
    answer: ({ server }) => {
      server.shutdown()
      return { status: 'stopping' }
    },
  }),
]

function info({ server, worlds }: AdminCall) {
  return {
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
  }
}

/** Errors: 400 for another version of OpenAPI. */
function versionIn(query: URLSearchParams): OpenApiVersion {
  const asked = query.get('openapi') ?? '3.1'
  const version = openApiVersions.find((known) => known === asked)
  if (version === undefined) throw wrongField('openapi', `must be one of ${openApiVersions.join(', ')}`)
  return version
}
