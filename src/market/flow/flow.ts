import { missing } from '../../numeric/assert.ts'
import { element } from '../../numeric/columns.ts'
import { exp, inverseNormal, log } from '../../numeric/portable-math.ts'
import { makePoissonTable, type RandomStream, StreamSeries } from '../../numeric/random.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import type { StreamNames } from '../models/price-model.ts'
import type { Arrival, FlowSpec, HawkesFlowSpec, PoissonFlowSpec } from './flow-spec.ts'

/** Synthetic takers of an asset. A minute's takers are the same whichever minutes were asked for before. */
export interface Flow {
  /** Returns the takers of a minute, by time. */
  arrivalsIn(minute: number): readonly Arrival[]
}

/**
 * Creates the synthetic takers of a specification. `intensityIn` returns how busy the market is in a minute,
 * relative to its average.
 */
export function createFlow(
  spec: FlowSpec,
  names: StreamNames,
  intensityIn: (minute: number) => number,
): Flow {
  if (spec.kind === 'hawkes') return new HawkesFlow(spec, names, intensityIn)
  if (spec.kind === 'none' || spec.kind === 'recorded' || spec.ratePerMinute === 0)
    return { arrivalsIn: () => noArrivals }
  const streams = new StreamSeries(names.seed, 'flow', names.symbol)
  let known: { readonly minute: number; readonly arrivals: readonly Arrival[] } | null = null
  return {
    // A minute is read at each of its grid steps, so the last one is cached.
    arrivalsIn: (minute) => {
      if (known?.minute !== minute)
        known = { minute, arrivals: drawPoissonArrivals(spec, streams.at(minute)) }
      return known.arrivals
    },
  }
}

const noArrivals: readonly Arrival[] = []

/**
 * Draws one minute's takers of a Poisson process: uniform instants (whole milliseconds after the minute's
 * start), either side equally likely, log-normal values. Each minute has a stream of its own.
 */
function drawPoissonArrivals(spec: PoissonFlowSpec, stream: RandomStream): readonly Arrival[] {
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

/**
 * Takers as a Hawkes process in its cluster form (Hawkes and Oakes 1974): spontaneous takers come as a Poisson
 * process, and each triggers others on three time scales. A cluster is drawn whole from the stream of the
 * minute in which it begins. A minute's takers are therefore those of its own clusters and of the last hour's,
 * whichever minute was asked for before.
 *
 * Choice: what a cluster triggers more than 62 minutes after its first minute is left out: a quarter of a per
 * cent.
 */
class HawkesFlow {
  private readonly spec: HawkesFlowSpec
  private readonly streams: StreamSeries
  private readonly intensityIn: (minute: number) => number
  private readonly sizes: OrderSizes
  /** Takers by minute modulo 64: those of the last minute read, and what is already known of the next 62. */
  private readonly buckets: Arrival[][] = Array.from({ length: bucketCount }, () => [])
  /* First and last minute whose clusters are in the buckets. */
  private firstMinute = 0
  private lastMinute = -1
  private cluster = new Cluster(64)

  constructor(spec: HawkesFlowSpec, names: StreamNames, intensityIn: (minute: number) => number) {
    this.spec = spec
    this.streams = new StreamSeries(names.seed, 'flow', names.symbol)
    this.intensityIn = intensityIn
    this.sizes = new OrderSizes(spec)
  }

  /** Returns the takers of a minute, by time; of one millisecond, those of older clusters first. */
  arrivalsIn(minute: number): readonly Arrival[] {
    const isReachable = minute >= this.lastMinute - 1 && minute - this.lastMinute <= reachMinutes
    if (!isReachable || minute - this.firstMinute < reachMinutes) this.restart(minute - reachMinutes)
    while (this.lastMinute < minute) this.addMinute()
    return this.bucketAt(minute)
  }

  private restart(firstMinute: number): void {
    for (const bucket of this.buckets) bucket.length = 0
    this.firstMinute = firstMinute
    this.lastMinute = firstMinute - 1
  }

  /** Draws the clusters that begin in the next minute, and sorts that minute's takers. */
  private addMinute(): void {
    const { spec, streams } = this
    const minute = this.lastMinute + 1
    this.buckets[(minute + reachMinutes) & bucketMask] = []
    this.lastMinute = minute
    const own = spec.ratePerMinute * (1 - branching) * this.intensityIn(minute)
    if (own > 0) {
      const stream = streams.at(minute)
      for (let left = stream.poisson(own); left > 0; left -= 1) this.addCluster(minute, stream)
    }
    sortByTime(this.bucketAt(minute))
  }

  private addCluster(minute: number, stream: RandomStream): void {
    const { informed, patiencePerBp } = this.spec
    const count = this.drawInstants(stream)
    const { instants, isBuyer, informedDraws, values, waits } = this.cluster
    drawTakers(count, stream, this.cluster)
    this.sizes.writeValues(count, values)
    for (let i = 0; i < count; i += 1) waits[i] = -log(element(waits, i))
    for (let i = 0; i < count; i += 1) {
      const atMillis = element(instants, i)
      const later = Math.ceil(atMillis / millisPerMinute) - 1
      const waiting = element(waits, i)
      const isInformed = element(informedDraws, i) < informed.share
      this.bucketAt(minute + later).push({
        offsetMillis: atMillis - later * millisPerMinute,
        side: isBuyer[i] === 1 ? 'buy' : 'sell',
        valueUsd: element(values, i),
        horizonMillis: isInformed ? Math.ceil(waiting * informed.horizonMillis) : 0,
        patienceBps: patiencePerBp === 0 ? null : waiting / patiencePerBp,
      })
    }
  }

  /**
   * Draws the instants of one cluster in ascending order, leaving out those beyond the 62 minutes. Returns
   * their number.
   */
  private drawInstants(stream: RandomStream): number {
    let { instants } = this.cluster
    instants[0] = 1 + stream.integer(millisPerMinute)
    let count = 1
    for (let parent = 0; parent < count; parent += 1) {
      const parentMillis = element(instants, parent)
      for (let left = stream.poissonFromTable(offspring); left > 0; left -= 1) {
        const atMillis = Math.ceil(parentMillis + drawDelayMillis(stream))
        if (atMillis > lastMillis) continue
        if (count === instants.length) {
          this.cluster = this.cluster.createWider()
          instants = this.cluster.instants
        }
        instants[count] = atMillis
        count += 1
      }
    }
    sortPrefix(instants, count)
    return count
  }

  private bucketAt(minute: number): Arrival[] {
    return this.buckets[minute & bucketMask] ?? missing('each minute has a bucket')
  }
}

const reachMinutes = 62
const bucketCount = 64
const bucketMask = 63

/** How many others each taker triggers on average, and how much later (market.md 2b: trades). */
const scales = [
  { children: 0.45, meanMillis: 1000 },
  { children: 0.25, meanMillis: 20_000 },
  { children: 0.15, meanMillis: 300_000 },
] as const
const branching = 0.85
const offspring = makePoissonTable(branching)

/**
 * Columns of one cluster's takers while they are drawn. Each column is computed in a loop of its own, which is
 * faster.
 */
class Cluster {
  /** Instants in whole milliseconds after the start of the cluster's first minute. */
  readonly instants: Float64Array
  readonly isBuyer: Uint8Array
  /** Uniform draws that decide whether a taker is informed. */
  readonly informedDraws: Float64Array
  /** Order values in USD; before that, the uniform draws from which they are computed. */
  readonly values: Float64Array
  /** Exponential variables of mean 1; before that, the uniform draws from which they are computed. */
  readonly waits: Float64Array

  constructor(size: number) {
    this.instants = new Float64Array(size)
    this.isBuyer = new Uint8Array(size)
    this.informedDraws = new Float64Array(size)
    this.values = new Float64Array(size)
    this.waits = new Float64Array(size)
  }

  /** Returns a cluster of twice the size with the same instants. */
  createWider(): Cluster {
    const wider = new Cluster(2 * this.instants.length)
    wider.instants.set(this.instants)
    return wider
  }
}

function drawTakers(
  count: number,
  stream: RandomStream,
  { isBuyer, informedDraws, values, waits }: Cluster,
): void {
  let left = 0
  let side = 0
  for (let i = 0; i < count; i += 1) {
    if (left === 0) {
      side = stream.uniform() < 0.5 ? 1 : 0
      left = computeRunLength(stream.uniform())
    }
    left -= 1
    isBuyer[i] = side
    values[i] = stream.uniform()
    informedDraws[i] = stream.uniform()
    waits[i] = stream.uniform()
  }
}

/** Last instant of a cluster that is kept, milliseconds after its first minute's start. */
const lastMillis = (reachMinutes + 1) * millisPerMinute

/*
 * Both sorts insert by hand, because most clusters and minutes have few takers: V8's own sort costs ten times
 * as much for them.
 */

/** Sorts takers by time, keeping the order of those of one instant. */
function sortByTime(arrivals: Arrival[]): void {
  if (arrivals.length > 32) {
    arrivals.sort((left, right) => left.offsetMillis - right.offsetMillis)
    return
  }
  for (let end = 1; end < arrivals.length; end += 1) {
    const arrival = arrivals[end]
    if (arrival === undefined) continue
    let place = end
    for (; place > 0; place -= 1) {
      const before = arrivals[place - 1]
      if (before === undefined || before.offsetMillis <= arrival.offsetMillis) break
      arrivals[place] = before
    }
    arrivals[place] = arrival
  }
}

/** Sorts the first `count` values in ascending order. */
function sortPrefix(values: Float64Array, count: number): void {
  if (count > 32) {
    values.subarray(0, count).sort()
    return
  }
  for (let end = 1; end < count; end += 1) {
    const value = element(values, end)
    let place = end
    for (; place > 0 && element(values, place - 1) > value; place -= 1)
      values[place] = element(values, place - 1)
    values[place] = value
  }
}

function drawDelayMillis(stream: RandomStream): number {
  let pick = stream.uniform() * branching
  const waiting = -log(stream.uniform())
  for (const { children, meanMillis } of scales) {
    if (pick < children) return waiting * meanMillis
    pick -= children
  }
  return waiting * scales[2].meanMillis
}

/**
 * Returns the number of orders into which a parent order is split, for a uniform draw: a Pareto distribution of
 * index 1.5 (Lillo, Mike and Farmer 2005), which makes signs persist. Choice: at least three, which gives the
 * measured correlation of neighbours at a dealer's rates.
 */
function computeRunLength(uniform: number): number {
  return Math.floor(3 * exp(log(uniform) / -1.5))
}

/**
 * Order values: log-normal, except for the largest twentieth, which has a Pareto tail of index 1.5, cut at the
 * maximum.
 */
class OrderSizes {
  private readonly spec: HawkesFlowSpec
  private readonly tailFromUsd: number

  constructor(spec: HawkesFlowSpec) {
    this.spec = spec
    this.tailFromUsd = spec.medianUsd * exp(spec.sizeSd * inverseNormal(1 - tailShare))
  }

  /** Replaces each share (0 to 1) by the value in USD below which that share of the orders lies. */
  writeValues(count: number, shares: Float64Array): void {
    const { medianUsd, sizeSd, maximumUsd } = this.spec
    for (let i = 0; i < count; i += 1) {
      const share = element(shares, i)
      const isTail = share > 1 - tailShare
      const power = isTail ? log((1 - share) / tailShare) / -tailIndex : sizeSd * inverseNormal(share)
      shares[i] = Math.min((isTail ? this.tailFromUsd : medianUsd) * exp(power), maximumUsd)
    }
  }
}

const tailShare = 0.05
const tailIndex = 1.5
