import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Problem } from '../../api/errors.ts'
import { isLoopbackAddress, isLoopbackHost } from '../loopback.ts'

/*
 * Decides who may use the admin API. Without a token it is open to this machine only. A web page that the user has open
 * does not count as this machine: pages from other origins, and host names re-bound to our address, are refused.
 */

export const adminPrefix = '/__admin'

/** What is known of the sender of a request before its body is read. */
export interface Caller {
  readonly remoteAddress: string
  readonly headers: IncomingHttpHeaders
}

export const callerOf = ({ headers, socket }: IncomingMessage): Caller => ({
  headers,
  remoteAddress: socket.remoteAddress ?? '',
})

/**
 * Finds why a caller may not use the admin API; null when it may. With a null `token` only callers on this machine may.
 */
export function findDenial(caller: Caller, token: string | null): Problem | null {
  const { headers } = caller
  if (headers['sec-fetch-site'] === 'cross-site')
    return refuseForeign('Requests from other sites are refused')
  if (headers.origin !== undefined && headers.origin !== `http://${headers.host ?? ''}`) {
    return refuseForeign('Requests with a foreign Origin are refused')
  }
  if (token !== null) return holdsToken(headers.authorization ?? '', token) ? null : unauthorised
  return findRemoteDenial(caller)
}

/**
 * Finds why a caller may not have the static files of our pages; null when it may. A link on another site may lead to
 * them, though nothing on that site may use them. They need no token, because browsers can't present one when they open
 * a page.
 */
export function findPageDenial(caller: Caller, token: string | null): Problem | null {
  const { headers } = caller
  const isOpened = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  if (headers['sec-fetch-site'] === 'cross-site' && !isOpened)
    return refuseForeign('Requests from other sites are refused')
  return token === null ? findRemoteDenial(caller) : null
}

function findRemoteDenial({ remoteAddress, headers }: Caller): Problem | null {
  if (!isLoopbackAddress(remoteAddress)) return refuseForeign('The admin API is for this machine only')
  if (!isLoopbackHost(headers.host ?? '')) return refuseForeign('Requests with a foreign Host are refused')
  return null
}

const unauthorised: Problem = {
  code: 'unauthorized-admin',
  reason: 'The admin API asks for a token: Authorization: Bearer TOKEN',
}

function refuseForeign(reason: string): Problem {
  return { code: 'foreign-origin', reason }
}

function holdsToken(authorization: string, token: string): boolean {
  const [, given] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  return given !== undefined && timingSafeEqual(sha256(given), sha256(token))
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
