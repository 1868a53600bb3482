import * as shapes from '../../api/admin-answers.ts'
import { amountNumber, isProblem, readAtoms, readTicks } from '../../api/amounts.ts'
import { invalid, type Problem } from '../../api/errors.ts'
import { problemOf } from '../../api/refusals.ts'
import { closed, partial } from '../../api/wire-shapes.ts'
import { none } from '../../engine/codes.ts'
import { scaledToNumber } from '../../numeric/decimal.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { millis, partsPerMillion, priceTicks } from '../../numeric/units.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { typed } from '../../shape/shape.ts'
import { transferIdOf } from '../../world/events/describe-event.ts'
import type { World } from '../../world/world.ts'
import { spanSchema } from './clock-routes.ts'
import { accountOf, assetSymbols, inWorldWith, tradedAssetOf } from './find.ts'
import {
  type AdminAnswer,
  type AdminCall,
  type AdminRoute,
  created,
  ok,
  refused,
  unknownWord,
  withBody,
} from './route.ts'

const transferSchema = closed(
  {
    asset: typed<string>({ type: 'string' }),
    quantity: typed<number>({ type: 'number', exclusiveMinimum: 0 }),
    pendingMs: spanSchema,
  },
  ['pendingMs'],
)
type TransferBody = RecordOf<typeof transferSchema>

const priceSchema = partial({
  mid: typed<number>({ type: 'number', exclusiveMinimum: 0 }),
  percent: typed<number>({ type: 'number', minimum: -99, maximum: 10_000 }),
  overMs: spanSchema,
})
type PriceBody = RecordOf<typeof priceSchema>

export const moneyRoutes: readonly AdminRoute[] = [
  withBody(
    'POST',
    '/worlds/:world/accounts/:account/deposits',
    {
      id: 'deposit',
      summary: 'Move money in, at once or pending',
      response: shapes.transfer,
      status: 201,
      errors: [409],
      example: () => ({ body: { asset: 'USD', quantity: 1000 } }),
    },
    transferSchema,
    inWorldWith((world, body: TransferBody, call) => transfer(world, 'deposit', body, call)),
  ),
  withBody(
    'POST',
    '/worlds/:world/accounts/:account/withdrawals',
    {
      id: 'withdraw',
      summary: 'Move money out, at once or pending',
      response: shapes.transfer,
      status: 201,
      errors: [409],
      example: () => ({ body: { asset: 'USD', quantity: 100, pendingMs: 60_000 } }),
    },
    transferSchema,
    inWorldWith((world, body: TransferBody, call) => transfer(world, 'withdraw', body, call)),
  ),
  withBody(
    'POST',
    '/worlds/:world/market/:asset/price',
    {
      id: 'movePrice',
      summary: 'Move a price, at once or along a line',
      response: shapes.movedPrice,
      errors: [409],
      example: () => ({ body: { percent: 0.1, overMs: 60_000 } }),
    },
    priceSchema,
    inWorldWith(setPrice),
  ),
]

/** Errors, in order: 404 the account; 400 the asset, the quantity; 409 a withdrawal of more than is available. */
function transfer(
  world: World,
  kind: 'deposit' | 'withdraw',
  body: TransferBody,
  call: AdminCall,
): AdminAnswer {
  const account = accountOf(world, call)
  if (!account.ok) return account.answer
  const { assets } = world.venue.state
  const asset = assets.rowOf(body.asset)
  if (asset === none) {
    return refused(unknownWord('asset', 'is not a known asset', body.asset, assetSymbols(world)))
  }
  const { scale, symbol } = assets.config(asset)
  const amount = readAtoms(body.quantity, 'quantity', scale, symbol)
  if (isProblem(amount)) return refused(amount)
  const pendingMillis = millis(body.pendingMs ?? 0)
  const command = { account: account.value, asset, atoms: amount, pendingMillis }
  const outcome = world.execute({ kind, at: world.now, ...command })
  if (!outcome.ok) return refused(problemOf(outcome.rejection, assets, asset, world.readings))
  const { transfers } = world.venue.state
  return created({
    transferId: transferIdOf(outcome.row),
    account: call.params['account'],
    asset: symbol,
    quantity: amountNumber(assets, asset, amount),
    status: transfers.isSettled.get(outcome.row) === 1 ? 'settled' : 'pending',
    settlesAt: millisToIso(transfers.settlesAtMillis.get(outcome.row)),
  })
}

/** Sets the mark, at once or along a straight line. Errors: 404 the asset; 400 the price. */
function setPrice(world: World, body: PriceBody, call: AdminCall): AdminAnswer {
  const asset = tradedAssetOf(world, call)
  if (!asset.ok) return asset.answer
  const target = targetTicks(world, asset.value, body)
  if (typeof target !== 'number') return refused(target)
  const { assets, markTicks } = world.venue.state
  const point = { offsetMillis: millis(body.overMs ?? 0), priceTicks: priceTicks(target) }
  const outcome = world.execute({
    kind: 'move-price',
    at: world.now,
    asset: asset.value,
    points: [point],
    noiseVol: partsPerMillion(0),
  })
  if (!outcome.ok) {
    const problem = problemOf(outcome.rejection, assets, asset.value, world.readings)
    return refused({ ...problem, field: body.mid === undefined ? 'percent' : 'mid' })
  }
  const { units, scale } = assets.traded(asset.value).pair.priceStep
  const price = (ticks: number) => scaledToNumber(ticks * units, scale)
  return ok({
    asset: assets.symbol(asset.value),
    mark: price(markTicks.get(asset.value)),
    target: price(target),
    reachedAt: millisToIso(world.now + (body.overMs ?? 0)),
  })
}

/** The wanted mark in ticks: a price must lie exactly on one; a percentage of the present mark goes to the nearest. */
function targetTicks(world: World, asset: number, { mid, percent }: PriceBody): number | Problem {
  const { assets, markTicks } = world.venue.state
  if ((mid === undefined) === (percent === undefined)) {
    return invalid({ field: 'body', reason: 'must have one of mid and percent' })
  }
  if (mid === undefined) return Math.max(1, Math.round(markTicks.get(asset) * (1 + (percent ?? 0) / 100)))
  const ticks = readTicks(mid, 'mid', assets.traded(asset).pair)
  // A bad request, whatever the world's reading for a pair's bounds is.
  return isProblem(ticks) ? invalid({ field: 'mid', reason: ticks.reason ?? '' }) : ticks
}
