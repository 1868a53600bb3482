import type * as answers from '../api/admin-answers.ts'
import type { fillBody, priceBody, transferBody } from '../api/admin-bodies.ts'
import type { FaultForm } from '../api/faults/fault-rule.ts'
import { createVenueClient, type VenueClient } from '../client/create-venue-client.ts'
import { makeSnapshotDocument, readSnapshotDocument } from '../journal/snapshot-document.ts'
import type { WorldSnapshot } from '../journal/world-snapshot.ts'
import { millis } from '../numeric/units.ts'
import type { WorldFetch } from '../pipeline/fetch.ts'
import type { limitsSchema } from '../server/admin/request-routes.ts'
import type { RecordOf } from '../shape/shape.ts'
import { instantAfter } from '../world/clock.ts'
import type { findRequests, RequestMatch, RequestTimes, verifyRequests } from '../world/logs/find-requests.ts'
import { howToSee } from '../world/logs/test-failure.ts'
import type { World } from '../world/world.ts'
import { type AskServer, refusalText } from './ask-server.ts'
import {
  type DescribedFailure,
  makeEnvironment,
  pickKey,
  requireReachable,
  requireSnapshot,
  requireVerified,
  requireWorld,
  type TestKeys,
  type TestWorld,
} from './test-world.ts'

type WorldView = RecordOf<typeof answers.world>
type Fault = RecordOf<typeof answers.fault>
type NotedFailure = RecordOf<typeof answers.failureNoted>

/** The running server that tests have joined. */
export interface JoinedServer {
  readonly url: string
  readonly adminUrl: string
  readonly ask: AskServer
}

/** The world of one test on a running server. All that it does and returns goes through the server's admin API. */
export class JoinedWorld implements TestWorld {
  readonly id: string
  readonly url: string
  readonly #server: JoinedServer
  readonly #ownFaults = new Set<string>()
  #wasDeleted = false

  constructor(server: JoinedServer, id: string) {
    this.id = id
    this.url = server.url
    this.#server = server
  }

  get world(): World {
    const { adminUrl } = this.#server
    throw new Error(
      `world ${this.id} is not in this process but on the running server at ${adminUrl}, which OTC_ADMIN_URL names: ask its admin API`,
    )
  }

  get isDeleted(): boolean {
    return this.#wasDeleted || this.#server.ask('GET', this.path('')).status === 404
  }

  get seed(): string {
    return this.view().seed
  }

  get keys(): TestKeys {
    return Object.fromEntries(
      this.view().accounts.flatMap(({ id, keys: [key] }) =>
        key === undefined ? [] : [[id, { apiKey: key.apiKey, apiSecret: key.apiSecret }] as const],
      ),
    )
  }

  environment(account = 'desk'): Record<string, string> {
    return makeEnvironment(this, account)
  }

  client(account = 'desk'): VenueClient {
    return createVenueClient({ baseUrl: this.url, ...pickKey(this, account) })
  }

  get fetch(): WorldFetch {
    const ask = createForwardingFetch(this.url)
    return async (input, init) => {
      requireReachable(this, this.#wasDeleted)
      return ask(input, init)
    }
  }

  advance(by: string | number): void {
    const nowMillis = this.now.getTime()
    this.ask('POST', '/clock/advance', { byMs: instantAfter(millis(nowMillis), by) - nowMillis })
  }

  get now(): Date {
    return new Date(this.view().now)
  }

  digest(): string {
    return this.ask<RecordOf<typeof answers.digest>>('GET', '/digest').digest
  }

  snapshot(): WorldSnapshot {
    return this.whileKept((id) => {
      const read = readSnapshotDocument(this.ask('GET', `/snapshots/${id}`))
      if (read.ok) return read.snapshot
      throw new Error(`the snapshot of world ${this.id} cannot be read: ${read.field} ${read.reason}`)
    })
  }

  restore(snapshot: WorldSnapshot): void {
    requireSnapshot(snapshot)
    const document = makeSnapshotDocument(snapshot)
    const { id } = this.ask<RecordOf<typeof answers.snapshot>>('POST', '/snapshots/import', document)
    this.ask('POST', `/snapshots/${id}/restore`)
    this.ask('DELETE', `/snapshots/${id}`)
  }

  fork(): TestWorld {
    return this.whileKept((fromSnapshot) => {
      const answer = this.#server.ask('POST', '/worlds', { fromSnapshot })
      if (answer.status >= 400) throw new Error(refusalText(answer))
      const { id }: WorldView = JSON.parse(answer.text)
      return new JoinedWorld(this.#server, id)
    })
  }

  addFault(form: FaultForm): string {
    const { id } = this.ask<Fault>('POST', '/faults', form)
    this.#ownFaults.add(id)
    return id
  }

  fault(form: FaultForm): string {
    return this.addFault(form)
  }

  price(asset: string, to: number | RecordOf<typeof priceBody>): void {
    this.ask('POST', `/market/${name(asset)}/price`, typeof to === 'number' ? { mid: to } : to)
  }

  fill(orderId: string, amounts: RecordOf<typeof fillBody> = {}): void {
    this.ask('POST', `/orders/${name(orderId)}/fill`, amounts)
  }

  reject(orderId: string): void {
    this.ask('POST', `/orders/${name(orderId)}/reject`, {})
  }

  deposit(
    account: string,
    asset: string,
    quantity: number,
    more: Pick<RecordOf<typeof transferBody>, 'pendingMs'> = {},
  ): void {
    this.ask('POST', `/accounts/${name(account)}/deposits`, { asset, quantity, ...more })
  }

  halt(asset: string): void {
    this.ask('PATCH', `/pairs/${name(asset)}-USD`, { status: 'inactive' })
  }

  resume(asset: string): void {
    this.ask('PATCH', `/pairs/${name(asset)}-USD`, { status: 'active' })
  }

  rateLimits(limits: RecordOf<typeof limitsSchema> = {}): void {
    const { enabled } = this.ask<RecordOf<typeof answers.rateLimits>>('GET', '/rate-limits')
    if (!enabled) this.ask('PUT', '/readings', { 'rate.clock': 'world' })
    this.ask('PUT', '/rate-limits', { enabled: true, ...limits })
  }

  requests(match: RequestMatch = {}): ReturnType<typeof findRequests> {
    const found: { readonly requests: ReturnType<typeof findRequests> } = this.ask('POST', '/requests/find', {
      match,
    })
    return found.requests
  }

  verify(match: RequestMatch, times?: RequestTimes): void {
    const body = { match, ...(times === undefined ? {} : { times }) }
    const result: ReturnType<typeof verifyRequests> = this.ask('POST', '/requests/verify', body)
    requireVerified(match, times, result)
  }

  removeFault(id: string | null = null): void {
    if (id !== null && !this.listFaults().some((fault) => fault.id === id))
      throw new RangeError(`world ${this.id} has no fault ${id}`)
    this.ask('DELETE', id === null ? '/faults' : `/faults/${name(id)}`)
  }

  listIdleFaults(): readonly string[] {
    return this.listFaults()
      .filter(({ id, fired }) => fired === 0 && this.#ownFaults.has(id))
      .map(({ id, type, matched }) => `fault ${id} (${type}) has struck no request, ${matched} matched it`)
  }

  describeFailure(test: string, message: string, folder: string): DescribedFailure {
    const kept: NotedFailure = this.ask('POST', '/failure', { test, message })
    const [{ name: journal } = { name: '' }] = kept.files
    const file = `${folder}/${journal}`
    const text = kept.text.replace(`${kept.folder}/${journal}`, () => file)
    return { files: kept.files, answer: kept.answer, how: howToSee(file), text }
  }

  journalText(): string {
    return this.send('GET', '/journal').text
  }

  delete(): void {
    if (this.#wasDeleted) return
    this.#server.ask('DELETE', this.path(''))
    this.#wasDeleted = true
  }

  toJSON(): { readonly [name: string]: string } {
    const { id, url } = this
    if (this.#wasDeleted) return { id, url }
    const { seed, now } = this.view()
    return { id, seed, now: new Date(now).toISOString(), url }
  }

  [Symbol.dispose](): void {
    this.delete()
  }

  private view(): WorldView {
    return this.ask('GET', '')
  }

  private listFaults(): readonly Fault[] {
    return this.ask<RecordOf<typeof answers.faultList>>('GET', '/faults').faults
  }

  /** Takes a snapshot on the server, and deletes it there once it was used. */
  private whileKept<Result>(use: (snapshotId: string) => Result): Result {
    const { id } = this.ask<RecordOf<typeof answers.snapshot>>('POST', '/snapshots', {})
    try {
      return use(id)
    } finally {
      this.ask('DELETE', `/snapshots/${id}`)
    }
  }

  private path(path: string): string {
    return `/worlds/${name(this.id)}${path}`
  }

  /** Asks for JSON. Throws a RangeError with the words of the server when it refuses. */
  private ask<Answer>(method: string, path: string, body?: unknown): Answer {
    return JSON.parse(this.send(method, path, body).text)
  }

  private send(method: string, path: string, body?: unknown) {
    requireWorld(this, this.#wasDeleted)
    const answer = this.#server.ask(method, this.path(path), body)
    if (answer.status < 400) return answer
    requireWorld(this, answer.status === 404 && this.isDeleted)
    throw new RangeError(`world ${this.id}: ${refusalText(answer)}`)
  }
}

const name = encodeURIComponent

const { fetch: platformFetch } = globalThis

/**
 * Makes a `fetch` that sends each request to a server, whatever the host of its address. It is the platform's as it was at
 * the start: what intercepts requests later may ask this one for their answers.
 */
export function createForwardingFetch(serverUrl: string): WorldFetch {
  return async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input, serverUrl)
    const target = new URL(`${pathname}${search}`, serverUrl)
    return platformFetch(input instanceof Request ? new Request(target, input) : target, init)
  }
}
