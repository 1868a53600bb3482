import { createMarket } from '../market/create-market.ts'
import { type ImpactState, noImpact } from '../market/liquidity/impact.ts'
import type { LiquidityConditions } from '../market/liquidity/liquidity.ts'
import type { Market } from '../market/market.ts'
import type { PathOverride } from '../market/path-override.ts'
import { Float64Column } from '../numeric/columns.ts'
import { atoms, partsPerMillion } from '../numeric/units.ts'
import { addAccount } from './accounts/settings.ts'
import { Candidate } from './assessment.ts'
import { OrderBook } from './book/order-book.ts'
import type { VenueTaker } from './codes.ts'
import type { AccountConfig, LimitsConfig, VenueConfig } from './config.ts'
import type { EventSink } from './events.ts'
import { createHouseLadder } from './house/ladder-source.ts'
import { normalConditions } from './house/market-moves.ts'
import type { HouseLadder } from './ladder/house-ladder.ts'
import { Ledger } from './ledger.ts'
import { Assessor } from './risk/assess.ts'
import { MarkHistory } from './series/mark-history.ts'
import { historyOf } from './series/minute-history.ts'
import { RollingStatistics } from './series/rolling-statistics.ts'
import type { AssetState, State } from './state.ts'
import { AccountTable, FeeSchedules } from './tables/account-table.ts'
import { AssetTable } from './tables/asset-table.ts'
import { ExposureTable } from './tables/exposure-table.ts'
import { FillTable } from './tables/fill-table.ts'
import { HoldingTable } from './tables/holding-table.ts'
import { OrderTable } from './tables/order-table.ts'
import { PositionTable } from './tables/position-table.ts'
import { QuoteTable } from './tables/quote-table.ts'
import { TransferTable } from './tables/transfer-table.ts'
import { Timeline } from './timeline.ts'

/** A venue before its first instant: no marks yet, only the venue's own accounts. */
export function createState(config: VenueConfig, sink: EventSink): State {
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
  readonly positions: PositionTable
  readonly exposures: ExposureTable
  readonly assessor = new Assessor()
  readonly candidate = new Candidate()
  readonly timeline = new Timeline()
  readonly markTicks: Float64Column
  readonly priceUpdatedAtMillis: Float64Column
  readonly lastTicks: Float64Column
  readonly byAsset: (AssetState | null)[] = [null]
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
    this.positions = new PositionTable(holdings)
    this.markTicks = new Float64Column(assets.count)
    this.exposures = new ExposureTable(holdings, this.accounts, assets, this.markTicks)
    this.priceUpdatedAtMillis = new Float64Column(assets.count)
    this.lastTicks = new Float64Column(assets.count)
    this.nowMillis = config.startMillis
  }
}

class NewAssetState implements AssetState {
  readonly book: OrderBook
  readonly ladder: HouseLadder
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
    this.book = new OrderBook(state.orders.resting)
    this.ladder = createHouseLadder(state, asset)
    this.statistics = new RollingStatistics(state.assets.traded(asset), historyOf(state.config, asset))
  }
}

/** Ids that no client can have, because scenario and admin ids are words without a slash. */
const venueAccountIds = ['venue/external', 'venue/house', 'venue/fees']

/** The venue's own accounts are margin accounts without fees; nothing limits them, because they place no orders. */
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

const noLimits: LimitsConfig = {
  maxOrderSize: { bySymbol: new Map(), default: 0 },
  minOrderSize: { bySymbol: new Map(), default: 0 },
  maxOrderValue: atoms(0),
  maxDailyVolume: atoms(0),
  maxOpenOrders: 0,
  maxOpenOrdersPerAsset: 0,
  maxExposure: atoms(0),
  maxExposurePerAsset: { bySymbol: new Map(), default: atoms(0) },
  maxLeverage: partsPerMillion(0),
}
