import { element } from '../../numeric/columns.ts'
import { kind, type RecordOf, record } from '../../shape/shape.ts'
import { problem } from '../../shape/spec-checks.ts'
import { usualFigures } from '../usual-figures.ts'
import { ClusteredJumps, countJumpsWithinReach, hawkesJumps } from './clustered-jumps.ts'
import type { CommonDraws } from './common-draws.ts'
import type { NoisePath } from './gaussian-path.ts'
import { defineModel, drift, volBetweenJumps } from './model-definition.ts'
import { minutesPerYear, type PriceModel, type StreamNames } from './price-model.ts'
import { blockMinutes, createSteppedModel, type MinuteBlock } from './stepped-path.ts'

const shape = record(
  { kind: kind('hawkes'), vol: volBetweenJumps, drift, jumps: hawkesJumps },
  'Geometric Brownian motion with jumps that come in clusters.',
)

export type HawkesSpec = RecordOf<typeof shape>

/** Model `hawkes`: geometric Brownian motion with jumps that trigger more jumps (Hawkes 1971). */
export const hawkes = defineModel<HawkesSpec>({
  shape,
  usual: ({ symbol }) => ({ vol: usualFigures(symbol).vol }),
  rule: ({ jumps }) =>
    countJumpsWithinReach(jumps) > maximumJumpsWithinReach
      ? problem(
          'model.jumps.perDay',
          'is too many for such a branching and decay: over 100000 of them would be felt at once',
        )
      : null,
  path: (price, spec, { getNoise: noise, getCommonDraws: common, names }) =>
    createHawkes(price, spec, noise(), names, common()),
})

/** Largest number of jumps within the reach of a cluster; with more, a day of the market would take seconds. */
const maximumJumpsWithinReach = 100_000

/**
 * Creates a path of geometric Brownian motion with jumps that cluster. `vol` is the volatility between jumps.
 * Activity includes the jumps that the last ones have made likely. What the tilt of the jumps takes from the
 * price is given back evenly.
 */
function createHawkes(
  price: number,
  spec: HawkesSpec,
  noise: NoisePath,
  names: StreamNames,
  common: CommonDraws,
): PriceModel {
  const { vol, drift, jumps } = spec
  const clusters = new ClusteredJumps(jumps, common, 'hawkes')
  const deviation = vol / Math.sqrt(minutesPerYear)
  const average = 1 + clusters.meanSquare
  const driftPerMinute =
    drift / minutesPerYear - (deviation * deviation * average) / 2 - clusters.meanSize * deviation

  const fillBlock = (block: number, out: MinuteBlock): void => {
    const { returns, jumps: sizes, deviations, activities } = out
    noise.fillIncrements(block * blockMinutes, blockMinutes, returns)
    clusters.addSizes(block, sizes)
    clusters.fillIntensities(block, activities)
    deviations.fill(deviation)
    for (let i = 0; i < blockMinutes; i += 1) {
      returns[i] = driftPerMinute + deviation * element(returns, i)
      sizes[i] = deviation * element(sizes, i)
      activities[i] = Math.sqrt((1 + element(activities, i) * clusters.squareOfOne) / average)
    }
  }
  return createSteppedModel(price, fillBlock, noise, names)
}
