import type { RunResult } from '../result.ts'
import type { SeedDistribution } from '../sweep/among-seeds.ts'
import type { RealismReport } from './realism-check.ts'

/** What a report contains besides the result. The caller provides all of it; nothing is read from the machine. */
export interface ReportContext {
  readonly version: string
  readonly command: string
  readonly parameters: readonly (readonly [string, string])[]
  /** The digest of the run's journal; null where none was kept. */
  readonly journalDigest: string | null
  readonly assertions: readonly Assertion[]
  readonly limits: AccountLimits | null
  /** The tests of the stylized facts on this price path; null where the market was not generated. */
  readonly realism: RealismReport | null
  readonly seeds: SeedDistribution | null
  /** Another run, whose equity and figures are shown beside those of this one. */
  readonly beside: RunResult | null
}

export interface Assertion {
  readonly text: string
  readonly isMet: boolean
  readonly got: string
}

export interface AccountLimits {
  readonly maxExposure: number | null
  readonly maxExposurePerAsset: Readonly<Record<string, number | null>>
  readonly maxLeverage: number | null
}
