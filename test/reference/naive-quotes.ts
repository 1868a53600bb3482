import type {
  CancelQuotesCommand,
  Outcome,
  QuoteChange,
  SubmitQuoteCommand,
} from '../../src/engine/command.ts'
import type { Rejection } from '../../src/engine/rejections.ts'
import type { QuoteShape } from './naive-admission.ts'
import {
  liveQuotes,
  refuseAccount,
  refuseAsset,
  refuseCount,
  refuseQuote,
  refuseShape,
} from './naive-admission.ts'
import { emitQuote, endQuote, releaseAll, reserve } from './naive-ends.ts'
import { matchAndSettle } from './naive-matching.ts'
import { accept, addOrder, refuse } from './naive-orders.ts'
import { computeReserve } from './naive-values.ts'
import type { NaiveOrder, NaiveQuote, NaiveWorld } from './naive-world.ts'
import { acceptsOrders, accountOf, emit, isLive, remainingOf } from './naive-world.ts'

export function submitQuote(world: NaiveWorld, command: SubmitQuoteCommand): Outcome {
  const rejection = refuseSubmission(world, command)
  if (rejection !== null) return refuse(rejection)
  const quote = addQuote(world, command)
  emit(world, 'quote-accepted', {
    subject: quote.row,
    account: quote.account,
    asset: quote.asset,
    first: quote.expiresAt,
  })
  for (const leg of [quote.bid, quote.ask]) reserve(world, leg, computeReserve(world, leg))
  matchLegs(world, quote, [quote.bid, quote.ask])
  return accept(quote.row)
}

function refuseSubmission(world: NaiveWorld, command: SubmitQuoteCommand): Rejection | null {
  const { account, clientQuoteId } = command
  const unknown = refuseAccount(world, account) ?? refuseAsset(world, command.asset)
  if (unknown !== null) return unknown
  const { makerRate, takerRate } = accountOf(world, account)
  const shape: QuoteShape = {
    account,
    asset: command.asset,
    bidTicks: BigInt(command.bidPriceTicks),
    askTicks: BigInt(command.askPriceTicks),
    bidSteps: BigInt(command.bidSteps),
    askSteps: BigInt(command.askSteps),
    bidFilled: 0n,
    askFilled: 0n,
    makerRate,
    takerRate,
    without: [],
  }
  const twin = world.quotes.findLast((quote) => quote.account === account && quote.clientId === clientQuoteId)
  if (clientQuoteId !== null && twin !== undefined && !command.allowsDuplicateId)
    return refuseShape(world, shape) ?? { code: 'duplicate-client-id', field: 'clientQuoteId', row: twin.row }
  if (!acceptsOrders(world, command.asset)) return { code: 'pair-inactive' }
  return refuseQuote(world, shape) ?? refuseCount(world, account, command.asset)
}

function addQuote(world: NaiveWorld, command: SubmitQuoteCommand): NaiveQuote {
  const row = world.quotes.length
  const leg = (side: 0 | 1, priceTicks: number, steps: number): NaiveOrder =>
    addOrder(world, {
      quote: row,
      account: command.account,
      asset: command.asset,
      side,
      type: 0,
      timeInForce: 0,
      clientId: null,
      priceTicks: BigInt(priceTicks),
      quantity: BigInt(steps),
    })
  const quote: NaiveQuote = {
    row,
    account: command.account,
    asset: command.asset,
    clientId: command.clientQuoteId,
    bid: leg(0, command.bidPriceTicks, command.bidSteps),
    ask: leg(1, command.askPriceTicks, command.askSteps),
    createdAt: world.now,
    expiresAt: world.now + command.validForMillis,
    status: 0,
  }
  world.quotes.push(quote)
  for (const side of [quote.bid, quote.ask]) if (side.quantity === 0n) side.status = 2
  return quote
}

export function updateQuote(world: NaiveWorld, account: number, update: QuoteChange): Outcome {
  const unknown = refuseAccount(world, account)
  if (unknown !== null) return refuse(unknown)
  const quote = world.quotes[update.quote]
  if (quote === undefined || quote.account !== account) return refuse({ code: 'unknown-quote' })
  const shape = shapeAfter(quote, update)
  if (quote.status >= 2) {
    const mistake = refuseShape(world, { ...shape, bidFilled: 0n, askFilled: 0n })
    return refuse(mistake ?? { code: 'terminal', status: quote.status })
  }
  if (!acceptsOrders(world, quote.asset)) return refuse({ code: 'pair-inactive' })
  const wrong = refuseShape(world, shape)
  if (wrong !== null) return refuse(wrong)
  if (isAlready(quote, shape) && update.validForMillis === null) return accept(quote.row)
  const rejection = refuseQuote(world, shape)
  if (rejection !== null) return refuse(rejection)
  applyUpdate(world, quote, shape, update)
  return accept(quote.row)
}

function isAlready({ bid, ask }: NaiveQuote, shape: QuoteShape): boolean {
  return (
    bid.priceTicks === shape.bidTicks &&
    ask.priceTicks === shape.askTicks &&
    bid.quantity === shape.bidSteps &&
    ask.quantity === shape.askSteps
  )
}

function shapeAfter(quote: NaiveQuote, update: QuoteChange): QuoteShape {
  const { bid, ask } = quote
  const chooseTerm = (value: number | null, kept: bigint) => (value === null ? kept : BigInt(value))
  return {
    account: quote.account,
    asset: quote.asset,
    bidTicks: chooseTerm(update.bidPriceTicks, bid.priceTicks),
    askTicks: chooseTerm(update.askPriceTicks, ask.priceTicks),
    bidSteps: chooseTerm(update.bidSteps, bid.quantity),
    askSteps: chooseTerm(update.askSteps, ask.quantity),
    bidFilled: bid.filled,
    askFilled: ask.filled,
    makerRate: bid.makerRate,
    takerRate: bid.takerRate,
    without: [bid, ask],
  }
}

function applyUpdate(world: NaiveWorld, quote: NaiveQuote, shape: QuoteShape, update: QuoteChange): void {
  const { bid, ask } = quote
  for (const leg of [bid, ask]) releaseAll(world, leg)
  const moved = [
    reshape(world, bid, shape.bidTicks, shape.bidSteps),
    reshape(world, ask, shape.askTicks, shape.askSteps),
  ].filter((leg) => leg !== null)
  for (const leg of [bid, ask]) reserve(world, leg, computeReserve(world, leg))
  if (update.validForMillis !== null) {
    const from = { now: world.now, created: quote.createdAt, expiry: quote.expiresAt }[update.validFrom]
    quote.expiresAt = from + update.validForMillis
  }
  emit(world, 'quote-updated', {
    subject: quote.row,
    account: quote.account,
    asset: quote.asset,
    first: quote.expiresAt,
  })
  if (remainingOf(bid) === 0n && remainingOf(ask) === 0n) {
    quote.status = 2
    emitQuote(world, quote, 'quote-filled')
    return
  }
  if (quote.expiresAt <= world.now) endQuote(world, quote, 'expired')
  else matchLegs(world, quote, moved)
}

/** Gives a leg its new price and size. Returns the leg when it has lost its place, null when it keeps it. */
function reshape(
  world: NaiveWorld,
  leg: NaiveOrder,
  priceTicks: bigint,
  quantity: bigint,
): NaiveOrder | null {
  const keepsPlace = priceTicks === leg.priceTicks && quantity <= leg.quantity
  leg.priceTicks = priceTicks
  leg.quantity = quantity
  if (remainingOf(leg) === 0n) {
    leg.status = 2
    leg.isResting = false
    return null
  }
  leg.status = leg.filled > 0n ? 1 : 0
  if (keepsPlace) return null
  leg.priority = world.nextPriority
  world.nextPriority += 1
  leg.isResting = false
  return leg
}

function matchLegs(world: NaiveWorld, quote: NaiveQuote, legs: readonly NaiveOrder[]): void {
  for (const leg of legs) if (quote.status < 2 && isLive(leg)) matchAndSettle(world, leg)
}

export function cancelQuote(world: NaiveWorld, account: number, row: number): Outcome {
  const unknown = refuseAccount(world, account)
  if (unknown !== null) return refuse(unknown)
  const quote = world.quotes[row]
  if (quote === undefined || quote.account !== account) return refuse({ code: 'unknown-quote' })
  if (quote.status >= 2) return refuse({ code: 'terminal', status: quote.status })
  endQuote(world, quote, 'cancelled')
  return accept(row)
}

export function cancelQuotes(world: NaiveWorld, command: CancelQuotesCommand): Outcome {
  const unknown = refuseAccount(world, command.account)
  if (unknown !== null) return refuse(unknown)
  if (command.asset !== null) {
    const unlisted = refuseAsset(world, command.asset)
    if (unlisted !== null) return refuse(unlisted)
  }
  const ended = liveQuotes(world).filter(
    (quote) => quote.account === command.account && (command.asset === null || quote.asset === command.asset),
  )
  for (const quote of ended) endQuote(world, quote, 'cancelled')
  return accept(
    -1,
    ended.map((quote) => accept(quote.row)),
  )
}
