import { buy, type Side, sell } from '../engine/codes.ts'
import type { Command } from '../engine/commands.ts'
import type { State } from '../engine/state.ts'
import { unreachable } from '../numeric/assert.ts'
import { type Millis, millis, type PriceTicks, priceTicks } from '../numeric/units.ts'
import { multiplyDivideCeil, multiplyDivideFloor, multiplyDivideHalfEven } from '../numeric/wide.ts'
import { applyLimits } from './compile-accounts.ts'
import type {
  AmendAction,
  AmendQuoteAction,
  LimitsAction,
  OrderAction,
  PathAction,
  PriceTerm,
  QuoteAction,
  ScriptedAction,
} from './compiled.ts'

/** Rows of the orders and quotes that labels name, as far as they were accepted. */
export interface LabelledRows {
  orderRow(label: string): number | null
  quoteRow(label: string): number | null
}

/**
 * The commands that an action comes to at one instant, when its prices and labels can be told: none for a note, one
 * for each asset of a halt. Null when it names an order or a quote that was never accepted.
 */
export function resolveAction(
  action: ScriptedAction,
  at: Millis,
  state: State,
  rows: LabelledRows,
): readonly Command[] | null {
  switch (action.kind) {
    case 'order':
      return [orderCommand(action, at, state)]
    case 'amend':
      return amendCommand(action, at, state, rows.orderRow(action.label))
    case 'cancel-order': {
      const order = rows.orderRow(action.label)
      if (order === null) return null
      return [{ kind: 'cancel-order', at, account: state.orders.account.get(order), order }]
    }
    case 'cancel-orders':
      return [{ kind: 'cancel-orders', at, account: action.account, asset: action.asset, side: action.side }]
    case 'quote':
      return [quoteCommand(action, at, state)]
    case 'amend-quote':
      return amendQuoteCommand(action, at, state, rows.quoteRow(action.label))
    case 'cancel-quote': {
      const quote = rows.quoteRow(action.label)
      if (quote === null) return null
      return [{ kind: 'cancel-quote', at, account: state.quotes.account.get(quote), quote }]
    }
    case 'deposit':
    case 'withdraw': {
      const { kind, account, asset, atoms, pendingMillis } = action
      return [{ kind, at, account, asset, atoms, pendingMillis }]
    }
    case 'halt':
      return action.assets.map((asset) => ({
        kind: 'halt',
        at,
        asset,
        mode: action.mode,
        forMillis: action.forMillis,
      }))
    case 'resume':
      return action.assets.map((asset) => ({ kind: 'resume', at, asset }))
    case 'path':
      return [pathCommand(action, at, state)]
    case 'liquidity':
      return action.assets.map((asset) => ({
        kind: 'set-liquidity',
        at,
        asset,
        conditions: action.conditions,
        isStale: action.isStale,
        forMillis: action.forMillis,
      }))
    case 'limits':
      return [limitsCommand(action, at, state)]
    case 'note':
      return []
    default:
      return unreachable(action)
  }
}

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

function amendCommand(
  action: AmendAction,
  at: Millis,
  state: State,
  order: number | null,
): readonly Command[] | null {
  if (order === null) return null
  const { orders } = state
  const asset = orders.asset.get(order)
  const side: Side = orders.side.get(order) === buy ? buy : sell
  return [
    {
      kind: 'amend-order',
      at,
      account: orders.account.get(order),
      order,
      quantitySteps: action.quantitySteps,
      priceTicks: action.price === null ? null : limitTicks(action.price, asset, side, state),
    },
  ]
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
): readonly Command[] | null {
  if (quote === null) return null
  const asset = state.quotes.asset.get(quote)
  return [
    {
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
    },
  ]
}

function pathCommand(action: PathAction, at: Millis, state: State): Command {
  const { asset, noiseVol } = action
  const points = action.points.map(({ offsetMillis, price }) => ({
    offsetMillis: millis(offsetMillis),
    priceTicks: ticksAt(price, asset, state, multiplyDivideHalfEven),
  }))
  return { kind: 'move-price', at, asset, points, noiseVol }
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
