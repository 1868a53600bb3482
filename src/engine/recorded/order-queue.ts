import { assert } from '../../numeric/assert.ts'
import type { Side } from '../codes.ts'
import { computeShareBehind, type LawSpec } from './share-behind.ts'

/** Where a client's resting order stands among what a recorded book shows at its price. Quantities are in steps. */
export interface Place {
  readonly order: number
  readonly side: Side
  readonly ticks: number
  /** What stands ahead. Below 0 where fractions of a step have passed the order, or a law says that more has left. */
  ahead: number
  /** What trades took at the price since its quantity last changed. */
  tradedSinceChange: number
  /** Whether the order joined beyond the prices of the record, so that it stands behind what its level first shows. */
  isBeyond: boolean
  /** What stood ahead when the order joined, or when its level was first shown. */
  joinedBehind: number
  /** What trades took of it, those of clients included. The rest of what is gone has left by the law. */
  takenByTrades: number
}

/** The law by which orders move up in the queue of a recorded book. */
export interface QueueLaw {
  /** An order joins behind what is shown. */
  join(place: Place, shownSteps: number): void
  /** A trade takes what stands first at the order's price. Returns how far the order's turn has come, in whole steps. */
  trade(place: Place, steps: number): number
  /** Moves a place as the quantity shown at its price changes without a trade. */
  change(place: Place, oldSteps: number, newSteps: number): void
  /** Forgets an order that has left. */
  forget(place: Place): void
}

/** Creates a law. `stepUnits` is one step in units of the asset, the unit of the logarithmic laws. */
function createQueueLaw(spec: LawSpec, stepUnits: number): QueueLaw {
  if (spec.law === 'front') return front
  if (spec.law === 'riskAverse') return { ...moved, change: followRiskAverse }
  return { ...moved, change: (place, old, next) => followShare(place, old, next, spec, stepUnits) }
}

const front: QueueLaw = {
  join: (place) => enter(place, 0),
  trade: (_, steps) => Math.round(steps),
  change: () => undefined,
  forget: () => undefined,
}

const moved: Omit<QueueLaw, 'change'> = {
  join: enter,
  trade: passTrade,
  forget: () => undefined,
}

function enter(place: Place, shownSteps: number): void {
  place.ahead = shownSteps
  place.joinedBehind = shownSteps
}

function passTrade(place: Place, steps: number): number {
  const before = place.ahead
  place.ahead = before - steps
  place.tradedSinceChange += steps
  const turn = Math.round(-place.ahead)
  if (turn > 0) place.ahead = 0
  place.takenByTrades += before - place.ahead
  return Math.max(0, turn)
}

/**
 * Follows a change of the level by the law `riskAverse`: what leaves without a trade leaves behind the order, so that
 * it only moves up when less is shown than stood ahead.
 */
function followRiskAverse(place: Place, _old: number, next: number): void {
  place.tradedSinceChange = 0
  if (next < place.ahead) place.ahead = next
}

/**
 * Follows a change of the level by a law of shares: what leaves without a trade leaves ahead of the order and behind
 * it by shares. Where no share can be computed (nothing stands anywhere, or a quantity below 0 has no such power or
 * logarithm), all that is shown counts as ahead, as hftbacktest has it.
 */
function followShare(place: Place, old: number, next: number, spec: LawSpec, stepUnits: number): void {
  const left = old - next - place.tradedSinceChange
  const { ahead } = place
  place.tradedSinceChange = 0
  if (left < 0) {
    if (next < ahead) place.ahead = next
    return
  }
  const behind = old - ahead
  const share = computeShareBehind(spec, ahead, behind, stepUnits)
  const sharedAhead = ahead - (1 - share) * left + Math.min(behind - share * left, 0)
  place.ahead = Number.isNaN(sharedAhead) ? next : Math.min(sharedAhead, next)
}

/**
 * The places of one asset's resting orders, and a filter of the prices at which there are any. The law alone moves
 * them; where it is `front`, nothing of them is state.
 */
export class OrderQueue {
  readonly isFront: boolean
  private readonly law: QueueLaw
  private readonly places = new Map<number, Place>()
  /** The number of places by side and the price's last bits. */
  private readonly counts = new Int32Array(2 * watchedPrices)

  constructor(spec: LawSpec, stepUnits: number) {
    this.isFront = spec.law === 'front'
    this.law = createQueueLaw(spec, stepUnits)
  }

  /** Returns whether an order may rest at a price: false is certain, true is not. */
  mayRestAt(side: Side, ticks: number): boolean {
    return this.counts[side * watchedPrices + (ticks & watchedMask)] !== 0
  }

  placeOf(order: number): Place {
    const place = this.places.get(order)
    assert(place !== undefined, 'a resting order has a place in the queue')
    return place
  }

  /** Adds an order behind what is shown or, beyond the record, behind what its level will first show. */
  join(order: number, side: Side, ticks: number, shownSteps: number, isBeyond: boolean): void {
    const place: Place = {
      order,
      side,
      ticks,
      ahead: 0,
      tradedSinceChange: 0,
      isBeyond,
      joinedBehind: 0,
      takenByTrades: 0,
    }
    this.law.join(place, shownSteps)
    this.add(place)
  }

  /** Adds a place as it was. */
  add(place: Place): void {
    this.places.set(place.order, place)
    const key = place.side * watchedPrices + (place.ticks & watchedMask)
    this.counts[key] = (this.counts[key] ?? 0) + 1
  }

  /** Moves a place up by a trade at its price. Returns how far its turn has come, in whole steps. */
  trade(place: Place, steps: number): number {
    return place.isBeyond ? 0 : this.law.trade(place, steps)
  }

  change(place: Place, oldSteps: number, newSteps: number): void {
    if (!place.isBeyond) this.law.change(place, oldSteps, newSteps)
    else if (newSteps > 0) {
      place.isBeyond = false
      this.law.join(place, newSteps)
    }
  }

  forget(order: number): void {
    const place = this.placeOf(order)
    const key = place.side * watchedPrices + (place.ticks & watchedMask)
    this.counts[key] = (this.counts[key] ?? 0) - 1
    this.law.forget(place)
    this.places.delete(order)
  }

  /** Lists the places by the number of their orders; none where the law needs none. */
  list(): readonly Place[] {
    if (this.isFront) return []
    return [...this.places.values()].sort((left, right) => left.order - right.order)
  }
}

const watchedPrices = 4096
const watchedMask = watchedPrices - 1

/** Returns what stands ahead of an order, in steps; 0 where a law has left less than nothing. */
export const stepsAheadOf = ({ ahead }: Place): number => Math.max(0, ahead)

/**
 * Returns a number by which the orders of one level take their turns: the smaller goes first, and of equal ones the older.
 * Choice: it counts millionths of a step, so that two orders that both stand behind all that is shown go by time, although
 * the shares of a law have left them apart by the dust of doubles.
 */
export const turnOf = (place: Place): number => Math.round(stepsAheadOf(place) * 1e6)

/** Puts an order first, because what stood ahead of it has traded or the other side has come to its price. */
export function reachFront(place: Place, isByTrade: boolean): void {
  place.isBeyond = false
  if (isByTrade) place.takenByTrades += place.ahead
  place.ahead = 0
  place.tradedSinceChange = 0
}

/** Takes from what stands ahead of an order, for a client that has taken it. */
export function takeAhead(place: Place, steps: number): void {
  const taken = Math.min(Math.max(0, place.ahead), steps)
  place.ahead -= taken
  place.takenByTrades += taken
}
