import type { Readable } from 'node:stream'
import { errorBody, invalid, type Problem, problems, statusOf } from '../../api/errors.ts'
import { type Flaw, nearestWord, unknownWordFlaw } from '../../api/flaw.ts'
import { validate } from '../../api/input/read-body.ts'
import type { Json } from '../../api/json.ts'
import { defaultReadings, type ReadingOverrides } from '../../api/readings/readings.ts'
import { closed } from '../../api/wire-shapes.ts'
import type { Mistake as FormProblem } from '../../scenario/file/mistake.ts'
import type { RecordOf, Shape } from '../../shape/shape.ts'
import type { ScenarioLibrary } from '../../world/shipped/shipped-scenarios.ts'
import type { Conflict, Worlds } from '../../world/worlds.ts'
import { conflictText } from '../../world/worlds.ts'

export interface AdminCall {
  readonly worlds: Worlds
  readonly params: { readonly [name: string]: string }
  readonly query: URLSearchParams
  /** The last id that a browser's EventSource has seen, which it sends when it reconnects; null for all others. */
  readonly lastEventId: string | null
  readonly server: ServerFacts
  readonly routes: readonly AdminRoute[]
}

export interface ServerFacts {
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
  readonly body: unknown
  /** In addition to those of all answers. */
  readonly headers?: Readonly<Record<string, string>>
  /** NDJSON instead of a body. */
  readonly lines?: Buffer
  /** Instead of a body: events over time, for a reader who is there. */
  readonly events?: () => Readable
}

/** A promise while others have their turn. */
export type Answered = AdminAnswer | Promise<AdminAnswer>

/** What the documentation of an operation adds to how it works. */
export interface Telling {
  readonly id: string
  readonly summary: string
  readonly response: Shape
  /** 200 unless it is given. */
  readonly status?: 201
  /** Statuses of errors besides those that every such operation has. */
  readonly errors?: readonly (404 | 409 | 422 | 503)[]
  /** The query parameters; all others are refused. */
  readonly query?: { readonly [name: string]: Shape }
  /** Those that cannot be left out. */
  readonly required?: readonly string[]
  /** Where the answer is no JSON. */
  readonly mediaType?: 'application/x-ndjson' | 'text/event-stream'
  /** A request that succeeds in its place in the document. What is left out of the path is as in all other examples. */
  readonly example?: (about: ExampleFacts) => ExampleCall
}

/** The world of the examples, whose clock stands still. */
export interface ExampleFacts {
  readonly accountId: string
  readonly asset: string
  readonly bid: number
  readonly ask: number
  readonly quantity: number
  readonly firstOrderId: string
  readonly secondOrderId: string
  readonly thirdOrderId: string
  readonly firstQuoteId: string
  readonly secondQuoteId: string
  /** Of the fault that is in force when this is asked for. */
  readonly faultId: () => string
}

export interface ExampleCall {
  readonly path?: { readonly [name: string]: string }
  readonly query?: { readonly [name: string]: string }
  readonly body?: Json
}

export interface AdminRoute extends Telling {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** In the router's notation, after `/__admin`. */
  readonly path: string
  readonly body: Shape | null
  /** Whether the body is a document that otcsim wrote, with numbers and depths that no caller would write. */
  readonly isDocument?: true
  answer(call: AdminCall, body: unknown): Answered
}

/** An operation without a body. A body that is sent nevertheless is refused, except with a GET. */
export function bare(
  method: AdminRoute['method'],
  path: string,
  telling: Telling,
  answer: (call: AdminCall) => Answered,
): AdminRoute {
  return method === 'GET'
    ? { ...telling, method, path, body: null, answer }
    : withBody(method, path, telling, nothing, answer)
}

const nothing = closed({})

/**
 * An operation with a body. A field that the schema does not know is refused with the nearest name. No body counts as
 * `{}`.
 */
export function withBody<const S extends Shape>(
  method: AdminRoute['method'],
  path: string,
  telling: Telling,
  schema: S,
  answer: (call: AdminCall, body: RecordOf<S>) => Answered,
): AdminRoute {
  return {
    ...telling,
    method,
    path,
    body: schema,
    answer: (call, body) => {
      const input = validate(schema, body)
      return input.ok ? answer(call, input.value) : refused(invalid(input.flaw))
    },
  }
}

/** An operation whose body is a document that otcsim wrote; its reader says what is wrong with it. */
export function withDocument(
  method: AdminRoute['method'],
  path: string,
  telling: Telling,
  answer: (call: AdminCall, document: unknown) => Answered,
): AdminRoute {
  return { ...telling, method, path, body: { type: 'object' }, isDocument: true, answer }
}

export const ok = (body: unknown): AdminAnswer => ({ status: 200, body })
export const created = (body: unknown): AdminAnswer => ({ status: 201, body })

/** The first thing that is wrong with a form, and all of them where there are several. */
export interface FormRefusal extends Problem {
  readonly all?: readonly { readonly field: string; readonly reason: string }[]
}

/** An error in the venue's shape. The reason says what was perhaps meant: these bodies are not the specification's. */
export function refused({ all = [], hint, ...rest }: FormRefusal): AdminAnswer {
  const reason = rest.reason ?? problems[rest.code].message
  const explained = hint === undefined ? rest : { ...rest, reason: `${reason} (${hint})` }
  const status = statusOf(rest, defaultReadings)
  const body = errorBody(explained, defaultReadings)
  if (all.length < 2) return { status, body }
  const message = `${body.message}, and ${all.length - 1} more`
  return { status, body: { ...body, message, details: { ...body.details, problems: all } } }
}

/** Something named in a path that does not exist, with the name that was perhaps meant. */
export function unknownName(what: string, name: string, known: Iterable<string>): AdminAnswer {
  const nearest = nearestWord(name, known)
  const problem: Problem = { code: 'unknown-resource', reason: `There is no ${what} ${name}` }
  return refused(nearest === null ? problem : { ...problem, hint: `did you mean ${nearest}?` })
}

/* What the rooms below find wrong, in the admin API's words. */

/** What is wrong with a form at `place` in the body; '' when the form is the whole body. */
export function formProblem(problems: readonly FormProblem[], place = ''): FormRefusal {
  const flaws = problems.map((problem) => flawAt(problem, place))
  const [first] = flaws
  if (first === undefined) return { code: 'invalid-parameter' }
  const all = flaws.map(({ field, reason, hint }) => ({
    field,
    reason: hint === undefined ? reason : `${reason} (${hint})`,
  }))
  return { ...invalid(first), all }
}

function flawAt({ path, missing, reason, nearest }: FormProblem, place: string): Flaw {
  const field = [place, path, missing ?? ''].filter((part) => part !== '').join('.')
  const flaw = {
    field: field === '' ? 'body' : field,
    reason: missing === undefined ? reason : 'is required',
  }
  return nearest === null ? flaw : { ...flaw, hint: `did you mean ${nearest}?` }
}

export function conflictProblem(conflict: Conflict): Problem {
  return { code: 'conflict', reason: conflictText(conflict) }
}

/** A name in a body that means nothing, with the name that was perhaps meant. */
export function unknownWord(field: string, reason: string, word: string, known: readonly string[]): Problem {
  return invalid(unknownWordFlaw(field, reason, word, known))
}
