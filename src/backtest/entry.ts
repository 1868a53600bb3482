/* The package's entry `otcsim/backtest`: to write strategies, and to run them. */

export { type StepRounding, toStep } from '../client/to-step.ts'
export { VenueError } from '../client/venue-error.ts'
export type { Candle } from '../market/recordings/candle.ts'
export {
  type ActivityMetrics,
  type AssetCosts,
  type Attribution,
  type BenchmarkMetrics,
  type CostMetrics,
  type Drawdown,
  type DrawdownMetrics,
  flattenMetrics,
  type InventoryMetrics,
  type MakerMetrics,
  type Markout,
  type Metrics,
  type ReturnMetrics,
  type Sampling,
  type Shortfall,
  type TailFigures,
  type TailMetrics,
  type TripMetrics,
} from '../metrics/metrics.ts'
export type * from '../metrics/records.ts'
export type { BacktestOptions } from './backtest-options.ts'
export type { LatencyOptions } from './latency.ts'
export type { LiveOptions } from './live/run-live.ts'
export { loadStrategy, StrategyFileError } from './loading/load-strategy.ts'
export type { ParameterDeclaration, ParameterDeclarations } from './parameters.ts'
export type * from './result.ts'
export { backtest, runLive, sweep } from './run-strategies.ts'
export type { MarketOptions, SourceOptions } from './source.ts'
export {
  type Bar,
  defineStrategy,
  type FeedPrice,
  type OwnTrade as Trade,
  type ProtectedLevels,
  type Strategy,
  type StrategyContext,
  type StrategyDefinition,
  type SyncVenueClient,
  type TargetPosition,
  type Tick,
  type Timer,
  type TradingVenue as Venue,
} from './strategy.ts'
export { StrategyError } from './strategy-answers.ts'
export type { OutOfSample } from './sweep/out-of-sample.ts'
export type { CaseRow, SweepPlan } from './sweep/plan.ts'
export type { ScenarioOfParams, SweepOptions } from './sweep/sweep.ts'
export {
  judgeOutOfSample as outOfSampleOf,
  measureSkill as skillOf,
  type Skill,
  type SweepResult,
} from './sweep/sweep-result.ts'
export type { BacktestRun, ResultColumns, RunTables } from './tables/result-tables.ts'
