import { missing } from '../../numeric/assert.ts'
import { element } from '../../numeric/columns.ts'
import { log } from '../../numeric/portable-math.ts'
import { makePoissonTable, type RandomStream, StreamSeries } from '../../numeric/random.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import type { StreamNames } from '../models/price-model.ts'

/** Taker as it is drawn, before it has a side and a value. */
export interface Taker {
  /** Milliseconds since the minute's first instant, in (0, 60_000]. */
  readonly offsetMillis: number
  /** Uniform draw that decides whether the taker is informed. */
  readonly informedDraw: number
  /** Exponential variable of mean 1: horizon of the informed, patience of the others. */
  readonly wait: number
  /* Normal variables: of the two memories of the side and of the side alone, of the common size and of the own. */
  readonly shortNormal: number
  readonly longNormal: number
  readonly ownNormal: number
  readonly commonSizeNormal: number
  readonly sizeNormal: number
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
export class TakerClusters {
  private readonly ratePerMinute: number
  private readonly streams: StreamSeries
  private readonly intensityIn: (minute: number) => number
  /** Takers by minute modulo 256: the last 194 minutes that were read, and what is known of the next 62. */
  private readonly buckets: Taker[][] = Array.from({ length: bucketCount }, () => [])
  /* First and last minute whose clusters are in the buckets. */
  private firstMinute = 0
  private lastMinute = -1
  private instants = new Float64Array(64)

  constructor(ratePerMinute: number, names: StreamNames, intensityIn: (minute: number) => number) {
    this.ratePerMinute = ratePerMinute
    this.streams = new StreamSeries(names.seed, 'flow', names.symbol)
    this.intensityIn = intensityIn
  }

  /** Returns the takers of a minute, by time; of one millisecond, those of older clusters first. */
  takersIn(minute: number): readonly Taker[] {
    const isKept = minute > this.lastMinute - keptMinutes && minute - this.lastMinute <= reachMinutes
    if (!isKept || minute - this.firstMinute < reachMinutes) this.restart(minute - reachMinutes)
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
    const minute = this.lastMinute + 1
    this.buckets[(minute + reachMinutes) & bucketMask] = []
    this.lastMinute = minute
    const own = this.ratePerMinute * (1 - branching) * this.intensityIn(minute)
    if (own > 0) {
      const stream = this.streams.at(minute)
      for (let left = stream.poisson(own); left > 0; left -= 1) this.addCluster(minute, stream)
    }
    sortByTime(this.bucketAt(minute))
  }

  private addCluster(minute: number, stream: RandomStream): void {
    const count = this.drawInstants(stream)
    for (let i = 0; i < count; i += 1) {
      const atMillis = element(this.instants, i)
      const later = Math.ceil(atMillis / millisPerMinute) - 1
      this.bucketAt(minute + later).push({
        offsetMillis: atMillis - later * millisPerMinute,
        informedDraw: stream.uniform(),
        wait: stream.exponential(),
        shortNormal: stream.normal(),
        longNormal: stream.normal(),
        ownNormal: stream.normal(),
        commonSizeNormal: stream.normal(),
        sizeNormal: stream.normal(),
      })
    }
  }

  /**
   * Draws the instants of one cluster in ascending order, leaving out those beyond the 62 minutes: whole
   * milliseconds after the start of its first minute. Returns their number.
   */
  private drawInstants(stream: RandomStream): number {
    this.instants[0] = 1 + stream.integer(millisPerMinute)
    let count = 1
    for (let parent = 0; parent < count; parent += 1) {
      const parentMillis = element(this.instants, parent)
      for (let left = stream.poissonFromTable(offspring); left > 0; left -= 1) {
        const atMillis = Math.ceil(parentMillis + drawDelayMillis(stream))
        if (atMillis > lastMillis) continue
        if (count === this.instants.length) this.widen()
        this.instants[count] = atMillis
        count += 1
      }
    }
    sortPrefix(this.instants, count)
    return count
  }

  private widen(): void {
    const wider = new Float64Array(2 * this.instants.length)
    wider.set(this.instants)
    this.instants = wider
  }

  private bucketAt(minute: number): Taker[] {
    return this.buckets[minute & bucketMask] ?? missing('each minute has a bucket')
  }
}

const reachMinutes = 62
const bucketCount = 256
const bucketMask = 255
const keptMinutes = bucketCount - reachMinutes

/** How many others each taker triggers on average, and how much later (market.md 2b: trades). */
const scales = [
  { children: 0.45, meanMillis: 1000 },
  { children: 0.25, meanMillis: 20_000 },
  { children: 0.15, meanMillis: 300_000 },
] as const
const branching = 0.85
const offspring = makePoissonTable(branching)

/** Last instant of a cluster that is kept, milliseconds after its first minute's start. */
const lastMillis = (reachMinutes + 1) * millisPerMinute

/*
 * Both sorts insert by hand, because most clusters and minutes have few takers: V8's own sort costs ten times
 * as much for them.
 */

/** Sorts takers by time, keeping the order of those of one instant. */
function sortByTime(takers: Taker[]): void {
  if (takers.length > 32) {
    takers.sort((left, right) => left.offsetMillis - right.offsetMillis)
    return
  }
  for (let end = 1; end < takers.length; end += 1) {
    const taker = takers[end]
    if (taker === undefined) continue
    let place = end
    for (; place > 0; place -= 1) {
      const before = takers[place - 1]
      if (before === undefined || before.offsetMillis <= taker.offsetMillis) break
      takers[place] = before
    }
    takers[place] = taker
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
