import { assert } from '../../numeric/assert.ts'
import type { FieldProblem } from '../../shape/field-problem.ts'
import { oneOfKinds } from '../../shape/in-file.ts'
import type { Shape } from '../../shape/shape.ts'
import { isStablecoin } from '../usual-figures.ts'
import { type BootstrapSpec, bootstrap } from './bootstrap.ts'
import { constant } from './constant.ts'
import { garch } from './garch.ts'
import { gbm } from './gbm.ts'
import { hawkes } from './hawkes.ts'
import { heston } from './heston.ts'
import { market } from './market-model.ts'
import { merton } from './merton.ts'
import type { AssetInput, MarketContext, SpecOf } from './model-definition.ts'
import { ou } from './ornstein-uhlenbeck.ts'
import type { PriceModel } from './price-model.ts'
import { regimes } from './regimes.ts'
import { type ReplaySpec, replay } from './replay.ts'
import { type TradeReplaySpec, trades } from './trade-replay.ts'
import { type WaypointsSpec, waypoints } from './waypoints.ts'

/** All price models, in the order of the reference: a model is added by its file and its row here. */
export const priceModels = {
  constant,
  waypoints,
  gbm,
  ou,
  replay,
  merton,
  heston,
  garch,
  regimes,
  hawkes,
  bootstrap,
  market,
  trades,
}

type PriceModels = typeof priceModels

/** What a model is made from, as plain data. */
export type ModelSpec = {
  readonly [Name in keyof PriceModels]: SpecOf<PriceModels[Name]>
}[keyof PriceModels]

/** A model of few figures, to which a price can be switched at any time. */
export type GeneratedModelSpec = Exclude<
  ModelSpec,
  WaypointsSpec | BootstrapSpec | ReplaySpec | TradeReplaySpec
>

const byKind: ReadonlyMap<string, PriceModels[keyof PriceModels]> = new Map(Object.entries(priceModels))

function definitionOf(kind: string): PriceModels[keyof PriceModels] {
  const definition = byKind.get(kind)
  assert(definition !== undefined, `${kind} is a price model`)
  return definition
}

export const statedModel: Shape = oneOfKinds(
  [...byKind.values()].flatMap(({ fileSchema: stated }) => stated ?? []),
  market.kind,
)

export const generatedModels: ReadonlyMap<string, Shape> = new Map(
  [...byKind].flatMap(([kind, { isGenerated, shape }]) => (isGenerated ? [[kind, shape] as const] : [])),
)

/** The model that a file states, which has been validated by the schema; null is one that it does not mention. */
export function readModel(stated: object | null, asset: AssetInput, problems: FieldProblem[]): ModelSpec {
  if (stated === null && isStablecoin(asset.symbol, asset.price)) return stablecoinModel
  const kind = stated !== null && 'kind' in stated ? String(stated.kind) : market.kind
  const definition = definitionOf(kind)
  const model = definition.read(stated, asset, problems)
  assert(isModelSpec(model), 'a model is read as the specification of its kind')
  return model
}

/** Half the way back in four hours, within 4 basis points in the long run. */
const stablecoinModel: ModelSpec = { kind: 'ou', mean: 1, halfLifeMillis: 14_400_000, stationarySd: 0.0004 }

const isModelSpec = (model: object): model is ModelSpec =>
  'kind' in model && (byKind.get(String(model.kind))?.isSpec(model) ?? false)

/** The first thing that is wrong with a model; fields in the order of its shape. */
export const modelProblem = (model: ModelSpec): FieldProblem | null => definitionOf(model.kind).check(model)

/** The path of an asset whose specification `modelProblem` has found sound. */
export function createModel(
  { model, price }: { readonly model: ModelSpec; readonly price: number },
  surroundings: MarketContext,
): PriceModel {
  return definitionOf(model.kind).create(model, price, surroundings)
}
