import { liquidityConditions } from '../market/liquidity/liquidity.ts'
import { modelOrRecordingShape } from '../market/market-spec.ts'
import type { Atoms, Millis, PartsPerMillion, PriceTicks, QuantitySteps } from '../numeric/units.ts'
import {
  anyBoolean,
  anyList,
  kind,
  natural,
  nullable,
  oneOfWords,
  possibleKinds,
  type RecordOf,
  record,
  type Shape,
  shapeTyped,
  text,
  wholeNumber,
} from '../shape/shape.ts'
import { type OrderType, type Side, type TimeInForce, timesInForce } from './codes.ts'
import { accountConfig, feeRate } from './config.ts'
import { limitsConfig } from './limits.ts'
import { metadata } from './metadata.ts'
import type { Rejection } from './rejections.ts'

/*
 * Commands are all that can change a venue: plain data with imperative names. The journal is the list of them, and its
 * lines are written and read by the shapes here; the engine itself takes a command as it is.
 * `at` is the world's time at which the command arrives; the engine advances to it first, and refuses to go back.
 * Rows (account, asset, order, quote) are the engine's own numbers; ids and decimals belong to the edge.
 */

const at = natural<Millis>()
/** A row of some table, or -1 for none. The engine refuses rows that do not exist. */
const row = wholeNumber(-1)
const side = oneOfWords<Side>(0, 1)
const clientId = nullable(text())

/** Moves time on; everything due until then happens, in order. */
const advance = record({ kind: kind('advance'), at })

const placementFields = {
  account: row,
  asset: row,
  side,
  type: oneOfWords<OrderType>(0, 1),
  timeInForce: oneOfWords<TimeInForce>(...Object.values(timesInForce)),
  quantitySteps: natural<QuantitySteps>(),
  /** The limit price; 0 for a market order. */
  priceTicks: natural<PriceTicks>(),
  clientOrderId: clientId,
  /** Lets a client id be used again; the newest order is then the one that it finds (reading `clientId.duplicate`). */
  allowsDuplicateId: anyBoolean(),
  /** Stores an order that balance or limits refuse, with the status rejected (reading `orders.rejectMode`). */
  keepsRefused: anyBoolean(),
  metadata: nullable(metadata),
}

const placement = record(placementFields)
export type Placement = RecordOf<typeof placement>

/** The fields of an order to which its client gives no id and no data. */
export const unnamed = {
  clientOrderId: null,
  allowsDuplicateId: false,
  keepsRefused: false,
  metadata: null,
} as const

const placeOrder = record({ kind: kind('place-order'), at, ...placementFields })
export type PlaceOrderCommand = RecordOf<typeof placeOrder>

/** Places the items in order, each on its own; the batch is one line of the journal. */
const placeOrders = record({ kind: kind('place-orders'), at, placements: anyList(placement) })

/** Changes an order's total quantity or its price. Null leaves a field as it is; `quantitySteps` is the new total. */
const amendOrder = record({
  kind: kind('amend-order'),
  at,
  account: row,
  order: row,
  quantitySteps: nullable(natural<QuantitySteps>()),
  priceTicks: nullable(natural<PriceTicks>()),
})
export type AmendOrderCommand = RecordOf<typeof amendOrder>

const cancelOrder = record({ kind: kind('cancel-order'), at, account: row, order: row })
export type CancelOrderCommand = RecordOf<typeof cancelOrder>

/** Cancels the live orders of an account, in creation order, of one asset and side; null means any. */
const cancelOrders = record({
  kind: kind('cancel-orders'),
  at,
  account: row,
  asset: nullable(row),
  side: nullable(side),
})
export type CancelOrdersCommand = RecordOf<typeof cancelOrders>

const submitQuote = record({
  kind: kind('submit-quote'),
  at,
  account: row,
  asset: row,
  bidPriceTicks: natural<PriceTicks>(),
  askPriceTicks: natural<PriceTicks>(),
  bidSteps: natural<QuantitySteps>(),
  askSteps: natural<QuantitySteps>(),
  validForMillis: natural<Millis>(),
  clientQuoteId: clientId,
  allowsDuplicateId: anyBoolean(),
  metadata: nullable(metadata),
})
export type SubmitQuoteCommand = RecordOf<typeof submitQuote>

const quoteUpdateFields = {
  quote: row,
  bidPriceTicks: nullable(natural<PriceTicks>()),
  askPriceTicks: nullable(natural<PriceTicks>()),
  bidSteps: nullable(natural<QuantitySteps>()),
  askSteps: nullable(natural<QuantitySteps>()),
  validForMillis: nullable(natural<Millis>()),
  /**
   * The instant from which a validity counts: now (the default), the creation, or the present expiry (reading
   * `quotes.extend`).
   */
  validFrom: oneOfWords('now', 'created', 'expiry'),
}

/**
 * What changes of a quote. Null leaves a field as it is; with a validity, the quote expires that long after
 * `validFrom`.
 */
const quoteUpdate = record(quoteUpdateFields)
export type QuoteChange = RecordOf<typeof quoteUpdate>

const updateQuote = record({ kind: kind('update-quote'), at, account: row, ...quoteUpdateFields })

const updateQuotes = record({
  kind: kind('update-quotes'),
  at,
  account: row,
  updates: anyList(quoteUpdate),
})

const cancelQuote = record({ kind: kind('cancel-quote'), at, account: row, quote: row })
export type CancelQuoteCommand = RecordOf<typeof cancelQuote>

const cancelQuotes = record({ kind: kind('cancel-quotes'), at, account: row, asset: nullable(row) })
export type CancelQuotesCommand = RecordOf<typeof cancelQuotes>

/** Deposits or withdraws an amount; with `pendingMillis` above 0 it settles that much later. */
const transfer = record({
  kind: oneOfWords('deposit', 'withdraw'),
  at,
  account: row,
  asset: row,
  atoms: natural<Atoms>(),
  pendingMillis: natural<Millis>(),
})
export type TransferCommand = RecordOf<typeof transfer>

const settleTransfer = record({ kind: kind('settle-transfer'), at, transfer: row })
export type SettleTransferCommand = RecordOf<typeof settleTransfer>

const createAccount = record({ kind: kind('create-account'), at, account: accountConfig })
export type CreateAccountCommand = RecordOf<typeof createAccount>

const setLimits = record({ kind: kind('set-limits'), at, account: row, limits: limitsConfig })
export type SetLimitsCommand = RecordOf<typeof setLimits>

/** Sets an account's fee rates. Live orders keep the rates at which they were accepted. */
const setFees = record({ kind: kind('set-fees'), at, account: row, makerRate: feeRate, takerRate: feeRate })
export type SetFeesCommand = RecordOf<typeof setFees>

const setAccountType = record({
  kind: kind('set-account-type'),
  at,
  account: row,
  type: oneOfWords('cash', 'margin'),
})
export type SetAccountTypeCommand = RecordOf<typeof setAccountType>

/** Sets bounds of a pair. Null leaves a bound as it is. Live orders are not held to new bounds. */
const setPair = record({
  kind: kind('set-pair'),
  at,
  asset: row,
  minQuantitySteps: nullable(natural<QuantitySteps>()),
  maxQuantitySteps: nullable(natural<QuantitySteps>()),
  minPriceTicks: nullable(natural<PriceTicks>()),
  minNotionalAtoms: nullable(natural<Atoms>()),
})
export type SetPairCommand = RecordOf<typeof setPair>

/**
 * Halts a pair. `reject`: no new orders (400). `rest`: new orders are accepted and rest unmatched. 0 millis: until
 * resumed.
 */
const halt = record({
  kind: kind('halt'),
  at,
  asset: row,
  mode: oneOfWords('reject', 'rest'),
  forMillis: natural<Millis>(),
})
export type HaltCommand = RecordOf<typeof halt>

const resume = record({ kind: kind('resume'), at, asset: row })
export type ResumeCommand = RecordOf<typeof resume>

/**
 * Makes the fundamental follow some points from now on, then its model again. The present price is implied at offset
 * 0.
 */
const movePrice = record({
  kind: kind('move-price'),
  at,
  asset: row,
  /** The points of the path, with prices in ticks; a single point at offset 0 is a jump. */
  points: anyList(record({ offsetMillis: natural<Millis>(), priceTicks: natural<PriceTicks>() })),
  /** The annual volatility of the bridge noise, parts per million; 0 is a pure line. */
  noiseVol: natural<PartsPerMillion>(),
})
export type MovePriceCommand = RecordOf<typeof movePrice>

/** Scales the moves of an asset's model and adds a drift, from now until its next path or stated price. */
const bendPrice = record({
  kind: kind('bend-price'),
  at,
  asset: row,
  /** The factor on the logarithmic moves, parts per million; at 0 the price is constant. */
  volMultiplier: natural<PartsPerMillion>(),
  /** The drift of the price's logarithm per year, in parts per million. */
  drift: wholeNumber<PartsPerMillion>(),
})
export type BendPriceCommand = RecordOf<typeof bendPrice>

/** Lets another model move an asset's price from now until the next switch, also after paths and jumps. */
const changeModel = record({ kind: kind('switch-model'), at, asset: row, model: modelOrRecordingShape })
export type SwitchModelCommand = RecordOf<typeof changeModel>

/** Replaces the liquidity conditions of an asset. They are normal again after `forMillis`; 0 means never. */
const setLiquidity = record({
  kind: kind('set-liquidity'),
  at,
  asset: row,
  conditions: liquidityConditions,
  /** Whether book and price stay unchanged while the fundamental moves. */
  isStale: anyBoolean(),
  forMillis: natural<Millis>(),
})
export type SetLiquidityCommand = RecordOf<typeof setLiquidity>

/** Forces a fill on a live order, or on one side of a live quote, against the house. */
const forceFill = record({
  kind: kind('force-fill'),
  at,
  order: row,
  /** How much to fill; null means all that is left. */
  quantitySteps: nullable(natural<QuantitySteps>()),
  /** The price of the fill; null means the order's limit. */
  priceTicks: nullable(natural<PriceTicks>()),
})
export type ForceFillCommand = RecordOf<typeof forceFill>

const forceEndOrder = record({ kind: oneOfWords('force-reject', 'force-expire'), at, order: row })
export type ForceEndOrderCommand = RecordOf<typeof forceEndOrder>

const forceExpireQuote = record({ kind: kind('force-expire-quote'), at, quote: row })
export type ForceExpireQuoteCommand = RecordOf<typeof forceExpireQuote>

const clientOrderCommands = [placeOrder, placeOrders, amendOrder, cancelOrder, cancelOrders] as const

const clientCommands = [
  advance,
  ...clientOrderCommands,
  submitQuote,
  updateQuote,
  updateQuotes,
  cancelQuote,
  cancelQuotes,
] as const

const settingCommands = [setLimits, setFees, setAccountType, setPair, halt, resume] as const

const forcedOrderCommands = [forceFill, forceEndOrder] as const

const controlCommands = [
  ...settingCommands,
  transfer,
  settleTransfer,
  createAccount,
  movePrice,
  bendPrice,
  changeModel,
  setLiquidity,
  ...forcedOrderCommands,
  forceExpireQuote,
] as const

export type ClientCommand = RecordOf<(typeof clientCommands)[number]>

export type ControlCommand = RecordOf<(typeof controlCommands)[number]>

export type Command = ClientCommand | ControlCommand

export const anyCommand: Shape = { title: 'command', oneOf: [...clientCommands, ...controlCommands] }

/** The kinds of the commands whose outcome is a row of the order table. */
export const orderKinds: ReadonlySet<unknown> = new Set(
  [...clientOrderCommands, ...forcedOrderCommands].flatMap(possibleKinds),
)

/** A command without its instant, which is stated elsewhere; of several commands, each of them. */
export type WithoutInstant<Any extends Command> = Any extends unknown ? Omit<Any, 'at'> : never

export type Setting = WithoutInstant<RecordOf<(typeof settingCommands)[number]>>

export const anySetting = shapeTyped<Setting>({
  title: 'setting',
  oneOf: settingCommands.map(({ properties: { at: _, ...fields } }) => record(fields)),
})

/** The outcome of a command. `row` is the order, quote, transfer, account or asset that it made or changed, or -1. */
export type Outcome = Accepted | Refused

export interface Accepted {
  readonly ok: true
  readonly row: number
  /**
   * The outcomes of a command with items: one for each item of a batch or bulk command, in order; for a cancel-all,
   * one for each row that it ended.
   */
  readonly items: readonly Outcome[]
}

export interface Refused {
  readonly ok: false
  readonly rejection: Rejection
}
