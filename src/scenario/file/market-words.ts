import { type ModelSpec, readModel } from '../../market/models/price-models.ts'
import type { Candle } from '../../market/recordings/candle.ts'
import { adjustCandles } from '../../market/recordings/recording.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { FieldProblem } from '../../shape/field-problem.ts'
import { readSignedDuration } from './amounts.ts'
import {
  addMistake,
  childField,
  type Field,
  findFieldAlong,
  itemsOf,
  numberOr,
  statedScalar,
  statedText,
  textOr,
} from './fields.ts'
import type { LoadOptions } from './source.ts'
import { isWhole, toPlain } from './tree.ts'

/** The model under the key `model`, of an asset or of anything else that has one. Changes count from `price`. */
export function compileModel(
  asset: Field,
  symbol: string,
  price: number,
  candles: readonly Candle[],
): ModelSpec {
  const field = childField(asset, 'model')
  return readChecked(field ?? asset, (problems) =>
    readModel(toPlainObject(field), { symbol, price, candles }, problems),
  )
}

/** What the market reads; its problems, and what is wrong with several fields together, are noted. */
export function readChecked<Spec>(
  place: Field,
  read: (problems: FieldProblem[]) => Spec,
  check: (spec: Spec) => FieldProblem | null = () => null,
): Spec {
  const problems: FieldProblem[] = []
  const spec = read(problems)
  const found = problems.length === 0 ? check(spec) : null
  for (const problem of found === null ? problems : [found]) addMarketMistake(place, problem)
  return spec
}

/** What the market is to read; null where nothing is stated, or where a part of it is broken. */
export const toPlainObject = (field: Field | null): object | null =>
  field !== null && isWhole(field.tree) ? Object(toPlain(field.tree)) : null

/**
 * Notes what the market's own checks found, in the words of the file, where the names of spans have no unit: at the
 * place of the field, which is looked for from `start`; what the file does not state is named. Beside a broken part a
 * usual figure was checked, so nothing is noted.
 */
export function addMarketMistake(start: Field, { field, message }: FieldProblem): void {
  if (!isWhole(start.tree)) return
  const { stated, rest } = findFieldAlong(start, field.replace(/(Millis|Minutes)\b/g, ''))
  addMistake(stated, rest === '' ? message : `${rest} ${message}`)
}

/** Recordings by asset symbol; read before anything else, because the clock may start with them. */
export type Recordings = ReadonlyMap<string, readonly Candle[]>

export const recordedKinds: readonly string[] = ['replay', 'bootstrap']

/** The kind of an asset's model; empty when it states none. */
export function modelKindOf(asset: Field): string {
  const model = childField(asset, 'model')
  return textOr(childField(model, 'kind'), '')
}

/**
 * The recordings that the assets' models name, as the models want them; `asRead` receives them as they are in their
 * files. Problems are those of the files, and of what the models ask of them.
 */
export function readRecordings(
  assets: readonly (readonly [string, Field])[],
  options: LoadOptions,
  asRead: Map<string, readonly Candle[]>,
): Recordings {
  const recordings = new Map<string, readonly Candle[]>()
  for (const [symbol, asset] of assets) {
    const model = childField(asset, 'model')
    // How the recording is to be read is not known beside a broken part.
    if (model === null || !isWhole(model.tree) || !recordedKinds.includes(modelKindOf(asset))) continue
    const data = childField(model, 'data')
    if (data === null) {
      // Of a bootstrap, the schema has said so.
      if (modelKindOf(asset) === 'replay')
        addMistake(model, 'a replay needs "data", the name of a candle file')
      continue
    }
    if (options.readCandles === undefined) {
      addMistake(data, 'recordings can only be read from scenario files, not here')
      continue
    }
    const read = readFiles(data, options.readCandles, asRead)
    if (read === null) continue
    if (modelKindOf(asset) === 'bootstrap' && read[0]?.spanMillis === 0) {
      addMistake(data, 'holds trades, and a bootstrap needs candles')
      continue
    }
    const isUsd = textOr(childField(model, 'volumeIn'), 'asset') === 'usd'
    const candles = adjustRecording(model, isUsd ? read.map(toAssetVolume) : read)
    const mistake = findRecordingMistake(candles)
    if (mistake !== null) addMistake(data, mistake)
    else recordings.set(symbol, candles)
  }
  return recordings
}

/** One file, or several in order of time however they are listed; null when there are problems. */
function readFiles(
  data: Field,
  read: NonNullable<LoadOptions['readCandles']>,
  asRead: Map<string, readonly Candle[]>,
): readonly Candle[] | null {
  const files = data.tree.kind === 'list' ? itemsOf(data) : [data]
  const parts: { readonly file: Field; readonly candles: readonly Candle[] }[] = []
  for (const file of files) {
    const answer = read(statedText(file), statedScalar(file).isParameter)
    if (answer.ok) {
      asRead.set(statedText(file), answer.candles)
      parts.push({ file, candles: answer.candles })
    } else addMistake(file, answer.reason)
  }
  if (parts.length < files.length) return null
  // The list itself: tables that are made of it are kept with it.
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only.candles
  parts.sort((left, right) => (left.candles[0]?.atMillis ?? 0) - (right.candles[0]?.atMillis ?? 0))
  const whole: Candle[] = []
  for (const { file, candles } of parts) {
    const before = whole.at(-1)
    const first = candles[0]
    if (before !== undefined && first !== undefined) {
      const isOther = (before.spanMillis === 0) !== (first.spanMillis === 0)
      const isWithin = first.atMillis < before.atMillis + before.spanMillis
      const reason = isOther ? 'holds trades beside candles' : isWithin ? 'overlaps another file' : null
      if (reason !== null) {
        addMistake(file, reason)
        return null
      }
    }
    for (const candle of candles) whole.push(candle)
  }
  return whole
}

/** The recording at another price, time or pace, as the model states. */
function adjustRecording(model: Field, candles: readonly Candle[]): readonly Candle[] {
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
    'leaves candles of no whole milliseconds, at no instant of a world, or at a price that no market has',
  )
  return candles
}

/** The volume in units of the asset, valued at the mean of the candle's open and close. */
function toAssetVolume(candle: Candle): Candle {
  return { ...candle, volume: (2 * candle.volume) / (candle.open + candle.close) }
}

/** The most that one candle may have traded, in USD: its value must be exact in millionths. */
const maximumCandleUsd = 8e9

function findRecordingMistake(candles: readonly Candle[]): string | null {
  if (candles.length === 0) return 'the recording is empty'
  const large = candles.find((candle) => candle.volume * candle.high > maximumCandleUsd)
  if (large === undefined) return null
  const worth = Math.round((large.volume * large.high) / 1e6)
  return `the candle of ${millisToIso(large.atMillis)} traded about ${worth} million USD, and at most ${maximumCandleUsd / 1e6} million fit; if the file has its volumes in USD, say volumeIn: usd`
}
