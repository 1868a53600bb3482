import type { RecordedModelSpec, SwitchModel } from '../../market/market-spec.ts'
import type { ModelSpec } from '../../market/models/price-models.ts'
import { modelProblem } from '../../market/models/price-models.ts'
import type { Candle } from '../../market/recordings/candle.ts'
import { type Millis, type PartsPerMillion, partsPerMillion } from '../../numeric/units.ts'
import { durationOf, type PriceTerm, ppmOf, priceTermOf } from '../file/amounts.ts'
import { complain, type Field, fieldOf, itemsOf, requiredField, textOf, textOr } from '../file/fields.ts'
import { compileModel, complainOfMarket, readRecordings, recordedKinds } from '../file/market-words.ts'
import { pairOf } from '../file/references.ts'
import { toPlain } from '../file/tree.ts'
import type { ActionScope } from './action.ts'

interface Way {
  readonly points: readonly { readonly offsetMillis: Millis; readonly price: PriceTerm }[]
  readonly noiseVol: PartsPerMillion
  readonly switchTo: { readonly model: SwitchModel; readonly isMeanAtPresent: boolean } | null
}

/**
 * `path: {model: ...}`: any model that an asset can have. Choice: the model has no history here, so its instants count
 * from the switch: points count from it (after the last one the price stands still), and a recording begins with it.
 */
export function readSwitch(action: Field, asset: number, scope: ActionScope): Way {
  const field = requiredField(action, 'model')
  const kind = textOr(fieldOf(field, 'kind'), 'market')
  if (kind === 'waypoints') return stillWithPoints(field, asset, scope)
  const model = recordedKinds.includes(kind)
    ? recordedModel(action, field, asset, scope)
    : generatedModel(action, field, asset, scope)
  const isAtPresent = kind === 'ou' && fieldOf(field, 'mean') === null
  return { points: [], noiseVol: partsPerMillion(0), switchTo: { model, isMeanAtPresent: isAtPresent } }
}

const still: SwitchModel = { kind: 'constant' }

function generatedModel(action: Field, field: Field, asset: number, scope: ActionScope): SwitchModel {
  const model = checkedModel(action, symbolOf(asset, scope), [])
  const isRecorded = model.kind === 'replay' || model.kind === 'trades' || model.kind === 'bootstrap'
  if (model.kind !== 'waypoints' && !isRecorded) return model
  complain(field, 'is not a model that a price can be switched to')
  return still
}

function recordedModel(action: Field, field: Field, asset: number, scope: ActionScope): SwitchModel {
  const { recorded } = scope
  const shift = fieldOf(field, 'timeShift')
  if (shift !== null) complain(shift, '"timeShift" has no meaning here: the recording begins at the switch')
  const known = recorded.byAsset.get(asset) ?? new Map<string, RecordedModelSpec>()
  recorded.byAsset.set(asset, known)
  const text = JSON.stringify(toPlain(field.tree))
  const place = [...known.keys()].indexOf(text)
  if (place !== -1) return { kind: 'recorded', place }
  const symbol = symbolOf(asset, scope)
  const recordings = readRecordings([[symbol, action]], recorded.options, recorded.asRead)
  const candles = recordings.get(symbol)
  if (candles === undefined) return still
  const model = checkedModel(action, symbol, candles)
  if (model.kind !== 'replay' && model.kind !== 'trades' && model.kind !== 'bootstrap') return still
  known.set(text, model)
  return { kind: 'recorded', place: known.size - 1 }
}

function checkedModel(action: Field, symbol: string, candles: readonly Candle[]): ModelSpec {
  const model = compileModel(action, symbol, 1, candles)
  const flaw = modelProblem(model)
  if (flaw !== null) complainOfMarket(action, flaw)
  return model
}

/** Prices as in `waypoints`; with `asReturnsFrom` they are changes from the mark. */
function stillWithPoints(field: Field, asset: number, scope: ActionScope): Way {
  const noise = fieldOf(field, 'noiseVol')
  const points = fieldOf(field, 'points')
  if (points === null) complain(field, 'missing "points"')
  const origin = fieldOf(field, 'asReturnsFrom')
  return {
    points: readWaypoints(points, (price) => termOf(price, origin, asset, scope)),
    noiseVol: noise === null ? partsPerMillion(0) : ppmOf(noise, 6),
    switchTo: { model: still, isMeanAtPresent: false },
  }
}

/** Pairs of an offset and a price. */
export function readWaypoints(field: Field | null, termOf: (price: Field) => PriceTerm): Way['points'] {
  let last = 0
  return itemsOf(field).flatMap((waypoint) => {
    const [offset, price] = itemsOf(waypoint)
    if (offset === undefined || price === undefined) return []
    const offsetMillis: Millis = durationOf(offset)
    if (offsetMillis < last) complain(offset, 'offsets never fall')
    last = offsetMillis
    return [{ offsetMillis, price: termOf(price) }]
  })
}

function termOf(price: Field, origin: Field | null, asset: number, scope: ActionScope): PriceTerm {
  const isChange = /(%|bps)$/.test(textOf(price))
  if (origin === null || isChange) return priceTermOf(price, pairOf(asset, scope))
  const ratio = Number(textOf(price)) / Number(textOf(origin))
  if (ratio > 0 && ratio < 1000)
    return { kind: 'ofMark', change: partsPerMillion(Math.round((ratio - 1) * 1_000_000)) }
  complain(price, `${textOf(price)} is not a price next to ${textOf(origin)}`)
  return { kind: 'ofMark', change: partsPerMillion(0) }
}

const symbolOf = (asset: number, scope: ActionScope): string => scope.assets[asset]?.symbol ?? ''
