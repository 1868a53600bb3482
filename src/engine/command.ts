import type { LiquidityConditions } from '../market/liquidity/liquidity.ts'
import type { SwitchModel } from '../market/market-spec.ts'
import type { Atoms, Millis, PartsPerMillion, PriceTicks, QuantitySteps } from '../numeric/units.ts'
import type { OrderType, Side, TimeInForce } from './codes.ts'
import type { AccountConfig, LimitsConfig } from './config.ts'
import type { Metadata } from './metadata.ts'
import type { Rejection } from './rejections.ts'

/*
 * Commands are all that can change a venue: plain data with imperative names. The journal is the list of them.
 * `at` is the world's time at which the command arrives; the engine advances to it first, and refuses to go back.
 * Rows (account, asset, order, quote) are the engine's own numbers; ids and decimals belong to the edge.
 */
export type Command = ClientCommand | ControlCommand

/** Commands of clients, and the passing of time. */
export type ClientCommand =
  | AdvanceCommand
  | PlaceOrderCommand
  | PlaceOrdersCommand
  | AmendOrderCommand
  | CancelOrderCommand
  | CancelOrdersCommand
  | SubmitQuoteCommand
  | UpdateQuoteCommand
  | UpdateQuotesCommand
  | CancelQuoteCommand
  | CancelQuotesCommand

/** Commands of admins and scripts. */
export type ControlCommand =
  | SettingCommand
  | TransferCommand
  | SettleTransferCommand
  | CreateAccountCommand
  | MovePriceCommand
  | BendPriceCommand
  | SwitchModelCommand
  | SetLiquidityCommand
  | ForceFillCommand
  | ForceEndOrderCommand
  | ForceExpireQuoteCommand

/** Commands that set something about an account or a pair. */
export type SettingCommand =
  | SetLimitsCommand
  | SetFeesCommand
  | SetAccountTypeCommand
  | SetPairCommand
  | HaltCommand
  | ResumeCommand

/** A command, or each of several, whose instant is elsewhere. */
export type WithoutInstant<Any extends Command> = Any extends unknown ? Omit<Any, 'at'> : never

/** A setting to be made now. */
export type Setting = WithoutInstant<SettingCommand>

/** Moves time on; everything due until then happens, in order. */
export interface AdvanceCommand {
  readonly kind: 'advance'
  readonly at: Millis
}

/** An order not yet opened. */
export interface Placement {
  readonly account: number
  readonly asset: number
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  readonly quantitySteps: QuantitySteps
  /** 0 for market orders. */
  readonly priceTicks: PriceTicks
  readonly clientOrderId: string | null
  /** Lets a client id be used again; the newest order is then the one that it finds (reading `clientId.duplicate`). */
  readonly allowsDuplicateId: boolean
  /** Stores an order that balance or limits refuse, with the status rejected (reading `orders.rejectMode`). */
  readonly keepsRefused: boolean
  readonly metadata: Metadata | null
}

export interface PlaceOrderCommand extends Placement {
  readonly kind: 'place-order'
  readonly at: Millis
}

/** Places the items in order, each on its own; the batch is one line of the journal. */
export interface PlaceOrdersCommand {
  readonly kind: 'place-orders'
  readonly at: Millis
  readonly placements: readonly Placement[]
}

/** Null leaves a field as it is; `quantitySteps` is the new total. */
export interface AmendOrderCommand {
  readonly kind: 'amend-order'
  readonly at: Millis
  readonly account: number
  readonly order: number
  readonly quantitySteps: QuantitySteps | null
  readonly priceTicks: PriceTicks | null
}

export interface CancelOrderCommand {
  readonly kind: 'cancel-order'
  readonly at: Millis
  readonly account: number
  readonly order: number
}

/** All live orders of the account, in creation order; null means any. */
export interface CancelOrdersCommand {
  readonly kind: 'cancel-orders'
  readonly at: Millis
  readonly account: number
  readonly asset: number | null
  readonly side: Side | null
}

export interface SubmitQuoteCommand {
  readonly kind: 'submit-quote'
  readonly at: Millis
  readonly account: number
  readonly asset: number
  readonly bidPriceTicks: PriceTicks
  readonly askPriceTicks: PriceTicks
  readonly bidSteps: QuantitySteps
  readonly askSteps: QuantitySteps
  readonly validForMillis: Millis
  readonly clientQuoteId: string | null
  readonly allowsDuplicateId: boolean
  readonly metadata: Metadata | null
}

/** Null leaves a field as it is. With a validity, the quote expires that long after `validFrom`. */
export interface QuoteUpdate {
  readonly quote: number
  readonly bidPriceTicks: PriceTicks | null
  readonly askPriceTicks: PriceTicks | null
  readonly bidSteps: QuantitySteps | null
  readonly askSteps: QuantitySteps | null
  readonly validForMillis: Millis | null
  /** What a validity counts from: now (the default), the creation, or the present expiry (reading `quotes.extend`). */
  readonly validFrom: 'now' | 'created' | 'expiry'
}

export interface UpdateQuoteCommand extends QuoteUpdate {
  readonly kind: 'update-quote'
  readonly at: Millis
  readonly account: number
}

export interface UpdateQuotesCommand {
  readonly kind: 'update-quotes'
  readonly at: Millis
  readonly account: number
  readonly updates: readonly QuoteUpdate[]
}

export interface CancelQuoteCommand {
  readonly kind: 'cancel-quote'
  readonly at: Millis
  readonly account: number
  readonly quote: number
}

export interface CancelQuotesCommand {
  readonly kind: 'cancel-quotes'
  readonly at: Millis
  readonly account: number
  readonly asset: number | null
}

/** A deposit or withdrawal; with `pendingMillis` above 0 it settles that much later. */
export interface TransferCommand {
  readonly kind: 'deposit' | 'withdraw'
  readonly at: Millis
  readonly account: number
  readonly asset: number
  readonly atoms: Atoms
  readonly pendingMillis: Millis
}

/** Settles a pending transfer now. */
export interface SettleTransferCommand {
  readonly kind: 'settle-transfer'
  readonly at: Millis
  readonly transfer: number
}

export interface CreateAccountCommand {
  readonly kind: 'create-account'
  readonly at: Millis
  readonly account: AccountConfig
}

export interface SetLimitsCommand {
  readonly kind: 'set-limits'
  readonly at: Millis
  readonly account: number
  readonly limits: LimitsConfig
}

/** Live orders keep the rates at which they were accepted. */
export interface SetFeesCommand {
  readonly kind: 'set-fees'
  readonly at: Millis
  readonly account: number
  readonly makerRate: PartsPerMillion
  readonly takerRate: PartsPerMillion
}

export interface SetAccountTypeCommand {
  readonly kind: 'set-account-type'
  readonly at: Millis
  readonly account: number
  readonly type: 'cash' | 'margin'
}

/** Null leaves a bound as it is. Live orders are not held to new bounds. */
export interface SetPairCommand {
  readonly kind: 'set-pair'
  readonly at: Millis
  readonly asset: number
  readonly minQuantitySteps: QuantitySteps | null
  readonly maxQuantitySteps: QuantitySteps | null
  readonly minPriceTicks: PriceTicks | null
  readonly minNotionalAtoms: Atoms | null
}

/** `reject`: no new orders (400). `rest`: new orders are accepted and rest unmatched. 0 millis: until resumed. */
export interface HaltCommand {
  readonly kind: 'halt'
  readonly at: Millis
  readonly asset: number
  readonly mode: 'reject' | 'rest'
  readonly forMillis: Millis
}

export interface ResumeCommand {
  readonly kind: 'resume'
  readonly at: Millis
  readonly asset: number
}

/** From now on the fundamental follows these points, then its model again. The present price is implied at offset 0. */
export interface MovePriceCommand {
  readonly kind: 'move-price'
  readonly at: Millis
  readonly asset: number
  /** Prices in ticks; a single point at offset 0 is a jump. */
  readonly points: readonly { readonly offsetMillis: Millis; readonly priceTicks: PriceTicks }[]
  /** Annual volatility of the bridge noise, parts per million; 0 is a pure line. */
  readonly noiseVol: PartsPerMillion
}

/** From now on, until the asset's next path or stated price, its model's moves are scaled and given a drift. */
export interface BendPriceCommand {
  readonly kind: 'bend-price'
  readonly at: Millis
  readonly asset: number
  /** Factor on the logarithmic moves, parts per million; at 0 the price is constant. */
  readonly volMultiplier: PartsPerMillion
  /** Of the price's logarithm, per year, parts per million. */
  readonly drift: PartsPerMillion
}

/** From now on, until the next switch, another model moves the price, also after paths and jumps. */
export interface SwitchModelCommand {
  readonly kind: 'switch-model'
  readonly at: Millis
  readonly asset: number
  readonly model: SwitchModel
}

/** Replaces the conditions of one asset; back to normal after `forMillis`, or never when that is 0. */
export interface SetLiquidityCommand {
  readonly kind: 'set-liquidity'
  readonly at: Millis
  readonly asset: number
  readonly conditions: LiquidityConditions
  /** Book and price stay unchanged while the fundamental moves. */
  readonly isStale: boolean
  readonly forMillis: Millis
}

/** A fill that an admin forces on a live order, or on one side of a live quote, against the house. */
export interface ForceFillCommand {
  readonly kind: 'force-fill'
  readonly at: Millis
  /** Row of the order table: an order, or a leg of a quote. */
  readonly order: number
  /** Null: all that is left. */
  readonly quantitySteps: QuantitySteps | null
  /** Null: at its limit. */
  readonly priceTicks: PriceTicks | null
}

export interface ForceEndOrderCommand {
  readonly kind: 'force-reject' | 'force-expire'
  readonly at: Millis
  readonly order: number
}

export interface ForceExpireQuoteCommand {
  readonly kind: 'force-expire-quote'
  readonly at: Millis
  readonly quote: number
}

/** The outcome of a command. `row` is the order, quote, transfer, account or asset that it made or changed, or -1. */
export type Outcome = Accepted | Refused

export interface Accepted {
  readonly ok: true
  readonly row: number
  /** One for each item of a batch or bulk command, in order; for a cancel-all, one for each row that it ended. */
  readonly items: readonly Outcome[]
}

export interface Refused {
  readonly ok: false
  readonly rejection: Rejection
}
