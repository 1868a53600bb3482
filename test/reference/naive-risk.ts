import type { Assessment } from '../../src/engine/assessment.ts'
import { cash, type OrderType, type Side } from '../../src/engine/codes.ts'
import type { LimitsConfig } from '../../src/engine/limits.ts'
import { atoms } from '../../src/numeric/units.ts'
import { absolute, divideFloor, larger, partsInOne, smaller, sum } from './exact.ts'
import { availableOf, totalOf } from './naive-ledger.ts'
import { computeBuyReserve, computeCashValue, computeMarkValue } from './naive-values.ts'
import {
  accountOf,
  at,
  isLive,
  type NaiveAsset,
  type NaiveOrder,
  type NaiveWorld,
  remainingOf,
} from './naive-world.ts'

/** What is to be assessed: an order, or one side of a quote. */
export interface Candidate {
  readonly account: number
  readonly asset: number
  readonly side: Side
  readonly type: OrderType
  /** The size for the size limits: of an amendment, the new total. */
  readonly totalSteps: bigint
  /** Value of `totalSteps` for the value limit, in ticks times steps. */
  readonly totalTickSteps: bigint
  /** The quantity that would be open. */
  readonly steps: bigint
  /** The limit price; of a market order, the last level that it walks. */
  readonly priceTicks: bigint
  /** Value of `steps` in ticks times steps: at the price, or the walk of a market order. */
  readonly tickSteps: bigint
  readonly makerRate: bigint
  readonly takerRate: bigint
  /** Value of what would be open beside it (the other side of a quote), in ticks times steps. */
  readonly besideTickSteps: bigint
  /** Orders that do not count, because they are being replaced. */
  readonly without: readonly NaiveOrder[]
}

/** Makes all six checks (none is skipped because another failed) and the amount to reserve. */
export function assess(world: NaiveWorld, candidate: Candidate): Assessment {
  const asset = at(world.assets, candidate.asset)
  const { limits } = accountOf(world, candidate.account)
  const orderValue = computeCashValue(asset, candidate.totalTickSteps)
  const openValue = computeCashValue(asset, candidate.tickSteps)
  const reserve = reserveNeeded(world, candidate)
  const orderSize = sizeCheck(asset, limits, candidate.totalSteps)
  const orderValueCheck = {
    passed: orderValue <= BigInt(limits.maxOrderValue),
    limitAtoms: limits.maxOrderValue,
    valueAtoms: amount(orderValue),
  }
  const { exposure, assetExposure } = exposureChecks(world, candidate)
  const availableBalance = balanceCheck(world, candidate, reserve)
  const volume = volumeToday(world, candidate.account)
  const dailyVolume = afterCheck(
    BigInt(limits.maxDailyVolume),
    volume,
    volume + openValue + computeCashValue(asset, candidate.besideTickSteps),
    false,
  )
  const checks = {
    orderSize,
    orderValue: orderValueCheck,
    exposure,
    assetExposure,
    availableBalance,
    dailyVolume,
  }
  return {
    isApproved: Object.values(checks).every((check) => check.passed),
    orderValueAtoms: amount(orderValue),
    reserveAtoms: amount(reserve),
    checks,
  }
}

export function reserveNeeded(world: NaiveWorld, candidate: Candidate): bigint {
  const asset = at(world.assets, candidate.asset)
  if (candidate.side === 1) return candidate.steps * asset.atomsPerStep
  return computeBuyReserve(world, asset, candidate.tickSteps, candidate)
}

/** Returns cash plus all positions at the mark. */
function computeEquity(world: NaiveWorld, account: number): bigint {
  const values = world.assets
    .filter((asset) => asset.row !== cash)
    .map((asset) => computeMarkValue(asset, totalOf(world, account, asset.row)))
  return totalOf(world, account, cash) + sum(values)
}

/** Returns the worst exposure of one asset when all open orders of one side fill, at their own prices. */
function computeAssetExposure(
  world: NaiveWorld,
  account: number,
  asset: NaiveAsset,
  without: readonly NaiveOrder[],
  candidate: { readonly side: Side; readonly value: bigint } | null,
): bigint {
  const position = computeMarkValue(asset, totalOf(world, account, asset.row))
  const openValue = (side: Side) =>
    computeOpenValue(world, account, asset, without, side) + (candidate?.side === side ? candidate.value : 0n)
  return larger(absolute(position + openValue(0)), absolute(position - openValue(1)))
}

/** Returns the value of one side's open orders, at their own prices. */
function computeOpenValue(
  world: NaiveWorld,
  account: number,
  asset: NaiveAsset,
  without: readonly NaiveOrder[],
  side: Side,
): bigint {
  return sum(
    openOrders(world, account, asset.row, without)
      .filter((order) => order.side === side)
      .map((order) => computeCashValue(asset, order.priceTicks * remainingOf(order))),
  )
}

function computePortfolioExposure(
  world: NaiveWorld,
  account: number,
  without: readonly NaiveOrder[],
): bigint {
  const traded = world.assets.filter((asset) => asset.row !== cash)
  return sum(traded.map((asset) => computeAssetExposure(world, account, asset, without, null)))
}

/** Returns the smaller of the exposure limit and what the leverage allows. */
function computeExposureLimit(world: NaiveWorld, account: number): bigint {
  const { limits } = accountOf(world, account)
  if (accountOf(world, account).type === 'cash') return BigInt(limits.maxExposure)
  return smaller(BigInt(limits.maxExposure), computeLeveragedEquity(world, account))
}

/** Returns what may be held on the account's equity; nothing on debts. */
function computeLeveragedEquity(world: NaiveWorld, account: number): bigint {
  const { limits } = accountOf(world, account)
  const leveraged = divideFloor(computeEquity(world, account) * BigInt(limits.maxLeverage), partsInOne)
  return larger(0n, leveraged)
}

/** Returns whether the account's worst exposure is more than its leverage allows. */
export function isBeyondLeverage(world: NaiveWorld, account: number): boolean {
  return computePortfolioExposure(world, account, []) > computeLeveragedEquity(world, account)
}

function volumeToday(world: NaiveWorld, account: number): bigint {
  const midnight = world.now - (world.now % 86_400_000)
  return sum(
    world.fills
      .filter((fill) => fill.account === account && fill.at >= midnight)
      .map((fill) => fill.notional),
  )
}

/** Returns the steps of the candidate that can only bring the position nearer to zero. */
function reducingSteps(world: NaiveWorld, candidate: Candidate): bigint {
  const asset = at(world.assets, candidate.asset)
  const position = totalOf(world, candidate.account, candidate.asset)
  const against = candidate.side === 0 ? -position : position
  const open = openOrders(world, candidate.account, candidate.asset, candidate.without)
  const sameSide = sum(open.filter((order) => order.side === candidate.side).map(remainingOf))
  const room = divideFloor(against, asset.atomsPerStep) - sameSide
  return smaller(candidate.steps, larger(room, 0n))
}

function openOrders(world: NaiveWorld, account: number, asset: number, without: readonly NaiveOrder[]) {
  return world.orders.filter(
    (order) =>
      order.account === account && order.asset === asset && isLive(order) && !without.includes(order),
  )
}

function sizeCheck(
  asset: NaiveAsset,
  limits: LimitsConfig,
  steps: bigint,
): Assessment['checks']['orderSize'] {
  const value = steps * asset.sizePerStep
  const maximum = BigInt(limits.maxOrderSize.bySymbol.get(asset.symbol) ?? limits.maxOrderSize.default)
  const minimum = BigInt(limits.minOrderSize.bySymbol.get(asset.symbol) ?? limits.minOrderSize.default)
  const isSmall = value < minimum
  return {
    passed: !isSmall && value <= maximum,
    limit: Number(isSmall ? minimum : maximum),
    minimum: Number(minimum),
    maximum: Number(maximum),
    value: Number(value),
  }
}

function exposureChecks(
  world: NaiveWorld,
  candidate: Candidate,
): Pick<Assessment['checks'], 'exposure' | 'assetExposure'> {
  const { account, without } = candidate
  const asset = at(world.assets, candidate.asset)
  const { limits } = accountOf(world, account)
  const value = computeCashValue(asset, candidate.tickSteps)
  const before = computeAssetExposure(world, account, asset, without, null)
  const after = computeAssetExposure(world, account, asset, without, { side: candidate.side, value })
  const portfolio = computePortfolioExposure(world, account, without)
  const onlyReduces = reducingSteps(world, candidate) === candidate.steps
  const assetLimit =
    limits.maxExposurePerAsset.bySymbol.get(asset.symbol) ?? limits.maxExposurePerAsset.default
  return {
    exposure: afterCheck(
      computeExposureLimit(world, account),
      portfolio,
      portfolio - before + after,
      onlyReduces,
    ),
    assetExposure: afterCheck(BigInt(assetLimit), before, after, onlyReduces),
  }
}

function balanceCheck(
  world: NaiveWorld,
  candidate: Candidate,
  required: bigint,
): Assessment['checks']['availableBalance'] {
  const asset = candidate.side === 0 ? cash : candidate.asset
  const available = computeSpendable(world, candidate, asset)
  return {
    passed: required <= available,
    asset,
    requiredAtoms: amount(required),
    availableAtoms: amount(available),
  }
}

/**
 * Returns what a candidate may spend. A cash account spends what it has; a margin account what its leverage leaves,
 * and what closes a position.
 */
function computeSpendable(world: NaiveWorld, candidate: Candidate, reservedAsset: number): bigint {
  const { account, without } = candidate
  const freed = sum(without.filter((order) => order.side === candidate.side).map((order) => order.reserved))
  const available = availableOf(world, account, reservedAsset) + freed
  if (accountOf(world, account).type === 'cash') return available
  const asset = at(world.assets, candidate.asset)
  const room = larger(0n, computeLeveragedEquity(world, account) - computeTakenOnSide(world, candidate))
  if (candidate.side === 1) {
    const short = divideFloor(
      room * asset.atomsPerStep * asset.valueDenominator,
      candidate.priceTicks * asset.valueNumerator,
    )
    return larger(0n, available) + short
  }
  if (candidate.steps === 0n) return room
  const closing = reserveNeeded(world, candidate) * reducingSteps(world, candidate)
  return room + divideFloor(closing, candidate.steps)
}

/**
 * Returns the exposure of an account when all its open orders fill but those of the candidate's asset on the other
 * side.
 */
function computeTakenOnSide(world: NaiveWorld, { account, asset: row, side, without }: Candidate): bigint {
  const asset = at(world.assets, row)
  const others =
    computePortfolioExposure(world, account, without) -
    computeAssetExposure(world, account, asset, without, null)
  const position = computeMarkValue(asset, totalOf(world, account, row))
  const open = computeOpenValue(world, account, asset, without, side)
  return others + larger(0n, (side === 0 ? position : -position) + open)
}

function afterCheck(limit: bigint, current: bigint, after: bigint, alwaysPasses: boolean) {
  return {
    passed: alwaysPasses || after <= limit,
    limitAtoms: amount(limit),
    currentAtoms: amount(current),
    afterAtoms: amount(after),
  }
}

function amount(value: bigint) {
  return atoms(Number(value))
}
