import { exp } from '../../numeric/portable-math.ts'

/*
 * The laws of the two Gaussian Markov processes, as far as a path needs them: how far the process is known from one
 * end of a span, from both ends at the middle, and from both ends a second after the first. Spans are in minutes.
 */
export interface GaussianProcess {
  /** The value at the market's start. */
  readonly start: number
  /** The variance that noise alone adds in a second, without any pull. */
  readonly secondVariance: number
  /** Given the value at one end of a span, the other end: weight * value + deviation * z. */
  transition(spanMinutes: number): GaussianStep
  /** Given the values half a span to either side, the middle: weight * (left + right) + deviation * z. */
  middle(halfMinutes: number): GaussianStep
  /** The steps of a minute, second by second, towards its known end. */
  seconds(): BridgeSteps
}

export interface GaussianStep {
  readonly weight: number
  readonly deviation: number
}

/** The value at step s: startWeight * (value at s - 1) + endWeight * (value at the end) + deviation * z. */
export interface BridgeSteps {
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
export function createOrnsteinUhlenbeckProcess(
  start: number,
  pullPerMinute: number,
  stationarySd: number,
): GaussianProcess {
  const kept = (minutes: number): number => exp(-pullPerMinute * minutes)
  const middles = new Map<number, GaussianStep>()
  let steps: BridgeSteps | null = null
  return {
    start,
    secondVariance: (stationarySd * stationarySd * 2 * pullPerMinute) / 60,
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
      steps ??= createPulledSteps(kept, stationarySd, 1 / 60, 60)
      return steps
    },
  }
}

const brownianSeconds = createBridgeSteps(60, (leftSeconds) => ({
  startWeight: (leftSeconds - 1) / leftSeconds,
  endWeight: 1 / leftSeconds,
  variance: (leftSeconds - 1) / leftSeconds / 60,
}))

/**
 * The steps of a stationary process from one known value towards another, `count` steps of `stepMinutes` later. Each
 * is the product of two Gaussian laws: the transition from the value before, and that to the end.
 */
export function createOrnsteinUhlenbeckSteps(
  pullPerMinute: number,
  stationarySd: number,
  stepMinutes: number,
  count: number,
): BridgeSteps {
  return createPulledSteps((minutes) => exp(-pullPerMinute * minutes), stationarySd, stepMinutes, count)
}

function createPulledSteps(
  kept: (minutes: number) => number,
  stationarySd: number,
  stepMinutes: number,
  count: number,
): BridgeSteps {
  const share = kept(stepMinutes)
  const variance = 1 - share * share
  return createBridgeSteps(count, (left) => {
    const restShare = kept((left - 1) * stepMinutes)
    const restVariance = 1 - restShare * restShare
    const whole = 1 - share * restShare * (share * restShare)
    return {
      startWeight: (share * restVariance) / whole,
      endWeight: (restShare * variance) / whole,
      variance: (stationarySd * stationarySd * variance * restVariance) / whole,
    }
  })
}

function createBridgeSteps(
  count: number,
  computeStep: (left: number) => { startWeight: number; endWeight: number; variance: number },
): BridgeSteps {
  const steps = {
    startWeights: new Float64Array(count),
    endWeights: new Float64Array(count),
    deviations: new Float64Array(count),
  }
  for (let place = 1; place < count; place += 1) {
    const { startWeight, endWeight, variance } = computeStep(count + 1 - place)
    steps.startWeights[place] = startWeight
    steps.endWeights[place] = endWeight
    steps.deviations[place] = Math.sqrt(variance)
  }
  return steps
}
