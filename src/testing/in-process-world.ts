import { join } from 'node:path'
import type { fillBody, priceBody, transferBody } from '../api/admin-bodies.ts'
import { adminErrorBody } from '../api/admin-errors.ts'
import type { FaultForm } from '../api/faults/fault-rule.ts'
import { readFaultRule } from '../api/faults/read-fault-rule.ts'
import { reasonAndHint } from '../api/input-problem.ts'
import { createVenueClient, type VenueClient } from '../client/create-venue-client.ts'
import { cash, firstClientAccount } from '../engine/codes.ts'
import type { WorldSnapshot } from '../journal/world-snapshot.ts'
import { assert } from '../numeric/assert.ts'
import { createFetch, toWorldLookup, type WorldFetch } from '../pipeline/fetch.ts'
import { accountRoutes } from '../server/admin/account-routes.ts'
import { marketRoutes } from '../server/admin/market-routes.ts'
import { orderRoutes } from '../server/admin/order-routes.ts'
import type { limitsSchema } from '../server/admin/request-routes.ts'
import { limitRoutes } from '../server/admin/request-routes.ts'
import { AdminRefusal } from '../server/admin/route.ts'
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
import { createShippedLibrary } from '../world/shipped/shipped-scenarios.ts'
import { explainWorld, listIdleFaults } from '../world/views/failure-facts.ts'
import type { World } from '../world/world.ts'
import { conflictText, type Worlds } from '../world/worlds.ts'
import { noteUses } from './test-settings.ts'
import {
  makeEnvironment,
  pickKey,
  requireReachable,
  requireSnapshot,
  requireVerified,
  requireWorld,
  type TestKeys,
  type TestWorld,
} from './test-world.ts'

/** The world of one test in its own process, on a server that it shares with others. */
export class InProcessWorld implements TestWorld {
  readonly id: string
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

  get world(): World {
    requireWorld(this, this.isDeleted)
    this.#world.workQueue.finish()
    return this.#world
  }

  get isDeleted(): boolean {
    return this.#worlds.get(this.id) !== this.#world
  }

  get seed(): string {
    return this.world.seed
  }

  get keys(): TestKeys {
    const { accounts } = this.world.venue.state
    const keys = this.world.keys.list().filter((key) => !key.isRevoked)
    return Object.fromEntries(
      accounts.ids.slice(firstClientAccount).flatMap((id): [string, TestKeys[string]][] => {
        const key = keys.find(({ accountId }) => accountId === id)
        return key === undefined ? [] : [[id, { apiKey: key.apiKey, apiSecret: key.apiSecret }]]
      }),
    )
  }

  environment(account = 'desk'): Record<string, string> {
    return makeEnvironment(this, account)
  }

  client(account = 'desk'): VenueClient {
    return createVenueClient({ baseUrl: this.url, ...pickKey(this, account) })
  }

  get fetch(): WorldFetch {
    const fetch = createFetch(toWorldLookup(this.#world))
    return async (input, init) => {
      requireReachable(this, this.isDeleted)
      return fetch(input, init)
    }
  }

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

  restore(snapshot: WorldSnapshot): void {
    requireSnapshot(snapshot)
    const conflict = this.#worlds.restore(this.world, snapshot)
    if (conflict !== null) throw new Error(conflictText(conflict))
  }

  fork(): TestWorld {
    return this.createFrom(this.world.snapshot())
  }

  addFault(form: FaultForm): string {
    const read = readFaultRule(form, knownNames(this.world))
    if (read.ok) {
      const { id } = installFault(this.world, read.value)
      this.#ownFaults.add(id)
      return id
    }
    throw new RangeError(`${read.problem.field} ${reasonAndHint(read.problem)}`)
  }

  fault(form: FaultForm): string {
    return this.addFault(form)
  }

  price(asset: string, to: number | RecordOf<typeof priceBody>): void {
    this.carryOut('movePrice', { asset }, typeof to === 'number' ? { mid: to } : to)
  }

  fill(orderId: string, amounts: RecordOf<typeof fillBody> = {}): void {
    this.carryOut('fillOrder', { id: orderId }, amounts)
  }

  reject(orderId: string): void {
    this.carryOut('rejectOrder', { id: orderId }, {})
  }

  deposit(
    account: string,
    asset: string,
    quantity: number,
    more: Pick<RecordOf<typeof transferBody>, 'pendingMs'> = {},
  ): void {
    this.carryOut('deposit', { account }, { asset, quantity, ...more })
  }

  halt(asset: string): void {
    this.carryOut('changePair', { symbol: this.findSymbol(asset) }, { status: 'inactive' })
  }

  resume(asset: string): void {
    this.carryOut('changePair', { symbol: this.findSymbol(asset) }, { status: 'active' })
  }

  rateLimits(limits: RecordOf<typeof limitsSchema> = {}): void {
    const { world } = this
    if (!world.limiter.limits.isEnabled) world.setReadings({ ...world.readings, 'rate.clock': 'world' })
    this.carryOut('setRateLimits', {}, { enabled: true, ...limits })
  }

  requests(match: RequestMatch = {}) {
    return findRequests(this.world.requests, this.checkMatch(match))
  }

  verify(match: RequestMatch, times?: RequestTimes): void {
    requireVerified(match, times, verifyRequests(this.world.requests, this.checkMatch(match), times))
  }

  removeFault(id: string | null = null): void {
    if (removeFault(this.world, id) || id === null) return
    throw new RangeError(`world ${this.id} has no fault ${id}`)
  }

  listIdleFaults(): readonly string[] {
    const { faults, now } = this.#world
    return listIdleFaults(faults.list(now).filter(({ id }) => this.#ownFaults.has(id)))
  }

  describeFailure(test: string, message: string, folder: string) {
    const known = explainWorld(this.#world, message, this.listIdleFaults())
    const failure = noteFailure(this.#world, test, message, known)
    const files = makeFailureFiles(this.#world, failure, this.journalText())
    const file = join(folder, files[0].name)
    return { files, answer: failure.answer, how: howToSee(file), text: failureText(failure, file) }
  }

  journalText(): string {
    return this.#journal === null ? '' : [...this.#journal.text()].join('')
  }

  delete(): void {
    if (this.isDeleted) return
    noteUses()
    this.#worlds.delete(this.id)
  }

  toJSON(): { readonly [name: string]: string } {
    const { id, url } = this
    return { id, seed: this.#world.seed, now: new Date(this.#world.now).toISOString(), url }
  }

  [Symbol.dispose](): void {
    this.delete()
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
    return new InProcessWorld(this.#worlds, made.world, this.url)
  }
}

const routes = [...accountRoutes, ...marketRoutes, ...orderRoutes, ...limitRoutes]

/** The operations of the admin API that tests carry out in their process. */
type OperationName = 'deposit' | 'movePrice' | 'changePair' | 'fillOrder' | 'rejectOrder' | 'setRateLimits'

/**
 * Carries out an operation of the admin API in a world of this process, at once. `params` are those of its path. Throws
 * a RangeError that names the field and what was probably meant.
 */
function carryOutOperation(
  worlds: Worlds,
  operation: OperationName,
  params: { readonly world: string; readonly [name: string]: string },
  body: object,
): void {
  const route = routes.find(({ id }) => id === operation)
  assert(route !== undefined, `${operation} is an operation of the admin API`)
  const call = { worlds, params, query: new URLSearchParams(), lastEventId: null, server, routes }
  try {
    route.answer(call, body)
  } catch (failure) {
    if (!(failure instanceof AdminRefusal)) throw failure
    throw new RangeError(`world ${params.world}: ${adminErrorBody(failure.problem).message}`)
  }
}

/** Stands for the server, which none of these operations uses. */
const server = {
  version: '',
  startedAtMillis: 0,
  scenarios: createShippedLibrary(),
  readings: {},
  url: () => '',
  shutdown: () => undefined,
}
