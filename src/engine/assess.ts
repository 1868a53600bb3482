import { Figure } from '../numeric/figure.ts'
import { atoms } from '../numeric/units.ts'
import { multiplyDivideFloor } from '../numeric/wide.ts'
import type { Assessment } from './assessment.ts'
import type { Candidate } from './candidate.ts'
import { cash } from './codes.ts'
import { worstCase } from './exposure-table.ts'
import type { State } from './state.ts'

const million = 1_000_000
const dayMillis = 86_400_000

/**
 * The six checks, all evaluated, none writing anything. The figures of the last assessment stay in
 * the fields, so that an order that passes costs no objects; `assessment` makes them when asked.
 * Errors: none; a candidate that fails is an answer.
 */
export class Assessor {
  private readonly sizeLimit = new Figure()
  private readonly sizeMinimum = new Figure()
  private readonly smallestSize = new Figure()
  private readonly largestSize = new Figure()
  private readonly orderValue = new Figure()
  private readonly valueLimit = new Figure()
  private readonly exposureLimit = new Figure()
  private readonly exposureCurrent = new Figure()
  private readonly exposureAfter = new Figure()
  private readonly assetLimit = new Figure()
  private readonly assetCurrent = new Figure()
  private readonly assetAfter = new Figure()
  private isReducing = false
  private isBuyFunded = true
  private isSellFunded = true
  private readonly buyRequired = new Figure()
  private readonly buyAvailable = new Figure()
  private readonly sellRequired = new Figure()
  private readonly sellAvailable = new Figure()
  private readonly volumeLimit = new Figure()
  private readonly volumeCurrent = new Figure()
  private readonly volumeAfter = new Figure()
  private asset = 0

  /** Whether all six checks pass. */
  approves(state: State, candidate: Candidate): boolean {
    this.asset = candidate.asset
    this.checkSize(state, candidate)
    this.checkExposure(state, candidate)
    this.checkBalance(state, candidate)
    this.checkVolume(state, candidate)
    return (
      this.isSizePassed() &&
      this.orderValue.get() <= this.valueLimit.get() &&
      this.isExposurePassed() &&
      this.isAssetPassed() &&
      this.isBuyFunded &&
      this.isSellFunded &&
      this.volumeAfter.get() <= this.volumeLimit.get()
    )
  }

  /** The last assessment as data. */
  assessment(): Assessment {
    const isTooSmall = this.smallestSize.get() < this.sizeMinimum.get()
    const isValuePassed = this.orderValue.get() <= this.valueLimit.get()
    const isVolumePassed = this.volumeAfter.get() <= this.volumeLimit.get()
    const isFunded = this.isBuyFunded && this.isSellFunded
    const showsSell = this.isBuyFunded && (!this.isSellFunded || this.buyRequired.get() === 0)
    return {
      isApproved:
        this.isSizePassed() &&
        isValuePassed &&
        this.isExposurePassed() &&
        this.isAssetPassed() &&
        isFunded &&
        isVolumePassed,
      orderValueAtoms: atoms(this.orderValue.get()),
      reserveAtoms: atoms(showsSell ? this.sellRequired.get() : this.buyRequired.get()),
      checks: {
        orderSize: {
          passed: this.isSizePassed(),
          limit: isTooSmall ? this.sizeMinimum.get() : this.sizeLimit.get(),
          minimum: this.sizeMinimum.get(),
          maximum: this.sizeLimit.get(),
          value: isTooSmall ? this.smallestSize.get() : this.largestSize.get(),
        },
        orderValue: {
          passed: isValuePassed,
          limitAtoms: atoms(this.valueLimit.get()),
          valueAtoms: atoms(this.orderValue.get()),
        },
        exposure: {
          passed: this.isExposurePassed(),
          limitAtoms: atoms(this.exposureLimit.get()),
          currentAtoms: atoms(this.exposureCurrent.get()),
          afterAtoms: atoms(this.exposureAfter.get()),
        },
        assetExposure: {
          passed: this.isAssetPassed(),
          limitAtoms: atoms(this.assetLimit.get()),
          currentAtoms: atoms(this.assetCurrent.get()),
          afterAtoms: atoms(this.assetAfter.get()),
        },
        availableBalance: {
          passed: isFunded,
          asset: showsSell ? this.asset : cash,
          requiredAtoms: atoms(showsSell ? this.sellRequired.get() : this.buyRequired.get()),
          availableAtoms: atoms(showsSell ? this.sellAvailable.get() : this.buyAvailable.get()),
        },
        dailyVolume: {
          passed: isVolumePassed,
          limitAtoms: atoms(this.volumeLimit.get()),
          currentAtoms: atoms(this.volumeCurrent.get()),
          afterAtoms: atoms(this.volumeAfter.get()),
        },
      },
    }
  }

  private isSizePassed(): boolean {
    return this.largestSize.get() <= this.sizeLimit.get() && this.smallestSize.get() >= this.sizeMinimum.get()
  }

  private isExposurePassed(): boolean {
    return this.isReducing || this.exposureAfter.get() <= this.exposureLimit.get()
  }

  private isAssetPassed(): boolean {
    return this.isReducing || this.assetAfter.get() <= this.assetLimit.get()
  }

  private checkSize(state: State, candidate: Candidate): void {
    const { accounts, assets } = state
    const limits = accounts.limitsOf(candidate.account)
    const { stepSize } = assets.traded(candidate.asset)
    this.sizeLimit.set(limits.maxOrderSize[candidate.asset] ?? 0)
    this.sizeMinimum.set(limits.minOrderSize[candidate.asset] ?? 0)
    this.smallestSize.set(candidate.smallestSteps.get() * stepSize)
    this.largestSize.set(candidate.largestSteps.get() * stepSize)
    this.orderValue.set(candidate.orderValueAtoms.get())
    this.valueLimit.set(limits.config.maxOrderValue)
    this.assetLimit.set(limits.maxExposure[candidate.asset] ?? 0)
    this.volumeLimit.set(limits.config.maxDailyVolume)
  }

  /**
   * Leverage is part of a margin account's exposure check: the limit is the smaller of maxExposure and equity *
   * maxLeverage. Choice: a cash account pays for all that it buys, so that only its balance can fail where it lacks
   * money (INSUFFICIENT_BALANCE, not RISK_LIMIT_EXCEEDED).
   */
  private checkExposure(state: State, candidate: Candidate): void {
    const { accounts, exposures, ledger } = state
    const { account, asset, buy, sell, replacedBuy, replacedSell } = candidate
    const { config } = accounts.limitsOf(account)
    const index = ledger.index(account, asset)
    const value = exposures.valueAtoms(account, asset)
    const openBuy = exposures.openBuyAtoms.get(index) - replacedBuy.valueAtoms.get()
    const openSell = exposures.openSellAtoms.get(index) - replacedSell.valueAtoms.get()
    const others = exposures.totalWorstAtoms(account) - exposures.worstAtoms(account, asset)
    this.assetCurrent.set(worstCase(value, openBuy, openSell))
    this.assetAfter.set(worstCase(value, openBuy + buy.valueAtoms.get(), openSell + sell.valueAtoms.get()))
    this.exposureCurrent.set(others + this.assetCurrent.get())
    this.exposureAfter.set(others + this.assetAfter.get())
    const isMargin = accounts.isMargin.get(account) === 1
    const leveraged = isMargin ? leveragedEquityAtoms(state, account) : config.maxExposure
    this.exposureLimit.set(Math.min(config.maxExposure, leveraged))
    const isOver =
      this.exposureAfter.get() > this.exposureLimit.get() || this.assetAfter.get() > this.assetLimit.get()
    this.isReducing =
      isOver &&
      buy.steps.get() <= this.reducibleSteps(state, candidate, -1) &&
      sell.steps.get() <= this.reducibleSteps(state, candidate, 1)
  }

  /** Steps that only reduce: a long position less the other open sells, or a short one less the other open buys. */
  private reducibleSteps(state: State, candidate: Candidate, sign: 1 | -1): number {
    const { assets, exposures, ledger } = state
    const index = ledger.index(candidate.account, candidate.asset)
    const { stepAtoms } = assets.traded(candidate.asset)
    const held = Math.floor((sign * ledger.totals.get(index)) / stepAtoms)
    const open =
      sign === 1
        ? exposures.openSellSteps.get(index) - candidate.replacedSell.steps.get()
        : exposures.openBuySteps.get(index) - candidate.replacedBuy.steps.get()
    return Math.max(0, held - open)
  }

  /** Cash accounts pay from what is available; margin accounts from what leverage leaves. */
  private checkBalance(state: State, candidate: Candidate): void {
    const { accounts, assets, ledger } = state
    const { account, asset, buy, sell, replacedBuy, replacedSell } = candidate
    this.buyRequired.set(buy.reserveAtoms.get())
    this.sellRequired.set(sell.reserveAtoms.get())
    this.buyAvailable.set(ledger.available(account, cash) + replacedBuy.reserveAtoms.get())
    this.sellAvailable.set(ledger.available(account, asset) + replacedSell.reserveAtoms.get())
    if (accounts.isMargin.get(account) === 1) {
      const capacity = Math.max(0, leveragedEquityAtoms(state, account) - this.exposureCurrent.get())
      const covering = Math.min(buy.steps.get(), this.reducibleSteps(state, candidate, -1))
      const covered =
        covering === 0 ? 0 : multiplyDivideFloor(buy.reserveAtoms.get(), covering, buy.steps.get())
      this.buyAvailable.set(capacity + covered)
      const { valueNumerator, valueDenominator } = assets.traded(asset)
      const shortable =
        sell.steps.get() === 0
          ? 0
          : atMost(capacity, valueDenominator, candidate.sellTicks.get() * valueNumerator)
      this.sellAvailable.set(Math.max(0, this.sellAvailable.get()) + shortable)
    }
    this.isBuyFunded = this.buyRequired.get() <= this.buyAvailable.get()
    this.isSellFunded = this.sellRequired.get() <= this.sellAvailable.get()
  }

  private checkVolume(state: State, candidate: Candidate): void {
    this.volumeCurrent.set(dayVolumeAtoms(state, candidate.account))
    this.volumeAfter.set(
      this.volumeCurrent.get() + candidate.buy.valueAtoms.get() + candidate.sell.valueAtoms.get(),
    )
  }
}

/** Equity (cash and positions at the mark) times the account's leverage, rounded down; never negative. USD atoms. */
export function leveragedEquityAtoms(state: State, account: number): number {
  const equity = equityAtoms(state, account)
  if (equity <= 0) return 0
  const { maxLeverage } = state.accounts.limitsOf(account).config
  const whole = equity * (maxLeverage / million)
  return maxLeverage % million === 0 && whole <= Number.MAX_SAFE_INTEGER
    ? whole
    : atMost(equity, maxLeverage, million)
}

/** Cash and positions at the mark, USD atoms. */
export function equityAtoms(state: State, account: number): number {
  return state.ledger.totals.get(state.ledger.index(account, cash)) + state.exposures.positionsAtoms(account)
}

/** Value that the account has traded since 00:00Z, USD atoms. */
export function dayVolumeAtoms(state: State, account: number): number {
  const { accounts } = state
  const today = Math.floor(state.nowMillis / dayMillis)
  return accounts.volumeDay.get(account) === today ? accounts.dayVolumeAtoms.get(account) : 0
}

/** left * right / divisor, rounded down, or the largest safe integer where that is less: these are bounds only. */
function atMost(left: number, right: number, divisor: number): number {
  if ((left / divisor) * right >= Number.MAX_SAFE_INTEGER / 2) return Number.MAX_SAFE_INTEGER
  return multiplyDivideFloor(left, right, divisor)
}
