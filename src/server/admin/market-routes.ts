import * as shapes from '../../api/admin-answers.ts'
import {
  isProblem,
  priceNumber,
  quantityNumber,
  readAtoms,
  readSteps,
  readTicks,
  usdNumber,
} from '../../api/amounts.ts'
import { invalid, type Problem } from '../../api/errors.ts'
import { positiveNumber } from '../../api/operations/common.ts'
import { problemOf } from '../../api/refusals.ts'
import { closed, listOf, partial } from '../../api/wire-shapes.ts'
import { cash, none } from '../../engine/codes.ts'
import type { Outcome, Setting } from '../../engine/command.ts'
import { isHalted } from '../../engine/orders/matching.ts'
import { stateOf } from '../../engine/state.ts'
import { cashScale } from '../../engine/tables/asset-table.ts'
import { hasRefill } from '../../market/liquidity/liquidity.ts'
import { scaledToNumber } from '../../numeric/decimal.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { millis, partsPerMillion, priceTicks } from '../../numeric/units.ts'
import { oneOfWords, type RecordOf, typed } from '../../shape/shape.ts'
import { changeSettings, scheduleActions } from '../../world/change-world.ts'
import { longestAdvanceMillis } from '../../world/clock.ts'
import type { World } from '../../world/world.ts'
import { spanSchema } from './clock-routes.ts'
import { assetSymbols, type Found, found, inWorldWith, notFound, tradedAssetOf } from './find.ts'
import {
  type AdminAnswer,
  type AdminCall,
  type AdminRoute,
  formProblem,
  ok,
  refused,
  withBody,
} from './route.ts'

const multiplier = typed<number>({ type: 'number', minimum: 0, maximum: 1000 })

/** It accepts what it answers, so that a client can put back what it read. */
const liquiditySchema = partial({
  spreadX: multiplier,
  depthX: multiplier,
  refreshX: multiplier,
  oneSided: typed<'bids' | 'asks' | 'none' | null>({ enum: ['bids', 'asks', 'none', null] }),
  stale: typed<boolean>({ type: 'boolean' }),
  forMs: typed<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: longestAdvanceMillis }),
})

const pairSchema = partial({
  status: oneOfWords('active', 'inactive'),
  minQuantity: positiveNumber,
  maxQuantity: positiveNumber,
  minPrice: positiveNumber,
  minNotional: typed<number>({ type: 'number', minimum: 0 }),
})
type PairBody = RecordOf<typeof pairSchema>

const priceSchema = partial({
  mid: typed<number>({ type: 'number', exclusiveMinimum: 0 }),
  percent: typed<number>({ type: 'number', minimum: -99, maximum: 10_000 }),
  overMs: spanSchema,
})
type PriceBody = RecordOf<typeof priceSchema>

export const marketRoutes: readonly AdminRoute[] = [
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
  withBody(
    'PUT',
    '/worlds/:world/market/:asset/liquidity',
    {
      id: 'setLiquidity',
      summary: 'Thin a book or take one side away; what is left out goes back to normal',
      response: shapes.liquidity,
      errors: [409],
      example: () => ({ body: { spreadX: 2, depthX: 0.5, forMs: 60_000 } }),
    },
    liquiditySchema,
    inWorldWith(setLiquidity),
  ),
  withBody(
    'PATCH',
    '/worlds/:world/pairs/:symbol',
    {
      id: 'changePair',
      summary: 'Halt and bound a pair',
      response: shapes.pair,
      example: () => ({ body: { status: 'active', minNotional: 1 } }),
    },
    pairSchema,
    inWorldWith(changePair),
  ),
]

/**
 * Replaces the asset's conditions: whatever is not given goes back to normal. Errors, in order: 404 the asset; 400 a
 * pace of recovery for a ladder that is whole again at each step.
 */
function setLiquidity(world: World, body: RecordOf<typeof liquiditySchema>, call: AdminCall): AdminAnswer {
  const asset = tradedAssetOf(world, call)
  if (!asset.ok) return asset.answer
  const { spreadX = 1, depthX = 1, refreshX = 1, oneSided = null, stale = false, forMs = null } = body
  if (refreshX !== 1 && !hasRefill(world.venue.state.assets.config(asset.value).liquidity)) {
    const reason = 'has no meaning for a ladder that is whole again at each step: it has no refillHalfLife'
    return refused({ code: 'invalid-parameter', field: 'refreshX', reason })
  }
  const conditions = {
    spreadMultiplier: spreadX,
    depthMultiplier: depthX,
    sides: oneSided ?? ('both' as const),
    ...(refreshX === 1 ? {} : { refreshMultiplier: refreshX }),
  }
  const about = { at: world.now, asset: asset.value }
  return answerOf(
    world,
    world.execute({
      kind: 'set-liquidity',
      ...about,
      conditions,
      isStale: stale,
      forMillis: millis(forMs ?? 0),
    }),
    asset.value,
    () => liquidityView(world, asset.value),
  )
}

export function liquidityView({ now, venue: { state } }: World, asset: number) {
  const { conditions, conditionsEndAtMillis, isStale } = stateOf(state, asset)
  const { depthMultiplier, refreshMultiplier = 1, sides, spreadMultiplier } = conditions
  return {
    asset: state.assets.symbol(asset),
    spreadX: spreadMultiplier,
    depthX: depthMultiplier,
    refreshX: refreshMultiplier,
    oneSided: sides === 'both' ? null : sides,
    stale: isStale,
    forMs: conditionsEndAtMillis === 0 ? null : conditionsEndAtMillis - now,
  }
}

/**
 * Changes a pair; its steps cannot change, because orders are counted in them. Errors, in order: 404 the pair; 400 an
 * amount that is not a multiple of its step, or bounds that exclude each other.
 */
function changePair(world: World, body: PairBody, call: AdminCall): AdminAnswer {
  const pair = pairOf(world, call)
  if (!pair.ok) return pair.answer
  const asset = pair.value
  const present = world.venue.state.assets.traded(asset).pair
  const minQuantity = readSteps(body.minQuantity, 'minQuantity', present)
  if (isProblem(minQuantity)) return refused(minQuantity)
  const maxQuantity = readSteps(body.maxQuantity, 'maxQuantity', present)
  if (isProblem(maxQuantity)) return refused(maxQuantity)
  const minPrice = readTicks(body.minPrice, 'minPrice', present)
  if (isProblem(minPrice)) return refused(minPrice)
  const minNotional =
    body.minNotional === undefined ? null : readAtoms(body.minNotional, 'minNotional', cashScale, 'USD')
  if (isProblem(minNotional)) return refused(minNotional)
  if ((minQuantity ?? present.minQuantitySteps) > (maxQuantity ?? present.maxQuantitySteps))
    return refused(invalid({ field: 'minQuantity', reason: 'must not be above maxQuantity' }))
  const bounds: Setting = {
    kind: 'set-pair',
    asset,
    minQuantitySteps: minQuantity,
    maxQuantitySteps: maxQuantity,
    minPriceTicks: minPrice,
    minNotionalAtoms: minNotional,
  }
  const changesBounds = Object.keys(body).some((key) => key !== 'status')
  changeSettings(world, [...(changesBounds ? [bounds] : []), ...statusSettings(asset, body.status)])
  return ok(pairView(world, asset))
}

function statusSettings(asset: number, status: PairBody['status']): Setting[] {
  if (status === 'inactive') return [{ kind: 'halt', asset, mode: 'reject', forMillis: millis(0) }]
  return status === 'active' ? [{ kind: 'resume', asset }] : []
}

function pairOf(world: World, { params }: AdminCall): Found<number> {
  const symbol = params['symbol'] ?? ''
  const { assets } = world.venue.state
  const quote = assets.symbol(cash)
  const base = symbol.endsWith(`-${quote}`) ? symbol.slice(0, -quote.length - 1) : ''
  const row = assets.rowOf(base)
  const pairs = assetSymbols(world)
    .slice(cash + 1)
    .map((asset) => `${asset}-${quote}`)
  return row === none || row === cash ? notFound('pair', symbol, pairs) : found(row)
}

function pairView(world: World, asset: number) {
  const { state } = world.venue
  const { symbol, pair } = state.assets.traded(asset)
  return {
    symbol: `${symbol}-${state.assets.symbol(cash)}`,
    status: pair.isActive && !isHalted(stateOf(state, asset)) ? 'active' : 'inactive',
    minQuantity: quantityNumber(pair, pair.minQuantitySteps),
    maxQuantity: quantityNumber(pair, pair.maxQuantitySteps),
    minPrice: priceNumber(pair, pair.minPriceTicks),
    minNotional: usdNumber(pair.minNotionalAtoms),
  }
}

/** The outcome of a command: 200 with its view, or the refusal in the interface's words. */
function answerOf(world: World, outcome: Outcome, asset: number, view: () => unknown): AdminAnswer {
  if (outcome.ok) return ok(view())
  return refused(problemOf(outcome.rejection, world.venue.state.assets, asset, world.readings))
}

const timelineSchema = closed({
  actions: listOf(typed<{ readonly [name: string]: unknown }>({ type: 'object' }), {
    minItems: 1,
    maxItems: 10_000,
  }),
})

/** Design, section 9: any action of a scenario, now or later. */
export const timelineRoutes: readonly AdminRoute[] = [
  withBody(
    'POST',
    '/worlds/:world/timeline',
    {
      id: 'scheduleActions',
      summary: 'Run any action of a scenario, now or later',
      response: shapes.scheduled,
      example: ({ accountId, asset, bid, ask, quantity }) => {
        const order = { account: accountId, side: 'buy', asset, quantity, price: bid }
        const quote = {
          account: accountId,
          asset,
          bidPrice: bid,
          askPrice: ask,
          bidSize: quantity,
          askSize: quantity,
        }
        return {
          body: {
            actions: [
              { order: { ...order, as: 'first' } },
              { order: { ...order, as: 'second' } },
              { order: { ...order, as: 'third' } },
              { quote: { ...quote, as: 'fourth' } },
              { quote: { ...quote, as: 'fifth' } },
              { fault: { type: 'latency', count: 1, attributes: { latencyMs: 1 } } },
              { at: '+1h', note: 'an hour later' },
            ],
          },
        }
      },
    },
    timelineSchema,
    inWorldWith(schedule),
  ),
]

/** Errors: 400 for all wrong entries, named as `actions[0]`; then none of them is added. */
function schedule(world: World, { actions }: RecordOf<typeof timelineSchema>): AdminAnswer {
  const before = world.events.lastSequence
  const problems = scheduleActions(world, actions)
  if (problems.length > 0) return refused(formProblem(problems))
  return ok({ scheduled: actions.length, now: millisToIso(world.now), events: world.eventsSince(before) })
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
