import type { IncomingMessage } from 'node:http'
import { errorBody, type Problem, type Status, statusOf } from '../../api/errors.ts'
import { defaultReadings } from '../../api/readings/readings.ts'

/*
 * What is wrong with a request before anybody asks what it means. A world is not known yet, so no reading shapes
 * these answers.
 */

/** What Node lets pass and we do not; null when there is nothing. */
export function transportProblem(request: IncomingMessage): Problem | null {
  const reason = oddityOf(request)
  if (reason !== null) return { code: 'invalid-http', reason }
  const { expect } = request.headers
  // Source: RFC 9110, section 10.1.1: an expectation in a request of HTTP/1.0 is ignored.
  const isKnown = expect === undefined || expect.toLowerCase() === '100-continue'
  return isKnown || request.httpVersion === '1.0' ? null : { code: 'expectation-failed' }
}

export function faultStatus(problem: Problem): Status {
  return statusOf(problem, defaultReadings)
}

/** Spec: Errors, the four fields of an error body. */
export function faultBody(problem: Problem): string {
  return JSON.stringify(errorBody(problem, defaultReadings))
}

/** For clients whose proxy settings name this address. */
export const noProxy = 'This is the venue itself and no proxy: the request target must be a path'

function oddityOf(request: IncomingMessage): string | null {
  const { headers, httpVersion } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'Only HTTP/1.1 and HTTP/1.0 are spoken here'
  if (headers.host === undefined && httpVersion === '1.1') return 'The Host header is missing'
  const target = request.url ?? ''
  if (!target.startsWith('/')) return /^https?:/i.test(target) ? noProxy : 'The request target must be a path'
  if (!/^[\x21\x22\x24-\x7e]*$/.test(target)) return 'The request target has characters that must be escaped'
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return 'Only the chunked transfer coding is known'
  const repeated = repeatedHeader(request.rawHeaders, single)
  return repeated === null ? null : `The ${repeated} header was sent more than once`
}

export type SingleHeader = keyof typeof bits

/** The first of these headers that was sent more than once; Node's joined values would hide that. */
export function repeatedHeader<Name extends SingleHeader>(
  rawHeaders: readonly string[],
  names: readonly Name[],
): Name | null {
  if (!mayRepeat(rawHeaders)) return null
  return names.find((name) => countHeader(rawHeaders, name) > 1) ?? null
}

const single = ['host', 'content-type', 'content-encoding'] as const

/**
 * Headers that may come only once. Their lengths tell them apart, except for two that differ in their seventh letter.
 */
const bits = {
  host: 1,
  'x-api-key': 2,
  'content-type': 4,
  'x-api-timestamp': 8,
  'x-api-signature': 16,
  'content-encoding': 32,
} as const

/** False when the lengths of the names already show that none came twice, as in nearly every request. */
function mayRepeat(rawHeaders: readonly string[]): boolean {
  let seen = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const bit = bitOf(rawHeaders[at] ?? '')
    if ((seen & bit) !== 0) return true
    seen |= bit
  }
  return false
}

/** Other headers have the same length, Accept-Encoding for one. */
function bitOfSeventh(letter: number): number {
  if (letter === 0x74) return bits['x-api-timestamp']
  return letter === 0x73 ? bits['x-api-signature'] : 0
}

function bitOf(name: string): number {
  switch (name.length) {
    case 4:
      return bits.host
    case 9:
      return bits['x-api-key']
    case 12:
      return bits['content-type']
    case 15:
      return bitOfSeventh(name.charCodeAt(6) | 0x20)
    case 16:
      return bits['content-encoding']
    default:
      return 0
  }
}

function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] ?? ''
    if (header.length === name.length && header.toLowerCase() === name) count += 1
  }
  return count
}
