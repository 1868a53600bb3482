import type { ReadingKey } from '../../api/readings/readings.ts'
import type { OperationId } from '../../api/routes/routes.ts'

/** One recorded exchange with the venue's interface. */
export interface Exchange {
  /** Its place in the recording, from 0. */
  readonly entry: number
  readonly startedAtMillis: number
  readonly operation: OperationId | null
  /** Whether the path exists with other methods. */
  readonly isWrongMethod: boolean
  /** Of the path. */
  readonly parameter: string
  readonly method: string
  readonly query: URLSearchParams
  readonly requestHeaders: ReadonlyMap<string, string>
  readonly requestBody: unknown
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  /** As it came, with its envelope if it has one. */
  readonly raw: unknown
  /** Without it. */
  readonly body: unknown
}

export interface Finding {
  readonly key: ReadingKey
  readonly fits: readonly string[]
}

/** What earlier exchanges have shown. */
export interface Memory {
  readonly ended: Set<string>
  readonly clientIds: Map<string, string>
  /** Client ids of orders that failed a check of risk or balance. */
  readonly refused: Set<string>
  /** All assets, once they have been listed. */
  readonly assets: Set<string>
  /** Minimum quantities, by asset. */
  readonly minima: Map<string, number>
}
