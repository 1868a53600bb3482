import { exp } from '../../numeric/portable-math.ts'

/**
 * Distributions of a Gaussian Markov process, as far as a path needs them: from one end of a span to the other,
 * from both ends to the middle, and from both ends to a second after the first. Spans are in minutes.
 */
export interface GaussianProcess {
  /** Value at the market's start. */
  readonly start: number
  /** Variance that noise alone adds in a second, without any pull. */
  readonly secondVariance: number
  /** Returns the other end of a span given the value at one end: weight * value + deviation * z. */
  transition(spanMinutes: number): GaussianStep
  /**
   * Returns the middle given the values half a span to either side: weight * (left + right) + deviation * z.
   */
  middle(halfMinutes: number): GaussianStep
  /** Returns the steps of a minute, second by second, towards its known end. */
  seconds(): BridgeSteps
}

/** Weight of what is known and deviation of the noise in one Gaussian draw. */
export interface GaussianStep {
  readonly weight: number
  readonly deviation: number
}

/**
 * Steps of a bridge: the value at step s is startWeight * (value at s - 1) + endWeight * (value at the end) +
 * deviation * z.
 */
export interface BridgeSteps {
  readonly startWeights: Float64Array
  readonly endWeights: Float64Array
  readonly deviations: Float64Array
}

/** Brownian motion from 0 with variance 1 per minute. */
export const brownianMotion: GaussianProcess = {
  start: 0,
  secondVariance: 1 / 60,
  transition: (spanMinutes) => ({ weight: 1, deviation: Math.sqrt(spanMinutes) }),
  middle: (halfMinutes) => ({ weight: 0.5, deviation: Math.sqrt(halfMinutes / 2) }),
  seconds: () => brownianSeconds,
}

/**
 * Creates an Ornstein-Uhlenbeck process about 0 with exact transitions: over a span the value keeps the share
 * e^(-pull * span), and its variance tends to `stationarySd` squared. `pullPerMinute` is above 0.
 */
export function createOrnsteinUhlenbeckProcess(
  start: number,
  pullPerMinute: number,
  stationarySd: number,
): GaussianProcess {
  const retainedShare = (minutes: number): number => exp(-pullPerMinute * minutes)
  const middles = new Map<number, GaussianStep>()
  let steps: BridgeSteps | null = null
  return {
    start,
    secondVariance: (stationarySd * stationarySd * 2 * pullPerMinute) / 60,
    transition: (spanMinutes) => {
      const share = retainedShare(spanMinutes)
      return { weight: share, deviation: stationarySd * Math.sqrt(1 - share * share) }
    },
    middle: (halfMinutes) => {
      const known = middles.get(halfMinutes)
      if (known !== undefined) return known
      const share = retainedShare(halfMinutes)
      const square = share * share
      const middle = {
        weight: share / (1 + square),
        deviation: stationarySd * Math.sqrt((1 - square) / (1 + square)),
      }
      middles.set(halfMinutes, middle)
      return middle
    },
    seconds: () => {
      steps ??= createPulledSteps(retainedShare, stationarySd, 1 / 60, 60)
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
 * Creates the steps of a stationary process from one known value to another, `count` steps of `stepMinutes`
 * later. Each step is the product of two Gaussian distributions: the transition from the value before, and that
 * to the end.
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
