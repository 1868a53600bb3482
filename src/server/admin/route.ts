import type { Readable } from 'node:stream'
import { adminErrorBody, type FormRefusal } from '../../api/admin-errors.ts'
import { invalidParameter, type Problem, problemStatus } from '../../api/errors.ts'
import { validate } from '../../api/input/read-body.ts'
import { type InputProblem, unknownWordProblem } from '../../api/input-problem.ts'
import type { Json } from '../../api/json.ts'
import { nearestWord } from '../../api/nearest-word.ts'
import type { AdminOperation } from '../../api/openapi/admin-openapi.ts'
import type { ExampleWorld } from '../../api/openapi/examples.ts'
import { defaultReadings, type ReadingOverrides } from '../../api/readings/readings.ts'
import { toProblem } from '../../api/refusals.ts'
import { object } from '../../api/wire-shapes.ts'
import { cash, firstClientAccount, none } from '../../engine/codes.ts'
import type { Command } from '../../engine/command.ts'
import { isoToMillis } from '../../numeric/time-text.ts'
import type { Mistake } from '../../scenario/file/mistake.ts'
import type { RecordOf, Shape } from '../../shape/shape.ts'
import type { ScenarioLibrary } from '../../world/shipped/shipped-scenarios.ts'
import type { World } from '../../world/world.ts'
import { type Conflict, conflictText, type Worlds } from '../../world/worlds.ts'

/** One call of an admin operation: the parts of its request, and the server that it reached. */
export interface AdminCall {
  readonly worlds: Worlds
  readonly params: { readonly [name: string]: string }
  readonly query: URLSearchParams
  /**
   * The last id that a browser's EventSource has seen, which it sends when it reconnects; null in any other request.
   */
  readonly lastEventId: string | null
  readonly server: ServerDetails
  readonly routes: readonly AdminRoute[]
}

/** What the admin API says about its server, and how it ends the process. */
export interface ServerDetails {
  readonly version: string
  readonly startedAtMillis: number
  readonly scenarios: ScenarioLibrary
  readonly readings: ReadingOverrides
  readonly url: () => string
  /** Asks the process to end once the answer is out. */
  readonly shutdown: () => void
}

/** The answer to an admin call. */
export interface AdminAnswer {
  readonly status: number
  /** A JSON value, the finished bytes of the answer, or an `EventStream`. */
  readonly body: unknown
  readonly mediaType?: string
  /** Headers in addition to those of all answers. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A stream of server-sent events, which is opened when it is handed to its reader. */
export class EventStream {
  readonly open: () => Readable

  constructor(open: () => Readable) {
    this.open = open
  }
}

/** An operation with what its documentation adds to it. */
interface DocumentedOperation extends Omit<AdminOperation, 'method' | 'path' | 'body' | 'isDocument'> {
  /**
   * A request that succeeds at its place in the document. What it leaves out of the path is the same in all examples.
   */
  readonly example?: ExampleCall | ((about: ExampleContext) => ExampleCall)
}

/** The world of the examples, whose clock stands still. */
export interface ExampleContext extends ExampleWorld {
  readonly accountId: string
  /** The ids of the orders that the timeline's example places. */
  readonly orderIds: readonly [string, string, string]
  /** The ids of the quotes that the timeline's example makes. */
  readonly quoteIds: readonly [string, string]
  /** Returns the id of the fault that is in force now. */
  readonly faultId: () => string
}

/** The parts of an example's request. */
export interface ExampleCall {
  readonly path?: { readonly [name: string]: string }
  readonly query?: { readonly [name: string]: string }
  readonly body?: Json
}

/** An operation of the admin API as the router needs it. */
export interface AdminRoute extends AdminOperation, DocumentedOperation {
  /**
   * Returns the body of the answer, or a promise of it where others have their turn first. Throws an `AdminRefusal`.
   */
  answer(call: AdminCall, body: unknown): unknown
}

/** A row of the table of operations. */
interface ServerOperation<S extends Shape> extends DocumentedOperation {
  /** The shape of the body; a missing body counts as `{}`. Without a shape any field is refused, except with a GET. */
  readonly body?: S
  /** Set instead of `body` for a document whose own reader says what is wrong with it. */
  readonly isDocument?: true
  answer(call: AdminCall, body: RecordOf<S>): unknown
}

type Nothing = typeof nothing
const nothing = object({})

type Method = AdminRoute['method']

/** Makes a row for an operation of the whole server, whose body is checked before it is answered. */
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
    if (!input.ok) throw new AdminRefusal(invalidParameter(input.problem))
    return row.answer(call, input.value)
  }
  return { ...row, method, path, body: known, answer }
}

/** A row of the table whose path begins with a world. */
interface WorldOperation<S extends Shape> extends Omit<ServerOperation<S>, 'answer'> {
  readonly answer: (world: World, call: AdminCall, body: RecordOf<S>) => unknown
}

/**
 * Makes a row for an operation of the path's world. It is answered once everything that came before is done, with the
 * world moved to the present.
 */
export function inWorld<const S extends Shape = Nothing>(
  method: Method,
  path: string,
  { answer, ...row }: WorldOperation<S>,
): AdminRoute {
  const enter = (call: AdminCall, body: RecordOf<S>): unknown => {
    const world = findPathWorld(call)
    // The world is looked up again on its turn, because it may have been deleted by then.
    if (world.mustWait()) return world.workQueue.wait(() => enter(call, body))
    world.time.catchUp()
    return answer(world, call, body)
  }
  return onServer<S>(method, `/worlds/:world${path}`, { ...row, answer: enter })
}

/** Finds the world in a call's path. Errors: 404 the world. */
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

/** Answers a call, refusals included; rejects with any other failure. `read` returns the body. */
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

/** The reason why an operation is not carried out, to be thrown wherever it is found. */
export class AdminRefusal extends Error {
  override readonly name = 'AdminRefusal'
  readonly problem: FormRefusal

  constructor(problem: FormRefusal) {
    super(problem.reason ?? problem.code)
    this.problem = problem
  }
}

/** Returns a value that was read, or refuses the problem that was found instead. */
export function requireValue<Value extends number | null>(read: Value | Problem): Value {
  if (typeof read === 'object' && read !== null) throw new AdminRefusal(read)
  return read
}

/** Makes an answer of a refusal: an error in the venue's shape. */
export const refuseWith = (refusal: FormRefusal): AdminAnswer => ({
  status: problemStatus(refusal, defaultReadings),
  body: adminErrorBody(refusal),
})

/** Creates a refusal of one field: 400. */
export const wrongField = (field: string, reason: string): AdminRefusal =>
  new AdminRefusal(invalidParameter({ field, reason }))

/** Creates a refusal of a name in a path that nothing has: 404, with the nearest known name as a hint. */
export function unknownName(what: string, name: string, known: Iterable<string>): AdminRefusal {
  const nearest = nearestWord(name, known)
  const problem: Problem = { code: 'unknown-resource', reason: `There is no ${what} ${name}` }
  return new AdminRefusal(nearest === null ? problem : { ...problem, hint: `did you mean ${nearest}?` })
}

/** Finds the row of the account in a call's path. The venue's own accounts have no name. Errors: 404 the account. */
export function findPathAccount(world: World, { params }: AdminCall): number {
  return findNamedAccount(world, params['account'] ?? '')
}

/** Finds the row of an account. The venue's own accounts have no name. Errors: 404 the account. */
export function findNamedAccount(world: World, id: string): number {
  const { accounts } = world.venue.state
  const row = accounts.rowOf(id)
  if (row === none) throw unknownName('account', id, accounts.ids.slice(firstClientAccount))
  return row
}

/** Finds the row of the traded asset in a call's path. Errors: 404 the asset. */
export function findPathAsset(world: World, { params }: AdminCall): number {
  return findTradedAsset(world, params['asset'] ?? '')
}

/** Finds the row of a traded asset by its symbol. Errors: 404 the asset. */
export function findTradedAsset(world: World, symbol: string): number {
  const row = world.venue.state.assets.rowOf(symbol)
  if (row <= cash) throw unknownName('traded asset', symbol, assetSymbols(world).slice(cash + 1))
  return row
}

export function assetSymbols(world: World): string[] {
  return world.venue.state.config.assets.map(({ symbol }) => symbol)
}

/** Parses an ISO 8601 instant into milliseconds since 1970. Errors: 400 the text. */
export function parseInstant(field: string, text: string): number {
  const atMillis = isoToMillis(text)
  if (atMillis === null) throw wrongField(field, 'must be an ISO 8601 instant')
  return atMillis
}

/* Mistakes and conflicts that lower rooms find, as refusals of the admin API. */

/** Creates a refusal of a form's mistakes. `place` is where the form is in the body; '' when it is the whole body. */
export function refuseForm(problems: readonly Mistake[], place = ''): AdminRefusal {
  const mistakes = problems.map((problem) => placeMistake(problem, place))
  const [first] = mistakes
  if (first === undefined) return new AdminRefusal({ code: 'invalid-parameter' })
  const all = mistakes.map(({ field, reason, hint }) => ({
    field,
    reason: hint === undefined ? reason : `${reason} (${hint})`,
  }))
  return new AdminRefusal({ ...invalidParameter(first), all })
}

function placeMistake(
  { path, missing, reason, nearest }: Mistake,
  place: string,
): Omit<InputProblem, 'code'> {
  const field = [place, path, missing ?? ''].filter((part) => part !== '').join('.')
  const mistake = {
    field: field === '' ? 'body' : field,
    reason: missing === undefined ? reason : 'is required',
  }
  return nearest === null ? mistake : { ...mistake, hint: `did you mean ${nearest}?` }
}

/** Creates a refusal of a conflict with what exists: 409. */
export const refuseConflict = (conflict: Conflict): AdminRefusal =>
  new AdminRefusal({ code: 'conflict', reason: conflictText(conflict) })

/** Throws the refusal of a conflict, if there is one. */
export function requireNoConflict(conflict: Conflict | null): void {
  if (conflict !== null) throw refuseConflict(conflict)
}

/** Creates a refusal of a word in a body that is not known: 400, with the nearest known word as a hint. */
export const unknownWord = (
  field: string,
  reason: string,
  word: string,
  known: readonly string[],
): AdminRefusal => new AdminRefusal(invalidParameter(unknownWordProblem(field, reason, word, known)))

/**
 * Carries out a command about an asset, and returns the row of what it made or changed. Refuses what the engine
 * rejects.
 */
export function execute(world: World, command: Command, asset: number): number {
  const outcome = world.execute(command)
  if (outcome.ok) return outcome.row
  throw new AdminRefusal(toProblem(outcome.rejection, world.venue.state.assets, asset, world.readings))
}
