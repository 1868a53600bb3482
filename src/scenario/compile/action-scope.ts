import type { RecordedModelSpec } from '../../market/market-spec.ts'
import type { ModelSpec } from '../../market/models/price-models.ts'
import type { Candle } from '../../market/recordings/candle.ts'
import type { AgentKind } from '../agents/behaviour.ts'
import type { KnownNames } from '../file/references.ts'
import type { LoadOptions } from '../file/source.ts'
import type { Names } from '../predicates/readouts.ts'

/** What a switch to a recording needs from the file, and adds to its market. */
export interface RecordedSwitches {
  readonly options: LoadOptions
  /** The recordings as they are in the files, by name. */
  readonly asRead: Map<string, readonly Candle[]>
  /** By the asset's row, then by the text of the model in the file, so that each is there once. */
  readonly byAsset: Map<number, Map<string, RecordedModelSpec>>
}

/** What the parts of a file may refer to. */
export interface FileScope extends KnownNames {
  /** By the rows of assets. */
  readonly models: readonly ModelSpec[]
  readonly apiKeys: ReadonlySet<string>
  readonly agents: ReadonlyMap<string, AgentKind>
  readonly recorded: RecordedSwitches
}

/** What an action may refer to. */
export interface ActionScope extends FileScope {
  /** Labels that `as` gives, with the row of the asset that they trade. */
  readonly orders: ReadonlyMap<string, number>
  readonly quotes: ReadonlyMap<string, number>
  readonly transfers: ReadonlySet<string>
  readonly names: Names
}
