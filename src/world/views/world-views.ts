import { priceNumber, quantityNumber, usdNumber } from '../../api/answer.ts'
import { defaultJumpMillis } from '../../api/clock.ts'
import type { ActiveFault } from '../../api/faults/matches-fault.ts'
import type { RateCategory } from '../../api/operations/operation.ts'
import type { OperationId } from '../../api/operations/operations.ts'
import { defaultReadings, type Readings } from '../../api/readings/readings.ts'
import { cash, firstClientAccount } from '../../engine/codes.ts'
import { isHalted } from '../../engine/orders/matching.ts'
import { stateOf } from '../../engine/state.ts'
import type { ClockSettings } from '../../journal/world-snapshot.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { millis } from '../../numeric/units.ts'
import { readingsInForceOf } from '../clock.ts'
import type { ApiKey } from '../keys.ts'
import type { World } from '../world.ts'

/**
 * Returns the readings with which the admin API queries the interface: the defaults, except for the format of ids, which
 * clients know. So a test's setup through the admin API does not change with the readings that the test tries out.
 */
const plainReadings = (world: World): Readings => ({
  ...defaultReadings,
  'ids.format': world.readings['ids.format'],
})

/**
 * Returns what an operation of the interface answers to an account, with default readings except for the format of ids.
 * Returns null for any status but 200.
 */
export function queryAsAccount(
  world: World,
  account: number,
  operation: OperationId,
  parameter = '',
  query = '',
): object | null {
  const request = { operation, parameter, query, body: '' }
  const { status, body } = world.answer(account, request, plainReadings(world))
  return status === 200 ? body : null
}

/** Returns a world as the admin API shows it. Source: design, section 9, World. */
export function worldView(world: World) {
  return {
    id: world.id,
    seed: world.seed,
    scenario: world.scenario.name,
    now: millisToIso(world.now),
    clock: clockView(world.clock),
    readings: readingsInForceOf(world),
    digest: world.digest(),
    accounts: accountViews(world),
    parent: parentView(world),
  }
}

function parentView({ parent }: World) {
  return parent === null
    ? null
    : { world: parent.world, sequence: parent.sequence, at: millisToIso(parent.atMillis) }
}

interface AdvanceInProgress {
  readonly longWorks: number
  readonly view: ReturnType<typeof worldView>
  readonly toMillis: number
}

const advances = new WeakMap<World, AdvanceInProgress>()

/**
 * Saves the view of a world before a long advance to at most an instant, so that `settledView` can show it meanwhile.
 */
export function rememberAdvance(world: World, toMillis: number): void {
  advances.set(world, { longWorks: world.workQueue.longWorkCount, view: worldView(world), toMillis })
}

/**
 * Returns a world as the admin API shows it, with its requests and test, without waiting for long work. While such work
 * is paused, the world is shown as it was before, and `advancing` says how far it has come.
 */
export function settledView(world: World) {
  const failedTest = world.failure?.test ?? null
  const about = { madeAt: millisToIso(world.madeAtWallMillis), test: world.test ?? failedTest, failedTest }
  const log = { ...world.requests.counts, ...about }
  if (!world.workQueue.isPaused) return { ...worldView(world), ...log }
  return { ...(advanceOf(world)?.view ?? worldView(world)), ...log, advancing: advancingView(world) }
}

/**
 * Returns how far a long advance has come and where it ends at the latest. The end is null when it is not known, as when
 * a world catches up with real time.
 */
export function advancingView(world: World) {
  const advance = advanceOf(world)
  return { now: millisToIso(world.now), to: advance === null ? null : millisToIso(advance.toMillis) }
}

function advanceOf(world: World): AdvanceInProgress | null {
  const advance = advances.get(world)
  return advance?.longWorks === world.workQueue.longWorkCount ? advance : null
}

/** Returns the client accounts in the order of the engine's rows, with their keys that are not revoked. */
export function accountViews(world: World) {
  const { accounts } = world.venue.state
  const keys = new Map<number, ApiKey[]>()
  for (const key of world.keys.list()) {
    if (key.isRevoked) continue
    const others = keys.get(key.account)
    if (others === undefined) keys.set(key.account, [key])
    else others.push(key)
  }
  return accounts.ids
    .map((id, row) => ({ id, keys: (keys.get(row) ?? []).map(keyView) }))
    .slice(firstClientAccount)
}

export function keyView({ apiKey, apiSecret, scopes }: ApiKey) {
  return { apiKey, apiSecret, scopes: [...scopes] }
}

export function clockView({ mode, speed, stepMillis, maxMillis = millis(defaultJumpMillis) }: ClockSettings) {
  return { mode, speed, stepMs: stepMillis, maxMs: maxMillis }
}

export function digestView(world: World) {
  return { digest: world.digest(), sequence: world.sequence, now: millisToIso(world.now) }
}

export function accountTermsView(world: World, row: number) {
  const { accounts, feeSchedules } = world.venue.state
  const { makerRate, takerRate } = feeSchedules.at(accounts.feeSchedule.get(row))
  return {
    id: accounts.id(row),
    type: accounts.isMargin.get(row) === 1 ? 'margin' : 'cash',
    fees: { makerBps: makerRate / 100, takerBps: takerRate / 100 },
    ...queryAsAccount(world, row, 'getLimits'),
  }
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

export function pairView(world: World, asset: number) {
  const { state } = world.venue
  const { symbol, pair } = state.assets.tradedAsset(asset)
  return {
    symbol: `${symbol}-${state.assets.symbol(cash)}`,
    status: pair.isActive && !isHalted(stateOf(state, asset)) ? 'active' : 'inactive',
    minQuantity: quantityNumber(pair, pair.minQuantitySteps),
    maxQuantity: quantityNumber(pair, pair.maxQuantitySteps),
    minPrice: priceNumber(pair, pair.minPriceTicks),
    minNotional: usdNumber(pair.minNotionalAtoms),
  }
}

export function limitsView(world: World) {
  const { isEnabled, marketData, other, windowMillis } = world.limiter.limits
  return { enabled: isEnabled, marketData, other, windowMs: windowMillis }
}

/** Returns how many requests each key that is not revoked may still send, by category. */
export function allowanceViews(world: World) {
  const { limiter, wall } = world
  const readings = readingsInForceOf(world)
  const algorithm = readings['rate.algorithm']
  const nowMillis = readings['rate.clock'] === 'world' ? world.now : wall.nowMillis()
  const standing = (apiKey: string, category: RateCategory) => {
    const { limit, remaining } = limiter.allowance(apiKey, category, algorithm, nowMillis)
    return { limit, remaining }
  }
  return world.keys
    .list()
    .filter((key) => !key.isRevoked)
    .map(({ apiKey, accountId }) => ({
      apiKey,
      account: accountId,
      marketData: standing(apiKey, 'marketData'),
      other: standing(apiKey, 'other'),
    }))
}

/** Returns a fault rule in the words of its form, without the conditions that match anything. */
export function faultView({ id, rule, untilMillis, matched, fired }: ActiveFault) {
  const { match, type, phase, toxicity, count, skip, every, attributes } = rule
  return {
    id,
    match: Object.fromEntries(Object.entries(match).filter(([, value]) => value !== null)),
    type,
    phase,
    toxicity,
    count,
    skip,
    every,
    until: untilMillis === null ? null : millisToIso(untilMillis),
    attributes,
    matched,
    fired,
  }
}
