import type { OperationId } from '../operations/operations.ts'
import { isAbout } from './fault-operations.ts'
import type { FaultRule } from './fault-rule.ts'
import { matchesPath } from './match-path.ts'

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
