import { createMarket } from '../market/create-market.ts'
import { noImpact } from '../market/liquidity/impact.ts'
import { Float64Column } from '../numeric/columns.ts'
import { atoms, partsPerMillion } from '../numeric/units.ts'
import { OrderBook } from './book/order-book.ts'
import { Candidate } from './candidate.ts'
import { Assessor } from './checks/assess.ts'
import { addAccount } from './commands/settings.ts'
import type { AccountConfig, LimitsConfig, VenueConfig } from './config.ts'
import type { EventSink } from './events.ts'
import { createHouseLadder } from './house/ladder-source.ts'
import { normalConditions } from './house/market-moves.ts'
import { Ledger } from './ledger.ts'
import { historyOf } from './series/known-histories.ts'
import { MarkHistory } from './series/mark-history.ts'
import { RollingStatistics } from './series/rolling-statistics.ts'
import type { AssetState, State } from './state.ts'
import { AccountTable } from './tables/account-table.ts'
import { AssetTable } from './tables/asset-table.ts'
import { ExposureTable } from './tables/exposure-table.ts'
import { FeeSchedules } from './tables/fee-schedules.ts'
import { FillTable } from './tables/fill-table.ts'
import { HoldingTable } from './tables/holding-table.ts'
import { OrderTable } from './tables/order-table.ts'
import { PositionTable } from './tables/position-table.ts'
import { QuoteTable } from './tables/quote-table.ts'
import { TransferTable } from './tables/transfer-table.ts'
import { Timeline } from './timeline.ts'

/** A venue before its first instant: no marks yet, only the venue's own accounts. */
export function createState(config: VenueConfig, sink: EventSink): State {
  const assets = new AssetTable(config.assets)
  const holdings = new HoldingTable(assets.count)
  const accounts = new AccountTable()
  const markTicks = new Float64Column(assets.count)
  const market = createMarket(config.market)
  const exposures = new ExposureTable(holdings, accounts, assets, markTicks)
  const byAsset: (AssetState | null)[] = [null]
  const state: State = {
    config,
    market,
    sink,
    assets,
    accounts,
    feeSchedules: new FeeSchedules(),
    orders: new OrderTable(),
    quotes: new QuoteTable(),
    fills: new FillTable(),
    transfers: new TransferTable(),
    holdings,
    ledger: new Ledger(holdings),
    positions: new PositionTable(holdings),
    exposures,
    assessor: new Assessor(),
    candidate: new Candidate(),
    timeline: new Timeline(),
    markTicks,
    priceUpdatedAtMillis: new Float64Column(assets.count),
    lastTicks: new Float64Column(assets.count),
    byAsset,
    nowMillis: config.startMillis,
    gridIndex: 0,
    tradeCount: 0,
    moveCount: 0,
    priorityCount: 0,
    venueTaker: 'flow',
  }
  for (let asset = 1; asset < assets.count; asset += 1) byAsset.push(createAssetState(state, asset))
  for (const id of venueAccountIds) addAccount(state, venueAccount(id))
  return state
}

/** Ids that no client can have, because scenario and admin ids are words without a slash. */
const venueAccountIds = ['venue/external', 'venue/house', 'venue/fees']

function createAssetState(state: State, asset: number): AssetState {
  const traded = state.assets.traded(asset)
  return {
    book: new OrderBook(state.orders.resting),
    ladder: createHouseLadder(state, asset),
    statistics: new RollingStatistics(traded, historyOf(state.config, asset)),
    marks: new MarkHistory(),
    overrides: [],
    halt: 'none',
    haltEndsAtMillis: 0,
    isHaltedByRecording: false,
    conditions: normalConditions,
    isStale: false,
    impact: noImpact,
    foreseen: null,
    conditionsEndAtMillis: 0,
  }
}

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
