import { createMarket } from '../market/create-market.ts'
import { type ImpactState, noImpact } from '../market/liquidity/impact.ts'
import type { LiquidityConditions } from '../market/liquidity/liquidity.ts'
import type { Market } from '../market/market.ts'
import type { PathOverride } from '../market/path-override.ts'
import { assert } from '../numeric/assert.ts'
import { Float64Column } from '../numeric/columns.ts'
import { type Millis, millis, partsPerMillion } from '../numeric/units.ts'
import {
  addAccount,
  createAccount,
  setAccountType,
  setFees,
  setLimits,
  setPair,
} from './accounts/settings.ts'
import { settleTransfer, transfer } from './accounts/transfers.ts'
import { advanceTo, type ScriptedActions } from './advance.ts'
import { Assessor, Candidate } from './assessment.ts'
import { ClientBook } from './book/order-book.ts'
import { findConfigProblem } from './check-config.ts'
import type { AssetRow, VenueTaker } from './codes.ts'
import type { Command, ControlCommand, Outcome } from './command.ts'
import type { AccountConfig, VenueConfig } from './config.ts'
import type { EventSink } from './events.ts'
import { halt, resume } from './house/halts.ts'
import { bendPrice, movePrice, normalConditions, setLiquidity, switchModel } from './house/market-moves.ts'
import { openMarket } from './house/market-step.ts'
import { HouseLadder } from './ladder/house-ladder.ts'
import type { VenueLadder } from './ladder/ladder.ts'
import { noLimits } from './limits.ts'
import { amendOrder } from './orders/amend-order.ts'
import { cancelOrder, cancelOrders } from './orders/cancel-orders.ts'
import { forceEndOrder, forceExpireQuote, forceFill } from './orders/force.ts'
import { placeOrder } from './orders/place-order.ts'
import { cancelQuote, cancelQuotes } from './quotes/cancel-quotes.ts'
import { submitQuote } from './quotes/submit-quote.ts'
import { updateQuote, updateQuotes } from './quotes/update-quote.ts'
import { createRecordedLadder } from './recorded/create-recorded-ladder.ts'
import type { RecordedLadder } from './recorded/recorded-ladder.ts'
import type { CommandResult, CommandResults } from './rejections.ts'
import { MarkHistory } from './series/mark-history.ts'
import { findHistory } from './series/minute-history.ts'
import { RollingStatistics } from './series/rolling-statistics.ts'
import { captureState, loadState, type VenueSnapshot } from './snapshot/snapshot.ts'
import { StateDigest } from './snapshot/state-digest.ts'
import type { AssetState, State } from './state.ts'
import { AccountTable, FeeSchedules } from './tables/account-table.ts'
import { AssetTable } from './tables/asset-table.ts'
import { ExposureTable, HoldingTable, Ledger } from './tables/holdings.ts'
import { FillTable, OrderTable, QuoteTable, TransferTable } from './tables/record-tables.ts'
import { Timeline } from './timeline.ts'

/**
 * The venue: a state that only `execute` and `advance` change; `state` is for readers, who must not write. Time comes
 * in as data; nothing here reads a clock, and the same commands give the same bytes.
 */
export class Venue {
  readonly state: State
  /** The digest of the state; null until it is first asked for. */
  private stateDigest: StateDigest | null = null

  private constructor(state: State) {
    this.state = state
  }

  /** Opens a venue at its first instant, with its accounts and their opening balances. */
  static open(config: VenueConfig, sink: EventSink): Venue {
    const problem = findConfigProblem(config)
    assert(problem === null, `a configuration is sound, but ${problem?.field} ${problem?.message}`)
    const state = createState(config, sink)
    openMarket(state)
    for (const account of config.accounts) {
      const result = createAccount(state, { kind: 'create-account', at: config.startMillis, account })
      assert(
        typeof result === 'number',
        'the accounts of a configuration have different ids, and balances that can be counted',
      )
    }
    return new Venue(state)
  }

  /** Restores a venue as it was when the snapshot was taken; the configuration must be the one it was taken under. */
  static restore(config: VenueConfig, snapshot: VenueSnapshot, sink: EventSink): Venue {
    const state = createState(config, sink)
    loadState(state, snapshot)
    return new Venue(state)
  }

  get now(): Millis {
    return millis(this.state.nowMillis)
  }

  /**
   * Advances to the command's instant, then does what it says. A refused command changes nothing but the time.
   * Errors: backward-time, then those of the command.
   */
  execute(command: Command): Outcome {
    const { state } = this
    if (command.at < state.nowMillis) return toOutcome({ code: 'backward-time' })
    if (command.at > state.nowMillis) advanceTo(state, command.at)
    return toOutcome(perform(state, command))
  }

  /**
   * Advances to an instant, and lets a script act in its turn on the way: after the market's step of an instant and
   * before the ladders' refresh (design section 5, Time). An instant in the past counts as now.
   */
  advance(at: Millis, work: ScriptedActions): void {
    advanceTo(this.state, Math.max(at, this.state.nowMillis), work)
  }

  snapshot(): VenueSnapshot {
    return captureState(this.state)
  }

  /**
   * Returns 32 hexadecimal digits over the whole present state. It costs what has changed since the previous digest.
   */
  digest(): string {
    this.stateDigest ??= new StateDigest(this.state)
    return this.stateDigest.read()
  }

  /**
   * Hashes some new rows ahead of the next digest. Called now and then, it spares that digest from hashing all of
   * them at once.
   */
  prepareDigest(): void {
    this.stateDigest ??= new StateDigest(this.state)
    this.stateDigest.hashAhead()
  }
}

function perform(state: State, command: Command): CommandResult | CommandResults {
  switch (command.kind) {
    case 'place-order':
      return placeOrder(state, command)
    case 'cancel-order':
      return cancelOrder(state, command)
    case 'amend-order':
      return amendOrder(state, command)
    case 'advance':
      return -1
    case 'place-orders':
      return command.placements.map((placement) => placeOrder(state, placement))
    case 'cancel-orders':
      return cancelOrders(state, command)
    case 'submit-quote':
      return submitQuote(state, command)
    case 'update-quote':
      return updateQuote(state, command.account, command)
    case 'update-quotes':
      return updateQuotes(state, command.account, command.updates)
    case 'cancel-quote':
      return cancelQuote(state, command)
    case 'cancel-quotes':
      return cancelQuotes(state, command)
    default:
      return performControl(state, command)
  }
}

/** Carries out the commands of the admin API and of scripts. */
function performControl(state: State, command: ControlCommand): CommandResult {
  switch (command.kind) {
    case 'deposit':
    case 'withdraw':
      return transfer(state, command)
    case 'settle-transfer':
      return settleTransfer(state, command)
    case 'create-account':
      return createAccount(state, command)
    case 'set-limits':
      return setLimits(state, command)
    case 'set-fees':
      return setFees(state, command)
    case 'set-account-type':
      return setAccountType(state, command)
    case 'set-pair':
      return setPair(state, command)
    case 'halt':
      return halt(state, command)
    case 'resume':
      return resume(state, command)
    case 'move-price':
      return movePrice(state, command)
    case 'bend-price':
      return bendPrice(state, command)
    case 'switch-model':
      return switchModel(state, command)
    case 'set-liquidity':
      return setLiquidity(state, command)
    case 'force-fill':
      return forceFill(state, command)
    case 'force-reject':
    case 'force-expire':
      return forceEndOrder(state, command)
    case 'force-expire-quote':
      return forceExpireQuote(state, command)
    default:
      throw createUnknownCommandError(command)
  }
}

function toOutcome(result: CommandResult | CommandResults): Outcome {
  if (typeof result === 'number') return { ok: true, row: result, items: noItems }
  if ('code' in result) return { ok: false, rejection: result }
  return { ok: true, row: -1, items: result.map(toOutcome) }
}

const noItems: readonly Outcome[] = []

/**
 * Creates the error for a command that does not exist: callers in JavaScript have no types to hold them to the known
 * ones.
 */
function createUnknownCommandError(command: { readonly kind?: unknown } | null | undefined): RangeError {
  return new RangeError(`there is no command ${String(command?.kind)}`)
}

/** Creates the state of a venue before its first instant: no marks yet, only the venue's own accounts. */
function createState(config: VenueConfig, sink: EventSink): State {
  const state = new NewState(config, sink)
  for (let asset = 1; asset < state.assets.count; asset += 1)
    state.byAsset.push(new NewAssetState(state, asset))
  for (const id of venueAccountIds) addAccount(state, venueAccount(id))
  return state
}

/*
 * These are classes because V8 remembers which kind of object a field of a class has always held. It remembers nothing
 * about the fields of a literal, so every read of the state would have to check what it got. For the same reason
 * tsconfig.json lets the constructor assign fields: a field that is first defined as undefined may hold anything.
 */

class NewState implements State {
  readonly config: VenueConfig
  readonly market: Market
  readonly sink: EventSink
  readonly assets: AssetTable
  readonly accounts = new AccountTable()
  readonly feeSchedules = new FeeSchedules()
  readonly orders = new OrderTable()
  readonly quotes = new QuoteTable()
  readonly fills = new FillTable()
  readonly transfers = new TransferTable()
  readonly holdings: HoldingTable
  readonly ledger: Ledger
  readonly exposures: ExposureTable
  readonly assessor = new Assessor()
  readonly candidate = new Candidate()
  readonly timeline = new Timeline()
  readonly markTicks: Float64Column
  readonly priceUpdatedAtMillis: Float64Column
  readonly lastTicks: Float64Column
  readonly byAsset: (AssetState | null)[] = [null]
  readonly recordedAssets: readonly AssetRow[]
  nowMillis: number
  gridIndex = 0
  tradeCount = 0
  moveCount = 0
  priorityCount = 0
  venueTaker: VenueTaker = 'flow'

  constructor(config: VenueConfig, sink: EventSink) {
    const assets = new AssetTable(config.assets)
    const holdings = new HoldingTable(assets.count)
    this.config = config
    this.market = createMarket(config.market)
    this.sink = sink
    this.assets = assets
    this.holdings = holdings
    this.ledger = new Ledger(holdings)
    this.markTicks = new Float64Column(assets.count)
    this.exposures = new ExposureTable(holdings, this.accounts, assets, this.markTicks)
    this.priceUpdatedAtMillis = new Float64Column(assets.count)
    this.lastTicks = new Float64Column(assets.count)
    this.nowMillis = config.startMillis
    this.recordedAssets = assets.allTraded.filter((row) => assets.config(row).liquidity.kind === 'recorded')
  }
}

class NewAssetState implements AssetState {
  readonly book: ClientBook
  readonly ladder: VenueLadder
  readonly recorded: RecordedLadder | null
  readonly statistics: RollingStatistics
  readonly marks = new MarkHistory()
  overrides: readonly PathOverride[] = []
  halt: AssetState['halt'] = 'none'
  haltEndsAtMillis = 0
  isHaltedByRecording = false
  conditions: LiquidityConditions = normalConditions
  isStale = false
  impact: ImpactState = noImpact
  conditionsEndAtMillis = 0

  constructor(state: State, asset: number) {
    this.recorded = createRecordedLadder(state, asset, this)
    this.book = this.recorded?.clients ?? new ClientBook(state.orders.resting)
    this.ladder = this.recorded ?? new HouseLadder(state, asset, this)
    this.statistics = new RollingStatistics(state.assets.tradedAsset(asset), findHistory(state.config, asset))
  }
}

/**
 * The ids of the venue's own accounts. No client can have them, because scenario and admin ids are words without a
 * slash.
 */
const venueAccountIds = ['venue/external', 'venue/house', 'venue/fees']

/**
 * Returns the configuration of one of the venue's own accounts: a margin account without fees. Nothing limits it,
 * because it places no orders.
 */
function venueAccount(id: string): AccountConfig {
  const rate = partsPerMillion(0)
  return {
    id,
    type: 'margin',
    balances: new Map(),
    averageEntryPrices: new Map(),
    limits: noLimits,
    fees: { makerRate: rate, takerRate: rate },
  }
}
