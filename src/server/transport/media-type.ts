import { isUtf8 } from 'node:buffer'
import type { Problem } from '../../api/errors.ts'
import type { Received } from './receive.ts'

/**
 * Why a body cannot be read as JSON; null when it can, and when there is no body. Errors, in order: a content coding
 * (nothing is inflated here), another content type or charset, bytes that are not UTF-8.
 * Source: RFC 8259, section 11: JSON's media type has no parameters, and an unknown one has no meaning.
 */
export function mediaTypeProblem({ headers, body }: Received): Problem | null {
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
