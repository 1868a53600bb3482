import type { Atoms } from '../numeric/units.ts'
import type { Candidate } from './candidate.ts'

/*
 * The result of an assessment: all six checks (none is skipped because another failed) and the amount to reserve. Order
 * creation, quotes, the pre-trade check, maximum quantity and simulation all read this one result (design: the engine's
 * shape).
 */
export interface Assessment {
  readonly isApproved: boolean
  /** USD: quantity times price; for a market order the cost of its walk, for a quote its larger side. Half-even. */
  readonly orderValueAtoms: Atoms
  /** USD for a buy (rounded up), the asset for a sell; of a quote, the side that `availableBalance` shows. */
  readonly reserveAtoms: Atoms
  readonly checks: Pick<Checks, CheckName>
}

/** Spec: Pre-trade check result, in its order. */
export const checkNames = [
  'orderSize',
  'orderValue',
  'exposure',
  'assetExposure',
  'availableBalance',
  'dailyVolume',
] as const
export type CheckName = (typeof checkNames)[number]

interface Checks {
  readonly orderSize: SizeCheck
  readonly orderValue: ValueCheck
  readonly exposure: AfterCheck
  readonly assetExposure: AfterCheck
  readonly availableBalance: BalanceCheck
  readonly dailyVolume: AfterCheck
}

/** Sizes in 10^-8 units. `limit` is the maximum, or the minimum when that is what failed. */
export interface SizeCheck {
  readonly passed: boolean
  readonly limit: number
  readonly minimum: number
  readonly maximum: number
  readonly value: number
}

export interface ValueCheck {
  readonly passed: boolean
  readonly limitAtoms: Atoms
  readonly valueAtoms: Atoms
}

export interface AfterCheck {
  readonly passed: boolean
  readonly limitAtoms: Atoms
  readonly currentAtoms: Atoms
  readonly afterAtoms: Atoms
}

/** USD for a buy, the asset for a sell. A quote shows its bid, unless only its ask fails or it has no bid. */
export interface BalanceCheck {
  readonly passed: boolean
  readonly asset: number
  readonly requiredAtoms: Atoms
  readonly availableAtoms: Atoms
}

/** Assesses candidates. The last result is kept as numbers, so that an order that passes allocates nothing. */
export interface Judge<VenueState> {
  /** Whether all six checks pass. */
  approves(state: VenueState, candidate: Candidate): boolean
  /** The last result as data. */
  assessment(): Assessment
}
