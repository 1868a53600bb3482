import type { Atoms } from '../numeric/units.ts'
import type { Candidate } from './candidate.ts'

/*
 * The answer of `assess`: all six checks, none short-circuited, and the amount to reserve. Order creation, quotes,
 * the pre-trade check, maximum quantity and simulation all read this one result (design: the engine's shape).
 */
export interface Assessment {
  readonly isApproved: boolean
  /** Quantity at the price; for a market order the cost of its walk. Half-even to the atom. */
  readonly orderValueAtoms: Atoms
  /** USD for a buy (rounded up), atoms of the asset for a sell. */
  readonly reserveAtoms: Atoms
  readonly checks: {
    readonly orderSize: SizeCheck
    readonly orderValue: ValueCheck
    readonly exposure: AfterCheck
    readonly assetExposure: AfterCheck
    readonly availableBalance: BalanceCheck
    readonly dailyVolume: AfterCheck
  }
}

/** Sizes in 10^-8 units; the limit is the minimum when that is what failed. */
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

/** In cash for a buy, in the asset for a sell. */
export interface BalanceCheck {
  readonly passed: boolean
  readonly asset: number
  readonly requiredAtoms: Atoms
  readonly availableAtoms: Atoms
}

/** Who judges candidates by a venue's state. The last judgement is kept, so that an order that passes costs no objects. */
export interface Judge<VenueState> {
  /** Whether all six checks pass. */
  approves(state: VenueState, candidate: Candidate): boolean
  /** The last judgement as data. */
  assessment(): Assessment
}
