import { type ErrorType, errorTypes } from '../error-types.ts'
import { errorBody, type ProblemCode, problemCodes, problems } from '../errors.ts'
import { parseJson } from '../json.ts'
import type { Readings } from '../readings/readings.ts'
import type { AttributeName, FaultAttributes, FaultForm } from './fault-rule.ts'

/*
 * What can go wrong on purpose, with the names that WireMock and Toxiproxy made known. Each type states where it
 * strikes, which attributes it takes, and what it answers or does to a body. What takes place on the wire is in
 * `pipeline/travel`, what the venue does in `world/faults`.
 */

/**
 * `delay`: when the answer comes. `wire`: no whole answer comes. `shape`: how the right answer travels. `answer`:
 * another answer comes. `body`: the right answer's body is flawed. `venue`: the venue acts, so that every later read
 * agrees with it. `lag`: reads are of the past. `clock`: what authentication takes the time to be.
 */
type FaultPlace = 'delay' | 'wire' | 'shape' | 'answer' | 'body' | 'venue' | 'lag' | 'clock'

/** The operations that a fault is about, where it is not about all: only their requests count as matches. */
export type FaultScope = 'cancels' | 'placements' | 'market data' | 'balances' | 'lists'

interface FaultKind {
  readonly place: FaultPlace
  readonly takes: readonly AttributeName[]
  readonly needs: readonly AttributeName[]
  readonly about?: FaultScope
  /** What is answered instead of what the venue would; `phrase` is that of a status. */
  readonly answer?: (
    attributes: FaultAttributes,
    readings: Readings,
    phrase: (status: number) => string,
  ) => FaultAnswer
  /** The body with a flaw that still leaves it JSON. */
  readonly flaw?: (body: object) => object
}

export interface FaultAnswer {
  readonly status: number
  readonly body: object
  /** The text that replaces the body when it is not that object as we write JSON. */
  readonly text?: string
  /** The content type of that text; JSON without it. */
  readonly type?: string
  /** Seconds. */
  readonly retryAfter?: number | undefined
}

const kind = (
  place: FaultPlace,
  takes: readonly AttributeName[] = [],
  needs: readonly AttributeName[] = [],
  acts: Pick<FaultKind, 'about' | 'answer' | 'flaw'> = {},
): FaultKind => ({ place, takes, needs, ...acts })

export const faultTypes = {
  latency: kind('delay', [
    ...(['latencyMs', 'jitterMs', 'distribution', 'minMs', 'maxMs', 'meanMs', 'deviationMs'] as const),
    ...(['p50Ms', 'p99Ms', 'clock'] as const),
  ]),
  timeout: kind('wire', ['timeoutMs']),
  reset_peer: kind('wire', ['timeoutMs']),
  slow_close: kind('shape', ['delayMs'], ['delayMs']),
  slicer: kind('shape', ['averageSize', 'sizeVariation', 'delayMs'], ['averageSize']),
  limit_data: kind('shape', ['bytes'], ['bytes']),
  bandwidth: kind('shape', ['rateKbps'], ['rateKbps']),
  EMPTY_RESPONSE: kind('wire'),
  MALFORMED_RESPONSE_CHUNK: kind('wire'),
  RANDOM_DATA_THEN_CLOSE: kind('wire'),
  CONNECTION_RESET_BY_PEER: kind('wire'),
  http_error: kind('answer', ['status', 'type', 'retryAfter'], ['status'], {
    answer: ({ status = 500, type, retryAfter }, readings, phrase) => ({
      status,
      body: faultErrorBody(status, type ?? null, phrase(status), readings),
      retryAfter,
    }),
  }),
  canned_answer: kind('answer', ['status', 'body', 'retryAfter'], ['body'], {
    answer: ({ status = 200, body = '{}', retryAfter }) => ({
      status,
      body: parsedBody(body) ?? {},
      text: body,
      retryAfter,
    }),
  }),
  rate_limit: kind('answer', ['retryAfter'], [], {
    answer: ({ retryAfter }, readings) => ({
      status: 429,
      body: errorBody({ code: 'rate-limited' }, readings),
      retryAfter,
    }),
  }),
  auth_expired: kind('answer', [], [], {
    answer: (_, readings) => ({ status: 401, body: errorBody({ code: 'timestamp-expired' }, readings) }),
  }),
  html_502: kind('answer', [], [], {
    answer: () => ({ status: 502, body: {}, text: badGateway, type: 'text/html' }),
  }),
  truncated_json: kind('body'),
  wrong_content_type: kind('body'),
  duplicate_fill_in_list: kind('body', [], [], {
    about: 'lists',
    flaw: (body) => withLists(body, (items) => [...items.slice(0, 1), ...items]),
  }),
  reordered_list: kind('body', [], [], {
    about: 'lists',
    flaw: (body) => withLists(body, (items) => items.toReversed()),
  }),
  missing_optional_field: kind('body', [], [], { flaw: withoutOptional }),
  fill_before_cancel: kind('venue', [], [], { about: 'cancels' }),
  delayed_fill: kind('venue', ['delayMs'], ['delayMs'], { about: 'placements' }),
  partial_then_stall: kind('venue', ['share', 'delayMs'], [], { about: 'placements' }),
  stale_market_data: kind('lag', ['delayMs'], ['delayMs'], { about: 'market data' }),
  balance_lag: kind('lag', ['delayMs'], ['delayMs'], { about: 'balances' }),
  clock_skew: kind('clock', ['skewMs'], ['skewMs']),
} as const satisfies { readonly [name: string]: FaultKind }

export type FaultType = keyof typeof faultTypes

type FaultPhase = 'before' | 'after'

export function isFaultType(name: string): name is FaultType {
  return Object.hasOwn(faultTypes, name)
}

/** A type's facts, without the narrow types of the table's literals. */
export function faultKind(type: FaultType): FaultKind {
  return faultTypes[type]
}

/** The phases in which a fault can strike, the usual one first. */
export function phasesOf(type: FaultType): readonly [FaultPhase, ...FaultPhase[]] {
  switch (faultKind(type).place) {
    case 'body':
    case 'shape':
      // These act on the right answer, so the operation has always been carried out.
      return ['after']
    case 'venue':
    case 'lag':
    case 'clock':
      return ['before']
    default:
      return ['before', 'after']
  }
}

type MatchForm = Required<NonNullable<FaultForm['match']>>

/** Which requests a rule matches; null matches any. */
export type FaultMatch = { readonly [Name in keyof MatchForm]: MatchForm[Name] | null }

/** A rule with all defaults filled in, as plain data. */
export interface FaultRule {
  /** Null: the world assigns one. */
  readonly id: string | null
  readonly match: FaultMatch
  readonly type: FaultType
  /** `after`: the operation has been carried out when the fault strikes. */
  readonly phase: FaultPhase
  /** The share of due matches that it strikes. */
  readonly toxicity: number
  /** How often it strikes at most; null: without a bound. */
  readonly count: number | null
  /** How many matches it lets pass first. */
  readonly skip: number
  /** After that, it is due at every n-th match, starting with the first. */
  readonly every: number
  /** How long it is in force, in the world's time; null: until it is removed. */
  readonly forMillis: number | null
  readonly attributes: FaultAttributes
}

/** What the JSON text of a canned answer holds; null where it is no object and no list. */
export function parsedBody(text: string): object | null {
  const value = parseJson(text)
  return typeof value === 'object' ? value : null
}

/**
 * The body of the error that a rule asks for, in the venue's shape. `phrase` is that of the status. Choice: a status
 * for which the venue has only one type gets that type when the rule names none.
 */
function faultErrorBody(status: number, type: string | null, phrase: string, readings: Readings): object {
  const known = errorTypes.find((name) => name === (type ?? onlyTypeOf(status)))
  if (known === undefined) {
    const message = readings['error.message'] === 'array' ? [phrase] : phrase
    return { statusCode: status, message, error: phrase, details: {} }
  }
  const body = errorBody({ code: codeOf(known) }, readings)
  return { ...body, statusCode: status, error: body.error === known ? known : phrase }
}

function onlyTypeOf(status: number): ErrorType | null {
  if (status === 403) return 'INSUFFICIENT_SCOPE'
  return status === 429 ? 'RATE_LIMIT_EXCEEDED' : null
}

function codeOf(type: ErrorType): ProblemCode {
  return problemCodes.find((code) => problems[code].type === type) ?? 'internal'
}

/** The page that proxies write. */
const badGateway = `<html>
<head><title>502 Bad Gateway</title></head>
<body>
<center><h1>502 Bad Gateway</h1></center>
<hr><center>gateway</center>
</body>
</html>
`

/** Every list of objects, at any depth. */
function withLists(body: object, change: ListChange): object {
  const isList = (items: readonly unknown[]) =>
    items.every((item) => typeof item === 'object' && item !== null)
  return rebuilt(body, (items) => (isList(items) ? change(items) : items))
}

/** What the specification calls optional: fields that are null, and metadata without content. */
function withoutOptional(body: object): object {
  return rebuilt(
    body,
    (items) => items,
    (name, field) => field !== null && !(name === 'metadata' && isEmpty(field)),
  )
}

type ListChange = (items: readonly unknown[]) => readonly unknown[]

/** A copy with all lists changed, from the innermost on, and without fields that are not kept. */
function rebuilt(
  value: object,
  change: ListChange,
  keeps = (_name: string, _field: unknown) => true,
): object {
  const walk = (part: unknown): unknown =>
    typeof part === 'object' && part !== null ? rebuilt(part, change, keeps) : part
  if (Array.isArray(value)) return change(value.map(walk))
  const kept = Object.entries(value).filter(([name, field]) => keeps(name, field))
  return Object.fromEntries(kept.map(([name, field]) => [name, walk(field)]))
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
