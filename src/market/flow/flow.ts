import { assert } from '../../numeric/assert.ts'
import { exp, normalProbability } from '../../numeric/portable-math.ts'
import { type RandomStream, StreamSeries } from '../../numeric/random.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { CachedMinutes } from '../models/cached-minutes.ts'
import type { StreamNames } from '../models/price-model.ts'
import type { Arrival, FlowSpec, HawkesFlowSpec, PoissonFlowSpec } from './flow-spec.ts'
import { OrderSizes } from './order-sizes.ts'
import { PriceMoves } from './price-moves.ts'
import { type Taker, TakerClusters } from './taker-clusters.ts'

/** Synthetic takers of an asset. A minute's takers are the same whichever minutes were asked for before. */
export interface Flow {
  /** Returns the takers of a minute, by time. */
  arrivalsIn(minute: number): readonly Arrival[]
}

/** What the takers of an asset depend on. */
export interface FlowContext {
  /** Returns how busy the market is in a minute, relative to its average. */
  intensityIn(minute: number): number
  /** Writes the prices at a minute's start and at the ends of its sixty seconds, USD. */
  fillSeconds(minute: number, prices: Float64Array): void
}

/** Creates the synthetic takers of a specification. */
export function createFlow(spec: FlowSpec, names: StreamNames, context: FlowContext): Flow {
  if (spec.kind === 'hawkes') return new HawkesFlow(spec, names, context)
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
 * Takers in bursts, whose sides and sizes remember those before them, whatever their rate: a side is the sign of
 * two memories that fade over four and over 35 takers, and of a variable of its own; all of them lean on the
 * price's move of the last seconds and of the next two, so takers move with their minute and foretell no other.
 * Half of the logarithm of a size fades over six takers (market-recipe.md, "Flow").
 *
 * A stretch of 64 minutes begins with the memories of the takers of the 64 minutes before it, so any minute can
 * be reached directly, and neighbouring stretches hardly differ where they meet.
 */
class HawkesFlow implements Flow {
  private readonly spec: HawkesFlowSpec
  private readonly clusters: TakerClusters
  private readonly moves: PriceMoves
  private readonly sizes: OrderSizes
  private readonly stretches = new CachedMinutes(2, createStretch, startStretch)
  /** Share of the price's move in what moves a memory. */
  private readonly lean: number

  constructor(spec: HawkesFlowSpec, names: StreamNames, context: FlowContext) {
    this.spec = spec
    this.clusters = new TakerClusters(spec.ratePerMinute, names, (minute) => context.intensityIn(minute))
    this.moves = new PriceMoves((minute, prices) => context.fillSeconds(minute, prices))
    this.sizes = new OrderSizes(spec)
    this.lean = 0.35 + 0.28 * Math.min(1, rareRatePerMinute / spec.ratePerMinute)
  }

  arrivalsIn(minute: number): readonly Arrival[] {
    const index = Math.floor(minute / stretchMinutes)
    const stretch = this.stretches.at(index)
    for (; stretch.next <= minute; stretch.next += 1) this.addMinute(index, stretch)
    const arrivals = stretch.minutes[minute - index * stretchMinutes]
    assert(arrivals !== undefined, 'a stretch has the takers of all minutes that it has passed')
    return arrivals
  }

  private addMinute(index: number, stretch: Stretch): void {
    const minute = stretch.next
    const place = minute - index * stretchMinutes
    const takers = this.clusters.takersIn(minute)
    const arrivals: Arrival[] = []
    for (const taker of takers) {
      const pressure = this.addPressure(stretch, minute * millisPerMinute + taker.offsetMillis, taker)
      stretch.size = sizeKept * stretch.size + sizeAdded * taker.commonSizeNormal
      if (place >= 0) arrivals.push(this.createArrival(taker, pressure, stretch.size))
    }
    if (place >= 0) stretch.minutes[place] = arrivals
  }

  /** Moves both memories by one taker, and returns the pressure on its side: above 0 it buys. */
  private addPressure(stretch: Stretch, atMillis: number, taker: Taker): number {
    const move = this.moves.measureMove(stretch.seenMillis, atMillis)
    stretch.seenMillis = atMillis
    const lean = Number.isNaN(move) ? 0 : this.lean
    const leant = lean === 0 ? 0 : lean * move
    const rest = Math.sqrt(1 - lean * lean)
    stretch.short = shortKept * stretch.short + shortAdded * (leant + rest * taker.shortNormal)
    stretch.long = longKept * stretch.long + longAdded * (leant + rest * taker.longNormal)
    return (
      shortWeight * stretch.short + longWeight * stretch.long + ownWeight * (leant + rest * taker.ownNormal)
    )
  }

  private createArrival(taker: Taker, pressure: number, commonSize: number): Arrival {
    const { informed, patiencePerBp } = this.spec
    const { informedDraw, offsetMillis, sizeNormal, wait } = taker
    const isInformed = informedDraw < informed.share
    const strength = (Math.abs(pressure) - 0.8) / 0.6
    const size = commonSizeWeight * commonSize + ownSizeWeight * sizeNormal + strengthWeight * strength
    return {
      offsetMillis,
      side: pressure > 0 ? 'buy' : 'sell',
      valueUsd: this.sizes.valueAt(normalProbability(size)),
      horizonMillis: isInformed ? Math.ceil(wait * informed.horizonMillis) : 0,
      patienceBps: patiencePerBp === 0 ? null : wait / patiencePerBp,
    }
  }
}

const stretchMinutes = 64
/** Rate below which the price's share does not grow further, takers per minute: 0.15 a second. */
const rareRatePerMinute = 9

/* Memories: what each keeps from taker to taker, and its weight in the variance of the pressure. */
const shortKept = exp(-1 / 4)
const longKept = exp(-1 / 35)
const sizeKept = exp(-1 / 6)
const shortAdded = Math.sqrt(1 - shortKept * shortKept)
const longAdded = Math.sqrt(1 - longKept * longKept)
const sizeAdded = Math.sqrt(1 - sizeKept * sizeKept)
const shortWeight = Math.sqrt(0.35)
const longWeight = Math.sqrt(0.3)
const ownWeight = Math.sqrt(0.35)

/* Weights in the normal variable of a size; the sum of their squares is 1. */
const commonSizeWeight = 0.6
const strengthWeight = 0.2
const ownSizeWeight = Math.sqrt(1 - commonSizeWeight * commonSizeWeight - strengthWeight * strengthWeight)

/** Takers of 64 minutes, as far as they are known, with the memories after the last of them. */
interface Stretch {
  /** The next minute whose takers are to be added; 64 minutes before the first at the beginning. */
  next: number
  readonly minutes: (readonly Arrival[])[]
  short: number
  long: number
  size: number
  /** Instant of the last taker, milliseconds after the market's start. */
  seenMillis: number
}

const createStretch = (): Stretch => ({ next: 0, minutes: [], short: 0, long: 0, size: 0, seenMillis: 0 })

function startStretch(index: number, stretch: Stretch): void {
  stretch.next = (index - 1) * stretchMinutes
  stretch.minutes.length = 0
  stretch.short = 0
  stretch.long = 0
  stretch.size = 0
  stretch.seenMillis = Number.NEGATIVE_INFINITY
}
