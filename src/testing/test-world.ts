import type { FaultForm } from '../api/faults/fault-rule.ts'
import { readFaultRule } from '../api/faults/read-fault-rule.ts'
import { reasonAndHint } from '../api/input-problem.ts'
import { describeValue } from '../api/options.ts'
import { createVenueClient, type VenueClient } from '../client/create-venue-client.ts'
import { firstClientAccount } from '../engine/codes.ts'
import type { WorldSnapshot } from '../journal/world-snapshot.ts'
import { createFetch, toWorldLookup, type WorldFetch } from '../pipeline/fetch.ts'
import { installFault, removeFault } from '../world/change-world.ts'
import { knownNames } from '../world/faults/fire-faults.ts'
import type { Journal } from '../world/journals/journal.ts'
import type { World } from '../world/world.ts'
import { conflictText, type Worlds } from '../world/worlds.ts'

/** A key with which an account's requests are signed. */
export interface TestKey {
  readonly apiKey: string
  readonly apiSecret: string
}

/** The world of one test, on a server that it shares with others. Nothing that happens in it can be seen elsewhere. */
export class TestWorld {
  readonly id: string
  /**
   * The address below which `/api/sdk` is. Every world of a server has the same, because the key says which one is
   * meant.
   */
  readonly url: string
  // Private fields keep a test runner that prints this object from printing the whole venue.
  readonly #world: World
  readonly #worlds: Worlds
  readonly #journal: Journal | null

  constructor(worlds: Worlds, world: World, url: string) {
    this.id = world.id
    this.url = url
    this.#world = world
    this.#worlds = worlds
    this.#journal = worlds.journalOf(world)
  }

  /** The world itself, for everything else. Reading it first finishes an advance over HTTP that is under way. */
  get world(): World {
    this.#world.workQueue.finish()
    return this.#world
  }

  get seed(): string {
    return this.world.seed
  }

  /** The first key of each account. */
  get keys(): { readonly [account: string]: TestKey } {
    const { accounts } = this.world.venue.state
    const keys = this.world.keys.list().filter((key) => !key.isRevoked)
    return Object.fromEntries(
      accounts.ids.slice(firstClientAccount).flatMap((id): [string, TestKey][] => {
        const key = keys.find(({ accountId }) => accountId === id)
        return key === undefined ? [] : [[id, { apiKey: key.apiKey, apiSecret: key.apiSecret }]]
      }),
    )
  }

  /** Returns the environment variables that programs in other languages read, which `otcsim exec` sets, too. */
  environment(account = 'desk'): Record<string, string> {
    const { apiKey, apiSecret } = this.key(account)
    return { OTC_BASE_URL: this.url, OTC_API_KEY: apiKey, OTC_API_SECRET: apiSecret, OTC_WORLD: this.id }
  }

  /** Creates a client of the library for an account, over HTTP. Throws a RangeError for an account without a key. */
  client(account = 'desk'): VenueClient {
    return createVenueClient({ baseUrl: this.url, ...this.key(account) })
  }

  /** Answers requests to this world as `fetch` would, without a socket, faults and limits included. */
  get fetch(): WorldFetch {
    return createFetch(toWorldLookup(this.#world))
  }

  /** Moves the world's time on by a span such as `250ms` or `1h`, or by milliseconds. */
  advance(by: string | number): void {
    this.world.advance(by)
  }

  get now(): Date {
    return new Date(this.world.now)
  }

  digest(): string {
    return this.world.digest()
  }

  snapshot(): WorldSnapshot {
    return this.world.snapshot()
  }

  /** Goes back to a snapshot, which can be restored any number of times. The keys in it work again. */
  restore(snapshot: WorldSnapshot): void {
    // JavaScript callers get no help from the types.
    if (typeof snapshot !== 'object' || snapshot === null || !('scenario' in snapshot))
      throw new TypeError(`restore takes what snapshot() gives, found ${describeValue(snapshot)}`)
    const conflict = this.#worlds.restore(this.world, snapshot)
    if (conflict !== null) throw new Error(conflictText(conflict))
  }

  /** Creates a world in the present state of this one, with keys of its own. */
  fork(): TestWorld {
    return this.createFrom(this.world.snapshot())
  }

  /**
   * Installs a fault in the form of the admin API, and returns its id. Throws a RangeError that names the field and
   * what was probably meant.
   */
  addFault(form: FaultForm): string {
    const read = readFaultRule(form, knownNames(this.world))
    if (read.ok) return installFault(this.world, read.value).id
    throw new RangeError(`${read.problem.field} ${reasonAndHint(read.problem)}`)
  }

  /** Removes a fault, or all faults without an id. Throws a RangeError for an id that no fault has. */
  removeFault(id: string | null = null): void {
    if (removeFault(this.world, id) || id === null) return
    throw new RangeError(`world ${this.id} has no fault ${id}`)
  }

  /** Returns everything that has happened as lines that `otcsim replay` reads. It works after `delete`, too. */
  journalText(): string {
    return this.#journal === null ? '' : [...this.#journal.text()].join('')
  }

  /** Deletes the world; its keys are then unknown. Deleting it again does nothing. */
  delete(): void {
    this.#worlds.delete(this.id)
  }

  /** Returns what reports and test runners show of this world. */
  toJSON(): { readonly [name: string]: string } {
    return { id: this.id, seed: this.seed, now: this.now.toISOString(), url: this.url }
  }

  [Symbol.dispose](): void {
    this.delete()
  }

  private key(account: string): TestKey {
    const key = this.keys[account]
    if (key !== undefined) return key
    const known = Object.keys(this.keys).join(', ')
    throw new RangeError(`world ${this.id} has no key for ${account}; there are ${known}`)
  }

  private createFrom(snapshot: WorldSnapshot): TestWorld {
    const made = this.#worlds.create(snapshot.scenario, { snapshot, readings: snapshot.readings })
    if (!made.ok) throw new Error(conflictText(made.conflict))
    return new TestWorld(this.#worlds, made.world, this.url)
  }
}
