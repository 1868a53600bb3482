import { type Numbers, valueAt } from '../../src/metrics/realism/moments.ts'

/*
 * Simple strategies that should earn nothing from the default market. Each holds one unit, none or minus one from a
 * bar's close to the next, decided by what is known at that close. Price-only ones are those of market-recipe.md.
 */

/** What is known at the closes of the bars of one seed; all arrays have one value per close. */
export interface Bars {
  /** Logarithms of prices by asset. */
  readonly logs: Readonly<Record<Asset, Float64Array>>
  /** Takers of BTC in the bar before each close: buyers minus sellers, and the same in USD. */
  readonly signedCounts: Float64Array
  readonly signedUsd: Float64Array
  /** Logarithm of the price of the last trade of BTC over that at the close. */
  readonly lastOverMid: Float64Array
}

export type Asset = 'BTC' | 'ETH' | 'SOL'

export interface Strategy {
  readonly name: string
  /** The asset that it holds. */
  readonly asset: Asset
  readonly isPriceOnly: boolean
  /** Returns the position after each close. */
  decide(bars: Bars): Float64Array
}

/** Writes the position at each close, which may depend on the one before. */
function positionsOf(count: number, decide: (at: number, held: number) => number): Float64Array {
  const positions = new Float64Array(count)
  let held = 0
  for (let at = 0; at < count; at += 1) {
    held = decide(at, held)
    positions[at] = held
  }
  return positions
}

const bitcoin = (name: string, decide: (logs: Float64Array) => Float64Array): Strategy => ({
  name,
  asset: 'BTC',
  isPriceOnly: true,
  decide: ({ logs }) => decide(logs.BTC),
})

const changeOver = (logs: Numbers, at: number, bars: number): number =>
  at < bars ? 0 : valueAt(logs, at) - valueAt(logs, at - bars)

const followTrend = (bars: number): Strategy =>
  bitcoin(`momentum ${bars}`, (logs) =>
    positionsOf(logs.length, (at) => Math.sign(changeOver(logs, at, bars))),
  )

/** Goes against the last move if it was small, or large, by the deviation of the last 100. */
const fadeMove = (bars: number, isLarge: boolean): Strategy =>
  bitcoin(`fade ${bars} if ${isLarge ? 'above 2' : 'below 0.5'} sd`, (logs) => {
    let square = 0
    return positionsOf(logs.length, (at) => {
      const move = changeOver(logs, at, bars)
      const sd = Math.sqrt(square)
      square += (move * move - square) / Math.min(at + 1, 100)
      const isChosen = isLarge ? Math.abs(move) > 2 * sd : Math.abs(move) < 0.5 * sd
      return isChosen ? -Math.sign(move) : 0
    })
  })

const crossAverages = (fast: number, slow: number): Strategy =>
  bitcoin(`averages ${fast}/${slow}`, (logs) => {
    let [fastSum, slowSum] = [0, 0]
    return positionsOf(logs.length, (at) => {
      fastSum += valueAt(logs, at) - (at >= fast ? valueAt(logs, at - fast) : 0)
      slowSum += valueAt(logs, at) - (at >= slow ? valueAt(logs, at - slow) : 0)
      return at < slow ? 0 : Math.sign(fastSum / fast - slowSum / slow)
    })
  })

/** Buys below 30 and sells above 70 of the relative strength of 14 bars, and leaves at 50. */
const followStrength: Strategy = bitcoin('strength 30/70', (logs) => {
  let [gains, losses] = [0, 0]
  return positionsOf(logs.length, (at, held) => {
    const move = changeOver(logs, at, 1)
    gains += (Math.max(move, 0) - gains) / 14
    losses += (Math.max(-move, 0) - losses) / 14
    const strength = gains + losses === 0 ? 50 : (100 * gains) / (gains + losses)
    if (strength < 30) return 1
    if (strength > 70) return -1
    return held > 0 === strength > 50 ? 0 : held
  })
})

/** Enters beyond two deviations of twenty closes, and leaves at their mean. */
const revertFromBands: Strategy = bitcoin('bands 20, 2 sd', (logs) => {
  let [sum, square] = [0, 0]
  const first = valueAt(logs, 0)
  return positionsOf(logs.length, (at, held) => {
    const value = valueAt(logs, at) - first
    const gone = at >= 20 ? valueAt(logs, at - 20) - first : 0
    sum += value - gone
    square += value * value - gone * gone
    if (at < 20) return 0
    const mean = sum / 20
    const distance = value - mean
    const sd = Math.sqrt(Math.max(square / 20 - mean * mean, 0))
    if (Math.abs(distance) > 2 * sd) return -Math.sign(distance)
    return held * distance < 0 ? held : 0
  })
})

const breakOut = (bars: number): Strategy =>
  bitcoin(`breakout ${bars}`, (logs) =>
    positionsOf(logs.length, (at, held) => {
      if (at < bars) return 0
      const before = logs.subarray(at - bars, at)
      const value = valueAt(logs, at)
      if (before.every((other) => other < value)) return 1
      return before.every((other) => other > value) ? -1 : held
    }),
  )

const hold: Strategy = bitcoin('hold', (logs) => positionsOf(logs.length, () => 1))

/** Holds an asset the way another has just moved. */
const followLeader = (leader: Asset, asset: Asset): Strategy => ({
  name: `${asset} after ${leader}`,
  asset,
  isPriceOnly: true,
  decide: ({ logs }) => positionsOf(logs[asset].length, (at) => Math.sign(changeOver(logs[leader], at, 1))),
})

/** Holds an asset the way it has fallen behind another. */
const closeGap = (leader: Asset, asset: Asset, bars: number): Strategy => ({
  name: `${asset} behind ${leader} ${bars}`,
  asset,
  isPriceOnly: true,
  decide: ({ logs }) =>
    positionsOf(logs[asset].length, (at) =>
      Math.sign(changeOver(logs[leader], at, bars) - changeOver(logs[asset], at, bars)),
    ),
})

const followSignals = (name: string, signalsOf: (bars: Bars) => Float64Array): Strategy => ({
  name,
  asset: 'BTC',
  isPriceOnly: false,
  decide: (bars) => {
    const signals = signalsOf(bars)
    return positionsOf(signals.length, (at) => Math.sign(valueAt(signals, at)))
  },
})

/** Follows the largest fiftieth of imbalances for five bars. */
const followCrowd: Strategy = {
  name: 'flow, top 2 %, for 5 bars',
  asset: 'BTC',
  isPriceOnly: false,
  decide: ({ signedCounts }) => {
    const sizes = Float64Array.from(signedCounts, Math.abs).sort()
    const edge = valueAt(sizes, Math.floor(0.98 * sizes.length))
    let left = 0
    return positionsOf(signedCounts.length, (at, held) => {
      const count = valueAt(signedCounts, at)
      left -= 1
      if (Math.abs(count) >= edge && count !== 0) {
        left = 5
        return Math.sign(count)
      }
      return left > 0 ? held : 0
    })
  },
}

/** The strategies; of each the mirror is judged, too. */
export const strategies: readonly Strategy[] = [
  ...[1, 2, 3, 6, 24, 168].map(followTrend),
  ...[1, 3].flatMap((bars) => [fadeMove(bars, false), fadeMove(bars, true)]),
  crossAverages(10, 50),
  crossAverages(24, 168),
  followStrength,
  revertFromBands,
  breakOut(20),
  breakOut(55),
  hold,
  followLeader('BTC', 'ETH'),
  followLeader('BTC', 'SOL'),
  followLeader('ETH', 'BTC'),
  followLeader('SOL', 'BTC'),
  closeGap('BTC', 'ETH', 1),
  closeGap('BTC', 'SOL', 6),
  followSignals('flow, takers', ({ signedCounts }) => signedCounts),
  followSignals('flow, USD', ({ signedUsd }) => signedUsd),
  followCrowd,
  followSignals('mid after last', ({ lastOverMid }) => lastOverMid),
]
