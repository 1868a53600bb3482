import { type ErrorType, errorTypes } from '../error-types.ts'
import { errorBody, listsMessages, type ProblemCode, problemCodes, problems } from '../errors.ts'
import { parseJson } from '../json.ts'
import type { Readings } from '../readings/readings.ts'
import type { AttributeName, FaultAttributes, FaultForm } from './fault-rule.ts'
import type { BodyFields } from './matches-body.ts'

/*
 * The types of faults, with the names that WireMock and Toxiproxy made known. A row says where the fault acts, which
 * attributes it takes, and what it answers or does to a body. `pipeline/delivery` carries out what happens on the wire,
 * `world/faults` what the venue does.
 */

/**
 * Where a fault acts. `delay`: when the answer comes. `wire`: no whole answer comes. `shape`: how the right answer
 * travels. `answer`: another answer comes. `body`: the body of the right answer is corrupted. `venue`: the venue
 * acts, so that every later read agrees. `lag`: reads are of the past. `clock`: the time that authentication compares
 * with.
 */
type FaultPlace = 'delay' | 'wire' | 'shape' | 'answer' | 'body' | 'venue' | 'lag' | 'clock'

/**
 * The operations that a fault is about. A type without a scope is about all operations; with one, only requests for
 * these operations count as matches.
 */
export type FaultScope = 'cancels' | 'placements' | 'market data' | 'balances' | 'lists'

interface FaultKind {
  readonly place: FaultPlace
  readonly takes: readonly AttributeName[]
  readonly needs: readonly AttributeName[]
  readonly about?: FaultScope
  /** Makes the answer that replaces that of the venue. `phrase` gives the phrase of a status. */
  readonly answer?: (
    attributes: FaultAttributes,
    readings: Readings,
    phrase: (status: number) => string,
  ) => FaultAnswer
  /** Returns a corrupted copy of the body, which is still JSON. */
  readonly corrupt?: (body: object) => object
}

/** The answer that a fault gives in place of the venue. */
export interface FaultAnswer {
  readonly status: number
  readonly body: object
  /** The text of the body, where it is not the JSON text of `body`. */
  readonly text?: string
  /** The content type of the text; JSON when left out. */
  readonly type?: string
  /** What Retry-After says, in seconds. */
  readonly retryAfter?: number | undefined
}

const kind = (
  place: FaultPlace,
  takes: readonly AttributeName[] = [],
  needs: readonly AttributeName[] = [],
  acts: Omit<FaultKind, 'place' | 'takes' | 'needs'> = {},
): FaultKind => ({ place, takes, needs, ...acts })

/** The types of faults by name. */
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
      body: parseBody(body) ?? {},
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
    answer: (_, readings) => {
      const body = errorBody({ code: 'timestamp-expired' }, readings)
      return { status: body.statusCode, body }
    },
  }),
  html_502: kind('answer', [], [], {
    answer: () => ({ status: 502, body: {}, text: badGateway, type: 'text/html' }),
  }),
  truncated_json: kind('body'),
  wrong_content_type: kind('body'),
  duplicate_fill_in_list: kind('body', [], [], {
    about: 'lists',
    corrupt: (body) => changeLists(body, (items) => [...items.slice(0, 1), ...items]),
  }),
  reordered_list: kind('body', [], [], {
    about: 'lists',
    corrupt: (body) => changeLists(body, (items) => items.toReversed()),
  }),
  missing_optional_field: kind('body', [], [], { corrupt: dropOptionalFields }),
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

/**
 * Returns the row of a type of fault, typed as any row may be: the literal types of the table are too narrow to
 * compute with.
 */
export function faultKind(type: FaultType): FaultKind {
  return faultTypes[type]
}

/** Lists the phases in which a type of fault can strike, the usual one first. */
export function listPhases(type: FaultType): readonly [FaultPhase, ...FaultPhase[]] {
  switch (faultKind(type).place) {
    case 'body':
    case 'shape':
      // The fault changes the right answer, so the operation has always been carried out.
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

/** The requests that a rule matches; a field that is null matches any, and so does a body that is left out. */
export type FaultMatch = { readonly [Name in Exclude<keyof MatchForm, 'body'>]: MatchForm[Name] | null } & {
  readonly body?: BodyFields
}

/** A fault rule with all defaults filled in, as plain data. */
export interface FaultRule {
  /** The id of the rule; null when the world is to assign one. */
  readonly id: string | null
  readonly match: FaultMatch
  readonly type: FaultType
  /** When the fault strikes: before the operation, or after it has been carried out. */
  readonly phase: FaultPhase
  /** The share of due matches that the rule strikes, from 0 to 1. */
  readonly toxicity: number
  /** How often the rule strikes at most; null without a bound. */
  readonly count: number | null
  /** How many matches the rule lets pass first. */
  readonly skip: number
  /** After the skipped matches the rule is due at every n-th match, the first included. */
  readonly every: number
  /** How long the rule is in force, in milliseconds of world time; null until it is removed. */
  readonly forMillis: number | null
  readonly attributes: FaultAttributes
}

/** Parses the JSON text of a canned answer; null unless it is an object or a list. */
export function parseBody(text: string): object | null {
  const value = parseJson(text)
  return typeof value === 'object' ? value : null
}

/**
 * Makes the body of the error that a rule asks for, in the shape of the venue. `phrase` is that of the status.
 * Choice: a status for which the venue has only one type gets that type when the rule names none.
 */
function faultErrorBody(status: number, type: string | null, phrase: string, readings: Readings): object {
  const known = errorTypes.find((name) => name === (type ?? onlyTypeFor(status)))
  const code = known === undefined ? null : findCode(known)
  const text = code === null ? phrase : problems[code].message
  const message = listsMessages(status, readings) ? [text] : text
  if (code === null) return { statusCode: status, message, error: phrase, details: {} }
  const body = errorBody({ code }, readings)
  return { ...body, statusCode: status, message, error: body.error === known ? body.error : phrase }
}

function onlyTypeFor(status: number): ErrorType | null {
  if (status === 403) return 'INSUFFICIENT_SCOPE'
  return status === 429 ? 'RATE_LIMIT_EXCEEDED' : null
}

function findCode(type: ErrorType): ProblemCode {
  return problemCodes.find((code) => problems[code].type === type) ?? 'internal'
}

/** The HTML page that proxies answer a 502 with. */
const badGateway = `<html>
<head><title>502 Bad Gateway</title></head>
<body>
<center><h1>502 Bad Gateway</h1></center>
<hr><center>gateway</center>
</body>
</html>
`

/** Returns a body with every list of objects changed, at any depth. */
function changeLists(body: object, change: ListChange): object {
  const isList = (items: readonly unknown[]) =>
    items.every((item) => typeof item === 'object' && item !== null)
  return rebuild(body, (items) => (isList(items) ? change(items) : items))
}

/** Returns a body without its optional fields: those that are null, and metadata without content. */
function dropOptionalFields(body: object): object {
  return rebuild(
    body,
    (items) => items,
    (name, field) => field !== null && !(name === 'metadata' && isEmpty(field)),
  )
}

type ListChange = (items: readonly unknown[]) => readonly unknown[]

/** Copies a value with all lists changed, from the innermost on, and without the fields that are not kept. */
function rebuild(
  value: object,
  change: ListChange,
  keeps = (_name: string, _field: unknown) => true,
): object {
  const walk = (part: unknown): unknown =>
    typeof part === 'object' && part !== null ? rebuild(part, change, keeps) : part
  if (Array.isArray(value)) return change(value.map(walk))
  const kept = Object.entries(value).filter(([name, field]) => keeps(name, field))
  return Object.fromEntries(kept.map(([name, field]) => [name, walk(field)]))
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
