import { scopeProblem } from '../api/dispatch.ts'
import type { Problem } from '../api/errors.ts'
import type { Scope } from '../api/operations/operation.ts'
import { type OperationId, routeOf } from '../api/operations/operations.ts'
import type { Readings } from '../api/readings/readings.ts'
import { firstClientAccount } from '../engine/codes.ts'
import type { AccountTable } from '../engine/tables/account-table.ts'
import type { KeySnapshot, WorldSnapshot } from '../journal/world-snapshot.ts'
import type { AccountAccess, KeyGrant } from '../scenario/compile/compiled.ts'

/** An API key of one world. Keys belong to transport: none is part of the venue's state or its digest. */
export interface ApiKey extends Omit<KeySnapshot, 'scopes' | 'isRevoked'> {
  /** The account's row in the engine. */
  readonly account: number
  scopes: ReadonlySet<Scope>
  isRevoked: boolean
}

type SnapshotOfKeys = Pick<WorldSnapshot, 'world' | 'scenario' | 'keys'>

/** The keys of one world, in the order in which they were given. */
export class KeyRing {
  private readonly worldId: string
  private readonly held = new Map<string, ApiKey>()

  constructor(worldId: string, access: readonly AccountAccess[]) {
    this.worldId = worldId
    this.start(access)
  }

  start(access: readonly AccountAccess[]): void {
    this.held.clear()
    for (const [index, { id, keys }] of access.entries()) {
      for (const grant of keys) this.give(firstClientAccount + index, id, grant)
    }
  }

  /** Including revoked keys. */
  list(): ApiKey[] {
    return [...this.held.values()]
  }

  get(apiKey: string): ApiKey | undefined {
    return this.held.get(apiKey)
  }

  /**
   * The first free name for an account's next key: `simk_<world>_<account>`, then with `_2`, `_3` at the end. Those that
   * are `planned` are not free.
   */
  private freeName(accountId: string, planned: ReadonlySet<string>): string {
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? accountId : `${accountId}_${count}`
      const apiKey = apiKeyOf(this.worldId, name)
      if (!this.held.has(apiKey) && !planned.has(apiKey)) return name
    }
  }

  /** Makes a key and holds it from now on; see `make`. It replaces a key with the same name. */
  give(account: number, accountId: string, grant: KeyGrant): ApiKey {
    const key = this.make(account, accountId, grant)
    this.hold(key)
    return key
  }

  hold(key: ApiKey): void {
    this.held.set(key.apiKey, key)
  }

  /** The keys of a new account, none of which is held yet. No two have the same name. */
  makeAll(account: number, accountId: string, grants: readonly KeyGrant[]): readonly ApiKey[] {
    const planned = new Set(grants.flatMap(({ apiKey }) => apiKey ?? []))
    return grants.map((grant) => {
      const key = this.make(account, accountId, grant, planned)
      planned.add(key.apiKey)
      return key
    })
  }

  /** A new key that is not held yet. A name or secret that is null is made from the names of world and account. */
  make(account: number, accountId: string, grant: KeyGrant, planned: ReadonlySet<string> = nothing): ApiKey {
    const name = this.freeName(accountId, planned)
    const apiKey = grant.apiKey ?? apiKeyOf(this.worldId, name)
    const apiSecret = grant.apiSecret ?? apiSecretOf(this.worldId, name)
    return { apiKey, apiSecret, account, accountId, scopes: new Set(grant.scopes), isRevoked: false }
  }

  /** Replaces a key by one with the same rights and a name of this world. */
  rename(apiKey: string): void {
    const old = this.held.get(apiKey)
    if (old === undefined) return
    this.held.delete(apiKey)
    const grant = { scopes: [...old.scopes], apiKey: null, apiSecret: null }
    this.give(old.account, old.accountId, grant).isRevoked = old.isRevoked
  }

  capture(): KeySnapshot[] {
    return this.list().map(({ account: _, scopes, ...key }) => ({ ...key, scopes: [...scopes] }))
  }

  /**
   * Replaces all keys by those of a snapshot. Keys from another world's snapshot get names of this world, except
   * those that the scenario names, which are the same everywhere.
   */
  restore(snapshot: SnapshotOfKeys, accounts: AccountTable): void {
    const kept = this.namesOf(snapshot)
    this.held.clear()
    for (const { apiKey, apiSecret, accountId, scopes, isRevoked } of snapshot.keys) {
      const names = kept.has(apiKey) ? { apiKey, apiSecret } : { apiKey: null, apiSecret: null }
      const key = this.make(accounts.rowOf(accountId), accountId, { scopes, ...names })
      key.isRevoked = isRevoked
      this.hold(key)
    }
  }

  /** The keys of a snapshot that keep their names here. */
  namesOf({ world, scenario, keys }: SnapshotOfKeys): Set<string> {
    const named = new Set(scenario.access.flatMap((access) => access.keys.map((grant) => grant.apiKey)))
    const kept = keys.filter(({ apiKey }) => world === this.worldId || named.has(apiKey))
    return new Set(kept.map(({ apiKey }) => apiKey))
  }

  /** Why none of an account's working keys lets it do this; null when one does. Their scopes are gathered only then. */
  scopeProblem(account: number, operation: OperationId, readings: Readings): Problem | null {
    if (this.grants(account, routeOf(operation).scope)) return null
    const keys = this.list().filter((key) => key.account === account && !key.isRevoked)
    return scopeProblem(new Set(keys.flatMap((key) => [...key.scopes])), operation, readings)
  }

  private grants(account: number, scope: Scope): boolean {
    for (const key of this.held.values()) {
      if (key.account === account && !key.isRevoked && key.scopes.has(scope)) return true
    }
    return false
  }
}

const nothing: ReadonlySet<string> = new Set()

/* Public test values: anybody who knows the world can work them out. */
const apiKeyOf = (world: string, name: string): string => `simk_${world}_${name}`
const apiSecretOf = (world: string, name: string): string => `sims_${world}_${name}`
