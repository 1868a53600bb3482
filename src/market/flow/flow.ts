import { exp, inverseNormal, log } from '../../numeric/portable-math.ts'
import type { RandomStream } from '../../numeric/random.ts'
import { createStream } from '../../numeric/random.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import type { StreamNames } from '../models/price-model.ts'
import type { Arrival, FlowSpec, HawkesFlowSpec, PoissonFlowSpec } from './flow-spec.ts'

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

/*
 * Takers as a Hawkes process in its cluster form (Hawkes and Oakes 1974): spontaneous takers come as a Poisson
 * process, and each triggers others on three time scales. A cluster is drawn whole from the stream of the minute in
 * which it begins, so a minute's takers are those of its own clusters and of the last hour's, whichever minute was
 * asked for before.
 *
 * Choice: what a cluster triggers more than 62 minutes after its first minute is left out: a quarter of a per cent.
 */
class HawkesFlow {
  private readonly spec: HawkesFlowSpec
  private readonly names: StreamNames
  private readonly intensityIn: (minute: number) => number
  private readonly sizes: OrderSizes
  /** By minute modulo 64: the takers of the last minute asked for, and what is already known of the next 62. */
  private readonly buckets: Arrival[][] = Array.from({ length: bucketCount }, () => [])
  /** First and last minute whose clusters are in the buckets. */
  private firstMinute = 0
  private lastMinute = -1

  /** `intensityIn` answers a minute's rate relative to the average. */
  constructor(spec: HawkesFlowSpec, names: StreamNames, intensityIn: (minute: number) => number) {
    this.spec = spec
    this.names = names
    this.intensityIn = intensityIn
    this.sizes = new OrderSizes(spec)
  }

  /** By time; of one millisecond, older clusters first. */
  arrivalsIn(minute: number): readonly Arrival[] {
    const isReachable = minute >= this.lastMinute - 1 && minute - this.lastMinute <= reachMinutes
    if (!isReachable || minute - this.firstMinute < reachMinutes) this.restart(minute - reachMinutes)
    while (this.lastMinute < minute) this.addMinute()
    return this.buckets[minute & bucketMask] ?? []
  }

  private restart(firstMinute: number): void {
    for (const bucket of this.buckets) bucket.length = 0
    this.firstMinute = firstMinute
    this.lastMinute = firstMinute - 1
  }

  /** Draws the clusters of the next minute, and puts its own takers in order. */
  private addMinute(): void {
    const { spec, names } = this
    const minute = this.lastMinute + 1
    this.buckets[(minute + reachMinutes) & bucketMask] = []
    this.lastMinute = minute
    const own = spec.ratePerMinute * (1 - branching) * this.intensityIn(minute)
    if (own > 0) {
      const stream = createStream(names.seed, 'flow', names.symbol, minute)
      for (let left = stream.poisson(own); left > 0; left -= 1) this.addCluster(minute, stream)
    }
    this.buckets[minute & bucketMask]?.sort(byTime)
  }

  private addCluster(minute: number, stream: RandomStream): void {
    const millis = clusterInstants(stream)
    let left = 0
    let side: Arrival['side'] = 'buy'
    for (const atMillis of millis) {
      if (left === 0) {
        side = stream.uniform() < 0.5 ? 'buy' : 'sell'
        left = runLength(stream.uniform())
      }
      left -= 1
      const place = Math.ceil(atMillis / millisPerMinute) - 1
      const offsetMillis = atMillis - place * millisPerMinute
      this.buckets[(minute + place) & bucketMask]?.push(this.draw(offsetMillis, side, stream))
    }
  }

  private draw(offsetMillis: number, side: Arrival['side'], stream: RandomStream): Arrival {
    const { informed, patiencePerBp } = this.spec
    const valueUsd = this.sizes.valueAt(stream.uniform())
    const isInformed = stream.uniform() < informed.share
    const waiting = -log(stream.uniform())
    return {
      offsetMillis,
      side,
      valueUsd,
      horizonMillis: isInformed ? Math.ceil(waiting * informed.horizonMillis) : 0,
      patienceBps: patiencePerBp === 0 ? null : waiting / patiencePerBp,
    }
  }
}

const reachMinutes = 62
const bucketCount = 64
const bucketMask = 63

/** How many others each taker triggers on average, and how late (market.md 2b: trades). */
const scales = [
  { children: 0.45, meanMillis: 1000 },
  { children: 0.25, meanMillis: 20_000 },
  { children: 0.15, meanMillis: 300_000 },
] as const
const branching = 0.85

function byTime(left: Arrival, right: Arrival): number {
  return left.offsetMillis - right.offsetMillis
}

/** The instants of one cluster by time, whole milliseconds after its minute's start, none beyond what is kept. */
function clusterInstants(stream: RandomStream): Float64Array {
  const millis = [1 + stream.integer(millisPerMinute)]
  const lastMillis = (reachMinutes + 1) * millisPerMinute
  for (let parent = 0; parent < millis.length; parent += 1) {
    for (let left = stream.poisson(branching); left > 0; left -= 1) {
      const atMillis = Math.ceil((millis[parent] ?? 0) + delayMillis(stream))
      if (atMillis <= lastMillis) millis.push(atMillis)
    }
  }
  return Float64Array.from(millis).sort()
}

function delayMillis(stream: RandomStream): number {
  let pick = stream.uniform() * branching
  const waiting = -log(stream.uniform())
  for (const { children, meanMillis } of scales) {
    if (pick < children) return waiting * meanMillis
    pick -= children
  }
  return waiting * scales[2].meanMillis
}

/**
 * Pieces of one parent order: a Pareto law of index 1.5 (Lillo, Mike and Farmer 2005), which makes signs persist.
 * Choice: three at least, which gives the measured correlation of neighbours at a dealer's rates.
 */
function runLength(uniform: number): number {
  return Math.floor(3 * exp(log(uniform) / -1.5))
}

/** Log-normal up to the largest twentieth, which has a Pareto tail of index 1.5, cut at the maximum. */
class OrderSizes {
  private readonly spec: HawkesFlowSpec
  private readonly tailFromUsd: number

  constructor(spec: HawkesFlowSpec) {
    this.spec = spec
    this.tailFromUsd = spec.medianUsd * exp(spec.sizeSd * inverseNormal(1 - tailShare))
  }

  /** The value below which that share of the orders lies. */
  valueAt(share: number): number {
    const { medianUsd, sizeSd, maximumUsd } = this.spec
    const isTail = share > 1 - tailShare
    const value = isTail
      ? this.tailFromUsd * exp(log((1 - share) / tailShare) / -tailIndex)
      : medianUsd * exp(sizeSd * inverseNormal(share))
    return Math.min(value, maximumUsd)
  }
}

const tailShare = 0.05
const tailIndex = 1.5
