import * as shapes from '../../api/admin-answers.ts'
import * as bodies from '../../api/admin-bodies.ts'
import { priceNumber } from '../../api/answer.ts'
import { isProblem, readAtoms, readSteps, readTicks } from '../../api/input/read-body.ts'
import { toProblem } from '../../api/refusals.ts'
import { cash, none } from '../../engine/codes.ts'
import type { Setting } from '../../engine/command.ts'
import { cashScale } from '../../engine/tables/asset-table.ts'
import { hasRefill } from '../../market/liquidity/liquidity.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { millis, partsPerMillion, priceTicks } from '../../numeric/units.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { changeSettings, scheduleActions } from '../../world/change-world.ts'
import { liquidityView, pairView } from '../../world/views/world-views.ts'
import type { World } from '../../world/world.ts'
import { documentedPrice, documentedTimeline } from './documented-bodies.ts'
import {
  type AdminCall,
  AdminRefusal,
  type AdminRoute,
  assetSymbols,
  execute,
  findPathAsset,
  inWorld,
  refuseForm,
  requireValue,
  unknownName,
  wrongField,
} from './route.ts'

export const marketRoutes: readonly AdminRoute[] = [
  inWorld('POST', '/market/:asset/price', {
    id: 'movePrice',
    summary: 'Move a price, at once or along a line',
    response: shapes.movedPrice,
    errors: [409],
    example: { body: { percent: 0.1, overMs: 60_000 } },
    body: bodies.priceBody,
    documentedBody: documentedPrice,
    answer: setPrice,
  }),
  inWorld('PUT', '/market/:asset/liquidity', {
    id: 'setLiquidity',
    summary: 'Thin a book or remove one side; what is left out goes back to normal',
    response: shapes.liquidity,
    errors: [409],
    example: { body: { spreadX: 2, depthX: 0.5, forMs: 60_000 } },
    body: bodies.liquidityBody,
    answer: setLiquidity,
  }),
  inWorld('PATCH', '/pairs/:symbol', {
    id: 'changePair',
    summary: 'Halt or resume a pair, or change its bounds',
    response: shapes.pair,
    example: { body: { status: 'active', minNotional: 1 } },
    body: bodies.pairBody,
    answer: changePair,
  }),
]

/**
 * Replaces an asset's conditions: whatever is not given goes back to normal. Errors, in order: 404 the asset; 400 a
 * pace of recovery for a ladder that is whole again at each step.
 */
function setLiquidity(world: World, call: AdminCall, body: RecordOf<typeof bodies.liquidityBody>) {
  const asset = findPathAsset(world, call)
  const { spreadX = 1, depthX = 1, refreshX = 1, oneSided = null, stale = false, forMs = null } = body
  if (refreshX !== 1 && !hasRefill(world.venue.state.assets.config(asset).liquidity)) {
    const reason = 'has no meaning for a ladder that is whole again at each step: it has no refillHalfLife'
    throw wrongField('refreshX', reason)
  }
  const conditions = {
    spreadMultiplier: spreadX,
    depthMultiplier: depthX,
    sides: oneSided ?? ('both' as const),
    ...(refreshX === 1 ? {} : { refreshMultiplier: refreshX }),
  }
  const terms = { asset, conditions, isStale: stale, forMillis: millis(forMs ?? 0) }
  execute(world, { kind: 'set-liquidity', at: world.now, ...terms }, asset)
  return liquidityView(world, asset)
}

/**
 * Changes a pair; its steps cannot change, because orders are counted in them. Errors, in order: 404 the pair; 400 an
 * amount that is not a multiple of its step, or bounds that exclude each other.
 */
function changePair(world: World, call: AdminCall, { status, ...body }: RecordOf<typeof bodies.pairBody>) {
  const asset = findPathPair(world, call)
  const present = world.venue.state.assets.tradedAsset(asset).pair
  const bounds = {
    minQuantitySteps: requireValue(readSteps(body.minQuantity, 'minQuantity', present)),
    maxQuantitySteps: requireValue(readSteps(body.maxQuantity, 'maxQuantity', present)),
    minPriceTicks: requireValue(readTicks(body.minPrice, 'minPrice', present)),
    minNotionalAtoms:
      body.minNotional === undefined
        ? null
        : requireValue(readAtoms(body.minNotional, 'minNotional', cashScale, 'USD')),
  }
  const { minQuantitySteps, maxQuantitySteps } = bounds
  if ((minQuantitySteps ?? present.minQuantitySteps) > (maxQuantitySteps ?? present.maxQuantitySteps))
    throw wrongField('minQuantity', 'must not be above maxQuantity')
  const changed = Object.keys(body).length === 0 ? [] : [{ kind: 'set-pair' as const, asset, ...bounds }]
  changeSettings(world, [...changed, ...toStatusSettings(asset, status)])
  return pairView(world, asset)
}

function toStatusSettings(asset: number, status: 'active' | 'inactive' | undefined): Setting[] {
  if (status === 'inactive') return [{ kind: 'halt', asset, mode: 'reject', forMillis: millis(0) }]
  return status === 'active' ? [{ kind: 'resume', asset }] : []
}

function findPathPair(world: World, { params }: AdminCall): number {
  const symbol = params['symbol'] ?? ''
  const { assets } = world.venue.state
  const quote = assets.symbol(cash)
  const base = symbol.endsWith(`-${quote}`) ? symbol.slice(0, -quote.length - 1) : ''
  const row = assets.rowOf(base)
  if (row !== none && row !== cash) return row
  const pairs = assetSymbols(world)
    .slice(cash + 1)
    .map((asset) => `${asset}-${quote}`)
  throw unknownName('pair', symbol, pairs)
}

/** The operation that runs any action of a scenario, now or later. Design, section 9. */
export const timelineRoutes: readonly AdminRoute[] = [
  inWorld('POST', '/timeline', {
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
    body: bodies.timelineBody,
    documentedBody: documentedTimeline,
    answer: schedule,
  }),
]

/**
 * Adds actions to the timeline. Errors: 400 with all wrong entries, named as `actions[0]`; then none of them is added.
 */
function schedule(world: World, _call: AdminCall, { actions }: RecordOf<typeof bodies.timelineBody>) {
  const before = world.events.lastSequence
  const problems = scheduleActions(world, actions)
  if (problems.length > 0) throw refuseForm(problems)
  return { scheduled: actions.length, now: millisToIso(world.now), events: world.eventsSince(before) }
}

/** Moves an asset's mark, at once or along a straight line. Errors, in order: 404 the asset; 400 the price. */
function setPrice(world: World, call: AdminCall, body: RecordOf<typeof bodies.priceBody>) {
  const asset = findPathAsset(world, call)
  const target = computeTargetTicks(world, asset, body)
  const { assets, markTicks } = world.venue.state
  const { mid, overMs = 0 } = body
  const point = { offsetMillis: millis(overMs), priceTicks: priceTicks(target) }
  const path = { asset, points: [point], noiseVol: partsPerMillion(0) }
  const outcome = world.execute({ kind: 'move-price', at: world.now, ...path })
  if (!outcome.ok) {
    const problem = toProblem(outcome.rejection, assets, asset, world.readings)
    // What is wrong with a recorded price is its asset, whatever price was asked for.
    if (outcome.rejection.code === 'price-is-recorded') throw new AdminRefusal(problem)
    throw new AdminRefusal({ ...problem, field: mid === undefined ? 'percent' : 'mid' })
  }
  const { pair } = assets.tradedAsset(asset)
  return {
    asset: assets.symbol(asset),
    mark: priceNumber(pair, markTicks.get(asset)),
    target: priceNumber(pair, target),
    reachedAt: millisToIso(world.now + overMs),
  }
}

/**
 * Computes the wanted mark in ticks. A price must lie exactly on a tick; a percentage of the present mark is rounded to
 * one.
 */
function computeTargetTicks(
  world: World,
  asset: number,
  { mid, percent }: RecordOf<typeof bodies.priceBody>,
): number {
  const { assets, markTicks } = world.venue.state
  if ((mid === undefined) === (percent === undefined))
    throw wrongField('body', 'must have one of mid and percent')
  if (mid === undefined) return Math.max(1, Math.round(markTicks.get(asset) * (1 + (percent ?? 0) / 100)))
  const ticks = readTicks(mid, 'mid', assets.tradedAsset(asset).pair)
  // This is a bad request, whatever the world's reading for a pair's bounds says.
  if (isProblem(ticks)) throw wrongField('mid', ticks.reason ?? '')
  return ticks
}
