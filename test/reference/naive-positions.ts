import { absolute, divideHalfEven } from './exact.ts'
import type { NaiveWorld } from './naive-world.ts'

/** Average cost: `cost` belongs to `costQuantity`, both as they were after the last increase. */
export interface NaivePosition {
  /** Atoms of the asset, negative when short. */
  readonly quantity: bigint
  readonly cost: bigint
  readonly costQuantity: bigint
  readonly realised: bigint
}

export const flat: NaivePosition = { quantity: 0n, cost: 0n, costQuantity: 1n, realised: 0n }

/** Returns the position, computed from everything that ever moved it. */
export function computeNaivePosition(world: NaiveWorld, account: number, asset: number): NaivePosition {
  return world.flows
    .filter((flow) => flow.account === account && flow.asset === asset)
    .reduce((position, flow) => movePosition(position, flow.atoms, flow.value), flat)
}

/** Returns the cash atoms paid (long) or received (short) for this much of the position. */
export function computeBasis(position: NaivePosition, quantity: bigint): bigint {
  return divideHalfEven(absolute(quantity) * position.cost, position.costQuantity)
}

/** Returns the position after a change by a signed amount, for a value that is not negative. */
export function movePosition(position: NaivePosition, atoms: bigint, value: bigint): NaivePosition {
  const { quantity, realised } = position
  // A fee in kind has taken all that was bought: it costs the long position that there is, else it is lost.
  if (atoms === 0n && quantity <= 0n) return { ...position, realised: realised - value }
  if (quantity === 0n || quantity < 0n === atoms < 0n) {
    return {
      quantity: quantity + atoms,
      cost: computeBasis(position, quantity) + value,
      costQuantity: absolute(quantity + atoms),
      realised,
    }
  }
  if (absolute(atoms) > absolute(quantity)) {
    const closing = divideHalfEven(value * absolute(quantity), absolute(atoms))
    const closed = movePosition(position, -quantity, closing)
    return movePosition(closed, quantity + atoms, value - closing)
  }
  const freed = computeBasis(position, quantity) - computeBasis(position, quantity + atoms)
  const gain = quantity > 0n ? value - freed : freed - value
  const left = { ...position, quantity: quantity + atoms, realised: realised + gain }
  return left.quantity === 0n ? { ...flat, realised: left.realised } : left
}
