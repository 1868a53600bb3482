import { type OperationId, routeOf } from '../../api/operations/operations.ts'
import type { Transport } from '../../client/transport.ts'
import { VenueError } from '../../client/venue-error.ts'
import { none } from '../../engine/codes.ts'
import { stateOf } from '../../engine/state.ts'
import { listAccountOrders } from '../../engine/tables/account-table.ts'
import { answerRequest } from '../../world/answer-in-process.ts'
import type { Delay, Latency } from '../latency.ts'
import type { WaitQueue } from './host.ts'
import type { SimulatedNetwork } from './in-process-session.ts'
import type { LaggingWorld } from './lagging-world.ts'
import { type Message, nameMessage, type RequestTally } from './request-tally.ts'

export interface NetworkOptions {
  readonly account: number
  readonly latency: Latency
  /** The end of the run; time never passes beyond it. */
  readonly endMillis: number
  /** Whether the venue's rate limits apply, by the venue's time. */
  readonly isRateLimited: boolean
}

export interface Decision {
  readonly atMillis: number
  readonly markTicks: number
}

/**
 * Carries an account's requests to the world and the responses back, with the latencies of the run, and waiting for the
 * rate limits. With the synchronous client one request is under way at a time, and time passes with it (`carryRequest`,
 * `carryResponse`); with the asynchronous one several are, each until its own instant (`createTransport`).
 *
 * Invariants: each delay is drawn from a stream named after its own message (`nameMessage`), so that no other request
 * changes it; the prices of the last observation are kept before the world may change.
 */
export class LatencyNetwork implements SimulatedNetwork {
  /**
   * The instant and mark at which each order was decided, by order row; empty where requests take no time to arrive.
   */
  readonly decisions = new Map<number, Decision>()
  private readonly lagging: LaggingWorld
  private readonly tally: RequestTally
  private readonly options: NetworkOptions
  private decidedAtMillis = 0
  private ordersBefore = 0

  constructor(lagging: LaggingWorld, tally: RequestTally, options: NetworkOptions) {
    this.lagging = lagging
    this.tally = tally
    this.options = options
  }

  carryRequest(message: Message): void {
    const { lagging } = this
    const { account, latency } = this.options
    this.lagging.prepareRequest()
    if (latency.order.isNone) {
      this.waitForRateLimit(message.operation)
      return
    }
    const { world } = lagging
    this.decidedAtMillis = world.now
    this.ordersBefore = listAccountOrders(world.venue.state, account).count
    this.passTime(this.drawDelay(latency.order, message))
    this.waitForRateLimit(message.operation)
    lagging.catchUp()
  }

  carryResponse(message: Message): void {
    const { latency } = this.options
    this.lagging.followWorld()
    if (!latency.order.isNone) this.recordDecisions(this.decidedAtMillis, this.ordersBefore)
    if (!latency.response.isNone) this.passTime(this.drawDelay(latency.response, message))
  }

  /** Creates the transport of the asynchronous client. Requests that are under way together may overtake each other. */
  createTransport(waitQueue: WaitQueue): Transport {
    const { lagging, tally } = this
    const { world } = lagging
    const { account, latency } = this.options
    return async (request) => {
      const { operation, signal } = request
      signal?.throwIfAborted()
      this.lagging.prepareRequest()
      const decidedAtMillis = world.now
      const waitFor = (delay: Delay) => waitQueue.waitUntil(this.clampToRun(this.drawDelay(delay, request)))
      if (!latency.order.isNone) await waitFor(latency.order)
      for (let wait = this.computeLimitWait(operation); wait > 0; wait = this.computeLimitWait(operation))
        await waitQueue.waitUntil(this.clampToRun(wait))
      lagging.catchUp()
      const before = latency.order.isNone ? none : listAccountOrders(world.venue.state, account).count
      const { status, body: answered } = answerRequest(world, account, request)
      lagging.followWorld()
      if (before !== none) this.recordDecisions(decidedAtMillis, before)
      const answer = { status, body: answered, header: () => null }
      if (status >= 400) tally.countRefused(operation, new VenueError(answer))
      else tally.countAccepted(operation, answered)
      if (!latency.response.isNone) await waitFor(latency.response)
      return answer
    }
  }

  /** Returns the instant after a delay, but not beyond the end of the run. */
  clampToRun(delayMillis: number): number {
    const { nowMillis } = this.lagging
    return Math.min(nowMillis + delayMillis, Math.max(this.options.endMillis, nowMillis))
  }

  private passTime(delayMillis: number): void {
    this.lagging.advanceTo(this.clampToRun(delayMillis))
  }

  private drawDelay(delay: Delay, message: Message): number {
    const { world } = this.lagging
    return delay.draw(world.seed, `${message.operation}/${nameMessage(message)}/${world.now}`)
  }

  /** Waits for the next window while a request is over the rate limit, as the client library does. */
  private waitForRateLimit(operation: OperationId): void {
    for (let wait = this.computeLimitWait(operation); wait > 0; wait = this.computeLimitWait(operation))
      this.passTime(wait)
  }

  /** Returns how long a request has to wait, in milliseconds; 0 when it may pass. At the end of the run all may. */
  private computeLimitWait(operation: OperationId): number {
    const { endMillis, isRateLimited } = this.options
    const { nowMillis, world } = this.lagging
    if (!isRateLimited || nowMillis >= endMillis) return 0
    const algorithm = world.readings['rate.algorithm']
    const verdict = world.limiter.countRequest(limiterKey, routeOf(operation).category, algorithm, nowMillis)
    if (verdict.isAllowed) return 0
    this.tally.rateLimited += 1
    return Math.max(1, verdict.resetMillis - nowMillis)
  }

  /** Records for each order after the first `before` ones the instant and the mark at which it was decided. */
  private recordDecisions(atMillis: number, before: number): void {
    const { state } = this.lagging.world.venue
    const list = listAccountOrders(state, this.options.account)
    for (let place = before; place < list.count; place += 1) {
      const row = list.at(place)
      const markTicks = stateOf(state, state.orders.asset.get(row)).marks.at(atMillis)
      this.decisions.set(row, { atMillis, markTicks })
    }
  }
}

/** The name by which the rate limiter counts the strategy's requests, as it has no API key. */
const limiterKey = 'backtest'
