import { type OperationId, routeOf } from '../../api/operations/operations.ts'
import type { Transport } from '../../client/transport.ts'
import { VenueError } from '../../client/venue-error.ts'
import { none } from '../../engine/codes.ts'
import { stateOf } from '../../engine/state.ts'
import { ordersOf } from '../../engine/tables/account-table.ts'
import { answerRequest } from '../../world/answer-in-process.ts'
import type { Delay, Latency } from '../latency.ts'
import type { WaitQueue } from './host.ts'
import type { SimulatedNetwork } from './in-process-session.ts'
import type { LaggingWorld } from './lagging-world.ts'
import { type Message, nameMessage, type RequestTally } from './request-tally.ts'

export interface NetworkOptions {
  readonly account: number
  readonly latency: Latency
  /** The run's end: no request travels beyond it. */
  readonly endMillis: number
  /** Whether the venue's rate limits hold, by its own time. */
  readonly isRateLimited: boolean
}

export interface Decision {
  readonly atMillis: number
  readonly markTicks: number
}

/**
 * How an account's requests reach the world, and the answers the strategy: after the latencies of the run, and when
 * the rate limit lets them pass. With the synchronous client one request travels at a time, and time passes with it
 * (`carryRequest`, `carryResponse`); with the asynchronous one several are under way together, each until its own instant
 * (`createTransport`).
 *
 * Invariants: a delay is drawn in the name of its own message (`nameMessage`), so no other request shifts it; what
 * the feed has shown is kept before the world may change.
 */
export class LatencyNetwork implements SimulatedNetwork {
  /** By order row; only where orders take time to arrive. */
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
    this.ordersBefore = ordersOf(world.venue.state, account).count
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

  /** For the client library with promises: requests that are under way together may overtake each other. */
  createTransport(waits: WaitQueue): Transport {
    const { lagging, tally } = this
    const { world } = lagging
    const { account, latency } = this.options
    return async (request) => {
      const { operation, signal } = request
      signal?.throwIfAborted()
      this.lagging.prepareRequest()
      const decidedAtMillis = world.now
      const letPass = (delay: Delay) => waits.until(this.clampToRun(this.drawDelay(delay, request)))
      if (!latency.order.isNone) await letPass(latency.order)
      for (let wait = this.computeLimitWait(operation); wait > 0; wait = this.computeLimitWait(operation))
        await waits.until(this.clampToRun(wait))
      lagging.catchUp()
      const before = latency.order.isNone ? none : ordersOf(world.venue.state, account).count
      const { status, body: answered } = answerRequest(world, account, request)
      lagging.followWorld()
      if (before !== none) this.recordDecisions(decidedAtMillis, before)
      const answer = { status, body: answered, header: () => null }
      if (status >= 400) tally.countRefused(operation, new VenueError(answer))
      else tally.countAccepted(operation, answered)
      if (!latency.response.isNone) await letPass(latency.response)
      return answer
    }
  }

  /** After a delay, though not beyond the run's end. */
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

  /** A request over the rate limit waits for the next window, as the client library has it do. */
  private waitForRateLimit(operation: OperationId): void {
    for (let wait = this.computeLimitWait(operation); wait > 0; wait = this.computeLimitWait(operation))
      this.passTime(wait)
  }

  /** How long a request has to wait, in milliseconds; 0 when it may pass, as all may at the run's end. */
  private computeLimitWait(operation: OperationId): number {
    const { endMillis, isRateLimited } = this.options
    const { nowMillis, world } = this.lagging
    if (!isRateLimited || nowMillis >= endMillis) return 0
    const algorithm = world.readings['rate.algorithm']
    const verdict = world.limiter.take(limiterKey, routeOf(operation).category, algorithm, nowMillis)
    if (verdict.isAllowed) return 0
    this.tally.rateLimited += 1
    return Math.max(1, verdict.resetMillis - nowMillis)
  }

  /** Of each order made since there were `before`: the instant and the mark that it was decided upon. */
  private recordDecisions(atMillis: number, before: number): void {
    const { state } = this.lagging.world.venue
    const list = ordersOf(state, this.options.account)
    for (let place = before; place < list.count; place += 1) {
      const row = list.at(place)
      const markTicks = stateOf(state, state.orders.asset.get(row)).marks.at(atMillis)
      this.decisions.set(row, { atMillis, markTicks })
    }
  }
}

/** A strategy has no key; its requests are counted by this name. */
const limiterKey = 'backtest'
