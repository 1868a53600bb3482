import type { IncomingHttpHeaders } from 'node:http'
import { splitTarget } from '../api/dispatch.ts'
import type { FaultHit } from '../world/faults/fault-book.ts'

/** A complete request as its sender made it: nothing decoded, nothing normalised. */
export interface RawRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
  /** By lower-case name. */
  readonly headers: IncomingHttpHeaders
  /** Names and values in turn: here alone shows which came more than once. */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

/** By name, as they are sent. */
export type AnswerHeaders = Readonly<Record<string, string>>

export interface Answer {
  /** `noAnswer` where a fault keeps the venue from answering. */
  readonly status: number
  readonly headers: AnswerHeaders
  readonly body: string
  /** The fault that shapes how it travels, or keeps it from arriving; null: none does. */
  readonly travel: FaultHit | null
}

export const jsonType = 'application/json; charset=utf-8'

/** A request from its parts, its headers as a list of names and values. */
export function rawRequest(
  method: string,
  target: string,
  headers: readonly (readonly [name: string, value: string])[],
  body: Buffer,
): RawRequest {
  const byName: Record<string, string> = {}
  const rawHeaders: string[] = []
  for (const [name, value] of headers) {
    byName[name.toLowerCase()] = value
    rawHeaders.push(name, value)
  }
  return { method, target, ...splitTarget(target), headers: byName, rawHeaders, body }
}

/** Header values are printable ASCII; what goes into one may quote what a client sent. */
export function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}
