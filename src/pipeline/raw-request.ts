import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { splitTarget } from '../api/dispatch.ts'
import { errorBody, type Problem, statusOf } from '../api/errors.ts'
import { defaultReadings } from '../api/readings/readings.ts'
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

/*
 * What is wrong with a request before anybody asks what it means. A world is not known yet, so no reading shapes
 * these answers.
 */

/** A request before its body has come. */
export interface RequestHead extends Omit<RawRequest, 'body' | 'path' | 'query'> {
  readonly httpVersion: string
}

/** Bodies are kept whole, so that a signature is checked over exactly the bytes that came. */
export const maximumBodyBytes = 1_048_576

/** What HTTP libraries let pass and we do not; null when there is nothing. */
export function transportProblem(head: RequestHead): Problem | null {
  const reason = oddityOf(head)
  if (reason !== null) return { code: 'invalid-http', reason }
  const { expect } = head.headers
  // Source: RFC 9110, section 10.1.1: an expectation in a request of HTTP/1.0 is ignored.
  const isKnown = expect === undefined || expect.toLowerCase() === '100-continue'
  return isKnown || head.httpVersion === '1.0' ? null : { code: 'expectation-failed' }
}

/** After a transport error, nothing else on the connection can be trusted. Spec: Errors, the four fields of an error body. */
export function transportRefusal(problem: Problem): Answer {
  return {
    status: statusOf(problem, defaultReadings),
    headers: { 'Content-Type': jsonType, Connection: 'close' },
    body: JSON.stringify(errorBody(problem, defaultReadings)),
    travel: null,
  }
}

/** For clients whose proxy settings name this address. */
export const noProxy = 'This is the venue itself and no proxy: the request target must be a path'

function oddityOf({ headers, httpVersion, target, rawHeaders }: RequestHead): string | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'Only HTTP/1.1 and HTTP/1.0 are spoken here'
  if (headers.host === undefined && httpVersion === '1.1') return 'The Host header is missing'
  if (!target.startsWith('/')) return /^https?:/i.test(target) ? noProxy : 'The request target must be a path'
  if (!/^[\x21\x22\x24-\x7e]*$/.test(target)) return 'The request target has characters that must be escaped'
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return 'Only the chunked transfer coding is known'
  const repeated = repeatedHeader(rawHeaders, ['host', 'content-type', 'content-encoding'])
  return repeated === null ? null : `The ${repeated} header was sent more than once`
}

/** The first of these headers that was sent more than once; Node's joined values would hide that. */
export function repeatedHeader<Name extends string>(
  rawHeaders: readonly string[],
  names: readonly Name[],
): Name | null {
  return names.find((name) => countHeader(rawHeaders, name) > 1) ?? null
}

function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] ?? ''
    if (header.length === name.length && header.toLowerCase() === name) count += 1
  }
  return count
}

/**
 * Why a body cannot be read as JSON; null when it can, and when there is no body. Errors, in order: a content coding
 * (nothing is inflated here), another content type or charset, bytes that are not UTF-8.
 * Source: RFC 8259, section 11: JSON's media type has no parameters, and an unknown one has no meaning.
 */
export function mediaTypeProblem({ headers, body }: RawRequest): Problem | null {
  if (body.length === 0) return null
  const coding = headers['content-encoding'] ?? 'identity'
  if (coding.toLowerCase() !== 'identity') {
    return { code: 'unsupported-media-type', reason: `A body must be sent as it is, not in ${coding}` }
  }
  const type = headers['content-type'] ?? ''
  if (!/^application\/json[ \t]*(;|$)/i.test(type) || otherCharset.test(type)) {
    return { code: 'unsupported-media-type' }
  }
  return isUtf8(body) ? null : { code: 'invalid-parameter', field: 'body', reason: 'is not valid UTF-8' }
}

const otherCharset = /;[ \t]*charset=(?!("utf-8"|utf-8)[ \t]*(;|$))/i
