import { millisPerHour } from '../numeric/time-text.ts'
import { kind, natural, type RecordOf, record, typed } from '../shape/shape.ts'
import type { FlowSpec } from './flow/flow-spec.ts'
import type { BootstrapSpec } from './models/bootstrap.ts'
import { type GeneratedModelSpec, generatedModels, type ModelSpec } from './models/price-models.ts'
import type { ReplaySpec } from './models/replay.ts'
import type { TradeReplaySpec } from './models/trade-replay.ts'

/* What a market is made of, as plain data: its assets, their models and takers, and what was recorded. */

/** The least and the greatest spacing of the grid. */
export const shortestGridMillis = 100
export const longestGridMillis = millisPerHour

export interface MarketSpec {
  readonly seed: string
  readonly startMillis: number
  readonly gridMillis: number
  readonly assets: readonly AssetMarketSpec[]
  /** How the noises of models with a Brownian motion of their own move together; without it they are independent. */
  readonly correlation?: CorrelationSpec
}

/**
 * A symmetric, positive definite matrix with ones on its diagonal, for the assets of these symbols. It holds for gbm,
 * merton, heston, garch, regimes and hawkes; `market` has its own factors, and the others no noise in common.
 */
export interface CorrelationSpec {
  readonly symbols: readonly string[]
  readonly matrix: readonly (readonly number[])[]
}

export interface AssetMarketSpec {
  readonly symbol: string
  /** USD at grid index 0, before any model moves it. A replay has its recording's instead. */
  readonly price: number
  readonly model: ModelSpec
  readonly flow: FlowSpec
  /** Recordings that the price may be switched to; other models come with the switch. */
  readonly recordings?: readonly RecordedModelSpec[]
}

/** Models made of recorded data, which is large. */
export type RecordedModelSpec = BootstrapSpec | ReplaySpec | TradeReplaySpec

/**
 * From a grid index on, the price moves as another model does: along that model's path, multiplied so that it continues
 * from where the price was. Plain data, which the engine keeps among the overrides of an asset.
 */
export interface ModelSwitch {
  readonly kind: 'switch'
  readonly fromIndex: number
  /** USD at that index. */
  readonly price: number
  readonly model: SwitchModel
}

/** Its place among the recordings of the asset. */
const recordingReference = record({ kind: kind('recorded'), place: natural() })

type RecordingReference = RecordOf<typeof recordingReference>

/** A model of few parameters as it is; a recording by its place among the asset's. */
export type SwitchModel = GeneratedModelSpec | RecordingReference

export const switchModel = typed<SwitchModel>({
  title: 'model',
  oneOf: [recordingReference, ...generatedModels.values()],
})
