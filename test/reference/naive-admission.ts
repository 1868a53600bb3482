import type { OrderType, Side } from '../../src/engine/codes.ts'
import { cash } from '../../src/engine/codes.ts'
import type { Placement } from '../../src/engine/commands.ts'
import type { PriceField, QuantityField, Rejection } from '../../src/engine/rejections.ts'
import { walkOf } from './naive-order-book.ts'
import type { Candidate } from './naive-risk.ts'
import { assess } from './naive-risk.ts'
import type { NaiveAsset, NaiveOrder, NaiveQuote, NaiveWorld } from './naive-world.ts'
import { acceptsOrders, accountOf, at, isLive } from './naive-world.ts'

/* Every reason to refuse, in the order in which they are looked at. Null: nothing is wrong. */

export function refuseAccount(world: NaiveWorld, account: number): Rejection | null {
  return world.accounts[account - 3] === undefined ? { code: 'unknown-account' } : null
}

export function refuseAsset(world: NaiveWorld, asset: number): Rejection | null {
  return asset === cash || world.assets[asset] === undefined ? { code: 'unknown-asset' } : null
}

/** What a new order would be judged as. */
export function candidateOf(world: NaiveWorld, placement: Placement): Candidate {
  const { account, asset, side, type } = placement
  const steps = BigInt(placement.quantitySteps)
  const { makerRate, takerRate } = accountOf(world, account)
  const tickSteps =
    type === 0 ? BigInt(placement.priceTicks) * steps : walkOf(world, account, asset, side, steps)
  return {
    account,
    asset,
    side,
    type,
    totalSteps: steps,
    steps,
    tickSteps,
    makerRate,
    takerRate,
    without: [],
  }
}

export function refusePlacement(world: NaiveWorld, placement: Placement): Rejection | null {
  const { account, clientOrderId } = placement
  const unknown = refuseAccount(world, account) ?? refuseAsset(world, placement.asset)
  if (unknown !== null) return unknown
  const twin = world.orders.findLast((order) => order.account === account && order.clientId === clientOrderId)
  if (clientOrderId !== null && twin !== undefined && !placement.allowsDuplicateId)
    return { code: 'duplicate-client-id', row: twin.row }
  if (!acceptsOrders(world, placement.asset)) return { code: 'pair-inactive' }
  const asset = at(world.assets, placement.asset)
  const candidate = candidateOf(world, placement)
  return (
    refusePrice(asset, placement.type, BigInt(placement.priceTicks), 'price') ??
    refuseQuantity(asset, candidate.totalSteps, 'quantity') ??
    refuseNotional(asset, candidate.tickSteps, 'quantity') ??
    refuseRisk(world, candidate) ??
    refuseCount(world, account, placement.asset)
  )
}

export function refusePrice(
  asset: NaiveAsset,
  type: OrderType,
  priceTicks: bigint,
  field: PriceField,
): Rejection | null {
  if (type === 1 || priceTicks >= asset.minPriceTicks) return null
  return { code: 'price-below-minimum', field, minimumTicks: Number(asset.minPriceTicks) }
}

export function refuseQuantity(asset: NaiveAsset, steps: bigint, field: QuantityField): Rejection | null {
  if (steps < asset.minQuantitySteps) {
    return { code: 'quantity-below-minimum', field, minimumSteps: Number(asset.minQuantitySteps) }
  }
  if (steps > asset.maxQuantitySteps) {
    return { code: 'quantity-above-maximum', field, maximumSteps: Number(asset.maxQuantitySteps) }
  }
  return null
}

export function refuseNotional(asset: NaiveAsset, tickSteps: bigint, field: QuantityField): Rejection | null {
  if (tickSteps * asset.valueNumerator >= asset.minNotionalAtoms * asset.valueDenominator) return null
  return { code: 'notional-below-minimum', field, minimumAtoms: Number(asset.minNotionalAtoms) }
}

export function refuseRisk(world: NaiveWorld, candidate: Candidate): Rejection | null {
  const assessment = assess(world, candidate)
  return assessment.isApproved ? null : { code: 'risk', assessment }
}

/** Open orders and live quotes, a quote counting as one; limits hold for what is made anew. */
export function refuseCount(world: NaiveWorld, account: number, asset: number): Rejection | null {
  const { limits } = accountOf(world, account)
  const open = [
    ...world.orders.filter((order) => order.quote === -1 && isLive(order)),
    ...liveQuotes(world),
  ].filter((one) => one.account === account)
  if (open.length >= limits.maxOpenOrders) {
    return { code: 'open-orders-limit', limit: limits.maxOpenOrders, asset: null }
  }
  if (open.filter((one) => one.asset === asset).length >= limits.maxOpenOrdersPerAsset) {
    return { code: 'open-orders-limit', limit: limits.maxOpenOrdersPerAsset, asset }
  }
  return null
}

export function liveQuotes(world: NaiveWorld): NaiveQuote[] {
  return world.quotes.filter((quote) => quote.status < 2)
}

/** Both sides of a quote as it would be, judged one after the other: the ask with the bid already open. */
export interface QuoteShape {
  readonly account: number
  readonly asset: number
  readonly bidTicks: bigint
  readonly askTicks: bigint
  readonly bidSteps: bigint
  readonly askSteps: bigint
  readonly bidFilled: bigint
  readonly askFilled: bigint
  readonly makerRate: bigint
  readonly takerRate: bigint
  readonly without: readonly NaiveOrder[]
}

export function refuseQuote(world: NaiveWorld, shape: QuoteShape): Rejection | null {
  const asset = at(world.assets, shape.asset)
  const { bidTicks, askTicks, bidSteps, askSteps, bidFilled, askFilled } = shape
  const whenSized = (steps: bigint, refuse: () => Rejection | null) => (steps === 0n ? null : refuse())
  return (
    refusePrice(asset, 0, bidTicks, 'bidPrice') ??
    refusePrice(asset, 0, askTicks, 'askPrice') ??
    whenSized(bidSteps, () => refuseQuantity(asset, bidSteps, 'bidSize')) ??
    whenSized(askSteps, () => refuseQuantity(asset, askSteps, 'askSize')) ??
    refuseBelowFilled(bidSteps, bidFilled, 'bidSize') ??
    refuseBelowFilled(askSteps, askFilled, 'askSize') ??
    whenSized(bidSteps, () => refuseNotional(asset, bidTicks * bidSteps, 'bidSize')) ??
    whenSized(askSteps, () => refuseNotional(asset, askTicks * askSteps, 'askSize')) ??
    (bidTicks >= askTicks ? { code: 'crossed-quote' } : null) ??
    (bidSteps === 0n && askSteps === 0n ? { code: 'empty-quote' } : null) ??
    refuseQuoteRisk(world, shape)
  )
}

export function refuseBelowFilled(steps: bigint, filled: bigint, field: QuantityField): Rejection | null {
  return steps < filled ? { code: 'quantity-below-filled', field, filledSteps: Number(filled) } : null
}

function refuseQuoteRisk(world: NaiveWorld, shape: QuoteShape): Rejection | null {
  const side = (of: Side, ticks: bigint, steps: bigint, filled: bigint): Candidate => ({
    account: shape.account,
    asset: shape.asset,
    side: of,
    type: 0,
    totalSteps: steps,
    steps: steps - filled,
    tickSteps: ticks * (steps - filled),
    makerRate: shape.makerRate,
    takerRate: shape.takerRate,
    without: shape.without,
  })
  const bid = side(0, shape.bidTicks, shape.bidSteps, shape.bidFilled)
  const ask = side(1, shape.askTicks, shape.askSteps, shape.askFilled)
  return (
    (bid.steps === 0n ? null : refuseRisk(world, bid)) ?? (ask.steps === 0n ? null : refuseRisk(world, ask))
  )
}
