import type { Figures } from '../../src/metrics/realism/facts.ts'
import { autocorrelations } from '../../src/metrics/realism/memory.ts'
import { mean, type Numbers, tailIndex, valueAt, variance } from '../../src/metrics/realism/moments.ts'

/** Takers' orders by time: when, which way (1 buys, -1 sells), how much. */
export interface TakerOrders {
  readonly atMillis: Numbers
  readonly signs: Numbers
  readonly valuesUsd: Numbers
}

/** Fact 14: orders come in runs of one side, in bursts that grow with the window, with heavy-tailed sizes. */
export function flowFigures({ atMillis, signs, valuesUsd }: TakerOrders): Figures {
  const [first = Number.NaN, tenth = Number.NaN] = autocorrelations(signs, [1, 10])
  const second = countDispersion(atMillis, 1_000)
  const tenSeconds = countDispersion(atMillis, 10_000)
  return {
    'sign memory 1': first,
    'sign memory 10': tenth,
    'burstiness 1s': second,
    'burstiness 10s': tenSeconds,
    'burstiness 10s over 1s': tenSeconds / second,
    'size tail index': tailIndex(valuesUsd, 0.01),
  }
}

/** Variance over mean of the counts in windows: 1 for a Poisson process. Instants never decrease. */
function countDispersion(atMillis: Numbers, windowMillis: number): number {
  const begin = valueAt(atMillis, 0)
  const span = valueAt(atMillis, atMillis.length - 1) - begin
  const counts = new Float64Array(Math.floor(span / windowMillis))
  for (let i = 0; i < atMillis.length; i += 1) {
    const window = Math.floor((valueAt(atMillis, i) - begin) / windowMillis)
    if (window < counts.length) counts[window] = valueAt(counts, window) + 1
  }
  return variance(counts) / mean(counts)
}
