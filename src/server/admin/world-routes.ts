import * as shapes from '../../api/admin-answers.ts'
import * as bodies from '../../api/admin-bodies.ts'
import { invalidParameter } from '../../api/errors.ts'
import { unknownWordProblem } from '../../api/input-problem.ts'
import { compareMoments } from '../../api/noted-moments.ts'
import { type OpenApiVersion, openApiVersions } from '../../api/openapi/openapi-30.ts'
import {
  defaultReadings,
  type ReadingOverrides,
  type Readings,
  readingEntries,
  resolveReadings,
} from '../../api/readings/readings.ts'
import type { ForkSource } from '../../journal/header.ts'
import { linesOfBytes } from '../../journal/lines.ts'
import { InvariantError } from '../../numeric/assert.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { loadScenarioValue } from '../../scenario/load-tree.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { readingsInForceOf } from '../../world/clock.ts'
import { formatDamage, formatDivergence, replayJournal } from '../../world/journals/replay.ts'
import { readFailureNotes } from '../../world/logs/test-failure.ts'
import { buildVenueDocument } from '../../world/venue-document.ts'
import { digestView, settledView, worldView } from '../../world/views/world-views.ts'
import { type Steps, WorkQueue } from '../../world/work-queue.ts'
import type { World } from '../../world/world.ts'
import { aWorldId } from '../../world/world-options.ts'
import {
  type CreateWorldResult,
  type HostedOptions,
  type KeptSnapshot,
  openJournal,
  readReplayedLines,
  type Worlds,
} from '../../world/worlds.ts'
import { buildAdminDocument } from './admin-document.ts'
import { toClockSettings } from './clock-routes.ts'
import { documentedReadings, documentedReset, documentedWorld } from './documented-bodies.ts'
import {
  type AdminCall,
  AdminRefusal,
  type AdminRoute,
  findPathWorld,
  inWorld,
  onServer,
  refuseConflict,
  refuseForm,
  unknownName,
  wrongField,
} from './route.ts'

const openApiQuery = {
  enum: openApiVersions,
  description: 'the version of OpenAPI; 3.1 when left out',
} as const

export const infoRoutes: readonly AdminRoute[] = [
  onServer('GET', '/health', {
    id: 'getHealth',
    summary: 'Whether the server answers, and every world can be changed',
    response: shapes.health,
    errors: [503],
    answer: checkHealth,
  }),
  onServer('GET', '/info', {
    id: 'getInfo',
    summary: 'The server, and what it was started with',
    response: shapes.info,
    answer: describeServer,
  }),
  onServer('GET', '/readings', {
    id: 'listReadings',
    summary: 'Every open point of the specification, and the ways to read it',
    response: shapes.readingList,
    answer: () => ({ readings: readingEntries }),
  }),
  onServer('GET', '/openapi.json', {
    id: 'getOpenApi',
    summary: 'The venue’s interface as an OpenAPI document',
    response: shapes.anyDocument,
    query: { openapi: openApiQuery },
    example: { query: { openapi: '3.1' } },
    // The document is about the default world as it began.
    answer: ({ server, worlds, query }) => {
      const { readings, running, seed } = worlds.default
      const { version } = server
      const about = { version, url: server.url(), scenario: running.startScenario, seed, readings }
      return buildVenueDocument(about, readOpenApiVersion(query))
    },
  }),
  onServer('GET', '/admin-openapi.json', {
    id: 'getAdminOpenApi',
    summary: 'This document',
    response: shapes.anyDocument,
    query: { openapi: openApiQuery },
    example: { query: { openapi: '3.1' } },
    answer: ({ server, worlds, query, routes }) =>
      buildAdminDocument(routes, worlds.default, server, readOpenApiVersion(query)),
  }),
]

/**
 * The operation that ends the process, last in the documentation. Choice: it ends cleanly, after the answer has gone
 * out.
 */
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

/**
 * Says that all is well. Errors: 503 when the journal of a world cannot be written, which is tried out, so that nothing
 * in the world can be changed.
 */
function checkHealth({ worlds }: AdminCall): { readonly status: 'ok' } {
  const unwritable = worlds.listUnwritable()
  const [first] = unwritable
  if (first === undefined) return { status: 'ok' }
  const { id, reason } = first
  const others = unwritable.length === 1 ? '' : `, nor can ${unwritable.length - 1} others`
  const text = `World ${id} cannot be changed, because its journal cannot be written (${reason})${others}`
  throw new AdminRefusal({ code: 'unavailable', reason: text })
}

function describeServer({ server, worlds }: AdminCall) {
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

/** Reads the version of OpenAPI that a query asks for. Errors: 400 for an unknown one. */
function readOpenApiVersion(query: URLSearchParams): OpenApiVersion {
  const asked = query.get('openapi') ?? '3.1'
  const version = openApiVersions.find((known) => known === asked)
  if (version === undefined) throw wrongField('openapi', `must be one of ${openApiVersions.join(', ')}`)
  return version
}

const exampleWorld = { path: { world: 'example' } }

export const worldRoutes: readonly AdminRoute[] = [
  // The list takes turns with everything else: there may be thousands of worlds, each with its digest.
  onServer('GET', '/worlds', {
    id: 'listWorlds',
    summary: 'All worlds, or a page of them; one that is advancing is shown as it was before',
    response: shapes.worldList,
    query: { limit: shapes.pageLimit, after: shapes.afterWorld },
    errors: [404],
    answer: (call) => new WorkQueue().begin(listWorlds(selectPage(call))),
  }),
  onServer('POST', '/worlds', {
    id: 'createWorld',
    summary: 'Create a world from a scenario or a snapshot',
    response: shapes.world,
    status: 201,
    errors: [404, 409],
    example: { body: { id: 'example', scenario: 'calm', seed: '7', clock: { mode: 'manual' } } },
    body: bodies.worldBody,
    documentedBody: documentedWorld,
    answer: createWorld,
  }),
  onServer('POST', '/worlds/import', {
    id: 'importJournal',
    summary: 'Create a world from a journal, as it was at the end; its clock stands still',
    response: shapes.world,
    status: 201,
    errors: [409],
    body: bodies.journalBody,
    answer: importJournal,
  }),
  inWorld('GET', '', {
    id: 'getWorld',
    summary: 'One world',
    response: shapes.world,
    example: exampleWorld,
    answer: worldView,
  }),
  onServer('DELETE', '/worlds/:world', {
    id: 'deleteWorld',
    summary: 'Delete a world; the default one stays',
    response: shapes.deleted,
    errors: [409],
    example: exampleWorld,
    answer: deleteWorld,
  }),
  inWorld('POST', '/reset', {
    id: 'resetWorld',
    summary: 'Reset a world to its start, optionally with another seed',
    response: shapes.world,
    example: { body: {} },
    body: bodies.resetBody,
    documentedBody: documentedReset,
    answer: ({ id }, { worlds }, { seed: given }) => {
      const world = worlds.reset(id, given === undefined ? null : String(given))
      if (world === null) throw new AdminRefusal({ code: 'unknown-resource' })
      return worldView(world)
    },
  }),
  inWorld('PUT', '/readings', {
    id: 'changeReadings',
    summary: 'Change the named readings from the next request on',
    response: shapes.changedReadings,
    example: { body: { createdStatus: '201' } },
    body: bodies.readingsBody,
    documentedBody: documentedReadings,
    answer: (world, _call, asked) => {
      world.setReadings(applyReadings(world.readings, asked, ''))
      return { readings: readingsInForceOf(world) }
    },
  }),
  inWorld('GET', '/digest', {
    id: 'getDigest',
    summary: 'The hash of the whole state',
    response: shapes.digest,
    answer: digestView,
  }),
]

/** One page of worlds, with the further fields of its answer. */
interface WorldPage {
  readonly worlds: readonly World[]
  readonly more: { readonly next?: string | null }
}

/**
 * Selects all worlds, or the page that a query asks for. Errors, in order: 400 the limit; 404 a world that is gone, after
 * which nothing is known to come.
 */
function selectPage({ worlds, query }: AdminCall): WorldPage {
  const all = worlds.list()
  const after = query.get('after')
  const asked = query.get('limit')
  if (after === null && asked === null) return { worlds: all, more: {} }
  const limit = /^[1-9]\d{0,3}$/.test(asked ?? '100') ? Number(asked ?? '100') : 0
  if (limit < 1 || limit > 1000) throw wrongField('limit', 'must be a whole number from 1 to 1000')
  const ids = all.map(({ id }) => id)
  if (after !== null && !ids.includes(after)) throw unknownName('world', after, ids)
  const from = after === null ? 0 : ids.indexOf(after) + 1
  const page = all.slice(from, from + limit)
  return { worlds: page, more: { next: from + limit < all.length ? (page.at(-1)?.id ?? null) : null } }
}

function* listWorlds({ worlds, more }: WorldPage): Steps<object> {
  const views: object[] = []
  for (const world of worlds) {
    views.push(settledView(world))
    if (views.length % worldsPerStep === 0) yield
  }
  return { worlds: views, ...more }
}

const worldsPerStep = 20

/**
 * Makes a world of a scenario or a snapshot. Errors, in order: 400 the id; 404 the snapshot; 400 the scenario, its
 * readings, the readings given; 409 an id or a key in use.
 */
function createWorld(call: AdminCall, body: RecordOf<typeof bodies.worldBody>) {
  const { id } = body
  if (id !== undefined && !aWorldId.holds(id)) throw wrongField('id', `must be ${aWorldId.expected}`)
  const source = findSourceSnapshot(call, body)
  const scenario = source?.snapshot.scenario ?? loadSourceScenario(call, body.scenario)
  if (!(scenario instanceof Promise)) return createLoadedWorld(call, body, source, scenario)
  return scenario.then((loaded) => createLoadedWorld(call, body, source, loaded))
}

function createLoadedWorld(
  { server, worlds }: AdminCall,
  body: RecordOf<typeof bodies.worldBody>,
  source: KeptSnapshot | null,
  scenario: CompiledScenario,
) {
  const { id, seed: given, clock, readings: asked = {}, ttlMs = null, test = null } = body
  const snapshot = source?.snapshot ?? null
  const readings =
    snapshot === null
      ? combineReadings(scenario, server.readings, asked)
      : applyReadings(snapshot.readings, asked, 'readings.')
  const options: HostedOptions = {
    readings,
    ...(source === null ? {} : { snapshot: source.snapshot, parent: describeForkSource(source) }),
    // The caller has not asked for the key names of the server's own scenario, so they may change.
    renamesKeys: body.scenario === undefined,
    ttlMillis: ttlMs,
    ...(id === undefined ? {} : { id }),
    ...(given === undefined ? {} : { seed: String(given) }),
    ...(clock === undefined ? {} : { clock: toClockSettings(clock) }),
  }
  const world = requireWorld(() => worlds.create(scenario, options))
  world.test = test
  if (source !== null) inheritNotes(worlds, source, world)
  return worldView(world)
}

/** Gives a fork the notes of its parent on the moments that they share. */
function inheritNotes(worlds: Worlds, source: KeptSnapshot, fork: World): void {
  const { sequence, atMillis } = describeForkSource(source)
  const until = { sequence, at: millisToIso(atMillis) }
  const shared = worlds
    .notesOf(source.world)
    .list()
    .filter((note) => compareMoments(note, until) <= 0)
  if (shared.length > 0) worlds.notesOf(fork.id).put(shared)
}

/**
 * Makes a world of a journal, where that ends. Errors: 400 for notes that are not a failed test's, and for lines that
 * are no journal, are damaged or replay differently.
 */
function importJournal(
  { worlds }: AdminCall,
  { journal, notes: given }: RecordOf<typeof bodies.journalBody>,
) {
  const notes = given === undefined ? null : readFailureNotes(given)
  if (given !== undefined && notes === null)
    throw wrongField('notes', 'is not what was kept of a failed test')
  const bytes = Buffer.from(journal)
  const replayed = replayJournal(linesOfBytes(bytes))
  if (replayed.kind === 'empty') throw wrongField('journal', 'has no header')
  if (replayed.kind === 'damaged') throw wrongField('journal', formatDamage(replayed.damage))
  if (replayed.kind === 'diverged') throw wrongField('journal', formatDivergence(replayed.divergence))
  const past = readReplayedLines(replayed, () => linesOfBytes(bytes))
  const made = openJournal(worlds, replayed, { journal: past, notes })
  return worldView(requireWorld(() => made))
}

/**
 * Returns a world that was just made. Errors: 400 for amounts that the engine can't hold; 409 a conflict. Nothing is
 * left then.
 */
function requireWorld(make: () => CreateWorldResult): World {
  try {
    const made = make()
    if (made.ok) return made.world
    throw refuseConflict(made.conflict)
  } catch (failure) {
    if (failure instanceof InvariantError)
      throw wrongField('scenario', 'has amounts that a world cannot hold')
    throw failure
  }
}

/** Finds the snapshot that a world is to be made from; null when none is named. */
function findSourceSnapshot(
  { worlds }: AdminCall,
  body: RecordOf<typeof bodies.worldBody>,
): KeptSnapshot | null {
  const { fromSnapshot: id } = body
  if (id === undefined) return null
  for (const field of ['scenario', 'seed'] as const)
    if (body[field] !== undefined)
      throw wrongField(field, 'belongs to the snapshot: leave it out with fromSnapshot')
  const kept = worlds.findSnapshot(id)
  if (kept === undefined)
    throw new AdminRefusal({ code: 'unknown-resource', reason: `There is no snapshot ${id}` })
  return kept
}

/** Describes the world and the moment that a snapshot is of. */
const describeForkSource = ({ world, snapshot: { sequence, venue } }: KeptSnapshot): ForkSource => ({
  world,
  sequence,
  atMillis: venue.counters[0],
})

/**
 * Loads a scenario by its shipped name or from an object. Left out, it is the default world's, as that began, because
 * what was planned there since belongs to that world alone. YAML is never read from HTTP. A shipped one that names
 * recordings is promised where the server reads files.
 */
function loadSourceScenario(
  { worlds, server }: AdminCall,
  given: RecordOf<typeof bodies.worldBody>['scenario'],
): CompiledScenario | Promise<CompiledScenario> {
  if (given === undefined) return worlds.default.running.startScenario
  const loaded = typeof given === 'string' ? server.scenarios.load(given) : loadScenarioValue(given)
  const { names } = server.scenarios
  if (loaded === null) {
    const problem = invalidParameter(
      unknownWordProblem('scenario', 'is not the name of a shipped scenario', String(given), names),
    )
    throw new AdminRefusal({ hint: `there are ${names.join(', ')}`, ...problem })
  }
  if (loaded.ok) return loaded.value
  const { loadWithFiles } = server.scenarios
  if (typeof given !== 'string' || loadWithFiles === undefined) throw refuseForm(loaded.problems, 'scenario')
  return loadWithFiles(given).then((opened) => {
    if (typeof opened === 'string') throw wrongField('scenario', `cannot be loaded: ${opened}`)
    return opened
  })
}

/** Combines readings: a scenario's, overridden by those of the process, then by those that a request asks for. */
function combineReadings(scenario: CompiledScenario, ofProcess: ReadingOverrides, asked: ReadingOverrides) {
  const stated = Object.fromEntries(scenario.readings)
  const base = applyReadings(defaultReadings, stated, 'scenario.readings.')
  return applyReadings(applyReadings(base, ofProcess, 'readings.'), asked, 'readings.')
}

/** Replaces some readings of `base`. `place` is where the body asks for others, for errors. */
function applyReadings(base: Readings, asked: ReadingOverrides, place: string): Readings {
  const resolved = resolveReadings(asked, base)
  if (resolved.ok) return resolved.value
  throw new AdminRefusal(
    invalidParameter({ ...resolved.problem, field: `${place}${resolved.problem.field}` }),
  )
}

/**
 * Deletes a world. Choice: the default world can't be deleted, only reset. Deleting does not wait for its turn: an
 * advance that is under way ends, and its caller and all who waited for it are told that the world is gone.
 */
function deleteWorld(call: AdminCall) {
  const { id } = findPathWorld(call)
  if (call.worlds.delete(id)) return { id, deleted: true }
  throw new AdminRefusal({ code: 'conflict', reason: `The world ${id} cannot be deleted, only reset` })
}
