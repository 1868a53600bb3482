import { element } from '../../numeric/columns.ts'
import { exp } from '../../numeric/portable-math.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import type { NoisePath } from './noise-path.ts'
import type { Lattice, PriceModel, StreamNames } from './price-model.ts'
import { boundedPrice } from './price-model.ts'
import type { BlockSource, MinuteBlock } from './stepped-path.ts'
import { blockMinutes, SteppedPath } from './stepped-path.ts'

/**
 * The prices that a model's minutes make, from `price` at the market's start. Its noise is a Brownian motion, of
 * which `fillBlock` has taken the minutes; the bridges within them are that motion's, too.
 */
export function createSteppedModel(
  price: number,
  fillBlock: BlockSource['fillBlock'],
  noise: NoisePath,
  names: StreamNames,
): PriceModel {
  return createPathModel(price, new SteppedPath({ fillBlock, addBridge: bridgeOf(noise) }, names))
}

/** The model of a path. */
export function createPathModel(price: number, path: SteppedPath): PriceModel {
  return {
    fillPrices(minute, lattice, prices) {
      path.fill(minute, lattice, prices)
      for (let i = 0; i < lattice.count; i += 1) prices[i] = boundedPrice(price * exp(element(prices, i)))
    },
    activityAt: (minute) => path.activityAt(minute),
  }
}

function bridgeOf(noise: NoisePath): BlockSource['addBridge'] {
  let noises = new Float64Array(60)
  return (minute: number, lattice: Lattice, block: MinuteBlock, values: Float64Array): void => {
    const { firstMillis, stepMillis, count } = lattice
    const deviation = element(block.deviations, minute - Math.floor(minute / blockMinutes) * blockMinutes)
    if (noises.length < count) noises = new Float64Array(count)
    noise.fill(minute, lattice, noises)
    const from = noise.at(minute * millisPerMinute)
    const slope = (noise.at((minute + 1) * millisPerMinute) - from) / millisPerMinute
    for (let i = 0; i < count; i += 1) {
      const chord = from + slope * (firstMillis + i * stepMillis)
      values[i] = element(values, i) + deviation * (element(noises, i) - chord)
    }
  }
}
