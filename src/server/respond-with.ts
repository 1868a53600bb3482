import type { ParameterizedContext } from 'koa'
import { type AnswerHeaders, jsonType } from '../pipeline/raw-request.ts'

export const jsonHeaders = { 'Content-Type': jsonType } as const

interface Response {
  readonly status: number
  readonly headers: AnswerHeaders
  readonly body: string | Buffer
}

/** Hands an answer to Koa. Its type is set first, because Koa would guess one for a body without. */
export function respondWith(
  ctx: Pick<ParameterizedContext, 'set' | 'body' | 'status'>,
  { status, headers, body }: Response,
): void {
  ctx.status = status
  ctx.set(headers)
  ctx.body = body
}
