import { normalProbability } from '../../numeric/portable-math.ts'

/*
 * What can be said of pairs and medians without assuming a distribution: the sign test, and intervals by order
 * statistics, both from the binomial distribution of a fair coin.
 */

export interface SignTest {
  readonly wins: number
  readonly losses: number
  readonly ties: number
  /** Two-sided: how likely chance alone is to separate wins and losses this far, ties left out. */
  readonly probability: number
}

export function signTest(differences: readonly number[]): SignTest {
  const wins = differences.filter((difference) => difference > 0).length
  const losses = differences.filter((difference) => difference < 0).length
  const tosses = wins + losses
  const probability = Math.min(1, 2 * headsAtMost(Math.min(wins, losses), tosses))
  return { wins, losses, ties: differences.length - tosses, probability }
}

export interface Interval {
  readonly low: number
  readonly high: number
}

/**
 * An interval that contains the median with a confidence of at least 95 %; its ends are two of the values. Null where
 * even the whole range does not (it takes 6 values).
 */
export function medianInterval(values: readonly number[]): Interval | null {
  const sorted = values.toSorted((left, right) => left - right)
  const tail = 0.025
  let rank = 0
  let below = 0
  // Cuts off as many values at each end as keep the probability beyond them within the tail.
  for (let next = 1; next <= sorted.length / 2; next += 1) {
    below = headsAtMost(next - 1, sorted.length)
    if (below > tail) break
    rank = next
  }
  const low = sorted[rank - 1]
  const high = sorted[sorted.length - rank]
  return rank === 0 || low === undefined || high === undefined ? null : { low, high }
}

export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((left, right) => left - right)
  const upper = Number(sorted[sorted.length >>> 1])
  const lower = Number(sorted[(sorted.length - 1) >>> 1])
  return (lower + upper) / 2
}

/** Beyond this 2^-n is no double; the normal distribution is close enough by then. */
const maximumExact = 1_000

/** The probability of at most this many heads in a number of tosses. */
export function headsAtMost(heads: number, tosses: number): number {
  if (tosses > maximumExact) return normalProbability((heads + 0.5 - tosses / 2) / (Math.sqrt(tosses) / 2))
  let one = 1
  for (let toss = 0; toss < tosses; toss += 1) one /= 2
  let sum = one
  for (let head = 1; head <= heads; head += 1) {
    one *= (tosses - head + 1) / head
    sum += one
  }
  return Math.min(1, sum)
}
