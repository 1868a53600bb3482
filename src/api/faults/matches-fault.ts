import { Hash128 } from '../../numeric/hash.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { createStream, type RandomStream } from '../../numeric/random.ts'
import type { Shape } from '../../shape/shape.ts'
import { suggestPath } from '../dispatch.ts'
import { nearestWord } from '../nearest-word.ts'
import type { Method } from '../operations/operation.ts'
import { everyOperationId, type OperationId, operationIds, routeOf } from '../operations/operations.ts'
import { itemShape } from '../wire-shapes.ts'
import { type FaultAttributes, longestMillis } from './fault-rule.ts'
import { type FaultRule, type FaultScope, type FaultType, faultKind } from './fault-types.ts'
import { type BodyFields, matchesBody } from './matches-body.ts'

/** A request as fault rules see it. What costs effort is a function, and is asked last. */
export interface FaultRequest {
  readonly method: string
  /** The path without the query. */
  readonly path: string
  /** The value of X-API-Key; '' in process. */
  readonly key: string
  /** The account of the key; null for an unknown key. */
  readonly account: string | null
  /** Returns the operation that the request is for; null when there is none. */
  operation(): OperationId | null
  /** Returns the symbols that the request is about: in its path, query or body, or of the order that it names. */
  assets(): readonly string[]
  /** Returns the sides of the orders that the request is about. */
  sides(): readonly string[]
  /** The text of the request's body. */
  readonly body: string
}

/**
 * Returns whether a rule counts a request; `fires` decides which of those it strikes. A request that the fault could
 * do nothing to is not counted: a fill before a cancel waits for a cancel.
 */
export function matchesFault({ match, type }: FaultRule, facts: FaultRequest): boolean {
  const { method, path, key, account, asset, side, body } = match
  return (
    (method === null || method === facts.method) &&
    (path === null || matchesPath(path, facts.path)) &&
    (key === null || key === facts.key) &&
    (account === null || account === facts.account) &&
    isAbout(type, facts.operation()) &&
    (asset === null || facts.assets().includes(asset)) &&
    (side === null || facts.sides().includes(side)) &&
    (body === undefined || matchesBody(body, facts.body))
  )
}

/**
 * Returns whether a path matches a pattern: the texts between the stars of the pattern occur in order, the first at
 * the start of the path and the last at its end.
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

/** Returns whether a type of fault can do anything to an operation. Null stands for a request without an operation. */
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

/** Returns whether a list of objects is anywhere in what a schema describes. */
function hasList(shape: Shape): boolean {
  const { properties = {}, additionalProperties, anyOf = [] } = shape
  const items = itemShape(shape)
  if (items !== undefined) return items.type !== 'string'
  const others = typeof additionalProperties === 'object' ? [additionalProperties] : []
  return [...Object.values(properties), ...others, ...anyOf].some(hasList)
}

/**
 * Returns whether a rule strikes at its n-th match (from 1), when it has struck `fired` times before. Apart from the
 * bound `count` this depends on the seed, the rule and n alone, so other rules and requests never shift it. Spec:
 * design, section 16: first `skip` matches, then every `every`-th, the first of them included, at most `count` times.
 */
export function shouldStrike(seed: string, rule: FaultRule, n: number, fired: number): boolean {
  const { match, count, skip, every, toxicity } = rule
  if (count !== null && fired >= count) return false
  if (match.nth !== null && n !== match.nth) return false
  if (n <= skip || (n - skip - 1) % every !== 0) return false
  return toxicity >= 1 || createDraws(seed, rule, n).uniform() < toxicity
}

/**
 * Creates the random stream of the n-th match of a rule: its first draw decides whether the rule strikes, the others
 * how. The stream is named by the id of the rule, or else by what it matches and does. So neither the number nor the
 * order of rules plays a part, nor how often a rule may strike.
 */
export function createDraws(seed: string, rule: FaultRule, n: number): RandomStream {
  return createStream(seed, 'fault', rule.id ?? ruleKey(rule), n)
}

function ruleKey({ match, type, phase }: FaultRule): string {
  const { method, path, key, account, asset, side, body } = match
  const inBody: readonly BodyFields[] = body === undefined ? [] : [body]
  return JSON.stringify([method, path, key, account, asset, side, type, phase, ...inBody])
}

/** The 99th percentile of the standard normal distribution. */
const z99 = 2.3263478740408408

/**
 * Draws the latency of one request, in whole milliseconds. `fixed` takes `latencyMs`, `uniform` takes `minMs` and
 * `maxMs`, `normal` `meanMs` and `deviationMs`, `lognormal` its median `p50Ms` and its `p99Ms`; then comes `jitterMs`
 * in either direction. `minMs` and `maxMs` bound every distribution, and 0 and a day bound all.
 */
export function drawLatencyMillis(attributes: FaultAttributes, draws: RandomStream): number {
  const { jitterMs = 0, minMs = 0, maxMs = longestMillis } = attributes
  const jitter = jitterMs === 0 ? 0 : (2 * draws.uniform() - 1) * jitterMs
  const late = drawBaseLatency(attributes, draws) + jitter
  return Math.round(Math.min(Math.max(late, minMs), maxMs))
}

function drawBaseLatency(attributes: FaultAttributes, draws: RandomStream): number {
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

/** A rule in force, with its counts. */
export interface ActiveFault {
  readonly id: string
  readonly rule: FaultRule
  /** When the rule ends by itself, in world time; null when it stays until it is removed. */
  readonly untilMillis: number | null
  readonly matched: number
  readonly fired: number
}

/** The prefix of the ids of rules that the script of a scenario installs; the token of the action follows it. */
export const scriptedPrefix = 'script.'

/**
 * Returns the digest of a venue together with the rules in force and their counts. Choice: without rules it is the
 * digest of the venue alone, so that a world can be compared with runs that have no world around their engine.
 */
export function digestWithFaults(digest: string, rules: readonly ActiveFault[]): string {
  if (rules.length === 0) return digest
  const hash = new Hash128()
  hash.addText(digest)
  for (const { id, rule, untilMillis, matched, fired } of rules) {
    hash.addText(JSON.stringify([id, toCanonical(rule), untilMillis]))
    hash.addInteger(matched)
    hash.addInteger(fired)
  }
  return hash.digest()
}

/** Returns the fields of a rule in a fixed order, whatever the order in which they were written. */
function toCanonical(rule: FaultRule): unknown {
  const sortEntries = (value: object) =>
    Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return sortEntries({ ...rule, match: sortEntries(rule.match), attributes: sortEntries(rule.attributes) })
}

/** Lists the methods of the operations that have a path which fits a pattern (see `matchesPath`). */
export function listMethods(pattern: string): readonly string[] {
  const met = everyOperationId.map(routeOf).filter(({ path }) => canShareAPath(pattern, path))
  return routeMethods.filter((method) => met.some((route) => route.method === method))
}

/** Returns whether an operation has the method and a path that fits the pattern; null stands for any. */
export function reachesOperation(
  method: string | null,
  pattern: string | null,
  operation: OperationId,
): boolean {
  const route = routeOf(operation)
  return (
    (method === null || method === route.method) && (pattern === null || canShareAPath(pattern, route.path))
  )
}

/**
 * Returns the path or pattern that was most likely meant by one that fits no operation; null when it fits one, or
 * when nothing is near.
 */
export function suggestRoute(method: string | null, path: string): string | null {
  if (listMethods(path).length > 0) return null
  return path.includes('*') ? suggestPattern(path) : suggestPath(method, path)
}

/** The methods that a request may have. No operation has all of them. */
export const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** The methods that operations have. */
export const routeMethods: readonly Method[] = ['GET', 'POST', 'PATCH', 'DELETE']

/**
 * Returns the pattern with the prefix of the interface if that fits an operation, else the nearest path of an
 * operation as a pattern; null when nothing is near.
 */
function suggestPattern(pattern: string): string | null {
  const prefixed = `/api/sdk${pattern}`
  if (listMethods(prefixed).length > 0) return prefixed
  const isAsLong = (known: string) => known.split('/').length === pattern.split('/').length
  return nearestWord(pattern, routePatterns.filter(isAsLong))
}

/** The paths of all operations as patterns, with a star for the parameter. */
export const routePatterns: readonly string[] = [
  ...new Set(operationIds.map((id) => routeOf(id).path.replace(parameterPattern(), '*'))),
]

/**
 * Returns whether any path fits both a pattern and a route. It works backwards: `here[at]` is whether some text fits
 * both the rest of the pattern and the rest of the route from `at` on.
 */
function canShareAPath(pattern: string, path: string): boolean {
  const parts = splitRoute(path)
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

/**
 * Splits the path of a route into characters. A parameter is `one` character that is not a slash, then any number
 * `more`.
 */
function splitRoute(path: string): readonly string[] {
  const [before = '', behind] = path.split(parameterPattern())
  return behind === undefined ? [...before] : [...before, 'one', 'more', ...behind]
}

function parameterPattern(): RegExp {
  return /:[^/]+/
}
