import {
  goodTillCancelled,
  limit as limitType,
  market as marketType,
  type Side,
  type TimeInForce,
} from '../../src/engine/codes.ts'
import type { Command, PlaceOrderCommand, SubmitQuoteCommand } from '../../src/engine/command.ts'
import { millis, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { startMillis } from '../arbitraries/configs.ts'

/* Short forms of commands for tables. Accounts of the crowded world: 3 alice, 4 bob, 5 carol, 6 dave. */

export const alice = 3
export const bob = 4
export const carol = 5
export const dave = 6
const BTC = 1
export const DUST = 3

/** Returns the instant that many milliseconds after the start. */
export const after = (span: number) => millis(startMillis + span)

export function limit(
  account: number,
  side: Side,
  steps: number,
  ticks: number,
  more: {
    readonly asset?: number
    readonly timeInForce?: TimeInForce
    readonly at?: number
    readonly id?: string
  } = {},
): PlaceOrderCommand {
  return {
    kind: 'place-order',
    at: after(more.at ?? 0),
    account,
    asset: more.asset ?? BTC,
    side,
    type: limitType,
    timeInForce: more.timeInForce ?? goodTillCancelled,
    quantitySteps: quantitySteps(steps),
    priceTicks: priceTicks(ticks),
    clientOrderId: more.id ?? null,
    allowsDuplicateId: false,
    keepsRefused: false,
    metadata: null,
  }
}

export function market(account: number, side: Side, steps: number, asset = BTC): PlaceOrderCommand {
  return { ...limit(account, side, steps, 0, { asset }), type: marketType }
}

export function amend(account: number, order: number, steps: number | null, ticks: number | null): Command {
  return {
    kind: 'amend-order',
    at: after(0),
    account,
    order,
    quantitySteps: steps === null ? null : quantitySteps(steps),
    priceTicks: ticks === null ? null : priceTicks(ticks),
  }
}

export function quote(
  account: number,
  bid: readonly [ticks: number, steps: number],
  ask: readonly [ticks: number, steps: number],
  validForMillis = 30_000,
): SubmitQuoteCommand {
  return {
    kind: 'submit-quote',
    at: after(0),
    account,
    asset: BTC,
    bidPriceTicks: priceTicks(bid[0]),
    bidSteps: quantitySteps(bid[1]),
    askPriceTicks: priceTicks(ask[0]),
    askSteps: quantitySteps(ask[1]),
    validForMillis: millis(validForMillis),
    clientQuoteId: null,
    allowsDuplicateId: false,
    metadata: null,
  }
}

export function advance(span: number): Command {
  return { kind: 'advance', at: after(span) }
}
