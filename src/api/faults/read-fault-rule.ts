import { errorTypes } from '../error-types.ts'
import { validate } from '../input/read-body.ts'
import {
  type InputProblem,
  type InputResult,
  type InvalidInput,
  inputProblem,
  refuseField,
  unknownWordProblem,
} from '../input-problem.ts'
import { operationIds, routeOf } from '../operations/operations.ts'
import { type FaultAttributes, type FaultForm, faultSchema } from './fault-rule.ts'
import {
  type FaultMatch,
  type FaultRule,
  type FaultType,
  faultKind,
  faultTypes,
  isFaultType,
  listPhases,
  parseBody,
} from './fault-types.ts'
import {
  isAbout,
  listMethods,
  methods,
  reachesOperation,
  routeMethods,
  scriptedPrefix,
  suggestRoute,
} from './matches-fault.ts'

/** The names that a rule may refer to. */
export interface KnownNames {
  readonly assets: readonly string[]
  readonly accounts: readonly string[]
  /** The keys of requests; left out where they are not known yet. */
  readonly keys?: readonly string[]
  /**
   * Whether paths and methods that no operation has are accepted. Only documents that were written when they were
   * accepted set it.
   */
  readonly allowsAnyRoute?: true
}

/**
 * Reads a fault rule. Errors, in order: the form; an id that is reserved for rules of the script; the type;
 * attributes that the type does not have, then those that it lacks or that contradict each other; the path and the
 * method of the match, which some operation must have, then its names; a phase that the type does not have.
 */
export function readFaultRule(value: unknown, known: KnownNames): InputResult<FaultRule> {
  const form = validate(faultSchema, value)
  if (!form.ok) return form
  const { id, type } = form.value
  if (id?.startsWith(scriptedPrefix) === true)
    return refuseField('id', `must not begin with ${scriptedPrefix}: rules of the scenario's script do`)
  if (!isFaultType(type)) return refuseWord('type', 'is not a known fault', type, Object.keys(faultTypes))
  const attributes = form.value.attributes ?? {}
  const problem = checkAttributes(type, attributes)
  if (problem !== null) return { ok: false, problem: problem }
  const match = readMatch(type, form.value.match ?? {}, known)
  if (!match.ok) return match
  return addDefaults(form.value, type, attributes, match.value)
}

function addDefaults(
  form: FaultForm,
  type: FaultType,
  attributes: FaultAttributes,
  match: FaultMatch,
): InputResult<FaultRule> {
  const [usual, ...others] = listPhases(type)
  const { id = null, phase = usual, toxicity = 1, skip = 0, every = 1, forMs = null } = form
  if (phase !== usual && !others.includes(phase)) return refuseField('phase', `must be ${usual} for ${type}`)
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

function checkAttributes(type: FaultType, attributes: FaultAttributes): InputProblem | null {
  const { takes, needs } = faultKind(type)
  for (const name of Object.keys(attributes)) {
    if (takes.some((taken) => taken === name)) continue
    const what = takes.length === 0 ? 'no attributes' : takes.join(', ')
    return inputProblem(`attributes.${name}`, `does not belong to ${type}, which takes ${what}`)
  }
  for (const name of needs) {
    if (attributes[name] === undefined) return inputProblem(`attributes.${name}`, `is required for ${type}`)
  }
  const named = attributes.type
  if (named !== undefined && !errorTypes.some((known) => known === named))
    return unknownWordProblem('attributes.type', 'is not an error type of the venue', named, errorTypes)
  if (type === 'http_error' && attributes.status !== undefined && attributes.status < 400)
    return inputProblem('attributes.status', 'must be at least 400 for http_error')
  if (attributes.body !== undefined && parseBody(attributes.body) === null)
    return inputProblem('attributes.body', 'must be the JSON text of an object or a list')
  return type === 'latency' ? checkLatency(attributes) : null
}

const latencyNeeds = {
  fixed: ['latencyMs'],
  uniform: ['minMs', 'maxMs'],
  normal: ['meanMs', 'deviationMs'],
  lognormal: ['p50Ms', 'p99Ms'],
} as const

function checkLatency(attributes: FaultAttributes): InputProblem | null {
  const { distribution = 'fixed', minMs, maxMs, p50Ms, p99Ms } = attributes
  for (const name of latencyNeeds[distribution]) {
    if (attributes[name] === undefined)
      return inputProblem(`attributes.${name}`, `is required for a ${distribution} latency`)
  }
  if (minMs !== undefined && maxMs !== undefined && maxMs < minMs)
    return inputProblem('attributes.maxMs', 'must be at least minMs')
  if (distribution !== 'lognormal') return null
  if (p50Ms === 0) return inputProblem('attributes.p50Ms', 'must be greater than 0')
  return (p99Ms ?? 0) < (p50Ms ?? 0) ? inputProblem('attributes.p99Ms', 'must be at least p50Ms') : null
}

const sides = ['buy', 'sell']

function readMatch(
  type: FaultType,
  form: NonNullable<FaultForm['match']>,
  known: KnownNames,
): InputResult<FaultMatch> {
  const method = form.method?.toUpperCase() ?? null
  const { path = null, key = null, account = null, asset = null, side = null, nth = null, body } = form
  if (method !== null && !methods.includes(method))
    return refuseWord('match.method', 'is not a method', method, methods)
  if (path !== null && !/^[/*]/.test(path)) return refuseField('match.path', 'must begin with / or *')
  const unreachable = known.allowsAnyRoute === true ? null : checkRoute(type, method, path)
  if (unreachable !== null) return { ok: false, problem: unreachable }
  if (key !== null && known.keys?.includes(key) === false)
    return refuseWord('match.key', 'is not a key of this world', key, known.keys)
  if (account !== null && !known.accounts.includes(account))
    return refuseWord('match.account', 'is not a known account', account, known.accounts)
  if (asset !== null && !known.assets.includes(asset))
    return refuseWord('match.asset', 'is not a known asset', asset, known.assets)
  if (side !== null && side !== 'buy' && side !== 'sell')
    return refuseWord('match.side', 'must be buy or sell', side, sides)
  const match = { method, path, key, account, asset, side, nth }
  return { ok: true, value: body === undefined ? match : { ...match, body } }
}

/**
 * Returns null when an operation that the fault is about has the method and a path that fits the pattern, else what
 * is wrong.
 */
function checkRoute(type: FaultType, method: string | null, path: string | null): InputProblem | null {
  const reason = 'is not a path of an operation'
  const taken = path === null ? routeMethods : listMethods(path)
  if (path !== null && taken.length === 0) {
    const meant = suggestRoute(method, path)
    return inputProblem('match.path', reason, meant === null ? null : `did you mean ${meant}?`)
  }
  if (method !== null && !taken.includes(method)) {
    const where = path === null ? 'no operation has' : `no operation at ${path} has`
    return inputProblem('match.method', `is ${method}, which ${where}: there is ${taken.join(', ')}`)
  }
  const about = operationIds.filter((operation) => isAbout(type, operation))
  if (about.some((operation) => reachesOperation(method, path, operation))) return null
  const names = about.map(routeOf).map((route) => `${route.method} ${route.path}`)
  const field = path === null ? 'match.method' : 'match.path'
  return inputProblem(field, `matches nothing that ${type} is about: ${names.join(', ')}`)
}

function refuseWord(field: string, reason: string, word: string, known: readonly string[]): InvalidInput {
  return { ok: false, problem: unknownWordProblem(field, reason, word, known) }
}
