import type { Scope } from '../api/routes/route.ts'
import { firstClientAccount } from '../engine/codes.ts'
import { HmacKey } from '../numeric/hmac.ts'
import type { AccountAccess } from '../scenario/compiled.ts'

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

/** The keys of one world, in the order in which they were given. */
export class KeyRing {
  private readonly worldId: string
  private readonly held = new Map<string, ApiKey>()

  /** The keys that a scenario gives. */
  constructor(worldId: string, access: readonly AccountAccess[]) {
    this.worldId = worldId
    for (const [index, { id, keys }] of access.entries()) {
      for (const { apiKey, apiSecret, scopes } of keys) {
        this.give(firstClientAccount + index, id, scopes, apiKey, apiSecret)
      }
    }
  }

  /** Revoked keys too. */
  list(): ApiKey[] {
    return [...this.held.values()]
  }

  get(apiKey: string): ApiKey | undefined {
    return this.held.get(apiKey)
  }

  /** The first free name of an account's next key: `simk_<world>_<account>`, then with `_2`, `_3` behind it. */
  freeName(accountId: string): string {
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? accountId : `${accountId}_${count}`
      if (!this.held.has(apiKeyOf(this.worldId, name))) return name
    }
  }

  /** A new key; what is null is made from the names of world and account. A key that is held is replaced. */
  give(
    account: number,
    accountId: string,
    scopes: Iterable<Scope>,
    apiKey: string | null,
    apiSecret: string | null,
  ): ApiKey {
    const name = this.freeName(accountId)
    const key = makeKey(
      apiKey ?? apiKeyOf(this.worldId, name),
      apiSecret ?? apiSecretOf(this.worldId, name),
      account,
      accountId,
      scopes,
    )
    this.held.set(key.apiKey, key)
    return key
  }

  /** What an account may do by any of its keys that still work. */
  scopesOf(account: number): Set<Scope> {
    const keys = this.list().filter((key) => key.account === account && !key.isRevoked)
    return new Set(keys.flatMap((key) => [...key.scopes]))
  }
}

/* Public test values: anybody who knows the world can write them down. */
const apiKeyOf = (world: string, name: string): string => `simk_${world}_${name}`
const apiSecretOf = (world: string, name: string): string => `sims_${world}_${name}`
