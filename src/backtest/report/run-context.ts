/** What a report says beyond the result itself. All of it is stated by the run, none of it read from the machine. */
export interface RunContext {
  /** otcsim's version. */
  readonly version: string
  /** The command that makes this run again. */
  readonly command: string
  /** What the run's journal comes to; null where none was kept. */
  readonly journalDigest: string | null
  readonly assertions: readonly Assertion[]
  readonly limits: AccountLimits | null
  /** Tests of the stylized facts on this very path; null where the market is not a generated one. */
  readonly realism: readonly RealismCheck[] | null
  /** The same strategy over other seeds, where somebody has run it. */
  readonly seeds: SeedDistribution | null
}

export interface Assertion {
  readonly text: string
  readonly isMet: boolean
  readonly got: string
}

/** USD; null for what has no limit. */
export interface AccountLimits {
  readonly maxExposure: number | null
  readonly maxExposurePerAsset: Readonly<Record<string, number | null>>
  readonly maxLeverage: number | null
}

export interface RealismCheck {
  readonly asset: string
  readonly name: string
  readonly isPassed: boolean
  readonly measured: string
  readonly expected: string
}

export interface SeedDistribution {
  readonly seeds: number
  /** Profits in USD, one a seed. */
  readonly profits: readonly number[]
}
