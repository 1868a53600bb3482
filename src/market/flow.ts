import { exp } from '../numeric/portable-math.ts'
import { createStream } from '../numeric/random.ts'
import type { Arrival, FlowSpec } from './market.ts'
import type { StreamNames } from './models/price-model.ts'
import { minuteMillis } from './models/price-model.ts'

const noArrivals: readonly Arrival[] = []

/**
 * The synthetic taker orders of one minute, by time: as many as a Poisson process of the rate makes, at uniform
 * instants (whole milliseconds after the minute's start), either side as likely, with log-normal values. Each minute
 * has its own stream.
 */
export function arrivalsInMinute(spec: FlowSpec, names: StreamNames, minute: number): readonly Arrival[] {
  if (spec.kind === 'none' || spec.ratePerMinute === 0) return noArrivals
  const stream = createStream(names.seed, 'flow', names.symbol, minute)
  const offsets = new Float64Array(stream.poisson(spec.ratePerMinute))
  for (let i = 0; i < offsets.length; i += 1) offsets[i] = 1 + stream.integer(minuteMillis)
  const arrivals: Arrival[] = []
  for (const offsetMillis of offsets.sort()) {
    const side = stream.uniform() < 0.5 ? 'buy' : 'sell'
    const valueUsd = spec.medianUsd * exp(spec.sizeSd * stream.normal())
    arrivals.push({ offsetMillis, side, valueUsd })
  }
  return arrivals
}
