import type { ApiResponse } from '../../src/api/context.ts'
import { dispatch, matchRoute, problemResponse } from '../../src/api/dispatch.ts'
import { validate } from '../../src/api/input/read-body.ts'
import { declaredStatuses } from '../../src/api/openapi/responses.ts'
import { errorShape } from '../../src/api/operations/common.ts'
import { type OperationId, routeOf } from '../../src/api/operations/operations.ts'
import { type Readings, resolveReadings } from '../../src/api/readings/readings.ts'
import type { Command, Outcome } from '../../src/engine/command.ts'
import type { AccountConfig, AssetConfig, VenueConfig } from '../../src/engine/config.ts'
import type { LimitsConfig } from '../../src/engine/limits.ts'
import { Venue } from '../../src/engine/venue.ts'
import { assert } from '../../src/numeric/assert.ts'
import {
  atoms,
  type Millis,
  millis,
  partsPerMillion,
  priceTicks,
  quantitySteps,
} from '../../src/numeric/units.ts'

/*
 * A venue that answers requests without sockets: BTC around 50,000 with a ladder of two levels a side, ETH at 3,000 with
 * an empty book. Alice and bob have cash and coins, mara has a margin account with cash only.
 */

const startMillis = 1_767_571_200_000 // 2026-01-05T00:00:00Z
export const start = '2026-01-05T00:00:00.000Z'

/** The price of BTC on a fresh desk, as the interface shows it. */
export const btcPrice = {
  asset: 'BTC',
  bid: 49_990,
  ask: 50_010,
  mid: 50_000,
  last: 50_000,
  change24h: 0,
  volume24h: 0,
  high24h: 50_000,
  low24h: 50_000,
  updatedAt: start,
}

export interface Desk {
  readonly venue: Venue
  /** `body` is JSON text, or a value to be sent as JSON. */
  request(account: string, method: string, target: string, body?: unknown): ApiResponse
  execute(command: Command): Outcome
  advance(byMillis: number): void
  row(account: string): number
}

export interface DeskOptions {
  readonly readings?: { readonly [key: string]: string }
  readonly limits?: Partial<LimitsConfig>
  readonly seed?: string
}

export function openDesk({ readings = {}, limits = {}, seed = '7' }: DeskOptions = {}): Desk {
  const resolved = resolveReadings(readings)
  assert(resolved.ok, 'the readings of a test exist')
  const venue = Venue.open(config(seed, { ...wide, ...limits }), { emit() {} })
  const row = (account: string) => venue.state.accounts.rowOf(account)
  return {
    venue,
    row,
    execute: (command) => venue.execute(command),
    advance: (byMillis) => {
      venue.execute({ kind: 'advance', at: millis(venue.now + byMillis) })
    },
    request: (account, method, target, body) => {
      const mark = target.indexOf('?')
      const path = mark === -1 ? target : target.slice(0, mark)
      const match = matchRoute(method, `/api/sdk${path}`, resolved.value)
      if (match.kind !== 'found') return problemResponse({ code: 'unknown-route' }, resolved.value)
      const response = dispatch(
        {
          state: venue.state,
          account: row(account),
          readings: resolved.value,
          now: venue.now,
          execute: (command) => venue.execute(command),
        },
        {
          operation: match.operation,
          parameter: match.parameter,
          query: mark === -1 ? '' : target.slice(mark + 1),
          body: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
        },
      )
      checkStatus(match.operation, response, resolved.value)
      if (Object.keys(readings).length === 0) checkContract(match.operation, response)
      return response
    },
  }
}

/** With the default readings, every answer in these tests must have the documented shape. */
function checkContract(operation: OperationId, { status, body }: ApiResponse): void {
  const route = routeOf(operation)
  const isSuccess = status < 400
  const checked = validate(isSuccess ? route.response : errorShape, JSON.parse(JSON.stringify(body)))
  assert(
    checked.ok,
    checked.ok ? 'ok' : `${operation} answers as documented: ${JSON.stringify(checked.problem)}`,
  )
}

/** With any readings, the status must be one that the document declares under them. */
function checkStatus(operation: OperationId, { status }: ApiResponse, readings: Readings): void {
  const { successes, errors } = declaredStatuses(operation, routeOf(operation), readings)
  assert([...successes, ...errors].includes(status), `${operation} declares the status ${status}`)
}

export const at = (venue: Venue, afterMillis = 0): Millis => millis(venue.now + afterMillis)

const wide: LimitsConfig = {
  maxOrderSize: { bySymbol: new Map(), default: 1_000 * 1e8 },
  minOrderSize: { bySymbol: new Map(), default: 1 },
  maxOrderValue: atoms(10_000_000e6),
  maxDailyVolume: atoms(100_000_000e6),
  maxOpenOrders: 1_000,
  maxOpenOrdersPerAsset: 500,
  maxExposure: atoms(100_000_000e6),
  maxExposurePerAsset: { bySymbol: new Map(), default: atoms(100_000_000e6) },
  maxLeverage: partsPerMillion(1_000_000),
}

function config(seed: string, limits: LimitsConfig): VenueConfig {
  return {
    seed,
    startMillis: millis(startMillis),
    gridMillis: millis(1000),
    assets: [
      { symbol: 'USD', scale: 6, pair: null, liquidity: { kind: 'none' } },
      bitcoin,
      { ...bitcoin, symbol: 'ETH', liquidity: { kind: 'none' } },
    ],
    fees: { makerRate: partsPerMillion(0), takerRate: partsPerMillion(1000), currency: 'quote' },
    selfTrade: 'cancel_taker',
    accounts: [
      account('alice', 'cash', { USD: 1_000_000e6, BTC: 10e8, ETH: 100e8 }, limits),
      account('bob', 'cash', { USD: 1_000_000e6, BTC: 10e8, ETH: 100e8 }, limits),
      account('mara', 'margin', { USD: 1_000_000e6 }, { ...limits, maxLeverage: partsPerMillion(2_000_000) }),
    ],
    market: {
      seed,
      startMillis,
      gridMillis: 1000,
      assets: [
        { symbol: 'BTC', price: 50_000, model: { kind: 'constant' }, flow: { kind: 'none' } },
        { symbol: 'ETH', price: 3_000, model: { kind: 'constant' }, flow: { kind: 'none' } },
      ],
    },
  }
}

const bitcoin: AssetConfig = {
  symbol: 'BTC',
  scale: 8,
  pair: {
    priceStep: { units: 1, scale: 2 },
    quantityStep: { units: 1, scale: 4 },
    minQuantitySteps: quantitySteps(10),
    maxQuantitySteps: quantitySteps(10_000_000),
    minPriceTicks: priceTicks(100),
    minNotionalAtoms: atoms(5e6),
    isActive: true,
  },
  liquidity: {
    kind: 'ladder',
    bids: [
      [49_990, 1],
      [49_980, 2],
    ],
    asks: [
      [50_010, 1],
      [50_020, 2],
    ],
  },
}

function account(
  id: string,
  type: 'cash' | 'margin',
  balances: { readonly [symbol: string]: number },
  limits: LimitsConfig,
): AccountConfig {
  const held = Object.entries(balances).map(([symbol, amount]) => [symbol, atoms(amount)] as const)
  return { id, type, balances: new Map(held), averageEntryPrices: new Map(), limits, fees: null }
}
