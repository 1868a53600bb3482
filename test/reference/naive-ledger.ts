import { cash, externalAccount } from '../../src/engine/codes.ts'
import { divideHalfEven, power10, sum } from './exact.ts'
import { computeMarkValue } from './naive-values.ts'
import type { NaiveAsset, NaiveWorld } from './naive-world.ts'
import { at, emit, reservedAssetOf } from './naive-world.ts'

/** Moves atoms between two accounts and emits it; nothing is posted for 0. */
export function post(world: NaiveWorld, from: number, to: number, asset: number, atoms: bigint): void {
  if (atoms === 0n) return
  world.postings.push({ from, to, asset, atoms })
  emit(world, 'posted', { subject: from, account: to, asset, first: atoms })
}

/** Returns an account's total: all that came in less all that went out; a pending withdrawal counts as gone. */
export function totalOf(world: NaiveWorld, account: number, asset: number): bigint {
  let total = 0n
  for (const posting of world.postings) {
    if (posting.asset !== asset) continue
    if (posting.to === account) total += posting.atoms
    if (posting.from === account) total -= posting.atoms
  }
  return total - pendingOf(world, account, asset)
}

/** Returns the sum of an account's pending withdrawals. */
export function pendingOf(world: NaiveWorld, account: number, asset: number): bigint {
  const leaving = world.transfers.filter(
    (transfer) =>
      transfer.kind === 'withdraw' &&
      transfer.isPending &&
      transfer.account === account &&
      transfer.asset === asset,
  )
  return sum(leaving.map((transfer) => transfer.atoms))
}

/** Returns what live orders and quotes reserve. */
export function lockedOf(world: NaiveWorld, account: number, asset: number): bigint {
  const orders = world.orders.filter((order) => order.account === account && reservedAssetOf(order) === asset)
  return sum(orders.map((order) => order.reserved))
}

export function availableOf(world: NaiveWorld, account: number, asset: number): bigint {
  return totalOf(world, account, asset) - lockedOf(world, account, asset)
}

/** Posts an opening balance, which is there before anything happens. The average is in 10^-8 USD per unit. */
export function postOpening(
  world: NaiveWorld,
  account: number,
  asset: NaiveAsset,
  atoms: bigint,
  average: bigint | null,
): void {
  world.postings.push({ from: externalAccount, to: account, asset: asset.row, atoms })
  world.transfers.push({
    row: world.transfers.length,
    kind: 'deposit',
    account,
    asset: asset.row,
    atoms,
    settlesAt: world.now,
    isPending: false,
  })
  if (asset.row === cash) return
  const value =
    average === null
      ? computeMarkValue(asset, atoms)
      : divideHalfEven(average * atoms * power10(6), power10(8) * asset.atomsPerUnit)
  world.flows.push({ account, asset: asset.row, atoms, value })
}

/** Enters a transfer into the position, at the mark. */
export function flowTransfer(world: NaiveWorld, account: number, asset: number, atoms: bigint): void {
  if (asset === cash) return
  const value = computeMarkValue(at(world.assets, asset), atoms < 0n ? -atoms : atoms)
  world.flows.push({ account, asset, atoms, value })
}
