import { element } from '../../numeric/columns.ts'
import { createStream, StreamSeries } from '../../numeric/random.ts'
import { computeNextVariance, drawWidth, type GarchSpec } from './garch.ts'

/**
 * Finds the correlation of the noises of two GARCH paths whose returns are to have the correlation `wanted`.
 * Each variance follows its own returns, so the two drift apart, and the returns are less alike than the noises.
 * By how much is measured on paths of both at four correlations from `wanted` on, which are the same for all
 * markets. Returns `wanted` itself for bars of different lengths.
 */
export function findNoiseCorrelation(left: GarchSpec, right: GarchSpec, wanted: number): number {
  if (wanted === 0 || left.barMinutes !== right.barMinutes) return wanted
  const most = wanted < 0 ? -greatest : greatest
  if (Math.abs(wanted) >= greatest) return wanted
  const tried = Float64Array.from([0, 1, 2, 3], (step) => wanted + ((most - wanted) * step) / 3)
  const had = measureCorrelations(left, right, tried)
  for (let i = 1; i < tried.length; i += 1) {
    const [from, to] = [element(had, i - 1), element(had, i)]
    if (Math.abs(to) < Math.abs(wanted)) continue
    const share = Math.min(Math.max((wanted - from) / (to - from), 0), 1)
    return element(tried, i - 1) + share * (element(tried, i) - element(tried, i - 1))
  }
  return most
}

/** Choice: the greatest correlation of noises, which leaves a matrix of them its digits. */
const greatest = 0.998

/** Measures the correlations of the returns of two paths for each correlation of their noises: means over windows. */
function measureCorrelations(left: GarchSpec, right: GarchSpec, noises: Float64Array): Float64Array {
  const stream = createStream('0', 'garch/correlation', '', 0)
  const widths = new StreamSeries('0', 'garch/correlation/widths', '')
  const results = new Float64Array(noises.length)
  for (let window = 0; window < windows; window += 1) {
    const pairs = Array.from(noises, (noise) => new Pair(left, right, noise))
    for (let bar = 0; bar < warmBars + windowBars; bar += 1) {
      const [first, second] = [stream.normal(), stream.normal()]
      const place = window * (warmBars + windowBars) + bar
      const leftWidth = drawWidth(widths.at(place), left.tails)
      const rightWidth = left.tails === right.tails ? leftWidth : drawWidth(widths.at(place), right.tails)
      for (const pair of pairs) pair.addBar([first, leftWidth], [second, rightWidth], bar >= warmBars)
    }
    for (const [place, pair] of pairs.entries())
      results[place] = element(results, place) + pair.correlation / windows
  }
  return results
}

const windows = 16
const windowBars = 2_048
const warmBars = 256

/** Two paths whose noises have one correlation, with a mean variance of 1. */
class Pair {
  private readonly left: GarchSpec
  private readonly right: GarchSpec
  private readonly noise: number
  private readonly rest: number
  private leftVariance = 1
  private rightVariance = 1
  /* Sums over bars: the products of the deviations, and the variances. */
  private products = 0
  private leftSquares = 0
  private rightSquares = 0

  constructor(left: GarchSpec, right: GarchSpec, noise: number) {
    this.left = left
    this.right = right
    this.noise = noise
    this.rest = Math.sqrt(1 - noise * noise)
  }

  get correlation(): number {
    return (this.noise * this.products) / Math.sqrt(this.leftSquares * this.rightSquares)
  }

  /** Adds a bar: a normal variable of each, and how much the draw of the bar widens it. */
  addBar(
    [first, leftWidth]: readonly [number, number],
    [second, rightWidth]: readonly [number, number],
    isCounted: boolean,
  ): void {
    const leftScale = Math.sqrt(this.leftVariance) * leftWidth
    const rightScale = Math.sqrt(this.rightVariance) * rightWidth
    if (isCounted) {
      this.products += leftScale * rightScale
      this.leftSquares += leftScale * leftScale
      this.rightSquares += rightScale * rightScale
    }
    this.leftVariance = computeNextVariance(this.left, 1, this.leftVariance, leftScale * first)
    const other = this.noise * first + this.rest * second
    this.rightVariance = computeNextVariance(this.right, 1, this.rightVariance, rightScale * other)
  }
}
