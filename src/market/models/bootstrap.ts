import { missing } from '../../numeric/assert.ts'
import { element } from '../../numeric/columns.ts'
import { log } from '../../numeric/portable-math.ts'
import type { RandomStream } from '../../numeric/random.ts'
import { millisPerDay, millisPerMinute } from '../../numeric/time-text.ts'
import { ownValue, readStated, schemaInFile } from '../../shape/in-file.ts'
import { kind, type RecordOf, record, rows, shapeTyped } from '../../shape/shape.ts'
import { hundredYearsMillis, problem } from '../../shape/spec-checks.ts'
import { checkSpan } from '../check-shape.ts'
import { type Candles, candleAt, getCandleTable } from '../recordings/candle-table.ts'
import { checkCandles } from '../recordings/check-recording.ts'
import { fileOptions } from '../recordings/file-options.ts'
import { GaussianPath } from './gaussian-path.ts'
import { brownianMotion } from './gaussian-process.ts'
import { defineModel } from './model-definition.ts'
import { type ChainKernel, OutwardChain } from './outward-chain.ts'
import { minuteEnd, type PriceModel, type StreamNames } from './price-model.ts'
import { blockMinutes, createSteppedModel, type MinuteBlock } from './stepped-path.ts'
import { TrailingActivity } from './trailing-activity.ts'

/* The recording bounds it (see `rule`), so the shape has no bounds. */
const meanPieceMillis = shapeTyped<number>({
  description: 'Mean length of the resampled pieces.',
  default: millisPerDay,
  unit: 'duration',
})

const shape = record(
  {
    kind: kind('bootstrap'),
    /** Recorded candles, all with the same span of whole minutes, used as if none were missing between them. */
    candles: rows<Candles>(),
    meanPieceMillis,
  },
  'Returns of recorded candles in a new order, all assets together.',
)

export type BootstrapSpec = RecordOf<typeof shape>

/**
 * Model `bootstrap`: the returns of recorded candles in a new order. At each candle the path jumps to a random one,
 * with the probability that makes pieces of `meanPieceMillis` on average (Politis and Romano's stationary bootstrap).
 * Choice: where the record has four weeks or four days of candles, the random one is of the same time of the week or
 * of the day, so that paths keep the seasons of the record. All assets of a market that have this model jump together.
 */
export const bootstrap = defineModel<BootstrapSpec>({
  shape,
  stated: {
    shape: {
      type: 'object',
      additionalProperties: false,
      description: 'Returns of recorded candles in a new order, all assets together.',
      required: ['kind', 'data'],
      properties: {
        kind: schemaInFile(kind('bootstrap')),
        data: { $ref: '#/definitions/recording', description: 'The recording, relative to this file.' },
        meanPiece: schemaInFile(meanPieceMillis),
        volumeIn: schemaInFile(fileOptions.properties.volumeIn),
      },
    },
    read: (stated, { candles }, problems) => ({
      kind: 'bootstrap',
      candles,
      meanPieceMillis: readStated(
        meanPieceMillis,
        ownValue(stated, 'meanPiece'),
        undefined,
        'meanPiece',
        problems,
      ),
    }),
  },
  rule: ({ candles, meanPieceMillis }) => {
    const found = checkCandles(candles)
    if (found !== null) return found
    const { atMillis, endMillis } = getCandleTable(candles)
    const spanMillis = candleAt(candles, 0)?.spanMillis ?? 0
    if (spanMillis % millisPerMinute !== 0 || spanMillis > millisPerDay) {
      return problem('model.candles[0].spanMillis', 'is not of whole minutes, up to a day')
    }
    const other = atMillis.findIndex((at, place) => element(endMillis, place) - at !== spanMillis)
    if (other > 0) return problem(`model.candles[${other}].spanMillis`, 'is not that of the first candle')
    return checkSpan('model.meanPieceMillis', meanPieceMillis, spanMillis, hundredYearsMillis)
  },
  path: (price, spec, { names, startMillis }) => createBootstrap(price, spec, names, startMillis),
})

/**
 * Creates a path of the candles' close-to-close returns, in pieces that begin at random places and wrap around
 * at the end of the record. The order of candles is drawn without the asset's name, so assets with candles of
 * the same times keep their common moves. Within a bar the path is a bridge as wide as the candle was
 * (Parkinson's estimate from its range).
 */
function createBootstrap(
  price: number,
  spec: BootstrapSpec,
  names: StreamNames,
  startMillis: number,
): PriceModel {
  const { close: closes, high, low, open } = getCandleTable(spec.candles)
  const returns = closes.map((close, place) =>
    log(close / (place === 0 ? element(open, 0) : element(closes, place - 1))),
  )
  const ranges = high.map((highest, place) => log(highest / element(low, place)) / parkinson)
  const spanMillis = candleAt(spec.candles, 0)?.spanMillis ?? millisPerMinute
  const barMinutes = spanMillis / millisPerMinute
  const common: StreamNames = { seed: names.seed, symbol: '' }
  const chain = new OutwardChain(createOrder(spec, spanMillis, startMillis), common, 'bootstrap')
  const noise = new GaussianPath(brownianMotion, names, 'path')
  const noises = new Float64Array(blockMinutes)

  const fillBlock = (block: number, out: MinuteBlock): void => {
    const first = block * blockMinutes
    noise.fillIncrements(first, blockMinutes, noises)
    let lastBar = Number.NaN
    let barNoise = 0
    for (let i = 0; i < blockMinutes; i += 1) {
      const bar = Math.floor((first + i) / barMinutes)
      const candle = chain.at(bar)
      const deviation = barMinutes === 1 ? 0 : element(ranges, candle) / Math.sqrt(barMinutes)
      if (bar !== lastBar) barNoise = barMinutes === 1 ? 0 : computeBarNoise(bar)
      lastBar = bar
      out.returns[i] =
        element(returns, candle) / barMinutes + deviation * (element(noises, i) - barNoise / barMinutes)
      out.deviations[i] = element(ranges, candle) / Math.sqrt(barMinutes)
    }
  }
  const computeBarNoise = (bar: number): number =>
    noise.at((bar + 1) * spanMillis) - noise.at(bar * spanMillis)

  const model = createSteppedModel(price, fillBlock, noise, names)
  const close = new Float64Array(1)
  const activity = new TrailingActivity((minute) => {
    model.fillPrices(minute - 1, minuteEnd, close)
    return element(close, 0)
  })
  return {
    fillPrices: (minute, grid, prices) => model.fillPrices(minute, grid, prices),
    activityAt: (minute) => activity.at(minute),
  }
}

/**
 * Creates the order of candles. Where the record has enough of each, a candle is always one of the same time of
 * the week, or else of the same time of the day, as the bar that it fills, so that paths keep their seasons.
 */
function createOrder(
  { candles, meanPieceMillis }: BootstrapSpec,
  spanMillis: number,
  startMillis: number,
): ChainKernel {
  const { atMillis } = getCandleTable(candles)
  const count = atMillis.length
  const jumpChance = Math.min(1, spanMillis / meanPieceMillis)
  const { first, phases, places } = findPhases(atMillis, spanMillis, startMillis)
  const drawFrom = (phase: number, stream: RandomStream): number => {
    const candidates = places[phase] ?? missing('each phase of a season has candles')
    return candidates[stream.integer(candidates.length)] ?? missing('a draw is within its bound')
  }
  const follow = (at: number, step: number, stream: RandomStream): number => {
    const wanted = (element(phases, at) + step + places.length) % places.length
    if (stream.uniform() < jumpChance) return drawFrom(wanted, stream)
    const next = (at + step + count) % count
    // After a gap, or the end of the record, the next candle is of another time.
    return element(phases, next) === wanted ? next : drawFrom(wanted, stream)
  }
  return {
    start: (stream) => drawFrom(first, stream),
    forward: (at, stream) => follow(at, 1, stream),
    backward: (at, stream) => follow(at, -1, stream),
  }
}

/** Phases of a season, counted in candles. */
interface Phases {
  /** Phase of each candle. */
  readonly phases: Float64Array
  /** Phase of the bar at the market's start. */
  readonly first: number
  /** Candles of each phase. */
  readonly places: readonly (readonly number[])[]
}

/** Finds the longest season of which the record has enough: the week, the day, or none. */
function findPhases(atMillis: Float64Array, spanMillis: number, startMillis: number): Phases {
  for (const seasonMillis of [7 * millisPerDay, millisPerDay]) {
    const count = seasonMillis / spanMillis
    if (!Number.isInteger(count) || count * leastOfEach > atMillis.length) continue
    const phaseOf = (at: number): number =>
      Math.floor((at - seasonMillis * Math.floor(at / seasonMillis)) / spanMillis)
    const phases = Float64Array.from(atMillis, phaseOf)
    const places: number[][] = Array.from({ length: count }, () => [])
    for (const [place, phase] of phases.entries()) places[phase]?.push(place)
    if (places.every(({ length }) => length >= leastOfEach))
      return { phases, first: phaseOf(startMillis), places }
  }
  return { phases: new Float64Array(atMillis.length), first: 0, places: [Array.from(atMillis.keys())] }
}

/** Choice: how many candles of each time a record needs for its season to be kept, so that orders differ. */
const leastOfEach = 4

/** Ratio of the range of a Brownian motion to its deviation, root mean square: sqrt(4 ln 2). */
const parkinson = 1.6651092223153954
