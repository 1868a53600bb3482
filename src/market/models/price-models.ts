import { assert } from '../../numeric/assert.ts'
import { oneOfKinds } from '../../shape/in-file.ts'
import type { Shape } from '../../shape/shape.ts'
import type { SpecProblem } from '../../shape/spec-checks.ts'
import { isStablecoin } from '../usual-figures.ts'
import { type BookReplaySpec, book } from './book-replay.ts'
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

/** All price models, in the order of the reference. A model is added by its file and its row here. */
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
  book,
}

type PriceModels = typeof priceModels

/** Specification of a price model, as plain data. */
export type ModelSpec = {
  readonly [Name in keyof PriceModels]: SpecOf<PriceModels[Name]>
}[keyof PriceModels]

/** Specification of a model of few figures, to which a price can change at any time. */
export type GeneratedModelSpec = Exclude<
  ModelSpec,
  WaypointsSpec | BootstrapSpec | ReplaySpec | TradeReplaySpec | BookReplaySpec
>

const byKind: ReadonlyMap<string, PriceModels[keyof PriceModels]> = new Map(Object.entries(priceModels))

function definitionOf(kind: string): PriceModels[keyof PriceModels] {
  const definition = byKind.get(kind)
  assert(definition !== undefined, `${kind} is a price model`)
  return definition
}

/** Schema of a model in a scenario file; the default kind is `market`. */
export const modelFileSchema: Shape = oneOfKinds(
  [...byKind.values()].flatMap(({ fileSchema: stated }) => stated ?? []),
  market.kind,
)

/** Shapes by kind of the models to which a price can change at any time. */
export const generatedModels: ReadonlyMap<string, Shape> = new Map(
  [...byKind].flatMap(([kind, { isGenerated, shape }]) => (isGenerated ? [[kind, shape] as const] : [])),
)

/**
 * Returns the model that a file states for an asset, filling in defaults. `stated` has been validated by
 * `modelFileSchema`; null means that the file does not mention a model, which gives a stablecoin `ou` and any
 * other asset `market`.
 */
export function readModel(stated: object | null, asset: AssetInput, problems: SpecProblem[]): ModelSpec {
  if (stated === null && isStablecoin(asset.symbol, asset.price)) return stablecoinModel
  const kind = stated !== null && 'kind' in stated ? String(stated.kind) : market.kind
  const definition = definitionOf(kind)
  const model = definition.read(stated, asset, problems)
  assert(isModelSpec(model), 'a model is read as the specification of its kind')
  return model
}

/**
 * Model of a stablecoin: half the way back to one dollar in four hours, within 4 basis points in the long run.
 */
const stablecoinModel: ModelSpec = { kind: 'ou', mean: 1, halfLifeMillis: 14_400_000, stationarySd: 0.0004 }

const isModelSpec = (model: object): model is ModelSpec =>
  'kind' in model && (byKind.get(String(model.kind))?.isSpec(model) ?? false)

/** Returns the first problem of a model, with fields in the order of its shape, or null when it is sound. */
export const checkModel = (model: ModelSpec): SpecProblem | null => definitionOf(model.kind).check(model)

/** Creates the path of an asset whose model `checkModel` has found sound. */
export function createModel(
  { model, price }: { readonly model: ModelSpec; readonly price: number },
  context: MarketContext,
): PriceModel {
  return definitionOf(model.kind).create(model, price, context)
}
