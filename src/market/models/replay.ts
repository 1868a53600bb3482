import { bisectPlaces, element } from '../../numeric/columns.ts'
import { millisPerHour, millisPerMinute } from '../../numeric/time-text.ts'
import { ownValue, readStated, schemaInFile } from '../../shape/in-file.ts'
import { kind, type RecordOf, record, rows, type Shape, span, words } from '../../shape/shape.ts'
import { hundredYearsMillis, problem, type SpecProblem } from '../../shape/spec-checks.ts'
import { type Candles, type CandleTable, getCandleTable } from '../recordings/candle-table.ts'
import { checkCandles } from '../recordings/check-recording.ts'
import { fileOptions } from '../recordings/file-options.ts'
import type { PrintTable } from '../recordings/print-table.ts'
import { convertCandlesToTrades } from '../recordings/trade-table.ts'
import { BridgedLine, type Segment } from './bridged-line.ts'
import { defineModel, noiseVol } from './model-definition.ts'
import type { PriceModel, Recording, StreamNames } from './price-model.ts'
import type { TradeReplaySpec } from './trade-replay.ts'
import { TrailingActivity } from './trailing-activity.ts'

const policies = ['hold', 'interpolate', 'halt'] as const
const shape = record({
  kind: kind('replay'),
  candles: rows<Candles>(),
  gaps: words(
    policies,
    'What happens in gaps of the recording: the price holds, is interpolated, or the pair is halted.',
  ),
  // Noise between the four prices of a candle, clipped to [low, high].
  noiseVol,
})

export type ReplaySpec = RecordOf<typeof shape>

const gapMillis = span(
  1,
  hundredYearsMillis,
  'For trades: a longer time without any trade is a gap; 1h by default.',
)

const replayFileSchema: Shape = {
  type: 'object',
  additionalProperties: false,
  description: 'Recorded candles or trades.',
  required: ['kind'],
  properties: {
    kind: schemaInFile(kind('replay')),
    data: { $ref: '#/definitions/recording', description: 'The recording, relative to this file.' },
    gaps: {
      enum: policies,
      description:
        'What happens in gaps of the recording: the price holds, is interpolated, or the pair is halted.',
    },
    volumeIn: schemaInFile(fileOptions.properties.volumeIn),
    noiseVol: schemaInFile(noiseVol),
    gapAfter: schemaInFile(gapMillis),
    rebaseTo: {
      $ref: '#/definitions/price',
      description: 'The new first price; all prices keep their ratio to it.',
    },
    timeShift: {
      title: 'a span, such as +3d or -12h',
      type: 'string',
      pattern: '^[+-]?([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+$',
      description: 'Added to all times.',
    },
    speed: {
      type: 'number',
      minimum: 0.001,
      maximum: 1_000,
      description: 'How many times faster than recorded.',
    },
  },
}

/** Model `replay`: recorded candles, or trades, as they were. */
export const replay = defineModel<ReplaySpec>({
  shape,
  stated: {
    shape: replayFileSchema,
    read: (model, { candles }, problems) => readReplay(model, candles, problems),
  },
  rule: ({ candles }) => checkCandles(candles),
  path: (_price, spec, { startMillis, names }) => createReplay(spec, startMillis, names),
})

/** Reads the replay that a file states: of candles, or of trades where the recording has no spans. */
function readReplay(
  stated: unknown,
  candles: Candles,
  problems: SpecProblem[],
): ReplaySpec | TradeReplaySpec {
  const [gaps, gapAfter, noise] = ['gaps', 'gapAfter', 'noiseVol'].map((key) => ownValue(stated, key) ?? null)
  const refuse = (field: string, message: string): void => {
    problems.push(problem(field, message))
  }
  const trades = convertCandlesToTrades(candles)
  if (trades === null) {
    if (gapAfter !== null) refuse('gapAfter', 'is for recordings of trades; these are candles')
    return {
      kind: 'replay',
      candles,
      gaps: policies.find((policy) => policy === gaps) ?? 'hold',
      noiseVol: Number(noise ?? 0),
    }
  }
  if (noise !== null) refuse('noiseVol', 'is for recordings of candles; these are trades')
  if (gaps === 'interpolate') refuse('gaps', 'nothing is interpolated between trades; say hold or halt')
  return {
    kind: 'trades',
    trades,
    gapMillis: Number(readStated(gapMillis, gapAfter, millisPerHour, 'gapAfter', problems)),
    gaps: gaps === 'halt' ? 'halt' : 'hold',
  }
}

/**
 * Creates the path of recorded candles: open, low, high, close when a candle rises, else open, high, low,
 * close, at 0, 1/4, 3/4 and 1 of its span, with bridge noise between them that is clipped to its low and high.
 * Candles are in order and do not overlap. Times are their own; the market's start says where in the recording
 * a run begins.
 *
 * Choice: where a candle ends and the next begins, the price is the next one's open. A candle's volume is
 * printed in four equal parts, at its four prices. The open's part comes a millisecond later, because nothing
 * has been traded yet at the first instant, and its volume would reveal the volume to come. Outside the
 * recording the nearest price stays.
 */
function createReplay(spec: ReplaySpec, startMillis: number, names: StreamNames): PriceModel {
  const recording = new CandleRecording(spec, startMillis)
  const findSegment = (atMillis: number, segment: Segment): void => recording.writeSegment(atMillis, segment)
  const line = new BridgedLine(findSegment, spec.noiseVol, names, 'path')
  const trailing = new TrailingActivity((minute) => line.at(minute * millisPerMinute), recording.firstMinute)
  const path: RecordedPath = {
    fillGrid: (grid, prices) => line.fillGrid(grid, prices),
    activityAt: (minute) => trailing.at(minute),
  }
  return {
    recording,
    fillPrices: (minute, grid, prices) => line.fillPrices(minute, grid, prices),
    ...(spec.noiseVol === 0 ? getSharedPath(spec, startMillis, path) : path),
  }
}

type RecordedPath = Required<Pick<PriceModel, 'fillGrid' | 'activityAt'>>

/**
 * Returns the path of a recording without noise, which all worlds that play the recording share: the cases of a
 * sweep ask for the same prices, and trade at the same instants.
 */
function getSharedPath({ candles, gaps }: ReplaySpec, startMillis: number, path: RecordedPath): RecordedPath {
  const table = getCandleTable(candles)
  const known = sharedPaths.get(table) ?? new Map<string, RecordedPath>()
  sharedPaths.set(table, known)
  const key = `${gaps} ${startMillis}`
  const endMillis = element(table.endMillis, table.count - 1) - startMillis
  const shared = known.get(key) ?? {
    fillGrid: createCachedGrid(path, endMillis),
    activityAt: createCachedActivity(path),
  }
  known.set(key, shared)
  return shared
}

/** Shared paths of each recording, by gap policy and start. */
const sharedPaths = new WeakMap<CandleTable, Map<string, RecordedPath>>()
const maximumCachedPrices = 1_000_000
const maximumCachedActivities = 10_000

/**
 * Caches the prices of the first grid that is read, up to the recording's end; a cached 0 marks a price that
 * was not read yet.
 */
function createCachedGrid(path: RecordedPath, endMillis: number): RecordedPath['fillGrid'] {
  let gridMillis = 0
  let known = new Float64Array(0)
  const one = new Float64Array(1)
  return (grid, prices) => {
    const { count, firstMillis, stepMillis } = grid
    if (gridMillis === 0) {
      gridMillis = stepMillis
      known = new Float64Array(
        Math.min(maximumCachedPrices, Math.ceil(Math.max(0, endMillis) / gridMillis) + 1),
      )
    }
    const first = firstMillis / gridMillis
    if (stepMillis !== gridMillis || !Number.isInteger(first) || first < 0 || first + count > known.length)
      return path.fillGrid(grid, prices)
    for (let row = 0; row < count; row += 1) {
      if (known[first + row] === 0) {
        path.fillGrid({ firstMillis: firstMillis + row * stepMillis, stepMillis, count: 1 }, one)
        known[first + row] = element(one, 0)
      }
      prices[row] = element(known, first + row)
    }
  }
}

/** Caches the activities of the minutes that were read last. */
function createCachedActivity(path: RecordedPath): RecordedPath['activityAt'] {
  const known = new Map<number, number>()
  return (minute) => {
    const found = known.get(minute)
    if (found !== undefined) return found
    if (known.size === maximumCachedActivities) known.clear()
    const activity = path.activityAt(minute)
    known.set(minute, activity)
    return activity
  }
}

class CandleRecording implements Recording {
  readonly canHalt: boolean
  readonly firstMinute: number
  private readonly table: CandleTable
  private readonly gaps: ReplaySpec['gaps']
  private readonly startMillis: number
  private lastIndex = 0

  constructor(spec: ReplaySpec, startMillis: number) {
    this.table = getCandleTable(spec.candles)
    this.gaps = spec.gaps
    this.canHalt = spec.gaps === 'halt'
    this.startMillis = startMillis
    this.firstMinute = Math.ceil((element(this.table.atMillis, 0) - startMillis) / millisPerMinute)
  }

  writeSegment(offsetMillis: number, segment: Segment): void {
    const { table, startMillis } = this
    const atMillis = startMillis + offsetMillis
    const index = this.findLastBegun(atMillis)
    if (index === -1) {
      const open = element(table.open, 0)
      segment.set('still', Number.NEGATIVE_INFINITY, open, element(table.atMillis, 0) - startMillis, open)
      return
    }
    const endMillis = element(table.endMillis, index)
    if (atMillis < endMillis) {
      this.writeQuarter(index, offsetMillis, segment)
      return
    }
    const price = element(table.close, index)
    const isLast = index + 1 === table.count
    const toMillis = isLast ? Number.POSITIVE_INFINITY : element(table.atMillis, index + 1) - startMillis
    const isBridge = !isLast && this.gaps === 'interpolate'
    const toPrice = isBridge ? element(table.open, index + 1) : price
    segment.set(isBridge ? 'bridge' : 'still', endMillis - startMillis, price, toMillis, toPrice)
    segment.low = 0
    segment.high = Number.POSITIVE_INFINITY
  }

  /**
   * Returns whether an instant is in a gap, or before or after the recording. The instant at which a candle
   * ends still belongs to it.
   */
  isHaltedAt(offsetMillis: number): boolean {
    if (!this.canHalt) return false
    const atMillis = this.startMillis + offsetMillis
    const index = this.findLastBegun(atMillis)
    return index === -1 || atMillis > element(this.table.endMillis, index)
  }

  addPrints(fromMillis: number, toMillis: number, prints: PrintTable): void {
    const { table } = this
    if (!table.hasVolume) return
    const after = this.startMillis + fromMillis
    const until = this.startMillis + toMillis
    // A candle that ends at `after` has nothing left to print, so the one that has begun by then is early
    // enough.
    for (let index = Math.max(0, this.findLastBegun(after)); index < table.count; index += 1) {
      if (element(table.atMillis, index) >= until) break
      if (table.volume[index] !== 0) addCandlePrints(table, index, after, until, prints)
    }
  }

  /**
   * Returns the last candle that has begun by an instant, -1 before the first. Time mostly moves forward, so
   * candles near the last answer are tried first.
   */
  private findLastBegun(atMillis: number): number {
    // Prices are read at a step's end and prints from its start on, so the candle goes back and forth by one or
    // two.
    for (let index = this.lastIndex - 1; index <= this.lastIndex + 2; index += 1) {
      if (!this.isLastBegun(index, atMillis)) continue
      this.lastIndex = index
      return index
    }
    const { atMillis: begins, count } = this.table
    const next = bisectPlaces(count, (place) => element(begins, place) > atMillis)
    this.lastIndex = Math.max(0, next - 1)
    return next - 1
  }

  private isLastBegun(index: number, atMillis: number): boolean {
    const { atMillis: begins, count } = this.table
    if (index < 0 || index >= count || element(begins, index) > atMillis) return false
    const next = index + 1
    return next === count || atMillis < element(begins, next)
  }

  /** Writes the quarter of a candle, or the two quarters in its middle, in which an instant lies. */
  private writeQuarter(index: number, offsetMillis: number, segment: Segment): void {
    const { startMillis, table } = this
    const high = element(table.high, index)
    const low = element(table.low, index)
    const open = element(table.open, index)
    const close = element(table.close, index)
    const isRising = close >= open
    const beginMillis = element(table.atMillis, index) - startMillis
    const endMillis = element(table.endMillis, index) - startMillis
    const firstMillis = beginMillis + firstQuarterMillis(endMillis - beginMillis)
    const secondMillis = beginMillis + lastQuarterMillis(endMillis - beginMillis)
    const first = isRising ? low : high
    const second = isRising ? high : low
    if (offsetMillis < firstMillis) segment.set('bridge', beginMillis, open, firstMillis, first)
    else if (offsetMillis < secondMillis) segment.set('bridge', firstMillis, first, secondMillis, second)
    else segment.set('bridge', secondMillis, second, endMillis, close)
    segment.low = low
    segment.high = high
  }
}

/** Adds the prints of a candle that come after one instant and not after another. */
function addCandlePrints(
  table: CandleTable,
  index: number,
  after: number,
  until: number,
  prints: PrintTable,
): void {
  const atMillis = element(table.atMillis, index)
  const endMillis = element(table.endMillis, index)
  const open = element(table.open, index)
  const close = element(table.close, index)
  const low = element(table.low, index)
  const high = element(table.high, index)
  const quantity = element(table.volume, index) / 4
  const isRising = close >= open
  const opened = Math.floor(atMillis) + 1
  const first = atMillis + firstQuarterMillis(endMillis - atMillis)
  const second = atMillis + lastQuarterMillis(endMillis - atMillis)
  if (opened > after && opened <= until) prints.add(opened, open, quantity)
  if (first > after && first <= until) prints.add(first, isRising ? low : high, quantity)
  if (second > after && second <= until) prints.add(second, isRising ? high : low, quantity)
  if (endMillis > after && endMillis <= until) prints.add(endMillis, close, quantity)
}

function firstQuarterMillis(spanMillis: number): number {
  return Math.floor(spanMillis / 4)
}

function lastQuarterMillis(spanMillis: number): number {
  return Math.floor((spanMillis * 3) / 4)
}
