import type { OrderStatus, QuoteStatus, Side } from '../../src/engine/codes.ts'
import type { State } from '../../src/engine/state.ts'
import type { FillView, LevelView, OrderView, QuoteView, VenueView } from './venue-view.ts'

/** The view of the engine (see venue-view.ts): its tables, as exact integers. */
export function engineView(state: State): VenueView {
  const { ledger } = state
  return {
    now: state.nowMillis,
    accountCount: state.accounts.count,
    orders: rowsOf(state.orders.count, (row) => orderView(state, row)),
    quotes: rowsOf(state.quotes.count, (row) => quoteView(state, row)),
    fills: rowsOf(state.fills.count, (row) => fillView(state, row)),
    total: (account, asset) => BigInt(ledger.total(account, asset)),
    available: (account, asset) => BigInt(ledger.available(account, asset)),
    locked: (account, asset) => BigInt(ledger.lockedAtoms(account, asset)),
    pending: (account, asset) => BigInt(ledger.pendingWithdrawal(account, asset)),
    position: (account, asset) => {
      const index = state.holdings.rowOf(account, asset)
      const quantity = ledger.total(account, asset)
      return {
        quantity: BigInt(quantity),
        basis: BigInt(state.holdings.costBasisAtoms(index, Math.abs(quantity))),
        realised: BigInt(state.holdings.realizedAtoms.get(index)),
      }
    },
    isMargin: (account) => state.accounts.isMargin.get(account) === 1,
    limits: (account) => state.accounts.limitsOf(account).config,
    matches: (asset) => {
      const { halt, isHaltedByRecording } = assetOf(state, asset)
      return halt === 'none' && !isHaltedByRecording && state.assets.tradedAsset(asset).pair.isActive
    },
    levels: (asset, side) => merged(clientLevels(state, asset, side), houseLevels(state, asset, side), side),
    houseLevels: (asset, side) => houseLevels(state, asset, side),
  }
}

function orderView({ orders, feeSchedules }: State, row: number): OrderView {
  const { makerRate, takerRate } = feeSchedules.at(orders.feeSchedule.get(row))
  return {
    row,
    quote: orders.quote.get(row),
    account: orders.account.get(row),
    asset: orders.asset.get(row),
    side: sideOf(orders.side.get(row)),
    type: orders.type.get(row),
    timeInForce: orders.timeInForce.get(row),
    priceTicks: BigInt(orders.priceTicks.get(row)),
    quantity: BigInt(orders.quantitySteps.get(row)),
    filled: BigInt(orders.filledSteps.get(row)),
    status: orderStatusOf(orders.status.get(row)),
    reserved: BigInt(orders.reservedAtoms.get(row)),
    makerRate: BigInt(makerRate),
    takerRate: BigInt(takerRate),
  }
}

function quoteView({ quotes }: State, row: number): QuoteView {
  return {
    row,
    account: quotes.account.get(row),
    asset: quotes.asset.get(row),
    bidOrder: quotes.bidLeg.get(row),
    askOrder: quotes.askLeg.get(row),
    createdAt: quotes.createdAtMillis.get(row),
    expiresAt: quotes.expiresAtMillis.get(row),
    status: quoteStatusOf(quotes.status.get(row)),
  }
}

function fillView({ fills }: State, row: number): FillView {
  return {
    order: fills.order.get(row),
    account: fills.account.get(row),
    asset: fills.asset.get(row),
    side: sideOf(fills.side.get(row)),
    isMaker: fills.isMaker.get(row) === 1,
    at: fills.atMillis.get(row),
    priceTicks: BigInt(fills.priceTicks.get(row)),
    steps: BigInt(fills.quantitySteps.get(row)),
    notional: BigInt(fills.notionalAtoms.get(row)),
    fee: BigInt(fills.feeAtoms.get(row)),
    feeAsset: fills.feeAsset.get(row),
  }
}

function clientLevels(state: State, asset: number, side: Side): readonly LevelView[] {
  const levels: LevelView[] = []
  assetOf(state, asset).book.visitLevels(side, (ticks, steps) => {
    levels.push({ priceTicks: BigInt(ticks), steps: BigInt(steps) })
    return true
  })
  return levels
}

function houseLevels(state: State, asset: number, side: Side): readonly LevelView[] {
  const levels: LevelView[] = []
  assetOf(state, asset).ladder.visit(side, (ticks, steps) => {
    levels.push({ priceTicks: BigInt(ticks), steps: BigInt(steps) })
    return true
  })
  return levels
}

/** Two sorted sides merged; levels out of order or without quantity stay, for the predicates to find. */
function merged(
  clients: readonly LevelView[],
  house: readonly LevelView[],
  side: Side,
): readonly LevelView[] {
  const levels: LevelView[] = []
  let [client, other] = [0, 0]
  for (;;) {
    const [left, right] = [clients[client], house[other]]
    if (left === undefined && right === undefined) return levels
    const isSame = left !== undefined && right !== undefined && left.priceTicks === right.priceTicks
    const takesLeft = left !== undefined && (right === undefined || isSame || isBetter(left, right, side))
    if (takesLeft) client += 1
    if (!takesLeft || isSame) other += 1
    const [taken, more] = takesLeft ? [left, isSame ? right.steps : 0n] : [right, 0n]
    if (taken !== undefined) levels.push({ priceTicks: taken.priceTicks, steps: taken.steps + more })
  }
}

function isBetter(left: LevelView, right: LevelView, side: Side): boolean {
  return side === 0 ? left.priceTicks > right.priceTicks : left.priceTicks < right.priceTicks
}

function assetOf(state: State, asset: number) {
  const found = state.byAsset[asset]
  if (!found) throw new Error(`Asset ${asset} is not traded`)
  return found
}

function rowsOf<Row>(count: number, read: (row: number) => Row): readonly Row[] {
  return Array.from({ length: count }, (_, row) => read(row))
}

function sideOf(code: number): Side {
  return code === 0 ? 0 : 1
}

const orderStatuses: readonly OrderStatus[] = [0, 1, 2, 3, 4, 5]
const quoteStatuses: readonly QuoteStatus[] = [0, 1, 2, 3, 4]

function orderStatusOf(code: number): OrderStatus {
  return known(orderStatuses[code], code)
}

function quoteStatusOf(code: number): QuoteStatus {
  return known(quoteStatuses[code], code)
}

function known<Code>(code: Code | undefined, value: number): Code {
  if (code === undefined) throw new Error(`No status has the code ${value}`)
  return code
}
