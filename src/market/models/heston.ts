import { element } from '../../numeric/columns.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { kind, number, type RecordOf, record } from '../../shape/shape.ts'
import type { NoisePath } from './gaussian-path.ts'
import { defineModel, drift } from './model-definition.ts'
import { type ChainKernel, OutwardChain } from './outward-chain.ts'
import { minutesPerYear, type PriceModel, type StreamNames } from './price-model.ts'
import { blockMinutes, createSteppedModel, type MinuteBlock } from './stepped-path.ts'

const shape = record(
  {
    kind: kind('heston'),
    // A variance of 0.3 is a volatility of 55 %.
    meanVariance: number(1e-8, 100, 'Long-run variance, per year.', { default: 0.3 }),
    meanReversion: number(0.01, 100_000, 'How fast the variance returns, per year.', { default: 15 }),
    volOfVariance: number(1e-4, 1000, 'Volatility of the variance, per year.', { default: 3 }),
    leverage: number(-0.99, 0.99, 'Correlation of the noises of price and variance.', { default: -0.2 }),
    drift,
  },
  'Stochastic variance that returns to its mean; figures a year.',
)

type HestonSpec = RecordOf<typeof shape>

/** Model `heston`: stochastic variance that returns to its mean. */
export const heston = defineModel<HestonSpec>({
  shape,
  path: (price, spec, { getNoise: noise, getCommonDraws: common, names }) =>
    createHeston(price, spec, noise(), names, common().names),
})

/**
 * Creates a path of Heston's model by Andersen's quadratic-exponential scheme (Journal of Computational Finance
 * 11, 2008): minute steps, central weights. The variance starts at its mean; it is reversible, so the same step
 * leads back into the past.
 */
function createHeston(
  price: number,
  spec: HestonSpec,
  noise: NoisePath,
  names: StreamNames,
  commonNames: StreamNames,
): PriceModel {
  const { meanVariance, meanReversion, volOfVariance, leverage, drift } = spec
  const variances = new OutwardChain(createVarianceKernel(spec), commonNames, 'variance')
  const step = 1 / minutesPerYear
  const pulled = (step / 2) * ((meanReversion * leverage) / volOfVariance - 0.5)
  const constant = (drift - (leverage * meanReversion * meanVariance) / volOfVariance) * step
  const ofStart = pulled - leverage / volOfVariance
  const ofEnd = pulled + leverage / volOfVariance
  const ofNoise = (step / 2) * (1 - leverage * leverage)

  const fillBlock = (block: number, out: MinuteBlock): void => {
    const { returns, deviations, activities } = out
    noise.fillIncrements(block * blockMinutes, blockMinutes, returns)
    const values = variances.block(block)
    for (let i = 0; i < blockMinutes; i += 1) {
      const start = element(values, i)
      const end = element(values, i + 1)
      const own = Math.sqrt(ofNoise * (start + end)) * element(returns, i)
      returns[i] = constant + ofStart * start + ofEnd * end + own
      deviations[i] = Math.sqrt((step / 2) * (start + end))
      activities[i] = Math.sqrt(start / meanVariance)
    }
  }
  return createSteppedModel(price, fillBlock, noise, names)
}

/** Creates the step of the variance by a minute (Andersen's equations 17 to 29). */
function createVarianceKernel(spec: HestonSpec): ChainKernel {
  const { meanVariance, meanReversion, volOfVariance } = spec
  const kept = exp(-meanReversion / minutesPerYear)
  const squared = (volOfVariance * volOfVariance) / meanReversion
  const byValue = squared * kept * (1 - kept)
  const byMean = (meanVariance * squared * (1 - kept) * (1 - kept)) / 2
  const next: ChainKernel['forward'] = (value, stream) => {
    const mean = meanVariance + (value - meanVariance) * kept
    const psi = (value * byValue + byMean) / (mean * mean)
    if (psi <= 1.5) {
      const twice = 2 / psi
      const square = twice - 1 + Math.sqrt(twice) * Math.sqrt(twice - 1)
      const root = Math.sqrt(square) + stream.normal()
      return (mean / (1 + square)) * root * root
    }
    const atZero = (psi - 1) / (psi + 1)
    const uniform = stream.uniform()
    return uniform <= atZero ? 0 : (log((1 - atZero) / (1 - uniform)) * mean) / (1 - atZero)
  }
  return { start: () => meanVariance, forward: next, backward: next }
}
