import type { fillBody, priceBody, transferBody } from '../api/admin-bodies.ts'
import type { FaultForm } from '../api/faults/fault-rule.ts'
import { describeValue } from '../api/options.ts'
import type { VenueClient } from '../client/create-venue-client.ts'
import type { WorldSnapshot } from '../journal/world-snapshot.ts'
import type { WorldFetch } from '../pipeline/fetch.ts'
import type { limitsSchema } from '../server/admin/request-routes.ts'
import type { RecordOf } from '../shape/shape.ts'
import type { findRequests, RequestMatch, RequestTimes, verifyRequests } from '../world/logs/find-requests.ts'
import type { World } from '../world/world.ts'

/** A key with which an account's requests are signed. */
export interface TestKey {
  readonly apiKey: string
  readonly apiSecret: string
}

/** The first key of each account. */
export interface TestKeys {
  readonly [account: string]: TestKey
}

/** What is to be kept of a test that has failed, and what its failure ends with. */
export interface DescribedFailure {
  readonly files: readonly { readonly name: string; readonly text: string }[]
  /** What the venue knows of the cause, each a sentence. */
  readonly answer: readonly string[]
  /** The command that opens the console at the failure. */
  readonly how: string
  readonly text: string
}

/**
 * The world of one test, on a server that it shares with others: in the process of the test, or on a running server
 * that `OTC_ADMIN_URL` names. Nothing that happens in it can be seen elsewhere. Once it is deleted, all that needs it
 * throws an Error.
 */
export interface TestWorld extends Disposable {
  readonly id: string
  /**
   * The address below which `/api/sdk` is. Every world of a server has the same, because the key says which one is
   * meant.
   */
  readonly url: string
  /**
   * The world itself, for everything else. Reading it first finishes an advance over HTTP that is under way. Throws an
   * Error where the world is on a running server, whose admin API has everything else.
   */
  readonly world: World
  /** Whether the world was deleted, by its test or over HTTP. */
  readonly isDeleted: boolean
  readonly seed: string
  /** The first key of each account. */
  readonly keys: TestKeys
  /** Returns the environment variables that programs in other languages read, which `otcsim exec` sets, too. */
  environment(account?: string): Record<string, string>
  /** Creates a client of the library for an account, over HTTP. Throws a RangeError for an account without a key. */
  client(account?: string): VenueClient
  /**
   * Answers requests to this world as `fetch` would, whatever the host of their address, faults and limits included;
   * without a socket where the world is in this process. It rejects once the world is deleted, as the `fetch` of the
   * platform does without a server.
   */
  readonly fetch: WorldFetch
  /** Moves the world's time on by a span such as `250ms` or `1h`, or by milliseconds. */
  advance(by: string | number): void
  readonly now: Date
  digest(): string
  snapshot(): WorldSnapshot
  /** Goes back to a snapshot, which can be restored any number of times. The keys in it work again. */
  restore(snapshot: WorldSnapshot): void
  /** Creates a world in the present state of this one, with keys of its own. */
  fork(): TestWorld
  /**
   * Installs a fault in the form of the admin API, and returns its id. Throws a RangeError that names the field and
   * what was probably meant.
   */
  addFault(form: FaultForm): string
  /** Another name of `addFault`: installs a fault in the form of the admin API, and returns its id. */
  fault(form: FaultForm): string
  /** Moves the price of an asset: to a mid, or as the admin API takes it, such as `{ percent: -4, overMs: 60_000 }`. */
  price(asset: string, to: number | RecordOf<typeof priceBody>): void
  /** Fills a resting order against the house: whole and at its limit, unless amounts are given. */
  fill(orderId: string, amounts?: RecordOf<typeof fillBody>): void
  /** Rejects a resting order, as a venue may that has accepted it before. */
  reject(orderId: string): void
  /** Moves money or an asset into an account, at once unless `pendingMs` is given. */
  deposit(
    account: string,
    asset: string,
    quantity: number,
    more?: Pick<RecordOf<typeof transferBody>, 'pendingMs'>,
  ): void
  /** Halts the trading of an asset: no new orders, no matching, cancels work. `resume` ends it. */
  halt(asset: string): void
  /** Resumes the trading of an asset. */
  resume(asset: string): void
  /**
   * Sets rate limits and turns them on, unless `enabled` is false. Where the world has had none, they count in its time
   * only if it was made with `rateLimits: true` or the reading `rate.clock: 'world'`; this sets that reading.
   */
  rateLimits(limits?: RecordOf<typeof limitsSchema>): void
  /**
   * Returns the requests that this world has received and that match, oldest first. Throws a RangeError for a word that
   * no request can have.
   */
  requests(match?: RequestMatch): ReturnType<typeof findRequests>
  /**
   * Verifies how many of the requests that this world has received match, at least one by default. Throws an Error that
   * says how many did and which nearly did; also when no request has been received at all.
   */
  verify(match: RequestMatch, times?: RequestTimes): void
  /** Removes a fault, or all faults without an id. Throws a RangeError for an id that no fault has. */
  removeFault(id?: string | null): void
  /**
   * Lists the faults of the test that have struck no request and were not removed, in words. A test that passes without
   * its fault has shown nothing about it.
   */
  listIdleFaults(): readonly string[]
  /**
   * Notes that the test of this world has failed, and returns the text to add to its failure, what the venue knows of the
   * cause, and the files to keep in a folder. It works after `delete`, too, where the world is in this process.
   */
  describeFailure(test: string, message: string, folder: string): DescribedFailure
  /**
   * Returns everything that has happened as lines that `otcsim replay` reads. It works after `delete`, too, where the
   * world is in this process.
   */
  journalText(): string
  /** Deletes the world; its keys are then unknown. Deleting it again does nothing. */
  delete(): void
  /** Returns what reports and test runners show of this world. */
  toJSON(): { readonly [name: string]: string }
}

/** Returns the key of an account of a world. Throws a RangeError that names the accounts that have one. */
export function pickKey({ id, keys }: Pick<TestWorld, 'id' | 'keys'>, account: string): TestKey {
  const key = keys[account]
  if (key !== undefined) return key
  throw new RangeError(`world ${id} has no key for ${account}; there are ${Object.keys(keys).join(', ')}`)
}

/** Returns the environment variables that name a world and an account's key to programs in any language. */
export function makeEnvironment(world: Pick<TestWorld, 'id' | 'url' | 'keys'>, account: string) {
  const { apiKey, apiSecret } = pickKey(world, account)
  return { OTC_BASE_URL: world.url, OTC_API_KEY: apiKey, OTC_API_SECRET: apiSecret, OTC_WORLD: world.id }
}

/** Throws an Error for a world that its test, or somebody over HTTP, has deleted. */
export function requireWorld({ id }: Pick<TestWorld, 'id'>, isDeleted: boolean): void {
  if (isDeleted) throw new Error(deletedText(id))
}

/** Throws what the `fetch` of the platform throws without a server, for a world that was deleted. */
export function requireReachable({ id }: Pick<TestWorld, 'id'>, isDeleted: boolean): void {
  if (!isDeleted) return
  const cause = Object.assign(new Error(deletedText(id)), { code: 'ECONNREFUSED' })
  throw new TypeError('fetch failed', { cause })
}

const deletedText = (id: string) => `world ${id} was deleted`

/** Throws a TypeError for what is no snapshot: JavaScript callers get no help from the types. */
export function requireSnapshot(snapshot: WorldSnapshot): void {
  if (typeof snapshot === 'object' && snapshot !== null && 'scenario' in snapshot) return
  throw new TypeError(`restore takes what snapshot() gives, found ${describeValue(snapshot)}`)
}

/** Throws an Error that says what was asked for, what was found, and which requests nearly match, unless all is well. */
export function requireVerified(
  match: RequestMatch,
  { exactly, atLeast, atMost }: RequestTimes = { atLeast: 1 },
  { verified, matched, lookedAt, lacks, nearest }: ReturnType<typeof verifyRequests>,
): void {
  if (verified) return
  const bounds = [
    ...(exactly === undefined ? [] : [`exactly ${exactly}`]),
    ...(atLeast === undefined ? [] : [`at least ${atLeast}`]),
    ...(atMost === undefined ? [] : [`at most ${atMost}`]),
  ]
  const asked = `expected ${bounds.join(' and ') || 'any number'} of the requests to match ${JSON.stringify(match)}`
  const near = nearest.map(
    ({ requestId, method, path, status, differs }) =>
      `\n  ${requestId} ${method} ${path} ${status} differs in ${differs.join(', ')}`,
  )
  const found = `${matched} of ${lookedAt.requests} did`
  throw new Error(`${asked}: ${lacks === null ? found : `${found}, and ${lacks}`}${near.join('')}`)
}
