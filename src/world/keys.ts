import type { Scope } from '../scenario/compiled.ts'
import { HmacKey } from './hmac.ts'

/** One API key of one world. Transport: no key is part of the venue's state, its digest or its journal. */
export interface ApiKey {
  readonly apiKey: string
  readonly apiSecret: string
  /** The account's row in the engine. */
  readonly account: number
  readonly accountId: string
  readonly scopes: ReadonlySet<Scope>
  readonly signer: HmacKey
  isRevoked: boolean
}

export function makeKey(
  apiKey: string,
  apiSecret: string,
  account: number,
  accountId: string,
  scopes: Iterable<Scope>,
): ApiKey {
  const signer = new HmacKey(apiSecret)
  return { apiKey, apiSecret, account, accountId, scopes: new Set(scopes), signer, isRevoked: false }
}

/** What a key without one of its own is called. Public test values: anybody who knows the world can write them down. */
export const defaultApiKey = (world: string, account: string): string => `simk_${world}_${account}`
export const defaultApiSecret = (world: string, account: string): string => `sims_${world}_${account}`
