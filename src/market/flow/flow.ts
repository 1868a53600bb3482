import { exp } from '../../numeric/portable-math.ts'
import { createStream } from '../../numeric/random.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import type { StreamNames } from '../models/price-model.ts'
import type { Arrival, FlowSpec, PoissonFlowSpec } from './flow-spec.ts'
import { HawkesFlow } from './hawkes-flow.ts'

/** The synthetic takers of any minute, by time; the same whichever minutes were asked for before. */
export interface Flow {
  arrivalsIn(minute: number): readonly Arrival[]
}

/** `intensityIn` answers how busy the market is in a minute, relative to its average. */
export function createFlow(
  spec: FlowSpec,
  names: StreamNames,
  intensityIn: (minute: number) => number,
): Flow {
  if (spec.kind === 'hawkes') return new HawkesFlow(spec, names, intensityIn)
  if (spec.kind === 'none' || spec.ratePerMinute === 0) return { arrivalsIn: () => noArrivals }
  let known: { readonly minute: number; readonly arrivals: readonly Arrival[] } | null = null
  return {
    // A minute is asked for at each of its grid steps, so the last one is remembered.
    arrivalsIn: (minute) => {
      if (known?.minute !== minute) known = { minute, arrivals: poissonArrivals(spec, names, minute) }
      return known.arrivals
    },
  }
}

const noArrivals: readonly Arrival[] = []

/**
 * As many takers as a Poisson process of the rate gives, at uniform instants (whole milliseconds after the minute's
 * start), either side equally likely, with log-normal values. Each minute has a stream of its own.
 */
function poissonArrivals(spec: PoissonFlowSpec, names: StreamNames, minute: number): readonly Arrival[] {
  const stream = createStream(names.seed, 'flow', names.symbol, minute)
  const offsets = new Float64Array(stream.poisson(spec.ratePerMinute))
  for (let i = 0; i < offsets.length; i += 1) offsets[i] = 1 + stream.integer(millisPerMinute)
  const arrivals: Arrival[] = []
  for (const offsetMillis of offsets.sort()) {
    const side = stream.uniform() < 0.5 ? 'buy' : 'sell'
    const valueUsd = spec.medianUsd * exp(spec.sizeSd * stream.normal())
    arrivals.push({ offsetMillis, side, valueUsd, horizonMillis: 0, patienceBps: null })
  }
  return arrivals
}
