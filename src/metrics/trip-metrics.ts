import { changePosition, computeUnrealized, openPosition, type RunPosition } from './average-cost.ts'
import { computeFigures, ratio, rowBuilder } from './figure.ts'
import { type AnyGrid, type FillRecord, mergeChanges, type TransferRecord } from './records.ts'
import { sum } from './samples.ts'

/**
 * A round trip: what one reduction of a position gained, and how long the closed part had been held. Choice: all levels of
 * the book that one order, or one side of a quote, trades at one instant are one reduction; otherwise trips and hit rates
 * would depend on the venue's levels.
 */
export interface Trip {
  readonly asset: string
  readonly atMillis: number
  /** The profit in USD against the average cost, without fees in USD. A fee in the asset itself is a part of the cost. */
  readonly realized: number
  /** The fees in USD of the reduction and of its part of the purchases. */
  readonly fees: number
  readonly holdMillis: number
}

/** The open position of an asset that was traded: bought, or sold short, and not closed by the end. */
interface OpenLot {
  readonly asset: string
  /** The signed quantity, in units of the asset. */
  readonly quantity: number
  readonly averageCost: number
  /** The profit in USD at the last mark against the average cost, without fees in USD. */
  readonly unrealized: number
  /** The fees in USD of its purchases. */
  readonly fees: number
}

const row = rowBuilder<ReturnType<typeof summarizeTrips>>()
const ofLot = rowBuilder<OpenLot>()

const noTrips = 'there are no trips'
const noneDecided = 'no trip won or lost'
const noneLost = 'no trip lost'

/**
 * The figures of round trips: the profits of the reductions of positions against their average cost, before and net of fees.
 * What is still open at the end is no trip, so its unrealized profit stands beside them.
 */
export const trips = {
  count: row.sum('count', ({ all }) => all.length, 'Round trips'),
  wins: row.sum('count', ({ gross }) => gross.wins),
  losses: row.smallSum('count', ({ gross }) => gross.losses),
  zeros: row.sum('count', ({ gross }) => gross.zeros),
  hitRate: row.figure('share', ({ gross }) => gross.hitRate, 'Hit rate'),
  netHitRate: row.figure('share', ({ net }) => net.hitRate, 'Hit rate, net of fees'),
  profitFactor: row.figure('ratio', ({ gross }) => gross.profitFactor, 'Profit factor'),
  netProfitFactor: row.figure('ratio', ({ net }) => net.profitFactor, 'Profit factor, net of fees'),
  /** The mean profit of a trip, in USD. */
  expectancy: row.figure('usd', ({ gross }) => gross.expectancy, 'Expectancy'),
  netExpectancy: row.figure('usd', ({ net }) => net.expectancy, 'Expectancy, net of fees'),
  /** The mean win over the mean loss. */
  payoff: row.figure('ratio', ({ gross }) => gross.payoff, 'Payoff'),
  netPayoff: row.figure('ratio', ({ net }) => net.payoff, 'Payoff, net of fees'),
  meanHoldMillis: row.figure(
    'span',
    ({ all }) => ratio(sum(all.map((trip) => trip.holdMillis)), all.length, noTrips),
    'Mean time held',
  ),
  longestLosingRun: row.smallFigure(
    'count',
    ({ all }) => countLongestLosingRun(all.map(({ realized }) => realized)),
    'Longest losing run',
  ),
  /** What all trips have gained, in USD, before fees. */
  realized: row.sum('usd', ({ all }) => sum(all.map(({ realized }) => realized)), 'Realized'),
  netRealized: row.sum(
    'usd',
    ({ all }) => sum(all.map(({ fees, realized }) => realized - fees)),
    'Realized, net of fees',
  ),
  /** The number of assets that were traded and are still held, or sold short, at the end. They are in no trip. */
  openLots: row.figure('count', ({ open }) => open.length, 'Open lots, in no trip'),
  /** What the open lots have gained by the last mark, in USD, before fees. */
  unrealized: row.sum(
    'usd',
    ({ open }) => sum(open.map(({ unrealized }) => unrealized)),
    'Unrealized profit of open lots',
  ),
  netUnrealized: row.sum(
    'usd',
    ({ open }) => sum(open.map(({ fees, unrealized }) => unrealized - fees)),
    'Unrealized profit, net of fees',
  ),
  open: row.list('asset', ({ open }) => open, {
    asset: ofLot.figure('text', ({ asset }) => asset),
    quantity: ofLot.figure('ratio', ({ quantity }) => quantity),
    averageCost: ofLot.figure('usd', ({ averageCost }) => averageCost),
    unrealized: ofLot.sum('usd', ({ unrealized }) => unrealized),
    netUnrealized: ofLot.sum('usd', ({ fees, unrealized }) => unrealized - fees),
  }),
}

/** Computes the figures of round trips, and of what is still open. */
export const computeTrips = (found: ReturnType<typeof findTrips>) =>
  computeFigures(trips, summarizeTrips(found))

function summarizeTrips({ open, trips: all }: ReturnType<typeof findTrips>) {
  return {
    all,
    open,
    gross: summarizeResults(all.map(({ realized }) => realized)),
    net: summarizeResults(all.map(({ fees, realized }) => realized - fees)),
  }
}

function summarizeResults(results: readonly number[]) {
  const won = results.filter((result) => result > 0)
  const lost = results.filter((result) => result < 0)
  const [wins, losses] = [won.length, lost.length]
  const [gained, given] = [sum(won), 0 - sum(lost)]
  return {
    wins,
    losses,
    zeros: results.length - (wins + losses),
    hitRate: ratio(wins, wins + losses, noneDecided),
    profitFactor: ratio(gained, given, noneLost),
    expectancy: ratio(sum(results), results.length, noTrips),
    payoff: ratio(wins === 0 ? 0 : gained / wins, losses === 0 ? 0 : given / losses, noneLost),
  }
}

/**
 * Finds the round trips in an account's fills, in the order of time, and what is open at the end of the assets that were
 * traded. What is held at the start counts as bought then, at the first mark, and a deposit as bought when it arrived; a
 * withdrawal is not a trip. The age of a position is the mean age of its purchases, weighted by quantity, like its average
 * cost.
 */
export function findTrips(
  grid: AnyGrid,
  fills: readonly FillRecord[],
  transfers: readonly TransferRecord[],
): { readonly trips: readonly Trip[]; readonly open: readonly OpenLot[] } {
  const startMillis = grid.atMillis[0] ?? 0
  const positions = new Map<string, RunPosition>()
  for (const { asset, position, price } of grid.assets)
    positions.set(asset, openPosition(position[0] ?? 0, price[0] ?? 0, startMillis))
  const trips: Trip[] = []
  let reducing: FillRecord | null = null
  for (const change of mergeChanges(fills, transfers)) {
    const { asset, atMillis } = change
    const { closed, position } = changePosition(positions.get(asset) ?? openPosition(0, 0, atMillis), change)
    positions.set(asset, position)
    const fill: FillRecord | null = closed !== null && 'side' in change ? change : null
    if (fill !== null && closed !== null) {
      const earlier = reducing !== null && isSameReduction(reducing, fill) ? trips.pop() : undefined
      trips.push({
        asset,
        atMillis,
        realized: (earlier?.realized ?? 0) + closed.realized,
        fees: (earlier?.fees ?? 0) + closed.fees,
        holdMillis: closed.holdMillis,
      })
    }
    reducing = fill
  }
  return { trips, open: listOpenLots(grid, fills, positions) }
}

function listOpenLots(
  { assets }: AnyGrid,
  fills: readonly FillRecord[],
  positions: ReadonlyMap<string, RunPosition>,
): readonly OpenLot[] {
  const traded = new Set(fills.map(({ asset }) => asset))
  return assets.flatMap(({ asset, price }) => {
    const position = positions.get(asset)
    if (!traded.has(asset) || position === undefined || position.quantity === 0) return []
    const { cost, fees, quantity } = position
    const unrealized = computeUnrealized(position, price.at(-1) ?? 0)
    return [
      {
        asset,
        quantity: Number(quantity.toPrecision(12)),
        averageCost: cost / Math.abs(quantity),
        unrealized,
        fees,
      },
    ]
  })
}

function isSameReduction(left: FillRecord, right: FillRecord): boolean {
  return (
    left.atMillis === right.atMillis &&
    left.orderId === right.orderId &&
    left.quoteId === right.quoteId &&
    left.side === right.side
  )
}

function countLongestLosingRun(results: readonly number[]): number {
  let longest = 0
  let run = 0
  for (const realized of results) {
    run = realized < 0 ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}
