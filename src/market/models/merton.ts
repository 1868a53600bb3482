import { element } from '../../numeric/columns.ts'
import { exp } from '../../numeric/portable-math.ts'
import { createStream } from '../../numeric/random.ts'
import { kind, number, type RecordOf, record } from '../../shape/shape.ts'
import { usualFigures } from '../usual-figures.ts'
import { type CommonDraws, CommonNormals } from './common-draws.ts'
import type { NoisePath } from './gaussian-path.ts'
import { defineModel, drift, volBetweenJumps } from './model-definition.ts'
import { minutesPerYear, type PriceModel, type StreamNames } from './price-model.ts'
import { blockMinutes, createSteppedModel, type MinuteBlock } from './stepped-path.ts'

const shape = record(
  {
    kind: kind('merton'),
    vol: volBetweenJumps,
    drift,
    jumpsPerYear: number(0, 1_000_000, 'Average number of jumps per year.', { default: 180 }),
    jumpMean: number(-1, 1, 'Mean of the logarithm of a jump.', { default: -0.001 }),
    jumpSd: number(0, 1, 'Standard deviation of the logarithm of a jump.'),
  },
  'Geometric Brownian motion with jumps.',
)

export type MertonSpec = RecordOf<typeof shape>

/** Model `merton`: geometric Brownian motion with jumps (Merton 1976). */
export const merton = defineModel<MertonSpec>({
  shape,
  usual: ({ symbol }) => ({
    vol: usualFigures(symbol).vol,
    jumpSd: symbol === 'BTC' ? 0.01 : symbol === 'ETH' ? 0.015 : 0.02,
  }),
  path: (price, spec, { getNoise: noise, getCommonDraws: common, names }) =>
    createMerton(price, spec, noise(), names, common()),
})

/**
 * Creates a path of geometric Brownian motion with jumps. Without jumps it equals `gbm`, to rounding. The drift
 * is that of the price: the effects of volatility and jumps are subtracted from the drift of the logarithm.
 */
function createMerton(
  price: number,
  spec: MertonSpec,
  noise: NoisePath,
  names: StreamNames,
  common: CommonDraws,
): PriceModel {
  const { vol, drift, jumpsPerYear, jumpMean, jumpSd } = spec
  const deviation = vol / Math.sqrt(minutesPerYear)
  const jumpGrowth = exp(jumpMean + (jumpSd * jumpSd) / 2) - 1
  const driftPerMinute = (drift - (vol * vol) / 2 - jumpsPerYear * jumpGrowth) / minutesPerYear
  const jumpsPerBlock = (jumpsPerYear / minutesPerYear) * blockMinutes

  const fillBlock = (block: number, out: MinuteBlock): void => {
    noise.fillIncrements(block * blockMinutes, blockMinutes, out.returns)
    for (let i = 0; i < blockMinutes; i += 1) {
      out.returns[i] = driftPerMinute + deviation * element(out.returns, i)
    }
    out.deviations.fill(deviation)
    const stream = createStream(common.names.seed, 'jumps', common.names.symbol, block)
    const sizes = new CommonNormals(common, 'jumps/sizes', block)
    for (let left = stream.poisson(jumpsPerBlock); left > 0; left -= 1) {
      const at = stream.integer(blockMinutes)
      out.jumps[at] = element(out.jumps, at) + jumpMean + jumpSd * sizes.draw(stream)
    }
  }
  return createSteppedModel(price, fillBlock, noise, names)
}
