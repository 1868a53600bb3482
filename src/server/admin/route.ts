import type { Readable } from 'node:stream'
import { adminErrorBody, type FormRefusal } from '../../api/admin-errors.ts'
import { invalid, type Problem, statusOf } from '../../api/errors.ts'
import { type Flaw, nearestWord, unknownWordFlaw } from '../../api/flaw.ts'
import { validate } from '../../api/input/read-body.ts'
import type { Json } from '../../api/json.ts'
import type { AdminOperation } from '../../api/openapi/admin-openapi.ts'
import type { ExampleWorld } from '../../api/openapi/examples.ts'
import { defaultReadings, type ReadingOverrides } from '../../api/readings/readings.ts'
import { problemOf } from '../../api/refusals.ts'
import { closed } from '../../api/wire-shapes.ts'
import { cash, firstClientAccount, none } from '../../engine/codes.ts'
import type { Command } from '../../engine/command.ts'
import { isoToMillis } from '../../numeric/time-text.ts'
import type { Mistake as FormProblem } from '../../scenario/file/mistake.ts'
import type { RecordOf, Shape } from '../../shape/shape.ts'
import type { ScenarioLibrary } from '../../world/shipped/shipped-scenarios.ts'
import type { World } from '../../world/world.ts'
import { type Conflict, conflictText, type Worlds } from '../../world/worlds.ts'

export interface AdminCall {
  readonly worlds: Worlds
  readonly params: { readonly [name: string]: string }
  readonly query: URLSearchParams
  /** The last id that a browser's EventSource has seen, which it sends when it reconnects; null for all others. */
  readonly lastEventId: string | null
  readonly server: ServerDetails
  readonly routes: readonly AdminRoute[]
}

export interface ServerDetails {
  readonly version: string
  readonly startedAtMillis: number
  readonly scenarios: ScenarioLibrary
  readonly readings: ReadingOverrides
  readonly url: () => string
  /** Asks the process to end once the answer is out. */
  readonly shutdown: () => void
}

export interface AdminAnswer {
  readonly status: number
  /** JSON, bytes that are the answer already, or an `EventStream`. */
  readonly body: unknown
  readonly mediaType?: string
  /** In addition to those of all answers. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Events over time, opened for a reader who is there. */
export class EventStream {
  readonly open: () => Readable

  constructor(open: () => Readable) {
    this.open = open
  }
}

/** An operation, and what its documentation adds to how it works. */
interface DocumentedOperation extends Omit<AdminOperation, 'method' | 'path' | 'body' | 'isDocument'> {
  /** A request that succeeds in its place in the document. What is left out of the path is as in all other examples. */
  readonly example?: ExampleCall | ((about: ExampleContext) => ExampleCall)
}

/** The world of the examples, whose clock stands still. */
export interface ExampleContext extends ExampleWorld {
  readonly accountId: string
  /** The ids of those that the example of the timeline places. */
  readonly orderIds: readonly [string, string, string]
  readonly quoteIds: readonly [string, string]
  /** Of the fault that is in force when this is asked for. */
  readonly faultId: () => string
}

export interface ExampleCall {
  readonly path?: { readonly [name: string]: string }
  readonly query?: { readonly [name: string]: string }
  readonly body?: Json
}

export interface AdminRoute extends AdminOperation, DocumentedOperation {
  /** What it shows, or a promise of that while others have their turn. Throws a `AdminRefusal`. */
  answer(call: AdminCall, body: unknown): unknown
}

/** A row of the table: an operation of the server. */
interface ServerOperation<S extends Shape> extends DocumentedOperation {
  /** What a body may have; none counts as `{}`. Absent: a body that is sent nevertheless is refused, except with a GET. */
  readonly body?: S
  /** Instead: a document whose reader says what is wrong with it. */
  readonly isDocument?: true
  answer(call: AdminCall, body: RecordOf<S>): unknown
}

type Nothing = typeof nothing
const nothing = closed({})

type Method = AdminRoute['method']

export function onServer<const S extends Shape = Nothing>(
  method: Method,
  path: string,
  row: ServerOperation<S>,
): AdminRoute
export function onServer(
  method: Method,
  path: string,
  { body: shape, ...row }: ServerOperation<Shape>,
): AdminRoute {
  if (row.isDocument === true) return { ...row, method, path, body: { type: 'object' } }
  if (shape === undefined && method === 'GET') return { ...row, method, path, body: null }
  const known = shape ?? nothing
  const answer = (call: AdminCall, body: unknown) => {
    const input = validate(known, body)
    if (!input.ok) throw new AdminRefusal(invalid(input.flaw))
    return row.answer(call, input.value)
  }
  return { ...row, method, path, body: known, answer }
}

/** The same in a world, which the path begins with. */
interface WorldOperation<S extends Shape> extends Omit<ServerOperation<S>, 'answer'> {
  readonly answer: (world: World, call: AdminCall, body: RecordOf<S>) => unknown
}

/** An operation of the path's world, moved to the present, when everything that came before is done. */
export function inWorld<const S extends Shape = Nothing>(
  method: Method,
  path: string,
  { answer, ...row }: WorldOperation<S>,
): AdminRoute {
  const enter = (call: AdminCall, body: RecordOf<S>): unknown => {
    const world = findPathWorld(call)
    // The world may be gone by then.
    if (world.mustWait()) return world.workQueue.wait(() => enter(call, body))
    world.time.catchUp()
    return answer(world, call, body)
  }
  return onServer<S>(method, `/worlds/:world${path}`, { ...row, answer: enter })
}

export function findPathWorld({ worlds, params }: AdminCall): World {
  const id = params['world'] ?? ''
  const world = worlds.get(id)
  if (world !== undefined) return world
  throw unknownName(
    'world',
    id,
    worlds.list().map((other) => other.id),
  )
}

/** Carries an operation out. Rejects only with what is no refusal. `read` gives its body. */
export async function answerOperation(
  route: AdminRoute,
  call: AdminCall,
  read: () => unknown,
): Promise<AdminAnswer> {
  const { status = 200, mediaType } = route
  try {
    const answer = { status, body: await route.answer(call, read()) }
    return mediaType === undefined ? answer : { ...answer, mediaType }
  } catch (failure) {
    if (failure instanceof AdminRefusal) return refuseWith(failure.problem)
    throw failure
  }
}

/** Why an operation is not carried out. Whoever finds it out throws it. */
export class AdminRefusal extends Error {
  override readonly name = 'AdminRefusal'
  readonly problem: FormRefusal

  constructor(problem: FormRefusal) {
    super(problem.reason ?? problem.code)
    this.problem = problem
  }
}

/** What was read, unless that is a problem. */
export function requireValue<Value extends number | null>(read: Value | Problem): Value {
  if (typeof read === 'object' && read !== null) throw new AdminRefusal(read)
  return read
}

/** An error in the venue's shape. */
export const refuseWith = (refusal: FormRefusal): AdminAnswer => ({
  status: statusOf(refusal, defaultReadings),
  body: adminErrorBody(refusal),
})

export const wrongField = (field: string, reason: string): AdminRefusal =>
  new AdminRefusal(invalid({ field, reason }))

/** Something named in a path that does not exist, with the name that was perhaps meant. */
export function unknownName(what: string, name: string, known: Iterable<string>): AdminRefusal {
  const nearest = nearestWord(name, known)
  const problem: Problem = { code: 'unknown-resource', reason: `There is no ${what} ${name}` }
  return new AdminRefusal(nearest === null ? problem : { ...problem, hint: `did you mean ${nearest}?` })
}

/** The row of the path's account; the venue's own accounts cannot be named. */
export function findPathAccount(world: World, { params }: AdminCall): number {
  const id = params['account'] ?? ''
  const { accounts } = world.venue.state
  const row = accounts.rowOf(id)
  if (row === none) throw unknownName('account', id, accounts.ids.slice(firstClientAccount))
  return row
}

export function findPathAsset(world: World, { params }: AdminCall): number {
  return findTradedAsset(world, params['asset'] ?? '')
}

export function findTradedAsset(world: World, symbol: string): number {
  const row = world.venue.state.assets.rowOf(symbol)
  if (row <= cash) throw unknownName('traded asset', symbol, assetSymbols(world).slice(cash + 1))
  return row
}

export function assetSymbols(world: World): string[] {
  return world.venue.state.config.assets.map(({ symbol }) => symbol)
}

/** Errors: 400 for what is no instant. */
export function parseInstant(field: string, text: string): number {
  const atMillis = isoToMillis(text)
  if (atMillis === null) throw wrongField(field, 'must be an ISO 8601 instant')
  return atMillis
}

/* What the rooms below find wrong, in the admin API's words. */

/** What is wrong with a form at `place` in the body; '' when the form is the whole body. */
export function refuseForm(problems: readonly FormProblem[], place = ''): AdminRefusal {
  const flaws = problems.map((problem) => placeMistake(problem, place))
  const [first] = flaws
  if (first === undefined) return new AdminRefusal({ code: 'invalid-parameter' })
  const all = flaws.map(({ field, reason, hint }) => ({
    field,
    reason: hint === undefined ? reason : `${reason} (${hint})`,
  }))
  return new AdminRefusal({ ...invalid(first), all })
}

function placeMistake({ path, missing, reason, nearest }: FormProblem, place: string): Flaw {
  const field = [place, path, missing ?? ''].filter((part) => part !== '').join('.')
  const flaw = {
    field: field === '' ? 'body' : field,
    reason: missing === undefined ? reason : 'is required',
  }
  return nearest === null ? flaw : { ...flaw, hint: `did you mean ${nearest}?` }
}

export const refuseConflict = (conflict: Conflict): AdminRefusal =>
  new AdminRefusal({ code: 'conflict', reason: conflictText(conflict) })

/** Throws where there is a conflict. */
export function requireNoConflict(conflict: Conflict | null): void {
  if (conflict !== null) throw refuseConflict(conflict)
}

/** A name in a body that means nothing, with the name that was perhaps meant. */
export const unknownWord = (
  field: string,
  reason: string,
  word: string,
  known: readonly string[],
): AdminRefusal => new AdminRefusal(invalid(unknownWordFlaw(field, reason, word, known)))

/** Carries out a command, of an asset. Answers the row that it is about. */
export function execute(world: World, command: Command, asset: number): number {
  const outcome = world.execute(command)
  if (outcome.ok) return outcome.row
  throw new AdminRefusal(problemOf(outcome.rejection, world.venue.state.assets, asset, world.readings))
}
