import type { Exact } from './exact.ts'

export type RequestField =
  | 'count'
  | 'status2xx'
  | 'status4xx'
  | 'status429'
  | 'status5xx'
  | 'errorRatio'
  | 'status429Ratio'
  | 'burst1s'

/** What is known of the requests so far, by the selectors that a scenario's predicates name. */
export interface RequestCounts {
  /** A ratio of no requests is 0. */
  read(selector: string, field: RequestField): Exact
}
