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
    answer: openApiDocument,
  }),
  onServer('GET', '/admin-openapi.json', {
    id: 'getAdminOpenApi',
    summary: 'This document',
    response: shapes.anyDocument,
    query: { openapi: openApiQuery },
    example: { query: { openapi: '3.1' } },
    answer: adminOpenApiDocument,
  }),
]

/** The last operation of the documentation. */
export const shutdownRoutes: readonly AdminRoute[] = [
  onServer('POST', '/shutdown', {
    id: 'shutDown',
    summary: 'End the process, after this answer has gone out',
    response: shapes.stopping,
    answer: shutdown,
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

/** Of the default world as it began: its scenario, seed and readings. Errors: 400 for another version of OpenAPI. */
function openApiDocument({ server, worlds, query }: AdminCall) {
  const version = versionIn(query)
  const { readings, running, seed } = worlds.default
  const about = {
    version: server.version,
    url: server.url(),
    scenario: running.startScenario,
    seed,
    readings,
  }
  return venueDocument(about, version)
}

/** Errors: 400 for another version of OpenAPI. */
function adminOpenApiDocument({ server, worlds, query, routes }: AdminCall) {
  return adminDocument(routes, worlds.default, server, versionIn(query))
}

function versionIn(query: URLSearchParams): OpenApiVersion {
  const asked = query.get('openapi') ?? '3.1'
  const version = openApiVersions.find((known) => known === asked)
  if (version === undefined) throw wrongField('openapi', `must be one of ${openApiVersions.join(', ')}`)
  return version
}

/** Choice: the server process ends cleanly, after this answer has gone out. */
function shutdown({ server }: AdminCall) {
  server.shutdown()
  return { status: 'stopping' }
}
