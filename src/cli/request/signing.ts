import { HmacKey } from '../../numeric/hmac.ts'
import { defaultWorld } from '../../world/worlds.ts'
import { CliFailure, exitCode } from '../failure.ts'

export interface Credentials {
  readonly apiKey: string
  readonly apiSecret: string
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
  const message = timestamp + method.toUpperCase() + path
  const signature = new HmacKey(credentials.apiSecret).sign(message, new TextEncoder().encode(body))
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
