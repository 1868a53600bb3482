import {
  buy,
  fillOrKill,
  goodTillCancelled,
  immediateOrCancel,
  isTerminal,
  limit,
  market,
  orderRow,
  sell,
} from '../../src/engine/codes.ts'
import type { VenueConfig } from '../../src/engine/config.ts'
import { stateOf } from '../../src/engine/state.ts'
import { Venue } from '../../src/engine/venue.ts'
import type { RecordedBook } from '../../src/market/books/recorded-book.ts'
import type { RecordedLiquidity } from '../../src/market/liquidity/liquidity.ts'
import { atoms, millis, partsPerMillion, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { wideLimits } from '../engine/fixtures/small-venue.ts'
import { type GoldenFill, type GoldenRequest, type GoldenRun, readLaw } from './golden-run.ts'

export interface ReplayedRun {
  /** What stood ahead of each order when it last joined, in units of the asset, by id. */
  readonly joins: ReadonlyMap<number, number>
  readonly fills: readonly GoldenFill[]
  /** Orders that took when they came and then rested: the reference fills their remainder at once. */
  readonly remainders: ReadonlySet<number>
  /** Orders that were amended to something else than less at their price. */
  readonly reentered: ReadonlySet<number>
  /** Post-only orders that did not rest there, which are not sent here. */
  readonly unsent: ReadonlySet<number>
}

const account = 3
const asset = 1

/** Sends the requests of a run to a venue with the recorded book, each when the reference's exchange had it. */
export function replayRun(run: GoldenRun, book: RecordedBook): ReplayedRun {
  const { head, requests } = run
  const venue = Venue.open(createConfig(book, head.lot, createLiquidity(run)), {
    emit: () => undefined,
  })
  const rows = new Map<number, number>()
  const joins = new Map<number, number>()
  const remainders = new Set<number>()
  const reentered = new Set<number>()
  const unsent = new Set<number>()
  const noteJoin = (id: number, row: number, filledBefore: number): void => {
    const { state } = venue
    if (isTerminal(state.orders.status.get(row))) return
    const { recorded } = stateOf(state, asset)
    if (state.orders.filledSteps.get(row) > filledBefore) remainders.add(id)
    joins.set(id, (recorded?.queue.placeOf(row).joinedBehind ?? 0) * head.lot)
  }
  for (const request of requests) {
    const { id, op } = request
    if (op === 'new') {
      // The venue has no post-only orders. Those that would have crossed are left out.
      if (request.timeInForce === 'gtx' && !run.joins.has(id)) {
        unsent.add(id)
        continue
      }
      const isBounded = request.isMarket && head.repaired !== undefined
      const outcome = venue.execute(toPlacement(isBounded ? boundMarketOrder(venue, request) : request))
      if (!outcome.ok) throw new Error(`${head.run}: order ${id} is refused: ${JSON.stringify(outcome)}`)
      rows.set(id, outcome.row)
      noteJoin(id, outcome.row, 0)
      continue
    }
    const row = rows.get(id)
    if (row === undefined) continue
    const order = orderRow(row)
    const at = millis(request.arrivesAtMillis)
    if (op === 'cancel') venue.execute({ kind: 'cancel-order', at, account, order })
    else amend(venue, request, order, reentered, noteJoin)
  }
  venue.execute({ kind: 'advance', at: millis(Math.max(venue.now, run.endMillis)) })
  return { joins, fills: listFills(venue, rows), remainders, reentered, unsent }
}

/** Makes of a market order one that reaches as far as the reference's: 100 ticks down, or 99 up. */
function boundMarketOrder(venue: Venue, request: GoldenRequest): GoldenRequest {
  venue.execute({ kind: 'advance', at: millis(request.arrivesAtMillis) })
  const { ladder } = stateOf(venue.state, asset)
  const isBuy = request.side === 'buy'
  const bestTicks = ladder.bestTicks(isBuy ? sell : buy)
  const ticks = isBuy ? bestTicks + 99 : bestTicks - 100
  return { ...request, isMarket: false, timeInForce: 'ioc', ticks }
}

/** Amends an order. The quantity of a request is what is to remain; the venue's is the total. */
function amend(
  venue: Venue,
  { arrivesAtMillis, id, steps, ticks }: GoldenRequest,
  order: number,
  reentered: Set<number>,
  noteJoin: (id: number, row: number, filledBefore: number) => void,
): void {
  const { state } = venue
  venue.execute({ kind: 'advance', at: millis(arrivesAtMillis) })
  const { orders } = state
  const filled = orders.filledSteps.get(order)
  const keeps = ticks === orders.priceTicks.get(order) && steps <= orders.remainingSteps(order)
  if (!keeps) reentered.add(id)
  const outcome = venue.execute({
    kind: 'amend-order',
    at: millis(arrivesAtMillis),
    account,
    order,
    priceTicks: priceTicks(ticks),
    quantitySteps: quantitySteps(filled + steps),
  })
  if (outcome.ok && !keeps) noteJoin(id, order, filled)
}

function listFills({ state }: Venue, rows: ReadonlyMap<number, number>): readonly GoldenFill[] {
  const ids = new Map([...rows].map(([id, row]) => [row, id]))
  const { fills } = state
  return Array.from({ length: fills.count }, (_, fill) => ({
    id: ids.get(fills.order.get(fill)) ?? -1,
    atMillis: fills.atMillis.get(fill),
    ticks: fills.priceTicks.get(fill),
    steps: fills.quantitySteps.get(fill),
    isMaker: fills.isMaker.get(fill) === 1,
  }))
}

function toPlacement({ arrivesAtMillis, isMarket, side, steps, ticks, timeInForce }: GoldenRequest) {
  const isImmediate = isMarket || timeInForce === 'ioc'
  return {
    kind: 'place-order' as const,
    at: millis(arrivesAtMillis),
    account,
    asset,
    side: side === 'buy' ? buy : sell,
    type: isMarket ? market : limit,
    timeInForce: isImmediate ? immediateOrCancel : timeInForce === 'fok' ? fillOrKill : goodTillCancelled,
    priceTicks: priceTicks(isMarket ? 0 : ticks),
    quantitySteps: quantitySteps(steps),
    clientOrderId: null,
    allowsDuplicateId: false,
    keepsRefused: false,
    metadata: null,
  }
}

const createLiquidity = ({ head }: GoldenRun): RecordedLiquidity => ({
  kind: 'recorded',
  queue: readLaw(head.model),
  fills: 'whole',
  beyond: 'front',
  gaps: 'hold',
  gapAfterMillis: 60_000,
  // A run that tells what was repaired is of a venue with our own rules, but for whole fills.
  ...(head.repaired === undefined ? { like: 'hftbacktest' as const } : {}),
})

export function createConfig(book: RecordedBook, lot: number, liquidity: RecordedLiquidity): VenueConfig {
  const scale = Math.round(-Math.log10(lot))
  const startMillis = millis(book.firstMillis)
  const gridMillis = millis(1000)
  const usd = atoms(3.5e15)
  const market = { seed: '1', startMillis, gridMillis }
  const model = {
    kind: 'book' as const,
    book,
    tickUsd: 0.01,
    stepUnits: lot,
    gaps: 'hold' as const,
    gapAfterMillis: 60_000,
  }
  return {
    seed: '1',
    startMillis,
    gridMillis,
    assets: [
      { symbol: 'USD', scale: 6, pair: null, liquidity: { kind: 'none' } },
      {
        symbol: 'COIN',
        scale: 8,
        pair: {
          priceStep: { units: 1, scale: 2 },
          quantityStep: { units: 1, scale },
          minQuantitySteps: quantitySteps(1),
          maxQuantitySteps: quantitySteps(1e12),
          minPriceTicks: priceTicks(1),
          minNotionalAtoms: atoms(0),
          isActive: true,
        },
        liquidity,
      },
    ],
    fees: { makerRate: partsPerMillion(200), takerRate: partsPerMillion(700), currency: 'quote' },
    selfTrade: 'allow',
    accounts: [
      {
        id: 'maker',
        type: 'margin',
        balances: new Map([['USD', usd]]),
        averageEntryPrices: new Map(),
        limits: {
          ...wideLimits,
          maxOpenOrders: 1e6,
          maxOpenOrdersPerAsset: 1e6,
          maxDailyVolume: atoms(4e15),
        },
        fees: null,
      },
    ],
    market: { ...market, assets: [{ symbol: 'COIN', price: 1, model, flow: { kind: 'recorded' } }] },
  }
}
