import { type ModelSpec, readModel } from '../../market/models/price-models.ts'
import { type Candles, candleAt, countCandles, getCandleTable } from '../../market/recordings/candle-table.ts'
import { type FileOptions, formatFileOptions, parseColumns } from '../../market/recordings/file-options.ts'
import type { RecordingInfo } from '../../market/recordings/interpretation.ts'
import { joinRecordings, type RecordingPart } from '../../market/recordings/join-recordings.ts'
import { adjustCandles } from '../../market/recordings/recording.ts'
import { element } from '../../numeric/columns.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { SpecProblem } from '../../shape/spec-checks.ts'
import { readSignedDuration } from './amounts.ts'
import {
  addMistake,
  childField,
  type Field,
  findFieldAlong,
  listItems,
  numberOr,
  requiredField,
  statedScalar,
  statedText,
  textOr,
  wordOr,
} from './fields.ts'
import { refuseFiles } from './named-files.ts'
import type { LoadOptions, ReadFiles } from './source.ts'
import { isWhole, toPlain } from './tree.ts'

/** Compiles the price model under the key `model` of a field. Points given as changes count from `price`, in USD. */
export function compileModel(asset: Field, symbol: string, price: number, candles: Candles): ModelSpec {
  const field = childField(asset, 'model')
  return readChecked(field ?? asset, (problems) =>
    readModel(toPlainObject(field), { symbol, price, candles }, problems),
  )
}

/**
 * Reads a part of the market with the market's own reader, and notes the problems that it finds. `check` looks for a
 * problem between several fields; it runs only when each field alone is sound.
 */
export function readChecked<Spec>(
  place: Field,
  read: (problems: SpecProblem[]) => Spec,
  check: (spec: Spec) => SpecProblem | null = () => null,
): Spec {
  const problems: SpecProblem[] = []
  const spec = read(problems)
  const found = problems.length === 0 ? check(spec) : null
  for (const problem of found === null ? problems : [found]) addMarketMistake(place, problem)
  return spec
}

/**
 * Returns a field as plain data for the market's readers; null when the field is absent, or when a part of it is
 * broken.
 */
export const toPlainObject = (field: Field | null): object | null =>
  field !== null && isWhole(field.tree) ? Object(toPlain(field.tree)) : null

/**
 * Notes a problem that the market's own checks have found. The place is that of the field, searched for from `start`;
 * where the file does not state the field, the message names it. Units of durations are cut from names, because files
 * write them as values. Nothing is noted beside a broken part, for which a default was checked instead.
 */
export function addMarketMistake(start: Field, { field, message }: SpecProblem): void {
  if (!isWhole(start.tree)) return
  const { stated, rest } = findFieldAlong(start, field.replace(/(Millis|Minutes)\b/g, ''))
  addMistake(stated, rest === '' ? message : `${rest} ${message}`)
}

/** Recordings by asset symbol. They are read before anything else, because the clock may start with them. */
export type Recordings = ReadonlyMap<string, Candles>

export const recordedKinds: readonly string[] = ['replay', 'bootstrap']

/** Returns the kind of an asset's model, or an empty text when none is stated. */
export function readModelKind(asset: Field): string {
  const model = childField(asset, 'model')
  return textOr(childField(model, 'kind'), '')
}

/**
 * Reads the recordings that the models of the assets name, and adjusts them as the models state. `asRead` receives
 * each file unadjusted, and how it was understood. Mistakes are those of the files, and of models that cannot use them.
 */
export function readRecordings(
  assets: readonly (readonly [string, Field])[],
  options: LoadOptions,
  asRead: ReadFiles,
): Recordings {
  const recordings = new Map<string, Candles>()
  for (const [symbol, asset] of assets) {
    const model = childField(asset, 'model')
    // Beside a broken part, it is not known how the recording is to be read.
    if (model === null || !isWhole(model.tree) || !recordedKinds.includes(readModelKind(asset))) continue
    const data = childField(model, 'data')
    if (data === null) {
      // For a bootstrap, the schema check has reported this.
      if (readModelKind(asset) === 'replay')
        addMistake(model, 'a replay needs "data", the name of a candle file')
      continue
    }
    if (options.readCandles === undefined) {
      refuseFiles(data)
      continue
    }
    const read = readFiles(model, data, options.readCandles, asRead)
    if (read === null) continue
    if (readModelKind(asset) === 'bootstrap' && candleAt(read, 0)?.spanMillis === 0) {
      addMistake(data, 'holds trades, and a bootstrap needs candles')
      continue
    }
    const candles = adjustRecording(model, read)
    const mistake = findRecordingMistake(candles)
    if (mistake !== null) addMistake(data, mistake)
    else recordings.set(symbol, candles)
  }
  return recordings
}

/** Reads one file, or joins several in the order of time, however they are listed. Returns null after a mistake. */
function readFiles(
  model: Field,
  data: Field,
  read: NonNullable<LoadOptions['readCandles']>,
  asRead: ReadFiles,
): Candles | null {
  const named = data.tree.kind === 'mapping' ? requiredField(data, 'file') : data
  const files = named.tree.kind === 'list' ? listItems(named) : [named]
  const options = readFileOptions(model, data)
  if (options === null) return null
  const stated = formatFileOptions(options)
  const parts: RecordingPart[] = []
  for (const file of files) {
    const name = statedText(file)
    const key = stated === '' ? name : `${name} ${stated}`
    const answer = read({ name, isParameter: statedScalar(file).isParameter, options, key })
    if (answer.ok) {
      asRead.candles.set(key, answer.candles)
      if (answer.note !== undefined) asRead.notes.push(answer.note)
      parts.push({ file: name, candles: answer.candles })
    } else addMistake(file, answer.reason)
  }
  if (parts.length < files.length) return null
  const joined = joinRecordings(parts, options)
  if (joined.ok) {
    if (joined.repeated > 0) asRead.notes.push(...describeRepeated(joined.repeated, files))
    return joined.candles
  }
  addMistake(files[joined.place] ?? named, joined.reason)
  return null
}

/** Describes candles that two of several files have. */
function describeRepeated(repeated: number, files: readonly Field[]): readonly RecordingInfo[] {
  const file = files.map(statedText).join(', ')
  return [{ file, line: `one recording, in which ${repeated} candles of two files count once`, warnings: [] }]
}

/** Reads what a model says of its files. Notes a mistake and returns null for columns that cannot be parsed. */
function readFileOptions(model: Field, data: Field): FileOptions | null {
  const volumeIn = childField(model, 'volumeIn')
  const unit = volumeIn === null ? {} : { volumeIn: wordOr(volumeIn, ['asset', 'usd'], 'asset') }
  if (data.tree.kind !== 'mapping') return unit
  const columns = childField(data, 'columns')
  const parsed = columns?.tree.kind === 'scalar' ? parseColumns(statedText(columns)) : undefined
  if (columns !== null && typeof parsed === 'string') {
    addMistake(columns, parsed)
    return null
  }
  const { file: _, columns: plain, ...rest } = Object(toPlain(data.tree))
  return {
    ...unit,
    ...rest,
    ...(parsed === undefined ? (plain === undefined ? {} : { columns: plain }) : { columns: parsed }),
  }
}

/** Moves a recording to another price, time or pace, as its model states. */
function adjustRecording(model: Field, candles: Candles): Candles {
  const rebaseTo = childField(model, 'rebaseTo')
  const timeShift = childField(model, 'timeShift')
  const speed = childField(model, 'speed')
  const moved = adjustCandles(candles, {
    rebaseTo: rebaseTo === null ? null : Number(statedText(rebaseTo)),
    timeShiftMillis: timeShift === null ? 0 : readSignedDuration(timeShift),
    speed: numberOr(speed, 1),
  })
  if (moved !== null) return moved
  const place = speed ?? rebaseTo ?? timeShift ?? model
  addMistake(
    place,
    'would give candles that do not last whole milliseconds, are outside the time of worlds, or have a price that no market has',
  )
  return candles
}

/** The most that one candle may have traded, in USD: more than all coins together in a month. */
const maximumCandleUsd = 1e13

function findRecordingMistake(candles: Candles): string | null {
  if (countCandles(candles) === 0) return 'the recording is empty'
  const { high, volume } = getCandleTable(candles)
  const large = candleAt(
    candles,
    volume.findIndex((amount, place) => amount * element(high, place) > maximumCandleUsd),
  )
  if (large === undefined) return null
  const worth = Math.round((large.volume * large.high) / 1e6)
  return `the candle of ${millisToIso(large.atMillis)} traded about ${worth} million USD, and at most ${maximumCandleUsd / 1e6} million fit; if the file has its volumes in USD, say volumeIn: usd`
}
