import type { AfterCheck, Assessment } from '../../src/engine/assessment.ts'
import { cash, type OrderType, type Side } from '../../src/engine/codes.ts'
import type { Placement } from '../../src/engine/command.ts'
import type { PriceField, QuantityField, Rejection } from '../../src/engine/rejections.ts'
import { atoms } from '../../src/numeric/units.ts'
import { walkValue } from './naive-order-book.ts'
import { assess, type Candidate } from './naive-risk.ts'
import {
  acceptsOrders,
  accountOf,
  at,
  isLive,
  type NaiveAsset,
  type NaiveOrder,
  type NaiveQuote,
  type NaiveWorld,
} from './naive-world.ts'

/* Every reason to refuse a command, in order of precedence. Null: there is none. */

export function refuseAccount(world: NaiveWorld, account: number): Rejection | null {
  return world.accounts[account - 3] === undefined ? { code: 'unknown-account' } : null
}

export function refuseAsset(world: NaiveWorld, asset: number): Rejection | null {
  return asset === cash || world.assets[asset] === undefined ? { code: 'unknown-asset' } : null
}

/** Describes a new order as a candidate for the risk checks. */
export function describeCandidate(world: NaiveWorld, placement: Placement): Candidate {
  const { account, asset, side, type } = placement
  const steps = BigInt(placement.quantitySteps)
  const { makerRate, takerRate } = accountOf(world, account)
  const limitTicks = BigInt(placement.priceTicks)
  const { tickSteps, lastTicks } =
    type === 0
      ? { tickSteps: limitTicks * steps, lastTicks: limitTicks }
      : walkValue(world, account, asset, side, steps)
  return {
    account,
    asset,
    side,
    type,
    priceTicks: lastTicks,
    totalSteps: steps,
    totalTickSteps: tickSteps,
    steps,
    tickSteps,
    makerRate,
    takerRate,
    besideTickSteps: 0n,
    without: [],
  }
}

export function refusePlacement(world: NaiveWorld, placement: Placement): Rejection | null {
  const { account, clientOrderId } = placement
  const unknown = refuseAccount(world, account) ?? refuseAsset(world, placement.asset)
  if (unknown !== null) return unknown
  const twin = world.orders.findLast((order) => order.account === account && order.clientId === clientOrderId)
  const asset = at(world.assets, placement.asset)
  if (clientOrderId !== null && twin !== undefined && !placement.allowsDuplicateId) {
    const ticks = BigInt(placement.priceTicks)
    const steps = BigInt(placement.quantitySteps)
    const mistake =
      refusePrice(asset, placement.type, ticks, 'price') ??
      refuseQuantity(asset, steps, 'quantity') ??
      (placement.type === 1 ? null : refuseNotional(asset, ticks * steps, 'quantity'))
    return mistake ?? { code: 'duplicate-client-id', field: 'clientOrderId', row: twin.row }
  }
  if (!acceptsOrders(world, placement.asset)) return { code: 'pair-inactive' }
  const candidate = describeCandidate(world, placement)
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

/**
 * Refuses what goes beyond the limits on open orders, which only apply to new orders and quotes; a quote counts as
 * one.
 */
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

/** Both sides of a quote as it would be, assessed one after the other: the ask with the bid already open. */
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
  return refuseShape(world, shape) ?? refuseQuoteRisk(world, shape)
}

/** Returns what is wrong with a quote in itself, or null. */
export function refuseShape(world: NaiveWorld, shape: QuoteShape): Rejection | null {
  const asset = at(world.assets, shape.asset)
  const { bidTicks, askTicks, bidSteps, askSteps } = shape
  return (
    refusePrice(asset, 0, bidTicks, 'bidPrice') ??
    refusePrice(asset, 0, askTicks, 'askPrice') ??
    (bidTicks >= askTicks ? { code: 'crossed-quote' } : null) ??
    (bidSteps === 0n && askSteps === 0n ? { code: 'empty-quote' } : null) ??
    refuseSide(asset, bidTicks, bidSteps, shape.bidFilled, 'bidSize') ??
    refuseSide(asset, askTicks, askSteps, shape.askFilled, 'askSize')
  )
}

/**
 * Returns what is wrong with one side of a quote, or null. A side of size 0 does not exist, unless something of it
 * has filled.
 */
function refuseSide(
  asset: NaiveAsset,
  ticks: bigint,
  steps: bigint,
  filled: bigint,
  field: QuantityField,
): Rejection | null {
  if (steps === 0n) return refuseBelowFilled(steps, filled, field)
  return (
    refuseBelowFilled(steps, filled, field) ??
    refuseQuantity(asset, steps, field) ??
    refuseNotional(asset, ticks * steps, field)
  )
}

export function refuseBelowFilled(steps: bigint, filled: bigint, field: QuantityField): Rejection | null {
  return steps < filled ? { code: 'quantity-below-filled', field, filledSteps: Number(filled) } : null
}

function refuseQuoteRisk(world: NaiveWorld, shape: QuoteShape): Rejection | null {
  const side = (of: Side, ticks: bigint, steps: bigint, filled: bigint, beside: bigint): Candidate => ({
    account: shape.account,
    asset: shape.asset,
    side: of,
    type: 0,
    priceTicks: ticks,
    totalSteps: steps,
    totalTickSteps: ticks * steps,
    steps: steps - filled,
    tickSteps: ticks * (steps - filled),
    besideTickSteps: beside,
    makerRate: shape.makerRate,
    takerRate: shape.takerRate,
    without: shape.without,
  })
  const bidOpen = shape.bidTicks * (shape.bidSteps - shape.bidFilled)
  const askOpen = shape.askTicks * (shape.askSteps - shape.askFilled)
  const bid = side(0, shape.bidTicks, shape.bidSteps, shape.bidFilled, askOpen)
  const ask = side(1, shape.askTicks, shape.askSteps, shape.askFilled, bidOpen)
  const sides = [bid, ask].filter(({ steps }) => steps > 0n)
  const [first, second] = sides.map((one) => assess(world, one))
  const assessment = first === undefined || second === undefined ? first : addSides(first, second)
  return assessment === undefined || assessment.isApproved ? null : { code: 'risk', assessment }
}

/**
 * Combines the assessments of both sides into one: the size that is too small or else the larger, the larger value,
 * the worse exposure, the whole volume.
 */
function addSides(bid: Assessment, ask: Assessment): Assessment {
  const listFailing = <Check extends { readonly passed: boolean }>(ofBid: Check, ofAsk: Check): Check =>
    ofBid.passed && !ofAsk.passed ? ofAsk : ofBid
  const larger = <Check>(ofBid: Check, ofAsk: Check, of: (check: Check) => number): Check =>
    of(ofAsk) > of(ofBid) ? ofAsk : ofBid
  const size = ({ value }: { readonly value: number }) => value
  const largerSize = larger(bid.checks.orderSize, ask.checks.orderSize, size)
  const smallerSize = larger(bid.checks.orderSize, ask.checks.orderSize, (check) => -check.value)
  const availableBalance = listFailing(bid.checks.availableBalance, ask.checks.availableBalance)
  const worse = (ofBid: AfterCheck, ofAsk: AfterCheck): AfterCheck => ({
    ...larger(ofBid, ofAsk, (check) => check.afterAtoms),
    passed: ofBid.passed && ofAsk.passed,
  })
  return {
    isApproved: bid.isApproved && ask.isApproved,
    orderValueAtoms: atoms(Math.max(bid.orderValueAtoms, ask.orderValueAtoms)),
    reserveAtoms: availableBalance.requiredAtoms,
    checks: {
      orderSize: size(smallerSize) < smallerSize.minimum ? smallerSize : largerSize,
      orderValue: larger(bid.checks.orderValue, ask.checks.orderValue, ({ valueAtoms }) => valueAtoms),
      exposure: worse(bid.checks.exposure, ask.checks.exposure),
      assetExposure: worse(bid.checks.assetExposure, ask.checks.assetExposure),
      availableBalance,
      dailyVolume: bid.checks.dailyVolume,
    },
  }
}
