import { cash, feeAccount, houseAccount } from '../../src/engine/codes.ts'
import { larger, smaller } from './exact.ts'
import { emitFilled, endOrder, endWhole } from './naive-ends.ts'
import { availableOf, post } from './naive-ledger.ts'
import type { Interest } from './naive-order-book.ts'
import { consumeHouse, depthWithin, interestOn, isWithin } from './naive-order-book.ts'
import { computeCashValue, computeFee, computeReserve } from './naive-values.ts'
import type { NaiveOrder, NaiveWorld } from './naive-world.ts'
import { accountOf, at, emit, isLive, matches, remainingOf, reservedAssetOf } from './naive-world.ts'

/** Matches an order that was just accepted or amended, then rests or ends what is left of it. */
export function matchAndSettle(world: NaiveWorld, taker: NaiveOrder): void {
  const mayMatch = matches(world, taker.asset)
  const isAllOrNothing = taker.timeInForce === 2
  if (mayMatch && !(isAllOrNothing && depthWithin(world, taker) < remainingOf(taker)))
    matchOrder(world, taker)
  if (!isLive(taker)) return
  if (taker.type === 0 && taker.timeInForce === 0) taker.isResting = true
  else endOrder(world, taker, 'expired')
}

/** Trades with the best interest of the other side as long as prices cross. */
function matchOrder(world: NaiveWorld, taker: NaiveOrder): void {
  while (isLive(taker) && remainingOf(taker) > 0n) {
    const [best] = interestOn(world, taker.asset, taker.side === 0 ? 1 : 0)
    if (best === undefined) return
    if (taker.type === 0 && !isWithin(taker.side, taker.priceTicks, best.priceTicks)) return
    matchMaker(world, taker, best)
  }
}

/** Lets taker and maker trade; in a self-trade the mode says what ends instead. */
export function matchMaker(world: NaiveWorld, taker: NaiveOrder, best: Interest): void {
  const maker = best.order
  if (maker !== null && maker.account === taker.account && world.selfTrade !== 'allow') {
    matchOwn(world, maker, taker)
    return
  }
  const steps = smaller(best.steps, remainingOf(taker))
  if (maker === null)
    consumeHouse(at(world.assets, taker.asset), taker.side === 0 ? 1 : 0, best.priceTicks, steps)
  trade(world, { maker, taker, priceTicks: best.priceTicks, steps })
}

function matchOwn(world: NaiveWorld, maker: NaiveOrder, taker: NaiveOrder): void {
  if (world.selfTrade !== 'cancel_taker') endWhole(world, maker)
  if (world.selfTrade !== 'cancel_maker' && isLive(taker)) endWhole(world, taker)
}

export interface Trade {
  /** Null: the house's ladder, or a forced fill. */
  readonly maker: NaiveOrder | null
  /** Null: the house. */
  readonly taker: NaiveOrder | null
  readonly priceTicks: bigint
  readonly steps: bigint
}

/**
 * Carries out one trade: asset and cash change hands, fees are paid, reserves are released, and both sides get their
 * events.
 */
export function trade(world: NaiveWorld, { maker, taker, priceTicks, steps }: Trade): void {
  const one = taker ?? maker
  if (one === null) throw new Error('A trade needs a client')
  const takerSide = taker === null ? (one.side === 0 ? 1 : 0) : taker.side
  const asset = at(world.assets, one.asset)
  const base = steps * asset.atomsPerStep
  const buyOrder = takerSide === 0 ? taker : maker
  const sellOrder = takerSide === 0 ? maker : taker
  const buyer = buyOrder?.account ?? houseAccount
  const seller = sellOrder?.account ?? houseAccount
  const notional = computePayable(world, buyOrder, steps, computeCashValue(asset, priceTicks * steps))
  emit(world, 'trade', {
    subject: maker?.row ?? -1,
    account: taker?.row ?? -1,
    asset: asset.row,
    first: priceTicks,
    second: steps,
    third: takerSide,
  })
  post(world, seller, buyer, asset.row, base)
  post(world, buyer, seller, cash, notional)
  const shares = [
    { order: maker, rate: maker?.makerRate ?? 0n, isMaker: true },
    { order: taker, rate: taker?.takerRate ?? 0n, isMaker: false },
  ]
  const filled: { readonly order: NaiveOrder; readonly spent: bigint }[] = []
  for (const { order, rate, isMaker } of shares) {
    if (order === null) continue
    order.filled += steps
    const paid = payFee(world, order, rate, notional, base)
    const got = order.side === 0 ? base - (paid.asset === cash ? 0n : paid.fee) : -base
    world.flows.push({ account: order.account, asset: asset.row, atoms: got, value: notional })
    world.fills.push({
      order: order.row,
      account: order.account,
      asset: asset.row,
      side: order.side,
      isMaker,
      at: world.now,
      priceTicks,
      steps,
      notional,
      fee: paid.fee,
      feeAsset: paid.asset,
    })
    filled.push({ order, spent: notional + (paid.asset === cash ? paid.fee : 0n) })
  }
  for (const { order, spent } of filled) releaseFilled(world, order, spent)
  for (const { order } of filled) emitFilled(world, order)
}

/**
 * Computes the cash that a buyer pays. A cash buyer pays at most what it has: where a tick is worth less than an
 * atom, rounding each fill may ask for more.
 */
function computePayable(
  world: NaiveWorld,
  buyOrder: NaiveOrder | null,
  steps: bigint,
  value: bigint,
): bigint {
  if (buyOrder === null || accountOf(world, buyOrder.account).type !== 'cash') return value
  const after = { ...buyOrder, filled: buyOrder.filled + steps }
  const freed = buyOrder.reserved - reserveAfterFill(world, after, buyOrder.reserved)
  return smaller(value, larger(availableOf(world, buyOrder.account, cash) + freed, 0n))
}

/** Pays a fee to the fee account, or a rebate from it. A cash buyer's fee is at most what there is. */
function payFee(
  world: NaiveWorld,
  order: NaiveOrder,
  rate: bigint,
  notional: bigint,
  base: bigint,
): { readonly fee: bigint; readonly asset: number } {
  const inAsset = world.feeCurrency === 'received' && order.side === 0
  const asset = inAsset ? order.asset : cash
  let fee = computeFee(inAsset ? base : notional, rate)
  if (fee > 0n && !inAsset && order.side === 0 && accountOf(world, order.account).type === 'cash') {
    const spendable =
      availableOf(world, order.account, cash) +
      order.reserved -
      reserveAfterFill(world, order, order.reserved)
    fee = smaller(fee, larger(spendable, 0n))
  }
  if (fee > 0n) post(world, order.account, feeAccount, asset, fee)
  else post(world, feeAccount, order.account, asset, -fee)
  return { fee, asset }
}

/**
 * Returns what an order reserves once `filled` includes the present trade. A market buy has no price at which to
 * reserve, so the fill's cost is taken from what was reserved for the walk.
 */
function reserveAfterFill(world: NaiveWorld, order: NaiveOrder, spent: bigint): bigint {
  if (remainingOf(order) === 0n) return 0n
  if (order.type === 0 || order.side === 1) return computeReserve(world, order)
  return larger(order.reserved - spent, 0n)
}

function releaseFilled(world: NaiveWorld, order: NaiveOrder, spent: bigint): void {
  const left = reserveAfterFill(world, order, spent)
  const freed = order.reserved - left
  order.reserved = left
  if (freed === 0n) return
  emit(world, 'released', {
    subject: order.row,
    account: order.account,
    asset: reservedAssetOf(order),
    first: freed,
  })
}
