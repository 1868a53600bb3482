import { errorTypes } from '../error-types.ts'
import { type Flaw, flawed, type Read, unknownWordFlaw } from '../flaw.ts'
import { validate } from '../input/read-body.ts'
import { operationIds, routeOf } from '../operations/operations.ts'
import { type FaultAttributes, type FaultForm, faultSchema } from './fault-rule.ts'
import {
  type FaultMatch,
  type FaultRule,
  type FaultType,
  faultKind,
  faultTypes,
  isFaultType,
  parsedBody,
  phasesOf,
} from './fault-types.ts'
import {
  isAbout,
  meantRoute,
  methods,
  methodsAt,
  reaches,
  routeMethods,
  scriptedPrefix,
} from './matches-fault.ts'

export interface KnownNames {
  readonly assets: readonly string[]
  readonly accounts: readonly string[]
  /** Whether paths and methods may be those of no operation: in what was written down when that was allowed. */
  readonly mayReachNothing?: true
}

/**
 * A rule from its written form. Errors, in order: the form; an id that is reserved for the script's rules; the type;
 * attributes that the type does not have, then those that it lacks or that contradict each other; the path and the method
 * of the match, which some operation must have, then its names; a phase that the type does not have.
 */
export function readFaultRule(value: unknown, known: KnownNames): Read<FaultRule> {
  const form = validate(faultSchema, value)
  if (!form.ok) return form
  const { id, type } = form.value
  if (id?.startsWith(scriptedPrefix) === true)
    return flawed('id', `must not begin with ${scriptedPrefix}: rules of the scenario's script do`)
  if (!isFaultType(type)) return unknownWord('type', 'is not a known fault', type, Object.keys(faultTypes))
  const attributes = form.value.attributes ?? {}
  const flaw = flawOfAttributes(type, attributes)
  if (flaw !== null) return { ok: false, flaw }
  const match = readMatch(type, form.value.match ?? {}, known)
  if (!match.ok) return match
  return withDefaults(form.value, type, attributes, match.value)
}

function withDefaults(
  form: FaultForm,
  type: FaultType,
  attributes: FaultAttributes,
  match: FaultMatch,
): Read<FaultRule> {
  const [usual, ...others] = phasesOf(type)
  const { id = null, phase = usual, toxicity = 1, skip = 0, every = 1, forMs = null } = form
  if (phase !== usual && !others.includes(phase)) return flawed('phase', `must be ${usual} for ${type}`)
  return {
    ok: true,
    value: {
      id,
      match,
      type,
      phase,
      toxicity,
      count: form.count ?? null,
      skip,
      every,
      forMillis: forMs,
      attributes,
    },
  }
}

function flawOfAttributes(type: FaultType, attributes: FaultAttributes): Flaw | null {
  const { takes, needs } = faultKind(type)
  for (const name of Object.keys(attributes)) {
    if (takes.some((taken) => taken === name)) continue
    const what = takes.length === 0 ? 'no attributes' : takes.join(', ')
    return { field: `attributes.${name}`, reason: `does not belong to ${type}, which takes ${what}` }
  }
  for (const name of needs) {
    if (attributes[name] === undefined)
      return { field: `attributes.${name}`, reason: `is required for ${type}` }
  }
  const named = attributes.type
  if (named !== undefined && !errorTypes.some((known) => known === named))
    return unknownWordFlaw('attributes.type', 'is not an error type of the venue', named, errorTypes)
  if (type === 'http_error' && attributes.status !== undefined && attributes.status < 400)
    return { field: 'attributes.status', reason: 'must be at least 400 for http_error' }
  if (attributes.body !== undefined && parsedBody(attributes.body) === null)
    return { field: 'attributes.body', reason: 'must be the JSON text of an object or a list' }
  return type === 'latency' ? flawOfLatency(attributes) : null
}

const latencyNeeds = {
  fixed: ['latencyMs'],
  uniform: ['minMs', 'maxMs'],
  normal: ['meanMs', 'deviationMs'],
  lognormal: ['p50Ms', 'p99Ms'],
} as const

function flawOfLatency(attributes: FaultAttributes): Flaw | null {
  const { distribution = 'fixed', minMs, maxMs, p50Ms, p99Ms } = attributes
  for (const name of latencyNeeds[distribution]) {
    if (attributes[name] === undefined)
      return { field: `attributes.${name}`, reason: `is required for a ${distribution} latency` }
  }
  if (minMs !== undefined && maxMs !== undefined && maxMs < minMs)
    return { field: 'attributes.maxMs', reason: 'must be at least minMs' }
  if (distribution !== 'lognormal') return null
  if (p50Ms === 0) return { field: 'attributes.p50Ms', reason: 'must be greater than 0' }
  return (p99Ms ?? 0) < (p50Ms ?? 0) ? { field: 'attributes.p99Ms', reason: 'must be at least p50Ms' } : null
}

const sides = ['buy', 'sell']

function readMatch(
  type: FaultType,
  form: NonNullable<FaultForm['match']>,
  known: KnownNames,
): Read<FaultMatch> {
  const method = form.method?.toUpperCase() ?? null
  const { path = null, key = null, account = null, asset = null, side = null, nth = null } = form
  if (method !== null && !methods.includes(method))
    return unknownWord('match.method', 'is not a method', method, methods)
  if (path !== null && !/^[/*]/.test(path)) return flawed('match.path', 'must begin with / or *')
  const unreachable = known.mayReachNothing === true ? null : flawOfRoute(type, method, path)
  if (unreachable !== null) return { ok: false, flaw: unreachable }
  if (account !== null && !known.accounts.includes(account))
    return unknownWord('match.account', 'is not a known account', account, known.accounts)
  if (asset !== null && !known.assets.includes(asset))
    return unknownWord('match.asset', 'is not a known asset', asset, known.assets)
  if (side !== null && side !== 'buy' && side !== 'sell')
    return unknownWord('match.side', 'must be buy or sell', side, sides)
  return { ok: true, value: { method, path, key, account, asset, side, nth } }
}

/** Null when some operation that the fault is about has the method and a path that fits. */
function flawOfRoute(type: FaultType, method: string | null, path: string | null): Flaw | null {
  const reason = 'is not a path of an operation'
  const taken = path === null ? routeMethods : methodsAt(path)
  if (path !== null && taken.length === 0) {
    const meant = meantRoute(method, path)
    const flaw = { field: 'match.path', reason }
    return meant === null ? flaw : { ...flaw, hint: `did you mean ${meant}?` }
  }
  if (method !== null && !taken.includes(method)) {
    const where = path === null ? 'no operation has' : `no operation at ${path} has`
    return { field: 'match.method', reason: `is ${method}, which ${where}: there is ${taken.join(', ')}` }
  }
  const about = operationIds.filter((operation) => isAbout(type, operation))
  if (about.some((operation) => reaches(method, path, operation))) return null
  const names = about.map(routeOf).map((route) => `${route.method} ${route.path}`)
  const field = path === null ? 'match.method' : 'match.path'
  return { field, reason: `matches nothing that ${type} is about: ${names.join(', ')}` }
}

function unknownWord(field: string, reason: string, word: string, known: readonly string[]) {
  return { ok: false, flaw: unknownWordFlaw(field, reason, word, known) } as const
}
