import { defaultReadings } from '../../api/readings/readings.ts'
import { hashedSecret, sign } from '../../client/sign.ts'
import type { SignatureRules } from '../../pipeline/signature.ts'
import { defaultWorld } from '../../world/worlds.ts'
import { CliFailure, exitCode } from '../failure.ts'

export interface Credentials {
  readonly apiKey: string
  readonly apiSecret: string
  /** How the venue verifies signatures; the usual way when it is not known. */
  readonly rules?: SignatureRules
}

/** The key that a shipped scenario gives an account in the default world. */
export const usualCredentials = (account: string): Credentials => ({
  apiKey: `simk_${defaultWorld}_${account}`,
  apiSecret: `sims_${defaultWorld}_${account}`,
})

export interface SignedRequest {
  readonly method: string
  /** With the query, if there is one. */
  readonly path: string
  readonly body: string
  readonly timestamp: string
}

/** The three headers of one request. Spec: Authentication. */
export function signedHeaders(request: SignedRequest, credentials: Credentials): Record<string, string> {
  const { method, path, body, timestamp } = request
  const { apiSecret, rules = defaultReadings } = credentials
  const target = rules['signature.query'] === 'exclude' ? path.replace(/\?.*/s, '') : path
  const message = timestamp + method.toUpperCase() + target
  const secret = rules['signature.key'] === 'sha256' ? hashedSecret(apiSecret) : apiSecret
  const signature = sign(secret, message + body)
  return {
    'X-API-Key': credentials.apiKey,
    'X-API-Timestamp': timestamp,
    'X-API-Signature': signature,
  }
}

/** Short paths mean the venue: `/orders` is `/api/sdk/orders`. */
export function fullPath(path: string): string {
  if (/^[a-z]+:\/\//i.test(path))
    throw new CliFailure(exitCode.usage, `"${path}" is a whole address; give its path alone, such as /orders`)
  const rooted = path.startsWith('/') ? path : `/${path}`
  return /^\/(api\/|__admin(\/|$))/.test(rooted) ? rooted : `/api/sdk${rooted}`
}
