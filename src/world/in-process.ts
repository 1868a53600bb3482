import type { ApiRequest } from '../api/context.ts'
import { errorBody, type Problem, statusOf } from '../api/errors.ts'
import { resolveOperation, scopeProblem } from './resolve-operation.ts'
import type { World } from './world.ts'

export interface InProcessAnswer {
  readonly status: number
  readonly body: object
}

/** An operation of the interface as an account's keys allow it, without HTTP, or what the wire would answer instead. */
export type InProcessCall =
  | { readonly ok: true; readonly request: ApiRequest }
  | { readonly ok: false; readonly answer: InProcessAnswer }

export function resolveInProcess(
  world: World,
  account: number,
  method: string,
  target: string,
  body: unknown,
): InProcessCall {
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const query = mark === -1 ? '' : target.slice(mark)
  const resolved = resolveOperation(method, path, world.readings)
  if (!resolved.ok) return { ok: false, answer: problemAnswer(world, resolved.problem) }
  const { operation, parameter } = resolved
  const unscoped = scopeProblem(world.keys.scopesOf(account), operation, world.readings)
  if (unscoped !== null) return { ok: false, answer: problemAnswer(world, unscoped) }
  const text = body === undefined ? '' : JSON.stringify(body)
  return { ok: true, request: { operation, parameter, query, body: text } }
}

function problemAnswer({ readings }: World, problem: Problem): InProcessAnswer {
  return { status: statusOf(problem, readings), body: errorBody(problem, readings) }
}
