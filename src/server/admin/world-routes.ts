import * as shapes from '../../api/admin-answers.ts'
import { invalid, type Problem } from '../../api/errors.ts'
import { type ReadingOverrides, type Readings, resolveReadings } from '../../api/readings/readings.ts'
import { closed, described, partial } from '../../api/wire-shapes.ts'
import { linesOfBytes } from '../../journal/lines.ts'
import type { WorldSnapshot } from '../../journal/world-snapshot.ts'
import { InvariantError } from '../../numeric/assert.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { Result } from '../../scenario/file/mistake.ts'
import { loadScenarioValue } from '../../scenario/load-tree.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { typed } from '../../shape/shape.ts'
import { damageReason, divergenceReason, replayJournal } from '../../world/journals/replay.ts'
import { readFailureNotes } from '../../world/logs/test-failure.ts'
import { openJournal, pastOf } from '../../world/open-journal.ts'
import type { Steps } from '../../world/work-queue.ts'
import { WorkQueue } from '../../world/work-queue.ts'
import type { World } from '../../world/world.ts'
import { aWorldId } from '../../world/world-options.ts'
import type { HostedOptions, Made, Worlds } from '../../world/worlds.ts'
import { clockChange, clockSchema } from './clock-routes.ts'
import { inWorld, inWorldWith, worldOf } from './find.ts'
import {
  type AdminAnswer,
  type AdminCall,
  type AdminRoute,
  bare,
  conflictProblem,
  created,
  type FormRefusal,
  formProblem,
  ok,
  refused,
  unknownWord,
  withBody,
} from './route.ts'
import { digestView, settledView, worldView } from './views.ts'

const seed = typed<string | number>({ type: ['string', 'integer'], minLength: 1, maxLength: 256 })

/** Values by reading, with the key `preset` for a named set; or such a set alone, as `@published-client`. */
const readingsSchema = typed<ReadingOverrides>({
  type: ['object', 'string'],
  additionalProperties: { type: ['string', 'number'] },
})

const worldSchema = partial({
  id: typed<string>({ type: 'string' }),
  scenario: typed<string | { readonly [name: string]: unknown }>({ type: ['string', 'object'] }),
  seed,
  clock: clockSchema,
  readings: readingsSchema,
  fromSnapshot: typed<string>({ type: 'string', minLength: 1, maxLength: 200 }),
  ttlMs: typed<number>({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
})
type WorldBody = RecordOf<typeof worldSchema>

const journalSchema = closed(
  {
    journal: described(typed<string>({ type: 'string', minLength: 1 }), 'its lines'),
    notes: described(
      typed<string>({ type: 'string' }),
      'what a runner kept beside the journal of a failed test',
    ),
  },
  ['notes'],
)

const resetSchema = partial({
  seed,
})

const exampleWorld = () => ({ path: { world: 'example' } })

export const worldRoutes: readonly AdminRoute[] = [
  // In turns with everything else: there may be thousands, each with its digest.
  bare(
    'GET',
    '/worlds',
    {
      id: 'listWorlds',
      summary: 'All worlds; one that is advancing is shown as it was before',
      response: shapes.worldList,
    },
    ({ worlds }) => new WorkQueue().begin(listWorlds(worlds)),
  ),
  withBody(
    'POST',
    '/worlds',
    {
      id: 'createWorld',
      summary: 'Make a world, from a scenario or a snapshot',
      response: shapes.world,
      status: 201,
      errors: [404, 409],
      example: () => ({ body: { id: 'example', scenario: 'calm', seed: '7', clock: { mode: 'manual' } } }),
    },
    worldSchema,
    createWorld,
  ),
  withBody(
    'POST',
    '/worlds/import',
    {
      id: 'importJournal',
      summary: 'Make a world of a journal, where that ends; its clock stands still',
      response: shapes.world,
      status: 201,
      errors: [409],
    },
    journalSchema,
    importJournal,
  ),
  bare(
    'GET',
    '/worlds/:world',
    { id: 'getWorld', summary: 'One world', response: shapes.world, example: exampleWorld },
    inWorld((world) => ok(worldView(world))),
  ),
  bare(
    'DELETE',
    '/worlds/:world',
    {
      id: 'deleteWorld',
      summary: 'Delete a world; the default one stays',
      response: shapes.deleted,
      errors: [409],
      example: exampleWorld,
    },
    deleteWorld,
  ),
  withBody(
    'POST',
    '/worlds/:world/reset',
    {
      id: 'resetWorld',
      summary: 'Go back to the start, perhaps with another seed',
      response: shapes.world,
      example: () => ({ body: {} }),
    },
    resetSchema,
    inWorldWith(resetWorld),
  ),
  withBody(
    'PUT',
    '/worlds/:world/readings',
    {
      id: 'changeReadings',
      summary: 'Change the named readings from the next request on',
      response: shapes.changedReadings,
      example: () => ({ body: { createdStatus: '201' } }),
    },
    readingsSchema,
    inWorldWith(changeReadings),
  ),
  bare(
    'GET',
    '/worlds/:world/digest',
    { id: 'getDigest', summary: 'The hash of the whole state', response: shapes.digest },
    inWorld((world) => ok(digestView(world))),
  ),
]

function* listWorlds(worlds: Worlds): Steps<AdminAnswer> {
  const views: object[] = []
  for (const world of worlds.list()) {
    views.push(settledView(world))
    if (views.length % viewsInPiece === 0) yield
  }
  return ok({ worlds: views })
}

const viewsInPiece = 20

/**
 * Errors, in order: the id, the snapshot, the scenario, its readings, the readings given; then 409 for an id or key in
 * use.
 */
function createWorld(call: AdminCall, body: WorldBody): AdminAnswer {
  if (body.id !== undefined && !aWorldId.holds(body.id))
    return refused(invalid({ field: 'id', reason: `must be ${aWorldId.expected}` }))
  const snapshot = snapshotOf(call, body)
  if (snapshot !== null && 'code' in snapshot) return refused(snapshot)
  const scenario = snapshot?.scenario ?? scenarioOf(call, body.scenario)
  if ('code' in scenario) return refused(scenario)
  const readings =
    snapshot === null
      ? readingsOf(scenario, call.server.readings, body.readings ?? {})
      : readingsAfter(snapshot.readings, body.readings ?? {})
  if ('code' in readings) return refused(readings)
  const options: HostedOptions = {
    readings,
    ...(snapshot === null ? {} : { snapshot }),
    // Nobody has asked for the key names of the server's own scenario.
    renamesKeys: body.scenario === undefined,
    ttlMillis: body.ttlMs ?? null,
    ...(body.id === undefined ? {} : { id: body.id }),
    ...(body.seed === undefined ? {} : { seed: String(body.seed) }),
    ...(body.clock === undefined ? {} : { clock: clockChange(body.clock) }),
  }
  const made = create(call.worlds, scenario, options)
  if (made === null)
    return refused(invalid({ field: 'scenario', reason: 'has amounts that a world cannot hold' }))
  return made.ok ? created(worldView(made.world)) : refused(conflictProblem(made.conflict))
}

/** Errors: 400 for lines that are no journal, are damaged or come out differently, and for other notes than a test's. */
function importJournal(
  { worlds, server }: AdminCall,
  { journal, notes: told }: RecordOf<typeof journalSchema>,
): AdminAnswer {
  const wrong = (field: string, reason: string) => refused(invalid({ field, reason }))
  const notes = told === undefined ? null : readFailureNotes(told)
  if (told !== undefined && notes === null) return wrong('notes', 'is not what was kept of a failed test')
  const bytes = Buffer.from(journal)
  const replayed = replayJournal(linesOfBytes(bytes))
  if (replayed.kind === 'empty') return wrong('journal', 'has no header')
  if (replayed.kind === 'damaged') return wrong('journal', damageReason(replayed.damage))
  if (replayed.kind === 'diverged') return wrong('journal', divergenceReason(replayed.divergence))
  const past = pastOf(replayed, () => linesOfBytes(bytes))
  const made = openJournal(worlds, replayed, { past, notes, otcsim: server.version })
  return made.ok ? created(worldView(made.world)) : refused(conflictProblem(made.conflict))
}

/** Null when the engine cannot hold the scenario's amounts; then nothing of the world is left. */
function create(worlds: Worlds, scenario: CompiledScenario, options: HostedOptions): Made | null {
  try {
    return worlds.create(scenario, options)
  } catch (failure) {
    if (failure instanceof InvariantError) return null
    throw failure
  }
}

function resetWorld(
  { id }: World,
  { seed: given }: RecordOf<typeof resetSchema>,
  call: AdminCall,
): AdminAnswer {
  const world = call.worlds.reset(id, given === undefined ? null : String(given))
  return world === null ? refused({ code: 'unknown-resource' }) : ok(worldView(world))
}

function changeReadings(world: World, asked: ReadingOverrides): AdminAnswer {
  const resolved = resolveReadings(asked, world.readings)
  if (!resolved.ok) return refused(invalid(resolved.flaw))
  world.setReadings(resolved.value)
  return ok({ readings: world.readings })
}

/** The snapshot that a world is to be made from; null when none is named. */
function snapshotOf({ worlds }: AdminCall, body: WorldBody): WorldSnapshot | Problem | null {
  const { fromSnapshot: id } = body
  if (id === undefined) return null
  for (const field of ['scenario', 'seed'] as const) {
    if (body[field] !== undefined)
      return invalid({ field, reason: 'belongs to the snapshot: leave it out with fromSnapshot' })
  }
  const kept = worlds.findSnapshot(id)
  return kept?.snapshot ?? { code: 'unknown-resource', reason: `There is no snapshot ${id}` }
}

/** Those of the snapshot, except what is asked for. */
function readingsAfter(base: Readings, asked: ReadingOverrides): Readings | Problem {
  const resolved = resolveReadings(asked, base)
  return resolved.ok
    ? resolved.value
    : invalid({ ...resolved.flaw, field: `readings.${resolved.flaw.field}` })
}

/**
 * A shipped name, a scenario as an object, or by default that of the default world: as it began, because what was
 * planned there since belongs to that world alone. YAML is never read from HTTP.
 */
function scenarioOf(call: AdminCall, given: WorldBody['scenario']): CompiledScenario | FormRefusal {
  if (given === undefined) return call.worlds.default.running.startScenario
  if (typeof given === 'string') {
    const loaded = call.server.scenarios.load(given)
    return loaded === null ? unknownScenario(given, call.server.scenarios.names) : scenarioIn(loaded)
  }
  return scenarioIn(loadScenarioValue(given))
}

function scenarioIn(loaded: Result<CompiledScenario>): CompiledScenario | FormRefusal {
  return loaded.ok ? loaded.value : formProblem(loaded.problems, 'scenario')
}

function unknownScenario(name: string, names: readonly string[]): Problem {
  const problem = unknownWord('scenario', 'is not the name of a shipped scenario', name, names)
  return { hint: `there are ${names.join(', ')}`, ...problem }
}

/** The scenario's, overridden by those of the process, then by those that are asked for. */
function readingsOf(
  scenario: CompiledScenario,
  ofProcess: ReadingOverrides,
  asked: ReadingOverrides,
): Readings | Problem {
  const stated = resolveReadings(Object.fromEntries(scenario.readings))
  if (!stated.ok) return invalid({ ...stated.flaw, field: `scenario.readings.${stated.flaw.field}` })
  const base = readingsAfter(stated.value, ofProcess)
  return 'code' in base ? base : readingsAfter(base, asked)
}

/**
 * Choice: the default world exists from the start and cannot be deleted; it can be reset. Deleting does not wait for its
 * turn: an advance that is under way ends, and its caller and those who waited for it are told that the world is gone.
 */
function deleteWorld(call: AdminCall): AdminAnswer {
  const { worlds } = call
  const world = worldOf(call)
  if (!world.ok) return world.answer
  const { id } = world.value
  if (!worlds.delete(id))
    return refused({ code: 'conflict', reason: `The world ${id} cannot be deleted, only reset` })
  return ok({ id, deleted: true })
}
