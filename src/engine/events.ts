/*
 * Events: what happened, in the past tense. They are output, never input. The engine emits bare numbers through one
 * function, so that hashing an event costs a few nanoseconds and objects are made only for those who read them
 * (`describeEvent` of the room `world`).
 *
 * One event is (type, subject, account, asset, first, second, third). The table above `EventSink` says what each slot
 * holds; an unused slot is 0, an absent row -1. An event's instant is what the engine's clock shows while it is
 * emitted; a sink that needs it is given the clock in advance.
 *
 * ORDER OF EMISSION (tests compare it with the naive twins, event by event)
 *
 * An accepted order: `order-accepted`, `reserved` (its whole reserve, even if it is about to trade), then for each
 * maker that it meets, by price and then time:
 *   a maker of the same account, by mode: cancel_taker -> the taker's remainder is cancelled, nothing else happens;
 *     cancel_maker -> the maker ends (see below), matching continues; cancel_both -> the maker ends, then the taker;
 *     a leg of a quote that is to end takes its whole quote with it (quote-cancelled).
 *   otherwise `trade`, `posted` base (seller to buyer), `posted` cash (buyer to seller; nothing when 0), `posted` maker
 *     fee, `posted` taker fee (to the fee account; a rebate from it; nothing when 0; with fees in the received currency
 *     a buyer's is in the asset), `released` maker, `released` taker (what the fill frees of each reserve; nothing when
 *     0), then the maker's `order-partially-filled` or `order-filled` (for a leg: quote-partially-filled or
 *     quote-filled), then the taker's. The venue's own ladder and flow have no account events, only `posted`s of
 *     the house account, when the other side is a client. Ladder against flow is a `print`.
 * A client that is filled completely has its whole remaining reserve released in that same `released`.
 * An end without a fill (cancel, expiry, reject): `released` (nothing when 0), then the terminal event.
 * An amendment: `released` old reserve, `reserved` new reserve (each nothing when 0), `order-amended`, then the
 * matches; an order amended to what has filled: released, order-amended, order-filled.
 * A quote: `quote-accepted`, `reserved` bid, `reserved` ask, then the bid leg matches, then the ask leg. A quote's
 * end: `released` bid, `released` ask, terminal event. An update: released bid, released ask, reserved bid,
 * reserved ask (each nothing when 0), `quote-updated`, then matches of bid and ask.
 * A deposit: `deposit-pending` when it waits; on settling `posted` (external to the account), `deposit-settled`. A
 * withdrawal that waits: `withdrawal-pending` (the amount leaves total and available at once and shows as pending);
 * on settling `posted` (the account to external), `withdrawal-settled`.
 * A market buy frees by each fill what the fill costs (value and fee), and the rest at its end.
 */

/**
 * The names of events in the order of their codes. Public names (design, section 16) have `.` and `_` in place of
 * `-`.
 */
export const eventNames = [
  'order-accepted',
  'order-amended',
  'order-partially-filled',
  'order-filled',
  'order-cancelled',
  'order-expired',
  'order-rejected',
  'quote-accepted',
  'quote-updated',
  'quote-partially-filled',
  'quote-filled',
  'quote-cancelled',
  'quote-expired',
  'trade',
  'print',
  'posted',
  'reserved',
  'released',
  'price',
  'pair-halted',
  'pair-resumed',
  'deposit-pending',
  'deposit-settled',
  'withdrawal-pending',
  'withdrawal-settled',
  'account-created',
  'settings-changed',
] as const

export type EventName = (typeof eventNames)[number]
export type EventType = number

export const eventType = Object.fromEntries(eventNames.map((name, code) => [name, code])) as {
  readonly [Name in EventName]: EventType
}

/**
 * Receives the engine's events, one call each. What subject, first, second and third hold, by name of the event:
 *
 *   order-accepted, -amended                                    order, side, priceTicks, quantitySteps
 *   order-partially-filled, -filled, -cancelled, -expired, -rejected   order, filledSteps, quantitySteps
 *   quote-accepted, -updated                                    quote, expiresAtMillis
 *   quote-partially-filled, -filled, -cancelled, -expired       quote, bidFilledSteps, askFilledSteps
 *   pair-resumed                      none
 *   account-created, settings-changed none (the account or the asset says whose)
 *   trade                             makerOrder, priceTicks, quantitySteps, takerSide
 *   print                             none, priceTicks, quantitySteps, takerSide
 *   posted                            fromAccount, atoms
 *   reserved, released                order, atoms
 *   price                             none, markTicks
 *   pair-halted                       none, mode
 *   deposit-pending, withdrawal-pending   transfer, atoms, settlesAtMillis
 *   deposit-settled, withdrawal-settled   transfer, atoms
 *
 * A trade's subject is the maker's order row (-1: the ladder), its account the taker's order row (-1: the venue's own
 * taker). The subject of `posted` is the account that gives, its account the one that receives. The asset of `reserved`
 * and `released` is the one that is held: USD for a buy.
 */
export interface EventSink {
  emit(
    type: EventType,
    subject: number,
    account: number,
    asset: number,
    first: number,
    second: number,
    third: number,
  ): void
}
