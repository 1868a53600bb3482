import { exp } from '../../numeric/portable-math.ts'
import { createStream } from '../../numeric/random.ts'
import type { MertonSpec } from '../market-spec.ts'
import type { NoisePath } from './noise-path.ts'
import type { PriceModel, StreamNames } from './price-model.ts'
import { minutesPerYear } from './price-model.ts'
import { createSteppedModel } from './stepped-model.ts'
import type { MinuteBlock } from './stepped-path.ts'
import { blockMinutes } from './stepped-path.ts'

/**
 * Geometric Brownian motion with jumps (Merton 1976). Without jumps it is that of gbm, to rounding. The drift is the
 * price's: volatility and jumps are taken out of that of the logarithm.
 */
export function createMerton(
  price: number,
  spec: MertonSpec,
  noise: NoisePath,
  names: StreamNames,
): PriceModel {
  const { vol, drift, jumpsPerYear, jumpMean, jumpSd } = spec
  const deviation = vol / Math.sqrt(minutesPerYear)
  const jumpGrowth = exp(jumpMean + (jumpSd * jumpSd) / 2) - 1
  const driftPerMinute = (drift - (vol * vol) / 2 - jumpsPerYear * jumpGrowth) / minutesPerYear
  const jumpsPerBlock = (jumpsPerYear / minutesPerYear) * blockMinutes

  const fillBlock = (block: number, out: MinuteBlock): void => {
    noise.fillIncrements(block * blockMinutes, blockMinutes, out.returns)
    for (let i = 0; i < blockMinutes; i += 1) {
      out.returns[i] = driftPerMinute + deviation * Number(out.returns[i])
    }
    out.deviations.fill(deviation)
    const stream = createStream(names.seed, 'jumps', names.symbol, block)
    for (let left = stream.poisson(jumpsPerBlock); left > 0; left -= 1) {
      const at = stream.integer(blockMinutes)
      out.jumps[at] = Number(out.jumps[at]) + jumpMean + jumpSd * stream.normal()
    }
  }
  return createSteppedModel(price, fillBlock, noise, names)
}
