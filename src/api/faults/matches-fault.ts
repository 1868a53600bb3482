import type { RandomStream } from '../../numeric/random.ts'
import { createStream } from '../../numeric/random.ts'
import type { Shape } from '../../shape/shape.ts'
import { parseJson } from '../json.ts'
import type { OperationId } from '../operations/operations.ts'
import { everyOperationId, routeOf } from '../operations/operations.ts'
import { itemShape } from '../wire-shapes.ts'
import type { FaultRule, FaultType } from './fault-types.ts'

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

/** What the JSON text of a canned answer holds; null where it is no object and no list. */
export function parsedBody(text: string): object | null {
  const value = parseJson(text)
  return typeof value === 'object' ? value : null
}

/** Whether a fault of a type can do anything to an operation; null: the request is for none. */
export function isAbout(type: FaultType, operation: OperationId | null): boolean {
  const only = operationsOf[type]
  return only === undefined || (operation !== null && only.includes(operation))
}

const placing: readonly OperationId[] = [
  ...(['createOrder', 'createOrders', 'amendOrder', 'submitQuote', 'updateQuote', 'updateQuotes'] as const),
]
const listing = everyOperationId.filter((id) => hasList(routeOf(id).response))

/** The types that are about some operations only: their rules count no other requests. */
const operationsOf: { readonly [Type in FaultType]?: readonly OperationId[] } = {
  fill_before_cancel: ['cancelOrder', 'cancelOrders'],
  delayed_fill: placing,
  partial_then_stall: placing,
  stale_market_data: everyOperationId.filter((id) => routeOf(id).category === 'marketData'),
  balance_lag: ['listBalances', 'getBalance', 'getAvailable', 'getSummary'],
  duplicate_fill_in_list: listing,
  reordered_list: listing,
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
