import { Hash128 } from '../../numeric/hash.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { createStream, type RandomStream } from '../../numeric/random.ts'
import type { Shape } from '../../shape/shape.ts'
import { meantPath } from '../dispatch.ts'
import { nearestWord } from '../flaw.ts'
import type { Method } from '../operations/operation.ts'
import { everyOperationId, type OperationId, operationIds, routeOf } from '../operations/operations.ts'
import { itemShape } from '../wire-shapes.ts'
import { type FaultAttributes, longestMillis } from './fault-rule.ts'
import { type FaultRule, type FaultScope, type FaultType, faultKind } from './fault-types.ts'

/** A request as fault rules see it. Facts that cost effort are functions, which are called last. */
export interface FaultFacts {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** The value of X-API-Key; '' in process. */
  readonly key: string
  /** Null for an unknown key. */
  readonly account: string | null
  /** Null when there is none at that path. */
  operation(): OperationId | null
  /** The symbols that it is about: in the path, the query, the body, or of the order that it names. */
  assets(): readonly string[]
  /** Sides of the orders that it is about. */
  sides(): readonly string[]
}

/**
 * Whether a rule counts a request; `fires` decides which of those it strikes. A request that its fault could do nothing
 * to does not use it up: a fill before a cancel waits for one.
 */
export function matchesFault({ match, type }: FaultRule, facts: FaultFacts): boolean {
  const { method, path, key, account, asset, side } = match
  return (
    (method === null || method === facts.method) &&
    (path === null || matchesPath(path, facts.path)) &&
    (key === null || key === facts.key) &&
    (account === null || account === facts.account) &&
    isAbout(type, facts.operation()) &&
    (asset === null || facts.assets().includes(asset)) &&
    (side === null || facts.sides().includes(side))
  )
}

/**
 * Whether a path matches a pattern: the parts between its stars occur in order, the first at the start and the last
 * at the end.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return pattern === path
  const last = rest.pop() ?? ''
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const place = path.indexOf(part, at)
    if (place === -1) return false
    at = place + part.length
  }
  return path.length - last.length >= at && path.endsWith(last)
}

/** Whether a fault of a type can do anything to an operation; null: the request is for none. */
export function isAbout(type: FaultType, operation: OperationId | null): boolean {
  const { about } = faultKind(type)
  return about === undefined || (operation !== null && scopes[about].includes(operation))
}

const scopes: { readonly [Scope in FaultScope]: readonly OperationId[] } = {
  cancels: ['cancelOrder', 'cancelOrders'],
  placements: ['createOrder', 'createOrders', 'amendOrder', 'submitQuote', 'updateQuote', 'updateQuotes'],
  'market data': everyOperationId.filter((id) => routeOf(id).category === 'marketData'),
  balances: ['listBalances', 'getBalance', 'getAvailable', 'getSummary'],
  lists: everyOperationId.filter((id) => hasList(routeOf(id).response)),
}

/** Whether a list of objects is anywhere in what a schema describes. */
function hasList(shape: Shape): boolean {
  const { properties = {}, additionalProperties, anyOf = [] } = shape
  const items = itemShape(shape)
  if (items !== undefined) return items.type !== 'string'
  const others = typeof additionalProperties === 'object' ? [additionalProperties] : []
  return [...Object.values(properties), ...others, ...anyOf].some(hasList)
}

/**
 * Whether a rule strikes at its n-th match (from 1), having struck `fired` times before. Apart from `count`, which
 * bounds the strikes, it is a pure function of seed, rule and n: other rules and other requests never shift it.
 * Design, section 16: first `skip` matches, then every `every`-th, the first of them included, at most `count` times.
 */
export function fires(seed: string, rule: FaultRule, n: number, fired: number): boolean {
  const { match, count, skip, every, toxicity } = rule
  if (count !== null && fired >= count) return false
  if (match.nth !== null && n !== match.nth) return false
  if (n <= skip || (n - skip - 1) % every !== 0) return false
  return toxicity >= 1 || drawsOf(seed, rule, n).uniform() < toxicity
}

/**
 * The draws of a rule's n-th match: the first decides whether it strikes, the others how. A rule with an id draws
 * from the stream of that id; one without draws from the stream of what it matches and does. So neither the number
 * nor the order of rules plays a part, nor how often a rule may strike.
 */
export function drawsOf(seed: string, rule: FaultRule, n: number): RandomStream {
  return createStream(seed, 'fault', rule.id ?? ruleKey(rule), n)
}

function ruleKey({ match, type, phase }: FaultRule): string {
  const { method, path, key, account, asset, side } = match
  return JSON.stringify([method, path, key, account, asset, side, type, phase])
}

/** The standard normal's 99th percentile. */
const z99 = 2.3263478740408408

/**
 * How late one request is by a rule's latency, in whole milliseconds. `fixed` takes `latencyMs`, `uniform` takes
 * `minMs` and `maxMs`, `normal` `meanMs` and `deviationMs`, `lognormal` its median `p50Ms` and its `p99Ms`; then
 * `jitterMs` in either direction. `minMs` and `maxMs` bound each of them, and 0 and a day bound all.
 */
export function latencyMillis(attributes: FaultAttributes, draws: RandomStream): number {
  const { jitterMs = 0, minMs = 0, maxMs = longestMillis } = attributes
  const jitter = jitterMs === 0 ? 0 : (2 * draws.uniform() - 1) * jitterMs
  const late = middle(attributes, draws) + jitter
  return Math.round(Math.min(Math.max(late, minMs), maxMs))
}

function middle(attributes: FaultAttributes, draws: RandomStream): number {
  const {
    latencyMs = 0,
    minMs = 0,
    maxMs = 0,
    meanMs = 0,
    deviationMs = 0,
    p50Ms = 1,
    p99Ms = 1,
  } = attributes
  switch (attributes.distribution ?? 'fixed') {
    case 'fixed':
      return latencyMs
    case 'uniform':
      return minMs + draws.uniform() * (maxMs - minMs)
    case 'normal':
      return meanMs + draws.normal() * deviationMs
    case 'lognormal':
      return p50Ms * exp((log(p99Ms / p50Ms) / z99) * draws.normal())
  }
}

export interface ActiveFault {
  readonly id: string
  readonly rule: FaultRule
  /** When it ends by itself, in the world's time; null: never. */
  readonly untilMillis: number | null
  readonly matched: number
  readonly fired: number
}

/** How the ids of rules begin that a scenario's script installs; the token of the action follows. */
export const scriptedPrefix = 'script.'

/**
 * A venue's digest, with the rules in force and their counts. Choice: without rules it is the venue's own, so that a
 * world can be compared with runs that have no world around their engine.
 */
export function digestWithFaults(digest: string, rules: readonly ActiveFault[]): string {
  if (rules.length === 0) return digest
  const hash = new Hash128()
  hash.addText(digest)
  for (const { id, rule, untilMillis, matched, fired } of rules) {
    hash.addText(JSON.stringify([id, canonical(rule), untilMillis]))
    hash.addInteger(matched)
    hash.addInteger(fired)
  }
  return hash.digest()
}

/** A rule's fields in a fixed order, however they were written. */
function canonical(rule: FaultRule): unknown {
  const sorted = (value: object) => Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return sorted({ ...rule, match: sorted(rule.match), attributes: sorted(rule.attributes) })
}

/** The methods of operations whose paths fit a pattern (see `matchesPath`); empty when none do. */
export function methodsAt(pattern: string): readonly string[] {
  const met = everyOperationId.map(routeOf).filter(({ path }) => meets(pattern, path))
  return routeMethods.filter((method) => met.some((route) => route.method === method))
}

/** Whether an operation has the method and a path that fits the pattern; null stands for any. */
export function reaches(method: string | null, pattern: string | null, operation: OperationId): boolean {
  const route = routeOf(operation)
  return (method === null || method === route.method) && (pattern === null || meets(pattern, route.path))
}

/** What was most likely meant by a path or pattern that fits no operation; null where it fits, or nothing is near. */
export function meantRoute(method: string | null, path: string): string | null {
  if (methodsAt(path).length > 0) return null
  return path.includes('*') ? meantPattern(path) : meantPath(method, path)
}

/** The methods that a request may have: no operation has all of them. */
export const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

export const routeMethods: readonly Method[] = ['GET', 'POST', 'PATCH', 'DELETE']

/** The same behind the prefix, or that of an operation. */
function meantPattern(pattern: string): string | null {
  const prefixed = `/api/sdk${pattern}`
  if (methodsAt(prefixed).length > 0) return prefixed
  const isAsLong = (known: string) => known.split('/').length === pattern.split('/').length
  return nearestWord(pattern, routePatterns.filter(isAsLong))
}

/** The paths of all operations as patterns, with a star for the parameter. */
export const routePatterns: readonly string[] = [
  ...new Set(operationIds.map((id) => routeOf(id).path.replace(parameter(), '*'))),
]

/**
 * Whether any path fits both a pattern and a route. Works backwards: `here[at]` is whether some text fits both the rest
 * of the pattern and the rest of the route from `at` on.
 */
function meets(pattern: string, path: string): boolean {
  const parts = partsOf(path)
  let after = parts.map(() => false)
  after.push(true)
  for (let at = parts.length - 1; at >= 0; at -= 1) after[at] = parts[at] === 'more' && after[at + 1] === true
  for (const sign of [...pattern].reverse()) {
    const here = new Array<boolean>(parts.length + 1).fill(false)
    here[parts.length] = sign === '*' && after[parts.length] === true
    for (let at = parts.length - 1; at >= 0; at -= 1) {
      const part = parts[at]
      const skips = (sign === '*' || part === 'more') && here[at + 1] === true
      const ends = sign === '*' && after[at] === true
      const fits = sign !== '*' && (part === sign || ((part === 'one' || part === 'more') && sign !== '/'))
      here[at] = skips || ends || (fits && after[part === 'more' ? at : at + 1] === true)
    }
    after = here
  }
  return after[0] === true
}

/** The characters of a route's path. A parameter is `one` character that is not a slash, then any number `more`. */
function partsOf(path: string): readonly string[] {
  const [before = '', behind] = path.split(parameter())
  return behind === undefined ? [...before] : [...before, 'one', 'more', ...behind]
}

function parameter(): RegExp {
  return /:[^/]+/
}
