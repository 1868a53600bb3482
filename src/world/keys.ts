import { checkScope } from '../api/dispatch.ts'
import type { Problem } from '../api/errors.ts'
import type { Scope } from '../api/operations/operation.ts'
import { type OperationId, routeOf } from '../api/operations/operations.ts'
import type { Readings } from '../api/readings/readings.ts'
import { firstClientAccount } from '../engine/codes.ts'
import type { AccountTable } from '../engine/tables/account-table.ts'
import type { KeySnapshot, WorldSnapshot } from '../journal/world-snapshot.ts'
import type { AccountAccess, KeyGrant } from '../scenario/compile/compiled.ts'

/** An API key of one world. Keys belong to the transport and are not part of the venue's state or its digest. */
export interface ApiKey extends Omit<KeySnapshot, 'scopes' | 'isRevoked'> {
  /** The row of the key's account in the engine. */
  readonly account: number
  scopes: ReadonlySet<Scope>
  isRevoked: boolean
}

type SnapshotOfKeys = Pick<WorldSnapshot, 'world' | 'scenario' | 'keys'>

/** The API keys of one world, in the order in which they were given. */
export class KeyRing {
  private readonly worldId: string
  private readonly held = new Map<string, ApiKey>()

  constructor(worldId: string, access: readonly AccountAccess[]) {
    this.worldId = worldId
    this.reset(access)
  }

  /** Replaces all keys by those that a scenario grants. */
  reset(access: readonly AccountAccess[]): void {
    this.held.clear()
    for (const [index, { id, keys }] of access.entries()) {
      for (const grant of keys) this.addNewKey(firstClientAccount + index, id, grant)
    }
  }

  /** Lists all keys, revoked ones included. */
  list(): ApiKey[] {
    return [...this.held.values()]
  }

  get(apiKey: string): ApiKey | undefined {
    return this.held.get(apiKey)
  }

  /**
   * Returns the first free name for an account's next key: the account's id, then the id with `_2`, `_3` at the end. The
   * names of `planned` keys are not free.
   */
  private freeName(accountId: string, planned: ReadonlySet<string>): string {
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? accountId : `${accountId}_${count}`
      const apiKey = formatApiKey(this.worldId, name)
      if (!this.held.has(apiKey) && !planned.has(apiKey)) return name
    }
  }

  /** Creates a key and adds it; it replaces a key with the same name. A null name or secret is generated. */
  addNewKey(account: number, accountId: string, grant: KeyGrant): ApiKey {
    const key = this.createKey(account, accountId, grant)
    this.add(key)
    return key
  }

  /** Adds a key. It replaces a key with the same name. */
  add(key: ApiKey): void {
    this.held.set(key.apiKey, key)
  }

  /** Creates the keys of a new account, with different names, without adding them. */
  createKeys(account: number, accountId: string, grants: readonly KeyGrant[]): readonly ApiKey[] {
    const planned = new Set(grants.flatMap(({ apiKey }) => apiKey ?? []))
    return grants.map((grant) => {
      const key = this.createKey(account, accountId, grant, planned)
      planned.add(key.apiKey)
      return key
    })
  }

  /** Creates a key without adding it. A name or secret that is null is made from the ids of world and account. */
  createKey(
    account: number,
    accountId: string,
    grant: KeyGrant,
    planned: ReadonlySet<string> = noNames,
  ): ApiKey {
    const name = this.freeName(accountId, planned)
    const apiKey = grant.apiKey ?? formatApiKey(this.worldId, name)
    const apiSecret = grant.apiSecret ?? formatApiSecret(this.worldId, name)
    return { apiKey, apiSecret, account, accountId, scopes: new Set(grant.scopes), isRevoked: false }
  }

  /** Replaces a key by one with the same scopes and a generated name of this world. */
  rename(apiKey: string): void {
    const old = this.held.get(apiKey)
    if (old === undefined) return
    this.held.delete(apiKey)
    const grant = { scopes: [...old.scopes], apiKey: null, apiSecret: null }
    this.addNewKey(old.account, old.accountId, grant).isRevoked = old.isRevoked
  }

  capture(): KeySnapshot[] {
    return this.list().map(({ account: _, scopes, ...key }) => ({ ...key, scopes: [...scopes] }))
  }

  /**
   * Replaces all keys by those of a snapshot. Keys from another world's snapshot get names of this world, except those
   * that the scenario names, which are the same in every world.
   */
  restore(snapshot: SnapshotOfKeys, accounts: AccountTable): void {
    const kept = this.findKeptNames(snapshot)
    this.held.clear()
    for (const { apiKey, apiSecret, accountId, scopes, isRevoked } of snapshot.keys) {
      const names = kept.has(apiKey) ? { apiKey, apiSecret } : { apiKey: null, apiSecret: null }
      const key = this.createKey(accounts.rowOf(accountId), accountId, { scopes, ...names })
      key.isRevoked = isRevoked
      this.add(key)
    }
  }

  /** Finds the keys of a snapshot that would keep their names in this world. */
  findKeptNames({ world, scenario, keys }: SnapshotOfKeys): Set<string> {
    const named = new Set(scenario.access.flatMap((access) => access.keys.map((grant) => grant.apiKey)))
    const kept = keys.filter(({ apiKey }) => world === this.worldId || named.has(apiKey))
    return new Set(kept.map(({ apiKey }) => apiKey))
  }

  /** Returns the problem that none of an account's unrevoked keys allows an operation; null when one does. */
  findScopeProblem(account: number, operation: OperationId, readings: Readings): Problem | null {
    if (this.hasScope(account, routeOf(operation).scope)) return null
    const keys = this.list().filter((key) => key.account === account && !key.isRevoked)
    return checkScope(new Set(keys.flatMap((key) => [...key.scopes])), operation, readings)
  }

  private hasScope(account: number, scope: Scope): boolean {
    for (const key of this.held.values()) {
      if (key.account === account && !key.isRevoked && key.scopes.has(scope)) return true
    }
    return false
  }
}

const noNames: ReadonlySet<string> = new Set()

/* Keys and secrets are public test values: anybody who knows the world's id can derive them. */
const formatApiKey = (world: string, name: string): string => `simk_${world}_${name}`
const formatApiSecret = (world: string, name: string): string => `sims_${world}_${name}`
