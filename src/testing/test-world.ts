import { join } from 'node:path'
import type { fillBody, priceBody, transferBody } from '../api/admin-bodies.ts'
import type { FaultForm } from '../api/faults/fault-rule.ts'
import { readFaultRule } from '../api/faults/read-fault-rule.ts'
import { reasonAndHint } from '../api/input-problem.ts'
import { describeValue } from '../api/options.ts'
import { createVenueClient, type VenueClient } from '../client/create-venue-client.ts'
import { cash, firstClientAccount } from '../engine/codes.ts'
import type { WorldSnapshot } from '../journal/world-snapshot.ts'
import { createFetch, toWorldLookup, type WorldFetch } from '../pipeline/fetch.ts'
import type { limitsSchema } from '../server/admin/request-routes.ts'
import type { RecordOf } from '../shape/shape.ts'
import { installFault, removeFault } from '../world/change-world.ts'
import { knownNames } from '../world/faults/fire-faults.ts'
import type { Journal } from '../world/journals/journal.ts'
import {
  findRequests,
  findUnknownWord,
  type RequestMatch,
  type RequestTimes,
  verifyRequests,
} from '../world/logs/find-requests.ts'
import { failureText, howToSee, makeFailureFiles, noteFailure } from '../world/logs/test-failure.ts'
import { explainWorld, listIdleFaults } from '../world/views/failure-facts.ts'
import type { World } from '../world/world.ts'
import { conflictText, type Worlds } from '../world/worlds.ts'
import { noteUses } from './test-settings.ts'
import { carryOutOperation } from './world-verbs.ts'

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
  readonly #ownFaults = new Set<string>()

  constructor(worlds: Worlds, world: World, url: string) {
    this.id = world.id
    this.url = url
    this.#world = world
    this.#worlds = worlds
    this.#journal = worlds.journalOf(world)
  }

  /**
   * The world itself, for everything else. Reading it first finishes an advance over HTTP that is under way. Throws an
   * Error once the world is deleted, as all that needs the world does.
   */
  get world(): World {
    if (this.isDeleted) throw new Error(`world ${this.id} was deleted`)
    this.#world.workQueue.finish()
    return this.#world
  }

  /** Whether the world was deleted, by its test or over HTTP. */
  get isDeleted(): boolean {
    return this.#worlds.get(this.id) !== this.#world
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

  /**
   * Answers requests to this world as `fetch` would, without a socket, faults and limits included. It rejects once the
   * world is deleted, as the `fetch` of the platform does without a server.
   */
  get fetch(): WorldFetch {
    const fetch = createFetch(toWorldLookup(this.#world))
    return async (input, init) => {
      if (this.isDeleted) {
        const cause = Object.assign(new Error(`world ${this.id} was deleted`), { code: 'ECONNREFUSED' })
        throw new TypeError('fetch failed', { cause })
      }
      return fetch(input, init)
    }
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
    if (read.ok) {
      const { id } = installFault(this.world, read.value)
      this.#ownFaults.add(id)
      return id
    }
    throw new RangeError(`${read.problem.field} ${reasonAndHint(read.problem)}`)
  }

  /** Installs a fault, as `addFault` does. */
  fault(form: FaultForm): string {
    return this.addFault(form)
  }

  /** Moves the price of an asset: to a mid, or as the admin API takes it, such as `{ percent: -4, overMs: 60_000 }`. */
  price(asset: string, to: number | RecordOf<typeof priceBody>): void {
    this.carryOut('movePrice', { asset }, typeof to === 'number' ? { mid: to } : to)
  }

  /** Fills a resting order against the house: whole and at its limit, unless amounts are given. */
  fill(orderId: string, amounts: RecordOf<typeof fillBody> = {}): void {
    this.carryOut('fillOrder', { id: orderId }, amounts)
  }

  /** Rejects a resting order, as a venue may that has accepted it before. */
  reject(orderId: string): void {
    this.carryOut('rejectOrder', { id: orderId }, {})
  }

  /** Moves money or an asset into an account, at once unless `pendingMs` is given. */
  deposit(
    account: string,
    asset: string,
    quantity: number,
    more: Pick<RecordOf<typeof transferBody>, 'pendingMs'> = {},
  ): void {
    this.carryOut('deposit', { account }, { asset, quantity, ...more })
  }

  /** Halts the trading of an asset: no new orders, no matching, cancels work. `resume` ends it. */
  halt(asset: string): void {
    this.carryOut('changePair', { symbol: this.findSymbol(asset) }, { status: 'inactive' })
  }

  /** Resumes the trading of an asset. */
  resume(asset: string): void {
    this.carryOut('changePair', { symbol: this.findSymbol(asset) }, { status: 'active' })
  }

  /**
   * Sets rate limits and turns them on, unless `enabled` is false. Where the world has had none, they count in its time
   * only if it was made with `rateLimits: true` or the reading `rate.clock: 'world'`; this sets that reading.
   */
  rateLimits(limits: RecordOf<typeof limitsSchema> = {}): void {
    const { world } = this
    if (!world.limiter.limits.isEnabled) world.setReadings({ ...world.readings, 'rate.clock': 'world' })
    this.carryOut('setRateLimits', {}, { enabled: true, ...limits })
  }

  /**
   * Returns the requests that this world has received and that match, oldest first. Throws a RangeError for a word that
   * no request can have.
   */
  requests(match: RequestMatch = {}) {
    return findRequests(this.world.requests, this.checkMatch(match))
  }

  /**
   * Verifies how many of the requests that this world has received match, at least one by default. Throws an Error that
   * says how many did and which nearly did; also when no request has been received at all.
   */
  verify(match: RequestMatch, times?: RequestTimes): void {
    const result = verifyRequests(this.world.requests, this.checkMatch(match), times)
    if (!result.verified) throw new Error(describeUnverified(match, times, result))
  }

  /** Removes a fault, or all faults without an id. Throws a RangeError for an id that no fault has. */
  removeFault(id: string | null = null): void {
    if (removeFault(this.world, id) || id === null) return
    throw new RangeError(`world ${this.id} has no fault ${id}`)
  }

  /**
   * Lists the faults of the test that have struck no request and were not removed, in words. A test that passes without
   * its fault has shown nothing about it.
   */
  listIdleFaults(): readonly string[] {
    const { faults, now } = this.#world
    return listIdleFaults(faults.list(now).filter(({ id }) => this.#ownFaults.has(id)))
  }

  /**
   * Notes that the test of this world has failed, and returns the text to add to its failure, what the venue knows of the
   * cause, and the files to keep in a folder. It works after `delete`, too.
   */
  describeFailure(test: string, message: string, folder: string) {
    const known = explainWorld(this.#world, message, this.listIdleFaults())
    const failure = noteFailure(this.#world, test, message, known)
    const files = makeFailureFiles(this.#world, failure, this.journalText())
    const file = join(folder, files[0].name)
    return { files, answer: failure.answer, how: howToSee(file), text: failureText(failure, file) }
  }

  /** Returns everything that has happened as lines that `otcsim replay` reads. It works after `delete`, too. */
  journalText(): string {
    return this.#journal === null ? '' : [...this.#journal.text()].join('')
  }

  /** Deletes the world; its keys are then unknown. Deleting it again does nothing. */
  delete(): void {
    if (this.isDeleted) return
    noteUses()
    this.#worlds.delete(this.id)
  }

  /** Returns what reports and test runners show of this world. */
  toJSON(): { readonly [name: string]: string } {
    const { id, url } = this
    return { id, seed: this.#world.seed, now: new Date(this.#world.now).toISOString(), url }
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

  private carryOut(
    operation: Parameters<typeof carryOutOperation>[1],
    params: { readonly [name: string]: string },
    body: object,
  ): void {
    const { world } = this
    carryOutOperation(this.#worlds, operation, { ...params, world: world.id }, body)
  }

  private findSymbol(asset: string): string {
    const { assets } = this.world.venue.state
    return `${asset}-${assets.symbol(cash)}`
  }

  private checkMatch(match: RequestMatch): RequestMatch {
    const problem = findUnknownWord(match, knownNames(this.world).accounts)
    if (problem !== null) throw new RangeError(`${problem.field} ${reasonAndHint(problem)}`)
    return match
  }

  private createFrom(snapshot: WorldSnapshot): TestWorld {
    const made = this.#worlds.create(snapshot.scenario, { snapshot, readings: snapshot.readings })
    if (!made.ok) throw new Error(conflictText(made.conflict))
    return new TestWorld(this.#worlds, made.world, this.url)
  }
}

/** Says what was asked for, what was found, and which requests nearly match. */
function describeUnverified(
  match: RequestMatch,
  { exactly, atLeast, atMost }: RequestTimes = { atLeast: 1 },
  { matched, lookedAt, lacks, nearest }: ReturnType<typeof verifyRequests>,
): string {
  const bounds = [
    ...(exactly === undefined ? [] : [`exactly ${exactly}`]),
    ...(atLeast === undefined ? [] : [`at least ${atLeast}`]),
    ...(atMost === undefined ? [] : [`at most ${atMost}`]),
  ]
  const asked = `expected ${bounds.join(' and ')} of the requests to match ${JSON.stringify(match)}`
  const near = nearest.map(
    ({ requestId, method, path, status, differs }) =>
      `\n  ${requestId} ${method} ${path} ${status} differs in ${differs.join(', ')}`,
  )
  const found = `${matched} of ${lookedAt.requests} did`
  return `${asked}: ${lacks === null ? found : `${found}, and ${lacks}`}${near.join('')}`
}
