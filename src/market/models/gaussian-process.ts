import { exp } from '../../numeric/portable-math.ts'

/*
 * The laws of the two Gaussian Markov processes, as far as a path needs them: how far the process is known from one
 * end of a span, from both ends at the middle, and from both ends a second after the first. Spans are in minutes.
 */
export interface GaussianProcess {
  /** The value at the market's start. */
  readonly start: number
  /** The variance that a second adds. */
  readonly secondVariance: number
  /** Given the value at one end of a span, the other end: weight * value + deviation * z. */
  transition(spanMinutes: number): Weighted
  /** Given the values half a span to either side, the middle: weight * (left + right) + deviation * z. */
  middle(halfMinutes: number): Weighted
  /** The steps of a minute, second by second, towards its known end. */
  seconds(): SecondSteps
}

export interface Weighted {
  readonly weight: number
  readonly deviation: number
}

/** At place s: the value at second s is startWeight * (value at s - 1) + endWeight * (value at 60) + deviation * z. */
export interface SecondSteps {
  readonly startWeights: Float64Array
  readonly endWeights: Float64Array
  readonly deviations: Float64Array
}

/** Brownian motion from 0 with variance 1 a minute. */
export const brownianMotion: GaussianProcess = {
  start: 0,
  secondVariance: 1 / 60,
  transition: (spanMinutes) => ({ weight: 1, deviation: Math.sqrt(spanMinutes) }),
  middle: (halfMinutes) => ({ weight: 0.5, deviation: Math.sqrt(halfMinutes / 2) }),
  seconds: () => brownianSeconds,
}

/**
 * Ornstein-Uhlenbeck about 0 with exact transitions: over a span the value keeps the share e^(-pull * span), and its
 * variance tends to `stationarySd` squared. `pullPerMinute` is above 0.
 */
export function ornsteinUhlenbeck(
  start: number,
  pullPerMinute: number,
  stationarySd: number,
): GaussianProcess {
  const kept = (minutes: number): number => exp(-pullPerMinute * minutes)
  const middles = new Map<number, Weighted>()
  let steps: SecondSteps | null = null
  return {
    start,
    secondVariance: stationarySd * stationarySd * (1 - kept(2 / 60)),
    transition: (spanMinutes) => {
      const share = kept(spanMinutes)
      return { weight: share, deviation: stationarySd * Math.sqrt(1 - share * share) }
    },
    middle: (halfMinutes) => {
      const known = middles.get(halfMinutes)
      if (known !== undefined) return known
      const share = kept(halfMinutes)
      const square = share * share
      const middle = {
        weight: share / (1 + square),
        deviation: stationarySd * Math.sqrt((1 - square) / (1 + square)),
      }
      middles.set(halfMinutes, middle)
      return middle
    },
    seconds: () => {
      steps ??= ornsteinUhlenbeckSeconds(kept, stationarySd)
      return steps
    },
  }
}

const brownianSeconds = secondSteps((leftSeconds) => ({
  startWeight: (leftSeconds - 1) / leftSeconds,
  endWeight: 1 / leftSeconds,
  variance: (leftSeconds - 1) / leftSeconds / 60,
}))

/** The product of two Gaussian laws: the transition from the last second, and that to the minute's end. */
function ornsteinUhlenbeckSeconds(kept: (minutes: number) => number, stationarySd: number): SecondSteps {
  const share = kept(1 / 60)
  const variance = 1 - share * share
  return secondSteps((leftSeconds) => {
    const restShare = kept((leftSeconds - 1) / 60)
    const restVariance = 1 - restShare * restShare
    const whole = 1 - share * restShare * (share * restShare)
    return {
      startWeight: (share * restVariance) / whole,
      endWeight: (restShare * variance) / whole,
      variance: (stationarySd * stationarySd * variance * restVariance) / whole,
    }
  })
}

function secondSteps(
  stepOf: (leftSeconds: number) => { startWeight: number; endWeight: number; variance: number },
): SecondSteps {
  const steps = {
    startWeights: new Float64Array(60),
    endWeights: new Float64Array(60),
    deviations: new Float64Array(60),
  }
  for (let second = 1; second < 60; second += 1) {
    const { startWeight, endWeight, variance } = stepOf(61 - second)
    steps.startWeights[second] = startWeight
    steps.endWeights[second] = endWeight
    steps.deviations[second] = Math.sqrt(variance)
  }
  return steps
}
