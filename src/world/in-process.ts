import type { ApiRequest } from '../api/context.ts'
import { errorBody, type Problem, statusOf } from '../api/errors.ts'
import type { Readings } from '../api/readings/readings.ts'
import { splitTarget } from '../api/split-target.ts'
import type { KeyRing } from './keys.ts'
import { resolveOperation, scopeProblem } from './resolve-operation.ts'

/** Decides which operation a call is, and whether the account may use it. */
interface Gate {
  readonly readings: Readings
  readonly keys: KeyRing
}

export interface InProcessAnswer {
  readonly status: number
  readonly body: object
}

/** An operation that the account may use, or the answer that the wire would have given instead. */
export type InProcessCall =
  | { readonly ok: true; readonly request: ApiRequest }
  | { readonly ok: false; readonly answer: InProcessAnswer }

export function resolveInProcess(
  { readings, keys }: Gate,
  account: number,
  method: string,
  target: string,
  body: unknown,
): InProcessCall {
  if (typeof target !== 'string')
    throw new TypeError(`request takes a path such as /api/sdk/orders, found ${String(target)}`)
  const { path, query } = splitTarget(target)
  const resolved = resolveOperation(method, path, readings)
  if (!resolved.ok) return { ok: false, answer: problemAnswer(readings, resolved.problem) }
  const { operation, parameter } = resolved
  const unscoped = scopeProblem(keys.scopesOf(account), operation, readings)
  if (unscoped !== null) return { ok: false, answer: problemAnswer(readings, unscoped) }
  const text = body === undefined ? '' : JSON.stringify(body)
  return { ok: true, request: { operation, parameter, query, body: text } }
}

function problemAnswer(readings: Readings, problem: Problem): InProcessAnswer {
  return { status: statusOf(problem, readings), body: errorBody(problem, readings) }
}
