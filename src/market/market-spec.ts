import { millisPerHour } from '../numeric/time-text.ts'
import { kind, natural, type RecordOf, record, shapeTyped } from '../shape/shape.ts'
import type { FlowSpec } from './flow/flow-spec.ts'
import type { BootstrapSpec } from './models/bootstrap.ts'
import { type GeneratedModelSpec, generatedModels, type ModelSpec } from './models/price-models.ts'
import type { ReplaySpec } from './models/replay.ts'
import type { TradeReplaySpec } from './models/trade-replay.ts'

/* What a market is made of, as plain data: its assets, their models and takers, and their recordings. */

/* Smallest and largest spacing of the grid, milliseconds. */
export const shortestGridMillis = 100
export const longestGridMillis = millisPerHour

/** Specification of a market as plain data. */
export interface MarketSpec {
  readonly seed: string
  readonly startMillis: number
  readonly gridMillis: number
  readonly assets: readonly AssetMarketSpec[]
  /**
   * Correlation of the noises of models with a Brownian motion of their own; without it they are independent.
   */
  readonly correlation?: CorrelationSpec
}

/**
 * Symmetric, positive definite matrix with ones on its diagonal, in the order of the symbols. It applies to
 * gbm, merton, heston, garch, regimes and hawkes; `market` has its own factors, and the other models share no
 * noise.
 */
export interface CorrelationSpec {
  readonly symbols: readonly string[]
  readonly matrix: readonly (readonly number[])[]
}

/** Specification of one asset: its price, its model, its takers, and recordings that it may change to. */
export interface AssetMarketSpec {
  readonly symbol: string
  /** Price at grid index 0 in USD, before any model moves it. A replay uses its recording's price instead. */
  readonly price: number
  readonly model: ModelSpec
  readonly flow: FlowSpec
  /** Recordings to which the price may change during a run. Other models come with the change itself. */
  readonly recordings?: readonly RecordedModelSpec[]
}

/** Specification of a model made of recorded data, which is large. */
export type RecordedModelSpec = BootstrapSpec | ReplaySpec | TradeReplaySpec

/**
 * Change of an asset's model from a grid index on: the price follows the other model's path, multiplied so that
 * it continues from where it was. Plain data, which the engine keeps among an asset's overrides.
 */
export interface ModelChange {
  readonly kind: 'switch'
  readonly fromIndex: number
  /** Price at `fromIndex`, USD. */
  readonly price: number
  readonly model: ModelOrRecording
}

/** Reference to a recording by its index in the asset's `recordings`. */
const recordingReference = record({ kind: kind('recorded'), place: natural() })

type RecordingReference = RecordOf<typeof recordingReference>

/**
 * Model of a change: few parameters are given in full, a recording by its index among the asset's recordings.
 */
export type ModelOrRecording = GeneratedModelSpec | RecordingReference

/** Shape of the model in a change of model. */
export const modelOrRecordingShape = shapeTyped<ModelOrRecording>({
  title: 'model',
  oneOf: [recordingReference, ...generatedModels.values()],
})
