import { element } from '../numeric/columns.ts'
import { computeFigures, figure, rowBuilder } from './figure.ts'
import { toDoubles } from './samples.ts'

const maximumShown = 5

interface Drawdown {
  readonly peakMillis: number
  /** The instant at which the peak was reached again; null if it was not. */
  readonly recoveryMillis: number | null
  readonly troughMillis: number
  /** The greatest fall below the peak, as a negative fraction. */
  readonly depth: number
}

const one = rowBuilder<Drawdown>()
const row = rowBuilder<ReturnType<typeof measureDrawdowns>>()

/** The figures of falls below an earlier peak. */
export const drawdown = {
  maximum: row.figure('fraction', ({ deepest }) => figure(deepest[0]?.depth ?? 0), 'Deepest fall'),
  /** The longest time from a peak to its recovery, or to the end. */
  longestMillis: row.smallFigure('span', ({ longestMillis }) => longestMillis, 'Longest fall'),
  isLongestOpen: row.smallFigure('ratio', ({ isLongestOpen }) => isLongestOpen),
  ulcer: row.smallFigure('fraction', ({ ulcer }) => figure(ulcer), 'Ulcer index'),
  /** The five deepest drawdowns, deepest first. */
  deepest: row.list(null, ({ deepest }) => deepest.slice(0, maximumShown), {
    peakMillis: one.figure('instant', ({ peakMillis }) => peakMillis),
    recoveryMillis: one.figure('instant', ({ recoveryMillis }) => recoveryMillis),
    troughMillis: one.figure('instant', ({ troughMillis }) => troughMillis),
    depth: one.figure('fraction', ({ depth }) => depth),
  }),
}

/**
 * Computes the drawdowns of unit values at instants. The first value, which is above 0, counts as a peak. The lists have
 * equal lengths and are not empty.
 */
export const computeDrawdown = (units: ArrayLike<number>, instants: ArrayLike<number>) =>
  computeFigures(drawdown, measureDrawdowns(toDoubles(units), toDoubles(instants)))

function measureDrawdowns(index: Float64Array, atMillis: Float64Array) {
  const drawdowns = findDrawdowns(index, atMillis)
  let squares = 0
  let peak = 0
  for (let place = 0; place < index.length; place += 1) {
    const value = element(index, place)
    peak = Math.max(peak, value)
    const depth = value / peak - 1
    squares += depth * depth
  }
  const endMillis = element(atMillis, atMillis.length - 1)
  let longestMillis = 0
  let isLongestOpen = false
  for (const { peakMillis, recoveryMillis } of drawdowns) {
    const span = (recoveryMillis ?? endMillis) - peakMillis
    if (span <= longestMillis) continue
    longestMillis = span
    isLongestOpen = recoveryMillis === null
  }
  const deepest = drawdowns.toSorted((left, right) => left.depth - right.depth)
  return { deepest, longestMillis, isLongestOpen, ulcer: Math.sqrt(squares / index.length) }
}

/** Finds every span below a peak, oldest first. */
function findDrawdowns(index: Float64Array, atMillis: Float64Array): readonly Drawdown[] {
  const drawdowns: Drawdown[] = []
  let peak = element(index, 0)
  let peakMillis = element(atMillis, 0)
  let troughMillis = 0
  let depth = 0
  for (let place = 0; place < index.length; place += 1) {
    const value = element(index, place)
    if (value < peak) {
      if (value / peak - 1 >= depth) continue
      depth = value / peak - 1
      troughMillis = element(atMillis, place)
      continue
    }
    const millis = element(atMillis, place)
    if (depth < 0) drawdowns.push({ peakMillis, recoveryMillis: millis, troughMillis, depth })
    depth = 0
    peak = value
    peakMillis = millis
  }
  if (depth < 0) drawdowns.push({ peakMillis, recoveryMillis: null, troughMillis, depth })
  return drawdowns
}
