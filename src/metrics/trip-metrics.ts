import { computeFigures, ratio, rowBuilder } from './figure.ts'
import {
  type AnyGrid,
  computeReceived,
  type FillRecord,
  mergeChanges,
  type TransferRecord,
} from './records.ts'
import { sum } from './samples.ts'

/**
 * A round trip: what one reduction of a position gained, and how long the closed part had been held. Choice: all levels of
 * the book that one order, or one side of a quote, trades at one instant are one reduction; otherwise trips and hit rates
 * would depend on the venue's levels.
 */
export interface Trip {
  readonly asset: string
  readonly atMillis: number
  /** The profit in USD against the average cost, without fees: the ledger's own figure. */
  readonly realized: number
  readonly holdMillis: number
}

const row = rowBuilder<ReturnType<typeof summarizeTrips>>()

/** The figures of round trips: the profits of the reductions of positions against their average cost, without fees. */
export const trips = {
  count: row.sum('count', ({ all }) => all.length, 'Round trips'),
  wins: row.sum('count', ({ wins }) => wins),
  losses: row.smallSum('count', ({ losses }) => losses),
  zeros: row.sum('count', ({ all, wins, losses }) => all.length - (wins + losses)),
  hitRate: row.figure(
    'share',
    ({ wins, losses }) => ratio(wins, wins + losses, 'no trip won or lost'),
    'Hit rate',
  ),
  profitFactor: row.figure(
    'ratio',
    ({ gained, lost }) => ratio(gained, lost, 'no trip lost'),
    'Profit factor',
  ),
  /** The mean profit of a trip, in USD. */
  expectancy: row.figure(
    'usd',
    ({ all, gained, lost }) => ratio(gained - lost, all.length, 'there are no trips'),
    'Expectancy',
  ),
  /** The mean win over the mean loss. */
  payoff: row.figure(
    'ratio',
    ({ wins, losses, gained, lost }) =>
      ratio(wins === 0 ? 0 : gained / wins, losses === 0 ? 0 : lost / losses, 'no trip lost'),
    'Payoff',
  ),
  meanHoldMillis: row.figure(
    'span',
    ({ all }) => ratio(sum(all.map((trip) => trip.holdMillis)), all.length, 'there are no trips'),
    'Mean time held',
  ),
  longestLosingRun: row.smallFigure('count', ({ all }) => countLongestLosingRun(all), 'Longest losing run'),
}

/** Computes the figures of round trips. */
export const computeTrips = (all: readonly Trip[]) => computeFigures(trips, summarizeTrips(all))

function summarizeTrips(all: readonly Trip[]) {
  const wins = all.filter((trip) => trip.realized > 0)
  const losses = all.filter((trip) => trip.realized < 0)
  return {
    all,
    wins: wins.length,
    losses: losses.length,
    gained: sum(wins.map((trip) => trip.realized)),
    lost: 0 - sum(losses.map((trip) => trip.realized)),
  }
}

/**
 * Finds the round trips in an account's fills, in the order of time. What is held at the start counts as bought then, and a
 * deposit as bought when it arrived; a withdrawal is not a trip. The age of a position is the mean age of its purchases,
 * weighted by quantity, like its average cost.
 */
export function findTrips(
  grid: AnyGrid,
  fills: readonly FillRecord[],
  transfers: readonly TransferRecord[],
): readonly Trip[] {
  const startMillis = grid.atMillis[0] ?? 0
  const held = new Map<string, Holding>()
  for (const { asset, position } of grid.assets)
    held.set(asset, { quantity: position[0] ?? 0, enteredMillis: startMillis })
  const trips: Trip[] = []
  let reducing: FillRecord | null = null
  for (const change of mergeChanges(fills, transfers)) {
    const { asset, atMillis } = change
    const position = held.get(asset) ?? { quantity: 0, enteredMillis: atMillis }
    const received = computeReceived(change)
    held.set(asset, applyChange(position, received, atMillis))
    const isReduction = position.quantity !== 0 && position.quantity > 0 !== received > 0
    const fill: FillRecord | null = isReduction && 'side' in change ? change : null
    if (fill !== null) {
      const earlier = reducing !== null && isSameReduction(reducing, fill) ? trips.pop() : undefined
      const realized = (earlier?.realized ?? 0) + fill.realized
      trips.push({ asset, atMillis, realized, holdMillis: atMillis - position.enteredMillis })
    }
    reducing = fill
  }
  return trips
}

function isSameReduction(left: FillRecord, right: FillRecord): boolean {
  return (
    left.atMillis === right.atMillis &&
    left.orderId === right.orderId &&
    left.quoteId === right.quoteId &&
    left.side === right.side
  )
}

interface Holding {
  readonly quantity: number
  readonly enteredMillis: number
}

/** A quantity smaller than any step. What rounding leaves of sums of decimals counts as 0. */
const dust = 1e-9

function applyChange({ quantity, enteredMillis }: Holding, change: number, atMillis: number): Holding {
  const next = Math.abs(quantity + change) < dust ? 0 : quantity + change
  const isIncrease = quantity === 0 || quantity > 0 === change > 0
  if (isIncrease) {
    const weight = Math.abs(change) / Math.max(Math.abs(next), dust)
    return { quantity: next, enteredMillis: enteredMillis + (atMillis - enteredMillis) * Math.min(1, weight) }
  }
  const isFlipped = next !== 0 && next > 0 !== quantity > 0
  return { quantity: next, enteredMillis: isFlipped ? atMillis : enteredMillis }
}

function countLongestLosingRun(trips: readonly Trip[]): number {
  let longest = 0
  let run = 0
  for (const { realized } of trips) {
    run = realized < 0 ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}
