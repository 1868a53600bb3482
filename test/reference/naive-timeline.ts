import type { Side } from '../../src/engine/codes.ts'
import { externalAccount } from '../../src/engine/codes.ts'
import type { HaltCommand, Outcome, TransferCommand } from '../../src/engine/command.ts'
import { smaller } from './exact.ts'
import { liveQuotes, refuseAccount, refuseAsset, refusePrice } from './naive-admission.ts'
import { endQuote } from './naive-ends.ts'
import { availableOf, flowTransfer, post } from './naive-ledger.ts'
import { matchMaker, trade } from './naive-matching.ts'
import { interestOn, isWithin } from './naive-order-book.ts'
import { accept, refuse } from './naive-orders.ts'
import { isBeyondLeverage } from './naive-risk.ts'
import type { NaiveAsset, NaiveHalt, NaiveTransfer, NaiveWorld } from './naive-world.ts'
import { accountOf, at, emit, haltOf, matches, remainingOf } from './naive-world.ts'

const refreshOrder = 3

/* What happens by itself as time passes, in the order (time, class, sequence), and the commands that set it up. */

interface Due {
  readonly at: number
  /** 0 expiry, 2 scripted action, 3 refresh of the house's ladder. */
  readonly order: number
  readonly sequence: number
  readonly happen: () => void
}

export function advanceTo(world: NaiveWorld, target: number): void {
  for (;;) {
    const [next] = due(world)
      .filter((one) => one.at <= target)
      .toSorted(
        (left, right) => left.at - right.at || left.order - right.order || left.sequence - right.sequence,
      )
    if (next === undefined) break
    world.now = next.at
    world.refreshedAt = Math.max(
      world.refreshedAt,
      gridBefore(world, next.order === refreshOrder ? next.at + 1 : next.at),
    )
    next.happen()
  }
  world.now = target
  world.refreshedAt = Math.max(world.refreshedAt, gridBefore(world, target + 1))
}

/** Returns the last earlier instant of the grid. */
function gridBefore(world: NaiveWorld, instant: number): number {
  const index = Math.ceil((instant - world.startMillis) / world.gridMillis) - 1
  return world.startMillis + index * world.gridMillis
}

function due(world: NaiveWorld): Due[] {
  const expiries = liveQuotes(world).map((quote) => ({
    at: quote.expiresAt,
    order: 0,
    sequence: quote.row,
    happen: () => endQuote(world, quote, 'expired'),
  }))
  const transfers = world.transfers
    .filter((transfer) => transfer.isPending)
    .map((transfer) => ({
      at: transfer.settlesAt,
      order: 1,
      sequence: transfer.row,
      happen: () => settle(world, transfer),
    }))
  const resumptions = world.halts
    .filter((halt) => !halt.isOver && halt.endsAt > 0)
    .map((halt) => ({
      at: halt.endsAt,
      order: 2,
      sequence: halt.asset,
      happen: () => resume(world, halt),
    }))
  const refresh = {
    at: world.refreshedAt + world.gridMillis,
    order: refreshOrder,
    sequence: 0,
    happen: () => refreshAll(world),
  }
  return [
    ...expiries,
    ...transfers,
    ...resumptions,
    ...(world.assets.some((asset) => wouldRefresh(world, asset)) ? [refresh] : []),
  ]
}

/** Lists the instants at which something will happen that is not the house's. */
export function dueInstants(world: NaiveWorld): readonly number[] {
  return due(world).flatMap(({ at, order }) => (order === refreshOrder ? [] : [at]))
}

/**
 * Returns whether a refresh would do anything. Refreshing a ladder that is whole and that nobody crosses does
 * nothing, so such steps can be skipped.
 */
function wouldRefresh(world: NaiveWorld, asset: NaiveAsset): boolean {
  const { bids, asks } = asset.houseFull
  const isWhole =
    bids.every((level, index) => asset.houseBids[index]?.steps === level.steps) &&
    asks.every((level, index) => asset.houseAsks[index]?.steps === level.steps)
  return !isWhole || (matches(world, asset.row) && (crosses(world, asset, 0) || crosses(world, asset, 1)))
}

function crosses(world: NaiveWorld, asset: NaiveAsset, side: Side): boolean {
  const [level] = side === 0 ? asset.houseFull.bids : asset.houseFull.asks
  const clients = interestOn(world, asset.row, side === 0 ? 1 : 0).filter(
    (interest) => interest.order !== null,
  )
  return level !== undefined && clients.some(({ priceTicks }) => isWithin(side, level.priceTicks, priceTicks))
}

/** Makes every ladder whole again, and lets it take the clients who wait at its prices or better ones. */
function refreshAll(world: NaiveWorld): void {
  for (const asset of world.assets) refreshLadder(world, asset)
}

function refreshLadder(world: NaiveWorld, asset: NaiveAsset): void {
  asset.houseBids = [...asset.houseFull.bids]
  asset.houseAsks = [...asset.houseFull.asks]
  if (matches(world, asset.row)) crossHouse(world, asset)
}

/** Lets the price jump at once, with a refresh of the ladder, whose levels are where they always are. */
export function jump(world: NaiveWorld, row: number, ticks: number): Outcome {
  const unknown = refuseAsset(world, row)
  if (unknown !== null) return refuse(unknown)
  const asset = at(world.assets, row)
  const wrong = refusePrice(asset, 0, BigInt(ticks), 'price')
  if (wrong !== null) return refuse(wrong)
  if (BigInt(ticks) !== asset.markTicks) {
    asset.markTicks = BigInt(ticks)
    emit(world, 'price', { asset: row, first: ticks })
  }
  refreshLadder(world, asset)
  return accept(row)
}

function crossHouse(world: NaiveWorld, asset: NaiveAsset): void {
  for (const side of [0, 1] as const) {
    const own = () => (side === 0 ? asset.houseBids : asset.houseAsks)
    for (;;) {
      const level = own().find((one) => one.steps > 0n)
      const best = interestOn(world, asset.row, side === 0 ? 1 : 0).find(
        (interest) => interest.order !== null,
      )
      if (level === undefined || best === undefined || best.order === null) break
      if (!isWithin(side, level.priceTicks, best.priceTicks)) break
      const steps = smaller(level.steps, remainingOf(best.order))
      const rest = own().map((one) => (one === level ? { ...one, steps: one.steps - steps } : one))
      if (side === 0) asset.houseBids = rest
      else asset.houseAsks = rest
      trade(world, { maker: best.order, taker: null, priceTicks: best.priceTicks, steps })
    }
  }
}

export function transfer(world: NaiveWorld, command: TransferCommand): Outcome {
  const { account, asset, kind } = command
  const unknown = refuseAccount(world, account)
  if (unknown !== null) return refuse(unknown)
  if (world.assets[asset] === undefined) return refuse({ code: 'unknown-asset' })
  const atoms = BigInt(command.atoms)
  if (atoms <= 0n) return refuse({ code: 'amount-out-of-range' })
  const waits = command.pendingMillis > 0
  const row: NaiveTransfer = {
    row: world.transfers.length,
    kind,
    account,
    asset,
    atoms,
    settlesAt: world.now + command.pendingMillis,
    isPending: waits,
  }
  if (kind === 'withdraw' && !isWithdrawable(world, row))
    return refuse({
      code: 'insufficient-balance',
      availableAtoms: Number(availableOf(world, account, asset)),
      requiredAtoms: command.atoms,
    })
  world.transfers.push(row)
  if (waits) {
    const name = kind === 'deposit' ? 'deposit-pending' : 'withdrawal-pending'
    emit(world, name, { subject: row.row, account, asset, first: atoms, second: row.settlesAt })
    if (kind === 'withdraw') flowTransfer(world, account, asset, -atoms)
  } else {
    if (kind === 'withdraw') flowTransfer(world, account, asset, -atoms)
    settle(world, row)
  }
  return accept(row.row)
}

/** Returns whether the amount is available, and what is left bears the account's leverage. */
function isWithdrawable(world: NaiveWorld, row: NaiveTransfer): boolean {
  const { account, asset, atoms } = row
  if (atoms > availableOf(world, account, asset)) return false
  if (accountOf(world, account).type === 'cash') return true
  const without = { ...world, transfers: [...world.transfers, { ...row, isPending: true }] }
  return !isBeyondLeverage(without, account)
}

export function settleTransfer(world: NaiveWorld, row: number): Outcome {
  const found = world.transfers[row]
  if (found === undefined) return refuse({ code: 'unknown-transfer' })
  if (!found.isPending) return refuse({ code: 'terminal', status: 1 })
  settle(world, found)
  return accept(row)
}

/** Settles a transfer: a withdrawal has left the position already, a deposit enters it now. */
function settle(world: NaiveWorld, row: NaiveTransfer): void {
  const { account, asset, atoms, kind } = row
  row.isPending = false
  if (kind === 'deposit') {
    post(world, externalAccount, account, asset, atoms)
    flowTransfer(world, account, asset, atoms)
  } else {
    post(world, account, externalAccount, asset, atoms)
  }
  const name = kind === 'deposit' ? 'deposit-settled' : 'withdrawal-settled'
  emit(world, name, { subject: row.row, account, asset, first: atoms })
}

export function halt(world: NaiveWorld, command: HaltCommand): Outcome {
  const unknown = refuseAsset(world, command.asset)
  if (unknown !== null) return refuse(unknown)
  const present = haltOf(world, command.asset)
  if (present !== undefined) present.isOver = true
  world.halts.push({
    asset: command.asset,
    mode: command.mode,
    endsAt: command.forMillis === 0 ? 0 : world.now + command.forMillis,
    isOver: false,
  })
  emit(world, 'pair-halted', { asset: command.asset, first: command.mode === 'reject' ? 0 : 1 })
  return accept(command.asset)
}

export function resumeNow(world: NaiveWorld, asset: number): Outcome {
  const unknown = refuseAsset(world, asset)
  if (unknown !== null) return refuse(unknown)
  const present = haltOf(world, asset)
  if (present !== undefined) resume(world, present)
  return accept(asset)
}

function resume(world: NaiveWorld, present: NaiveHalt): void {
  present.isOver = true
  emit(world, 'pair-resumed', { asset: present.asset })
  matchCrossed(world, at(world.assets, present.asset))
}

/** Matches what has crossed in the meantime: best against best, and the younger one takes from the older. */
function matchCrossed(world: NaiveWorld, asset: NaiveAsset): void {
  if (!asset.isListed) return
  for (;;) {
    const bid = interestOn(world, asset.row, 0).find((interest) => interest.order !== null)
    const ask = interestOn(world, asset.row, 1).find((interest) => interest.order !== null)
    if (!bid?.order || !ask?.order || bid.priceTicks < ask.priceTicks) break
    if (bid.order.priority > ask.order.priority) matchMaker(world, bid.order, ask)
    else matchMaker(world, ask.order, bid)
  }
  crossHouse(world, asset)
}
