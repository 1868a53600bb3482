import { createHmac } from 'node:crypto'
import type { SignedParts } from '../../src/pipeline/authenticate.ts'

export const secret = 'sims_default_trader'
/** The readings of the specification. */
export const plain = { 'signature.key': 'secret', 'signature.query': 'either' } as const
export const body = '{"side":"buy", "asset":"BTC","quantity":0.5}'

export const post: SignedParts = {
  timestamp: '1800000000000',
  method: 'POST',
  path: '/api/sdk/orders',
  query: '',
  body: Buffer.from(body),
}
export const get: SignedParts = { ...post, method: 'GET', query: '?limit=2', body: Buffer.alloc(0) }

/** Computes a signature from the definition of HMAC, not from the code that it tests. */
export const hex = (message: string, key = secret, algorithm = 'sha256'): string =>
  createHmac(algorithm, key).update(message).digest('hex')
