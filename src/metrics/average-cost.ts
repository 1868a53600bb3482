import { computeReceived, type FillRecord, type TransferRecord } from './records.ts'

/*
 * Positions at average cost, as the venue's ledger keeps them, but from the start of a run: what was held before counts as
 * bought then, so that what trips realize and what stays open add up to what the run has gained.
 */

/** What an account has of an asset, or has sold short, and what it was bought, or sold, for. */
export interface RunPosition {
  /** The signed quantity, in units of the asset. */
  readonly quantity: number
  /** What the whole was bought for, or sold for if it is short, in USD and without fees in USD; never negative. */
  readonly cost: number
  /** The fees in USD of what is held. */
  readonly fees: number
  /** The mean instant of the purchases, weighted by quantity. */
  readonly enteredMillis: number
}

/** What a change has closed of a position. */
export interface ClosedPart {
  readonly realized: number
  readonly fees: number
  readonly holdMillis: number
}

export const openPosition = (quantity: number, price: number, enteredMillis: number): RunPosition => ({
  quantity,
  cost: Math.abs(quantity) * price,
  fees: 0,
  enteredMillis,
})

/** Computes the profit of a position at a mark, in USD and without fees in USD. */
export const computeUnrealized = ({ cost, quantity }: RunPosition, mark: number): number =>
  quantity * mark - Math.sign(quantity) * cost

/** A quantity smaller than any step. What rounding leaves of sums of decimals counts as 0. */
const dust = 1e-9

/** A profit of less than this part of the value counts as 0: it is a rounding error. */
const rounding = 1e-11

/**
 * Applies a fill or a transfer to a position. An increase changes the average cost, a reduction closes a part of the position
 * at it, and one beyond the whole position opens the rest. A fee in the asset itself leaves less of it at the same cost.
 */
export function changePosition(
  position: RunPosition,
  change: FillRecord | TransferRecord,
): { readonly position: RunPosition; readonly closed: ClosedPart | null } {
  const received = computeReceived(change)
  const { quantity } = position
  const isReduction = quantity !== 0 && received !== 0 && quantity > 0 !== received > 0
  const closing = isReduction ? Math.min(Math.abs(quantity), Math.abs(received)) / Math.abs(received) : 0
  const value = Math.abs(change.value)
  const fees = 'side' in change && change.feeCurrency !== change.asset ? change.feeUsd : 0
  const closed = isReduction ? closePart(position, { change, value, fees, closing, received }) : null
  const left = Math.abs(quantity + received) < dust ? 0 : quantity + received
  if (isReduction && left !== 0 && left > 0 === quantity > 0)
    return { closed, position: keepShare(position, left) }
  const kept = isReduction ? nothing : position
  const opened = 1 - closing
  return {
    closed,
    position: {
      quantity: left,
      cost: left === 0 ? 0 : kept.cost + opened * value,
      fees: left === 0 ? 0 : kept.fees + opened * fees,
      enteredMillis: mixInstants(kept, left, change.atMillis),
    },
  }
}

const nothing: RunPosition = { quantity: 0, cost: 0, fees: 0, enteredMillis: 0 }

function keepShare(position: RunPosition, quantity: number): RunPosition {
  const share = quantity / position.quantity
  return { ...position, quantity, cost: position.cost * share, fees: position.fees * share }
}

function closePart(
  { cost, enteredMillis, fees: paid, quantity }: RunPosition,
  given: {
    readonly change: FillRecord | TransferRecord
    readonly value: number
    readonly fees: number
    readonly closing: number
    readonly received: number
  },
): ClosedPart {
  const share = Math.min(1, Math.abs(given.received / quantity))
  const gain = Math.sign(quantity) * (given.closing * given.value - share * cost)
  return {
    realized: Math.abs(gain) <= rounding * given.value ? 0 : gain,
    fees: given.closing * given.fees + share * paid,
    holdMillis: given.change.atMillis - enteredMillis,
  }
}

/** Computes the mean instant of what is held after an increase. */
function mixInstants({ enteredMillis, quantity }: RunPosition, left: number, atMillis: number): number {
  if (quantity === 0 || left === 0) return atMillis
  const weight = Math.min(1, Math.abs(left - quantity) / Math.abs(left))
  return enteredMillis + (atMillis - enteredMillis) * weight
}
