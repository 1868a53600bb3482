import {
  buy,
  goodTillCancelled,
  immediateOrCancel,
  limit,
  market,
  type Side,
} from '../../../src/engine/codes.ts'
import type { Outcome } from '../../../src/engine/command.ts'
import type { VenueConfig } from '../../../src/engine/config.ts'
import type { EventSink } from '../../../src/engine/events.ts'
import type { RecordedLadder } from '../../../src/engine/recorded/recorded-ladder.ts'
import { stateOf } from '../../../src/engine/state.ts'
import { Venue } from '../../../src/engine/venue.ts'
import type { RecordedBook } from '../../../src/market/books/recorded-book.ts'
import type { FlowSpec } from '../../../src/market/flow/flow-spec.ts'
import type { RecordedLiquidity } from '../../../src/market/liquidity/liquidity.ts'
import type { BookReplaySpec } from '../../../src/market/models/book-replay.ts'
import { missing } from '../../../src/numeric/assert.ts'
import { atoms, millis, partsPerMillion, priceTicks, quantitySteps } from '../../../src/numeric/units.ts'
import { wideLimits } from '../fixtures/small-venue.ts'

/*
 * A venue with one asset, COIN, whose ladder is a recorded book: ticks of a cent, steps of 0.001, no fees. Ann, Bob and
 * Cyd (accounts 3 to 5) have margin accounts without limits.
 */

export const coin = 1
export const [ann, bob, cyd] = [3, 4, 5] as const
export const stepUnits = 0.001

export interface RecordedOptions extends Partial<RecordedLiquidity> {
  readonly model?: Partial<BookReplaySpec>
  readonly flow?: FlowSpec
  readonly selfTrade?: VenueConfig['selfTrade']
  readonly startMillis?: number
}

export function createRecordedConfig(book: RecordedBook, options: RecordedOptions = {}): VenueConfig {
  const { flow, model, selfTrade, startMillis: start, ...liquidity } = options
  const startMillis = millis(start ?? book.firstMillis)
  const gridMillis = millis(1000)
  const rate = partsPerMillion(0)
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
          quantityStep: { units: 1, scale: 3 },
          minQuantitySteps: quantitySteps(1),
          maxQuantitySteps: quantitySteps(1e9),
          minPriceTicks: priceTicks(1),
          minNotionalAtoms: atoms(0),
          isActive: true,
        },
        liquidity: {
          kind: 'recorded',
          queue: { law: 'riskAverse', exponent: 1 },
          fills: 'shown',
          beyond: 'behind',
          gaps: 'hold',
          gapAfterMillis: 60_000,
          ...liquidity,
        },
      },
    ],
    fees: { makerRate: rate, takerRate: rate, currency: 'quote' },
    selfTrade: selfTrade ?? 'cancel_taker',
    accounts: ['ann', 'bob', 'cyd'].map((id) => ({
      id,
      type: 'margin' as const,
      balances: new Map([['USD', atoms(1e15)]]),
      averageEntryPrices: new Map(),
      limits: { ...wideLimits, maxOpenOrders: 1e6, maxOpenOrdersPerAsset: 1e6, maxDailyVolume: atoms(4e15) },
      fees: null,
    })),
    market: {
      seed: '1',
      startMillis,
      gridMillis,
      assets: [
        {
          symbol: 'COIN',
          price: 1,
          model: {
            kind: 'book',
            book,
            tickUsd: 0.01,
            stepUnits,
            gaps: 'hold',
            gapAfterMillis: 60_000,
            ...model,
          },
          flow: flow ?? { kind: 'recorded' },
        },
      ],
    },
  }
}

export class RecordedVenue {
  readonly config: VenueConfig
  readonly sink: EventSink
  venue: Venue
  private readonly book: RecordedBook
  private readonly options: RecordedOptions

  constructor(
    book: RecordedBook,
    options: RecordedOptions = {},
    sink: EventSink = { emit: () => undefined },
  ) {
    this.book = book
    this.options = options
    this.config = createRecordedConfig(book, options)
    this.sink = sink
    this.venue = Venue.open(this.config, sink)
  }

  get state() {
    return this.venue.state
  }

  get ladder(): RecordedLadder {
    return stateOf(this.state, coin).recorded ?? missing('the ladder of a recorded venue is a recorded book')
  }

  /** Goes on as a venue that was restored from a snapshot of this one. */
  restore(): void {
    this.venue = Venue.restore(this.config, this.venue.snapshot(), this.sink)
  }

  /** Returns a venue of its own that goes on from here. */
  fork(): RecordedVenue {
    const fork = new RecordedVenue(this.book, this.options)
    fork.venue = Venue.restore(this.config, this.venue.snapshot(), fork.sink)
    return fork
  }

  advanceTo(atMillis: number): void {
    this.venue.execute({ kind: 'advance', at: millis(atMillis) })
  }

  /** Places a limit order, or a market order at price 0. Immediate orders do not rest. */
  place(account: number, side: Side, ticks: number, steps: number, isImmediate = ticks === 0): Outcome {
    return this.venue.execute({
      kind: 'place-order',
      at: this.venue.now,
      account,
      asset: coin,
      side,
      type: ticks === 0 ? market : limit,
      timeInForce: isImmediate ? immediateOrCancel : goodTillCancelled,
      priceTicks: priceTicks(ticks),
      quantitySteps: quantitySteps(steps),
      clientOrderId: null,
      allowsDuplicateId: false,
      keepsRefused: false,
      metadata: null,
    })
  }

  amend(order: number, ticks: number, steps: number): Outcome {
    return this.venue.execute({
      kind: 'amend-order',
      at: this.venue.now,
      account: this.state.orders.account.get(order),
      order,
      priceTicks: priceTicks(ticks),
      quantitySteps: quantitySteps(steps),
    })
  }

  cancel(order: number): Outcome {
    const account = this.state.orders.account.get(order)
    return this.venue.execute({ kind: 'cancel-order', at: this.venue.now, account, order })
  }

  /** Lists the levels of a side, best first, as ticks and steps. */
  levels(side: Side = buy): readonly (readonly [ticks: number, steps: number])[] {
    const levels: (readonly [number, number])[] = []
    this.ladder.visit(side, (ticks, steps) => {
      levels.push([ticks, steps])
      return true
    })
    return levels
  }
}
