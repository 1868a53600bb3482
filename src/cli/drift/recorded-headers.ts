import { createHash } from 'node:crypto'
import type { HeaderMap } from './drift-exchange.ts'

/*
 * Recordings are shown around, so `otcsim record` keeps no header that lets its reader in. What `drift` has to know of
 * them stays: which requests have the same key, and how a signature was written.
 */

/** Returns the name that stands for a key in recordings: the same for the same key. */
export const hideKey = (key: string): string =>
  `key-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`

/** Returns what stands for a signature in recordings: how it was written, without it. */
export function hideSignature(signature: string): string {
  const form = findForm(signature)
  return form === 'other'
    ? `left out (${signature.length} characters)`
    : `left out (64 ${form}-case hex digits)`
}

/**
 * Returns how the signature of a recorded request was written: 64 hex digits in lower case, some in upper case, or
 * something else. Null where the recording does not show that there was one.
 */
export function readSignatureForm(headers: HeaderMap): 'lower' | 'upper' | 'other' | null {
  const signature = headers.get('x-api-signature') ?? ''
  const [, hidden] = /^left out \(64 (lower|upper)-case hex digits\)$/.exec(signature) ?? []
  if (hidden === 'lower' || hidden === 'upper') return hidden
  return signature === '' ? null : findForm(signature)
}

function findForm(signature: string): 'lower' | 'upper' | 'other' {
  if (/^[0-9a-f]{64}$/.test(signature)) return 'lower'
  return /^[0-9A-Fa-f]{64}$/.test(signature) ? 'upper' : 'other'
}

/** Returns a key as reports show it: whole when it is short or stands for another one, and else its two ends. */
export const shortenKey = (key: string): string =>
  key.length <= 16 ? key : `${key.slice(0, 6)}...${key.slice(-4)}`
