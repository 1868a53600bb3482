import { buy, type Side, sell } from '../../engine/codes.ts'
import type { Command } from '../../engine/command.ts'
import { type State, stateOf } from '../../engine/state.ts'
import { liveOrdersOf, liveQuotesOf } from '../../engine/tables/live-lists.ts'
import type { SwitchModel } from '../../market/market-spec.ts'
import { fundamentalWithOverrides } from '../../market/path-override.ts'
import type { ScriptedPath } from '../../market/scripted-path.ts'
import { powerOfTen } from '../../numeric/decimal.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { type Millis, millis, type PriceTicks, priceTicks, quantitySteps } from '../../numeric/units.ts'
import { multiplyDivideCeil, multiplyDivideFloor, multiplyDivideHalfEven } from '../../numeric/wide.ts'
import type {
  AgentOrderAction,
  AmendAction,
  AmendQuoteAction,
  LimitsAction,
  OrderAction,
  PairAction,
  PathAction,
  QuoteAction,
  ScriptedAction,
  SettleAction,
} from '../compile/scripted-action.ts'
import type { PriceTerm } from '../file/amounts.ts'
import { applyLimits } from '../file/limits.ts'
import type { NamedRows } from '../predicates/readouts.ts'

/** The commands that an action amounts to, or why there are none. */
export type Resolved =
  | { readonly ok: true; readonly commands: readonly Command[] }
  | { readonly ok: false; readonly problem: string }

/**
 * The commands that an action amounts to at one instant, when its prices and labels can be resolved: none for a note,
 * nor for what others carry out; one for each asset of a resumption. Errors: what a label names was never accepted; there is nothing to hit or to
 * follow.
 */
export function resolveAction(action: ScriptedAction, at: Millis, state: State, rows: NamedRows): Resolved {
  switch (action.kind) {
    case 'order':
      return only(orderCommand(action, at, state))
    case 'amend':
      return amendCommand(action, at, state, rows.orderRow(action.label))
    case 'cancel-order': {
      const order = rows.orderRow(action.label)
      if (order === null) return noOrder
      return only({ kind: 'cancel-order', at, account: state.orders.account.get(order), order })
    }
    case 'cancel-orders':
      return only({
        kind: 'cancel-orders',
        at,
        account: action.account,
        asset: action.asset,
        side: action.side,
      })
    case 'quote':
      return only(quoteCommand(action, at, state))
    case 'amend-quote':
      return amendQuoteCommand(action, at, state, rows.quoteRow(action.label))
    case 'cancel-quote': {
      const quote = rows.quoteRow(action.label)
      if (quote === null) return noQuote
      return only({ kind: 'cancel-quote', at, account: state.quotes.account.get(quote), quote })
    }
    case 'deposit':
    case 'withdraw': {
      const { kind, account, asset, atoms, pendingMillis } = action
      return only({ kind, at, account, asset, atoms, pendingMillis })
    }
    case 'settle':
      return settleCommands(action, at, state, rows)
    case 'resume':
      return all(action.assets.map((asset) => ({ kind: 'resume', at, asset })))
    case 'pair':
      return all(pairCommands(action, at))
    case 'path':
      return pathCommand(action, at, state)
    case 'limits':
      return only(limitsCommand(action, at, state))
    case 'agent-order':
      return agentOrderCommand(action, at, state)
    case 'halt':
    case 'liquidity':
    case 'fault':
    case 'key':
    case 'rate-limit':
    case 'clock':
    case 'snapshot':
    case 'agent':
    case 'await':
    case 'note':
      return all([])
  }
}

const all = (commands: readonly Command[]): Resolved => ({ ok: true, commands })
const only = (command: Command): Resolved => all([command])
const failed = (problem: string): Resolved => ({ ok: false, problem })
const noOrder = failed('ORDER_NOT_FOUND')
const noQuote = failed('QUOTE_NOT_FOUND')

function orderCommand(action: OrderAction, at: Millis, state: State): Command {
  const { account, asset, side, type, timeInForce, quantitySteps, price, clientOrderId, metadata } = action
  return {
    kind: 'place-order',
    at,
    account,
    asset,
    side,
    type,
    timeInForce,
    quantitySteps,
    priceTicks: price === null ? priceTicks(0) : limitTicks(price, asset, side, state),
    clientOrderId,
    allowsDuplicateId: false,
    keepsRefused: false,
    metadata,
  }
}

function amendCommand(action: AmendAction, at: Millis, state: State, order: number | null): Resolved {
  if (order === null) return noOrder
  const { orders } = state
  const asset = orders.asset.get(order)
  const side: Side = orders.side.get(order) === buy ? buy : sell
  return only({
    kind: 'amend-order',
    at,
    account: orders.account.get(order),
    order,
    quantitySteps: action.quantitySteps,
    priceTicks: action.price === null ? null : limitTicks(action.price, asset, side, state),
  })
}

function quoteCommand(action: QuoteAction, at: Millis, state: State): Command {
  const { account, asset, bidSteps, askSteps, validForMillis, clientQuoteId, metadata } = action
  return {
    kind: 'submit-quote',
    at,
    account,
    asset,
    bidPriceTicks: limitTicks(action.bidPrice, asset, buy, state),
    askPriceTicks: limitTicks(action.askPrice, asset, sell, state),
    bidSteps,
    askSteps,
    validForMillis,
    clientQuoteId,
    allowsDuplicateId: false,
    metadata,
  }
}

function amendQuoteCommand(
  action: AmendQuoteAction,
  at: Millis,
  state: State,
  quote: number | null,
): Resolved {
  if (quote === null) return noQuote
  const asset = state.quotes.asset.get(quote)
  return only({
    kind: 'update-quote',
    at,
    account: state.quotes.account.get(quote),
    quote,
    bidPriceTicks: action.bidPrice === null ? null : limitTicks(action.bidPrice, asset, buy, state),
    askPriceTicks: action.askPrice === null ? null : limitTicks(action.askPrice, asset, sell, state),
    bidSteps: action.bidSteps,
    askSteps: action.askSteps,
    validForMillis: action.validForMillis,
    validFrom: 'now',
  })
}

function pathCommand(action: PathAction, at: Millis, state: State): Resolved {
  const { asset, noiseVol, follows, bend, switchTo } = action
  if (bend !== null) return only({ kind: 'bend-price', at, asset, ...bend })
  if (follows !== null) {
    const points = pathPoints(follows, asset, state)
    return points === null
      ? failed('no-path-to-follow')
      : only({ kind: 'move-price', at, asset, points, noiseVol })
  }
  const points = action.points.map(({ offsetMillis, price }) => ({
    offsetMillis: millis(offsetMillis),
    priceTicks: ticksAt(price, asset, state, multiplyDivideHalfEven),
  }))
  const move = { kind: 'move-price', at, asset, points, noiseVol } as const
  if (switchTo === null) return only(move)
  const change = { kind: 'switch-model', at, asset, model: modelAt(switchTo, asset, state) } as const
  return points.length === 0 ? only(change) : all([change, move])
}

function modelAt(
  { model, isMeanAtPresent }: NonNullable<PathAction['switchTo']>,
  asset: number,
  state: State,
): SwitchModel {
  if (model.kind !== 'ou' || !isMeanAtPresent) return model
  const { overrides } = stateOf(state, asset)
  return { ...model, mean: fundamentalWithOverrides(state.market, asset - 1, overrides, state.gridIndex) }
}

function pairCommands(action: PairAction, at: Millis): readonly Command[] {
  const { minQuantitySteps, maxQuantitySteps, minPriceTicks, minNotionalAtoms, status } = action
  const bounds = { minQuantitySteps, maxQuantitySteps, minPriceTicks, minNotionalAtoms }
  const changesBounds = Object.values(bounds).some((bound) => bound !== null)
  return action.assets.flatMap((asset): readonly Command[] => [
    ...(changesBounds ? [{ kind: 'set-pair', at, asset, ...bounds } as const] : []),
    ...(status === 'inactive'
      ? [{ kind: 'halt', at, asset, mode: 'reject', forMillis: millis(0) } as const]
      : []),
    ...(status === 'active' ? [{ kind: 'resume', at, asset } as const] : []),
  ])
}

/** The account's pending transfers, oldest first; to have none is no refusal. */
function settleCommands({ target }: SettleAction, at: Millis, state: State, rows: NamedRows): Resolved {
  if ('label' in target) {
    const transfer = rows.transferRow(target.label)
    return transfer === null ? failed('TRANSFER_NOT_FOUND') : only({ kind: 'settle-transfer', at, transfer })
  }
  const { transfers } = state
  const commands: Command[] = []
  for (let transfer = 0; transfer < transfers.count; transfer += 1) {
    const isMeant =
      transfers.account.get(transfer) === target.account &&
      (target.asset === null || transfers.asset.get(transfer) === target.asset)
    if (isMeant && transfers.isSettled.get(transfer) === 0)
      commands.push({ kind: 'settle-transfer', at, transfer })
  }
  return all(commands)
}

/** Hits the account's best live order or quote side, at one price the older, for at most its remaining quantity. */
function agentOrderCommand(action: AgentOrderAction, at: Millis, state: State): Resolved {
  const { orders, quotes } = state
  const wanted = action.side === buy ? sell : buy
  const account = action.targetAccount
  const legs = liveQuotesOf(state, account).flatMap((quote) => [
    quotes.bidLeg.get(quote),
    quotes.askLeg.get(quote),
  ])
  const rows = [...liveOrdersOf(state, account), ...legs].filter(
    (row) =>
      orders.asset.get(row) === action.asset &&
      orders.side.get(row) === wanted &&
      orders.remainingSteps(row) > 0,
  )
  const sign = wanted === buy ? -1 : 1
  rows.sort(
    (left, right) =>
      sign * (orders.priceTicks.get(left) - orders.priceTicks.get(right)) ||
      orders.priority.get(left) - orders.priority.get(right),
  )
  const [order] = rows
  if (order === undefined) return failed('nothing-to-meet')
  const steps = Math.min(action.quantitySteps, orders.remainingSteps(order))
  return only({ kind: 'force-fill', at, order, quantitySteps: quantitySteps(steps), priceTicks: null })
}

function limitsCommand(action: LimitsAction, at: Millis, state: State): Command {
  const current = state.accounts.limitsOf(action.account).config
  return { kind: 'set-limits', at, account: action.account, limits: applyLimits(current, action.change) }
}

/** Choice: a limit relative to the mark is rounded away from the market, so it is never better than asked for. */
function limitTicks(price: PriceTerm, asset: number, side: Side, state: State): PriceTicks {
  return ticksAt(price, asset, state, side === buy ? multiplyDivideFloor : multiplyDivideCeil)
}

function ticksAt(
  price: PriceTerm,
  asset: number,
  state: State,
  round: (left: number, right: number, divisor: number) => number,
): PriceTicks {
  if (price.kind === 'ticks') return price.priceTicks
  const ticks = round(state.markTicks.get(asset), million + price.change, million)
  return priceTicks(Math.max(1, ticks))
}

const million = 1_000_000

/**
 * What is left of another asset's scripted path, its logarithmic moves multiplied by beta, as points of this asset
 * from its present mark on. Null when the other asset is on no path.
 */
function pathPoints(
  follows: { readonly asset: number; readonly beta: number },
  asset: number,
  state: State,
): readonly { readonly offsetMillis: Millis; readonly priceTicks: PriceTicks }[] | null {
  const path = pathInForce(state, follows.asset)
  if (path === null) return null
  const elapsed = state.nowMillis - state.config.startMillis - path.startOffsetMillis
  const leaderMark = state.markTicks.get(follows.asset)
  const { priceStep } = state.assets.traded(follows.asset).pair
  const base = (leaderMark * priceStep.units) / powerOfTen(priceStep.scale)
  const own = state.markTicks.get(asset)
  const points = path.points
    .filter((point, index) => index > 0 && point.offsetMillis >= elapsed)
    .map((point) => ({
      offsetMillis: millis(point.offsetMillis - elapsed),
      priceTicks: priceTicks(
        Math.max(1, Math.round(own * exp(follows.beta * (log(point.price) - log(base))))),
      ),
    }))
  return points.length === 0 ? null : points
}

/** The newest path of an asset that has begun, or begins now, and is not over. */
function pathInForce(state: State, asset: number): ScriptedPath | null {
  const newest = stateOf(state, asset).overrides.at(-1)
  const isPath = newest?.kind === 'path' && newest.endIndex > state.gridIndex
  return isPath ? newest : null
}
