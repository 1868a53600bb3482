import { element } from '../../numeric/columns.ts'
import { log } from '../../numeric/portable-math.ts'
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
import { OutwardChain } from './outward-chain.ts'
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
 * Model `bootstrap`: the returns of recorded candles in a new order. At each candle the path jumps to a random
 * one, with the probability that makes pieces of `meanPieceMillis` on average (Politis and Romano's stationary
 * bootstrap). All assets of a market that have this model jump together.
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
  path: (price, spec, { names }) => createBootstrap(price, spec, names),
})

/**
 * Creates a path of the candles' close-to-close returns, in pieces that begin at random places and wrap around
 * at the end of the record. The order of candles is drawn without the asset's name, so assets with candles of
 * the same times keep their common moves. Within a bar the path is a bridge as wide as the candle was
 * (Parkinson's estimate from its range).
 */
function createBootstrap(price: number, spec: BootstrapSpec, names: StreamNames): PriceModel {
  const { close: closes, high, low, open } = getCandleTable(spec.candles)
  const returns = closes.map((close, place) =>
    log(close / (place === 0 ? element(open, 0) : element(closes, place - 1))),
  )
  const ranges = high.map((highest, place) => log(highest / element(low, place)) / parkinson)
  const spanMillis = candleAt(spec.candles, 0)?.spanMillis ?? millisPerMinute
  const barMinutes = spanMillis / millisPerMinute
  const count = returns.length
  const jumpChance = Math.min(1, spanMillis / spec.meanPieceMillis)
  const common: StreamNames = { seed: names.seed, symbol: '' }
  const chain = new OutwardChain(
    {
      start: (stream) => stream.integer(count),
      forward: (at, stream) => (stream.uniform() < jumpChance ? stream.integer(count) : (at + 1) % count),
      backward: (at, stream) =>
        stream.uniform() < jumpChance ? stream.integer(count) : (at + count - 1) % count,
    },
    common,
    'bootstrap',
  )
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

/** Ratio of the range of a Brownian motion to its deviation, root mean square: sqrt(4 ln 2). */
const parkinson = 1.6651092223153954
