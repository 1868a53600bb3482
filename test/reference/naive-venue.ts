import { externalAccount } from '../../src/engine/codes.ts'
import type { Command, ForceEndOrderCommand, ForceFillCommand, Outcome } from '../../src/engine/command.ts'
import type { VenueConfig } from '../../src/engine/config.ts'
import { refuseAccount, refuseAsset } from './naive-admission.ts'
import { addAccount, naiveWorld } from './naive-config.ts'
import { endOrder, endQuote } from './naive-ends.ts'
import { availableOf } from './naive-ledger.ts'
import { trade } from './naive-matching.ts'
import { isWithin } from './naive-order-book.ts'
import { accept, amendOrder, cancelOrder, cancelOrders, placeOrder, refuse } from './naive-orders.ts'
import { cancelQuote, cancelQuotes, submitQuote, updateQuote } from './naive-quotes.ts'
import { advanceTo, halt, jump, resumeNow, settleTransfer, transfer } from './naive-timeline.ts'
import type { NaiveEvent, NaiveWorld } from './naive-world.ts'
import { accountOf, at, emit, isLive, remainingOf } from './naive-world.ts'

/**
 * The engine's twin: exact, slow and obvious. It takes the same configuration and commands, and emits the same events
 * in the same order. It shares no code with the engine but the names of commands, codes and rejections.
 *
 * Limitation: prices move by commands only, each at once; liquidity is `none` or an explicit ladder; there is no
 * synthetic flow.
 */
export class NaiveVenue {
  readonly world: NaiveWorld

  constructor(config: VenueConfig) {
    this.world = naiveWorld(config)
  }

  get events(): readonly NaiveEvent[] {
    return this.world.events
  }

  execute(command: Command): Outcome {
    if (command.at < this.world.now) return refuse({ code: 'backward-time' })
    advanceTo(this.world, command.at)
    return carryOut(this.world, command)
  }
}

function carryOut(world: NaiveWorld, command: Command): Outcome {
  switch (command.kind) {
    case 'advance':
      return accept(-1)
    case 'place-order':
      return placeOrder(world, command)
    case 'place-orders':
      return accept(
        -1,
        command.placements.map((placement) => placeOrder(world, placement)),
      )
    case 'amend-order':
      return amendOrder(world, command)
    case 'cancel-order':
      return cancelOrder(world, command.account, command.order)
    case 'cancel-orders':
      return cancelOrders(world, command)
    case 'submit-quote':
      return submitQuote(world, command)
    case 'update-quote':
      return updateQuote(world, command.account, command)
    case 'update-quotes':
      return accept(
        -1,
        command.updates.map((update) => updateQuote(world, command.account, update)),
      )
    case 'cancel-quote':
      return cancelQuote(world, command.account, command.quote)
    case 'cancel-quotes':
      return cancelQuotes(world, command)
    case 'deposit':
    case 'withdraw':
      return transfer(world, command)
    case 'settle-transfer':
      return settleTransfer(world, command.transfer)
    case 'halt':
      return halt(world, command)
    case 'resume':
      return resumeNow(world, command.asset)
    case 'move-price':
      return jump(world, command.asset, command.points[0]?.priceTicks ?? 0)
    case 'force-fill':
      return forceFill(world, command)
    case 'force-reject':
    case 'force-expire':
      return forceEnd(world, command)
    case 'force-expire-quote':
      return forceExpireQuote(world, command.quote)
    default:
      return changeSettings(world, command)
  }
}

function changeSettings(world: NaiveWorld, command: Command): Outcome {
  if (command.kind === 'create-account') {
    if (world.accounts.some((account) => account.id === command.account.id)) {
      return refuse({ code: 'account-exists' })
    }
    const before = world.transfers.length
    const account = addAccount(world, command.account)
    emit(world, 'account-created', { account: account.row })
    for (const { row, asset, atoms } of world.transfers.slice(before)) {
      emit(world, 'posted', { subject: externalAccount, account: account.row, asset, first: atoms })
      emit(world, 'deposit-settled', { subject: row, account: account.row, asset, first: atoms })
    }
    return accept(account.row)
  }
  if (command.kind === 'set-pair') {
    const unlisted = refuseAsset(world, command.asset)
    if (unlisted !== null) return refuse(unlisted)
    const asset = at(world.assets, command.asset)
    asset.minQuantitySteps = BigInt(command.minQuantitySteps ?? asset.minQuantitySteps)
    asset.maxQuantitySteps = BigInt(command.maxQuantitySteps ?? asset.maxQuantitySteps)
    asset.minPriceTicks = BigInt(command.minPriceTicks ?? asset.minPriceTicks)
    asset.minNotionalAtoms = BigInt(command.minNotionalAtoms ?? asset.minNotionalAtoms)
    emit(world, 'settings-changed', { asset: command.asset })
    return accept(-1)
  }
  if (command.kind !== 'set-limits' && command.kind !== 'set-fees' && command.kind !== 'set-account-type') {
    throw new Error(`The twin does not know ${command.kind}`)
  }
  const unknown = refuseAccount(world, command.account)
  if (unknown !== null) return refuse(unknown)
  const account = accountOf(world, command.account)
  if (command.kind === 'set-limits') account.limits = command.limits
  if (command.kind === 'set-account-type') {
    const owed = world.assets.map(({ row }) => availableOf(world, account.row, row)).find((left) => left < 0n)
    if (command.type === 'cash' && owed !== undefined) {
      return refuse({ code: 'insufficient-balance', availableAtoms: Number(owed), requiredAtoms: 0 })
    }
    account.type = command.type
  }
  if (command.kind === 'set-fees') {
    account.makerRate = BigInt(command.makerRate)
    account.takerRate = BigInt(command.takerRate)
  }
  emit(world, 'settings-changed', { account: account.row })
  return accept(account.row)
}

/** Forces a fill: the house is the taker, the client's order the maker. */
function forceFill(world: NaiveWorld, command: ForceFillCommand): Outcome {
  const order = world.orders[command.order]
  if (order === undefined) return refuse({ code: 'unknown-order' })
  if (!isLive(order)) return refuse({ code: 'terminal', status: order.status })
  const steps = command.quantitySteps === null ? remainingOf(order) : BigInt(command.quantitySteps)
  if (steps > remainingOf(order)) {
    const maximumSteps = Number(remainingOf(order))
    return refuse({ code: 'quantity-above-maximum', field: 'quantity', maximumSteps })
  }
  const priceTicks = command.priceTicks === null ? order.priceTicks : BigInt(command.priceTicks)
  if (!isWithin(order.side, order.priceTicks, priceTicks))
    return refuse({ code: 'price-out-of-range', field: 'price' })
  trade(world, { maker: order, taker: null, priceTicks, steps })
  return accept(order.row)
}

function forceEnd(world: NaiveWorld, command: ForceEndOrderCommand): Outcome {
  const order = world.orders[command.order]
  if (order === undefined || order.quote !== -1) return refuse({ code: 'unknown-order' })
  if (!isLive(order)) return refuse({ code: 'terminal', status: order.status })
  endOrder(world, order, command.kind === 'force-reject' ? 'rejected' : 'expired')
  return accept(order.row)
}

function forceExpireQuote(world: NaiveWorld, row: number): Outcome {
  const quote = world.quotes[row]
  if (quote === undefined) return refuse({ code: 'unknown-quote' })
  if (quote.status >= 2) return refuse({ code: 'terminal', status: quote.status })
  endQuote(world, quote, 'expired')
  return accept(row)
}
