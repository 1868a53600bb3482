import type { ContenderName } from './contenders/contender.ts'
import type { Measurement } from './measure.ts'
import type { MixName } from './mixes.ts'
import { jobKey } from './plan.ts'

/** A promised figure, or ratio of figures, of one run. */
export interface Bar {
  readonly name: string
  readonly bound: string
  readonly got: string
  readonly holds: boolean
}

export type Figures = ReadonlyMap<string, Measurement>

const peers: readonly ContenderName[] = ['nodejs-order-book', 'orderbook-match-engine']
const bookFactor = 20
const onePriceFactor = 2
const openOrdersBytes = 500e6
/** A larger book misses the processor's caches more often; anything worse than this would not be linear. */
const linearFactor = 1.5

/** The bars for which this run has the figures. A ratio is the worse one of processor time and elapsed time. */
export function judge(figures: Figures, mixes: readonly MixName[]): readonly Bar[] {
  const bars: (Bar | null)[] = []
  for (const mix of mixes) {
    bars.push(timesFaster(figures, mix, 'book', bookFactor))
  }
  bars.push(
    onePrice(figures, 'book'),
    onePrice(figures, 'engine'),
    openOrders(figures),
    snapshot(figures),
    linear(figures),
  )
  return bars.filter((bar) => bar !== null)
}

/** How many times as long `slow` takes as `fast`, by the clock for which the ratio is smaller. */
function ratio(slow: Measurement, fast: Measurement): number {
  return Math.min(slow.cpuMillis / fast.cpuMillis, slow.wallMillis / fast.wallMillis)
}

function timesFaster(figures: Figures, mix: MixName, contender: ContenderName, factor: number): Bar | null {
  const ours = figures.get(jobKey(contender, mix))
  const theirs = peers.map((peer) => figures.get(jobKey(peer, mix)))
  if (ours === undefined) return null
  const ratios = theirs.flatMap((peer) => (peer === undefined ? [] : [ratio(peer, ours)]))
  if (ratios.length === 0) return null
  const got = Math.min(...ratios)
  return {
    name: `${mix}: ${contender} against the fastest peer's bare book`,
    bound: `at least x${factor}`,
    got: `x${got.toFixed(1)}`,
    holds: got >= factor,
  }
}

function onePrice(figures: Figures, contender: ContenderName): Bar | null {
  const one = figures.get(jobKey(contender, 'cancels-one'))
  const distinct = figures.get(jobKey(contender, 'cancels-distinct'))
  if (one === undefined || distinct === undefined) return null
  const got = ratio(one, distinct)
  return {
    name: `${contender}: cancels in random order, one price against distinct prices`,
    bound: `at most x${onePriceFactor}`,
    got: `x${got.toFixed(2)}`,
    holds: got <= onePriceFactor,
  }
}

function openOrders(figures: Figures): Bar | null {
  const open = figures.get(jobKey('engine', 'open-orders'))
  if (open === undefined) return null
  return {
    name: 'engine: resident memory with 1,000,000 open orders',
    bound: `under ${openOrdersBytes / 1e6} MB`,
    got: `${(open.residentBytes / 1e6).toFixed(0)} MB (the engine itself ${(open.instanceBytes / 1e6).toFixed(0)} MB)`,
    holds: open.residentBytes < openOrdersBytes,
  }
}

function snapshot(figures: Figures): Bar | null {
  const taken = figures.get(jobKey('engine', 'half-open-orders'))
  const commands = figures.get(jobKey('engine', 'short-run'))
  if (taken === undefined || commands === undefined) return null
  return {
    name: 'engine: a snapshot of 500,000 orders against 100,000 commands',
    bound: `under ${commands.cpuMillis.toFixed(1)} ms`,
    got: `${taken.cpuMillis.toFixed(1)} ms`,
    holds: ratio(commands, taken) > 1,
  }
}

function linear(figures: Figures): Bar | null {
  const short = figures.get(jobKey('engine', 'short-run'))
  const long = figures.get(jobKey('engine', 'long-run'))
  if (short === undefined || long === undefined) return null
  const got = ratio(long, short) / 10
  return {
    name: 'engine: time a command, 1,000,000 commands against 100,000',
    bound: `at most x${linearFactor}`,
    got: `x${got.toFixed(2)}`,
    holds: got <= linearFactor,
  }
}
