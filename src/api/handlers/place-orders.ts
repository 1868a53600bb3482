import { buy, limit, market, sell, timesInForce } from '../../engine/codes.ts'
import type { Outcome, Placement, PlaceOrderCommand } from '../../engine/command.ts'
import type { Rejection } from '../../engine/rejections.ts'
import { assert } from '../../numeric/assert.ts'
import { priceTicks } from '../../numeric/units.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { readSteps, readTicks, tradedAsset, unknownAssetField } from '../amounts.ts'
import { type AnswerTo, type ApiContext, answer, type InputOf, refuse } from '../context.ts'
import { invalid, messageOf, type Problem } from '../errors.ts'
import { type Flaw, flawOfItem } from '../flaw.ts'
import { readMetadata, readValue } from '../input/read-body.ts'
import { type batchResult, createOrderBody } from '../operations/orders.ts'
import { problemOf } from '../refusals.ts'
import { batchStatus } from './lists.ts'
import { acceptedOrderView, orderId, orderView } from './orders.ts'

type CreateBody = RecordOf<typeof createOrderBody>
type BatchJson = RecordOf<typeof batchResult>
type BatchItem = BatchJson['results'][number]

/** Spec: Create order. Errors: 400 for the body and the pair, 409 for a client id used before, 422 for risk. */
export function createOrder(context: ApiContext, input: InputOf<'createOrder'>): AnswerTo<'createOrder'> {
  const placement = placementOf(context, input.body)
  if ('code' in placement) return refuse(placement)
  const outcome = context.execute(commandOf(context, placement))
  if (!outcome.ok) {
    const earlier = earlierRow(context, outcome.rejection)
    if (earlier !== null) return answer(orderView(context, earlier), 200)
    return refuse(problemOf(outcome.rejection, context.state.assets, placement.asset, context.readings))
  }
  const isFinal = context.readings['orders.createResponse'] === 'final'
  return answer(isFinal ? orderView(context, outcome.row) : acceptedOrderView(context, outcome.row))
}

/** Spec: Create batch orders. Items that cannot be read fail individually; the others become one command. */
export function createOrders(context: ApiContext, input: InputOf<'createOrders'>): AnswerTo<'createOrders'> {
  const items = input.body.orders.map((item, index) =>
    placementOfItem(context, item, input.flaws?.get(index)),
  )
  const placements = items.flatMap((item) => ('code' in item ? [] : [item]))
  const outcome: Outcome =
    placements.length === 0
      ? { ok: true, row: -1, items: [] }
      : context.execute({ kind: 'place-orders', at: context.now, placements })
  if (!outcome.ok) return refuse(problemOf(outcome.rejection, context.state.assets, 0, context.readings))
  const outcomes = outcome.items.values()
  const results = items.map((item, index) =>
    'code' in item ? failedItem(item, index) : itemOf(context, item, outcomes.next().value, index),
  )
  const failed = results.filter((result) => !result.success).length
  const summary = { total: results.length, successful: results.length - failed, failed }
  return answer({ results, summary }, batchStatus(context, summary))
}

function placementOfItem(context: ApiContext, item: unknown, flaw: Flaw | undefined): Placement | Problem {
  if (flaw !== undefined) return invalid(flawOfItem(flaw))
  const body = readValue(createOrderBody, item, context.readings)
  return body.ok ? placementOf(context, body.value) : invalid(flawOfItem(body.flaw))
}

/** The engine's order. Errors, in order: asset, quantity, price, metadata. */
function placementOf(context: ApiContext, body: CreateBody): Placement | Problem {
  const { assets } = context.state
  const asset = tradedAsset(assets, body.asset)
  if (asset === null) return unknownAssetField
  const { pair } = assets.traded(asset)
  const steps = readSteps(body.quantity, 'quantity', pair)
  if (!steps.ok) return steps.problem
  const isMarket = body.orderType === 'market'
  const price = body.price ?? null
  if (price === null && !isMarket)
    return { code: 'invalid-parameter', field: 'price', reason: 'is required for limit orders' }
  // Choice: the price of a market order is ignored, and answered as null.
  const ticks = isMarket || price === null ? null : readTicks(price, 'price', pair)
  if (ticks !== null && !ticks.ok) return ticks.problem
  const metadata = readMetadata(body.metadata)
  if (!metadata.ok) return invalid(metadata.flaw)
  return {
    account: context.account,
    asset,
    side: body.side === 'buy' ? buy : sell,
    type: isMarket ? market : limit,
    timeInForce: timesInForce[body.timeInForce ?? 'GTC'],
    quantitySteps: steps.value,
    priceTicks: ticks === null ? priceTicks(0) : ticks.value,
    clientOrderId: body.clientOrderId ?? null,
    allowsDuplicateId: context.readings['clientId.duplicate'] === 'allow',
    keepsRefused: context.readings['orders.rejectMode'] === 'stored',
    metadata: metadata.value,
  }
}

/** Field by field: spreading the placement took longer than making it. */
function commandOf({ now }: ApiContext, placement: Placement): PlaceOrderCommand {
  return {
    kind: 'place-order',
    at: now,
    account: placement.account,
    asset: placement.asset,
    side: placement.side,
    type: placement.type,
    timeInForce: placement.timeInForce,
    quantitySteps: placement.quantitySteps,
    priceTicks: placement.priceTicks,
    clientOrderId: placement.clientOrderId,
    allowsDuplicateId: placement.allowsDuplicateId,
    keepsRefused: placement.keepsRefused,
    metadata: placement.metadata,
  }
}

/** The order that already has the client id, where reading `clientId.duplicate` says to answer with it. */
function earlierRow(context: ApiContext, rejection: Rejection): number | null {
  if (rejection.code !== 'duplicate-client-id') return null
  return context.readings['clientId.duplicate'] === 'return' ? rejection.row : null
}

function itemOf(
  context: ApiContext,
  placement: Placement,
  outcome: Outcome | undefined,
  index: number,
): BatchItem {
  assert(outcome !== undefined, 'a batch has an outcome for every item')
  const { clientOrderId } = placement
  if (outcome.ok) return { success: true, orderId: orderId(context, outcome.row), clientOrderId }
  const earlier = earlierRow(context, outcome.rejection)
  if (earlier !== null) return { success: true, orderId: orderId(context, earlier), clientOrderId }
  const { assets } = context.state
  return failedItem(problemOf(outcome.rejection, assets, placement.asset, context.readings), index)
}

function failedItem(problem: Problem, index: number): BatchItem {
  return { success: false, error: messageOf(problem), index }
}
