import type { MetricsInput } from '../../src/metrics/metrics.ts'
import {
  type FillRecord,
  markoutMillis,
  type OrderRecord,
  type QuoteRecord,
  type TransferRecord,
} from '../../src/metrics/records.ts'
import { createStream } from '../../src/numeric/random.ts'
import { fillOf, orderOf } from './records.ts'

/* Accounts by seed: what they did, and what they were worth, by nothing but addition. */

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = Date.UTC(2026, 0, 5)

export const kinds = [
  'idle',
  'constant',
  'steady',
  'one jump',
  'ruin',
  'short',
  'leveraged',
  'random',
  'with transfers',
  'a maker',
] as const

type Kind = (typeof kinds)[number]
type Draw = ReturnType<typeof createStream>
type Asset = 'BTC' | 'ETH'
const assets: readonly Asset[] = ['BTC', 'ETH']

export interface History extends MetricsInput {
  readonly transfers: readonly TransferRecord[]
}

/** How long a history is, in hours, and how far its grid's points are apart: some grids have no midnights. */
const spans = [
  [3, 1],
  [30, 1],
  [24 * 8, 1],
  [24 * 31, 1],
  [24 * 40 + 5, 1],
  [24 * 45, 7],
  [24 * 70, 24],
  [24 * 33, 48],
  [50, 5],
  [24 * 95, 6],
] as const

/** Makes the account of a seed: every kind with every span, and at one of two risk-free rates. */
export function makeHistory(seed: number): History & { readonly kind: Kind } {
  const draw = createStream(String(seed), 'history', '', 0)
  const kind = kinds[seed % kinds.length] ?? 'random'
  const [hours, step] = spans[Math.floor(seed / kinds.length) % spans.length] ?? [24, 1]
  const begin = start + (seed % 3 === 0 ? 0 : (seed % 24) * hour)
  const prices = { BTC: makePrices(kind, hours, 50_000, draw), ETH: makePrices(kind, hours, 3_000, draw) }
  const account = new Account(kind, prices, draw, begin)
  for (let at = 0; at <= hours; at += 1) {
    if (at > 0) account.act(at)
    account.closeHour(at)
  }
  return {
    kind,
    grid: account.sample(hours, step),
    fills: account.fills,
    orders: account.orders,
    quotes: account.quotes,
    transfers: account.transfers,
    quoting:
      seed % 4 === 0
        ? null
        : {
            observedMillis: hours * hour,
            twoSided: [{ withinBps: 10, millis: Math.floor(draw.uniform() * hours * hour) }],
            atTouchMillis: seed % 5 === 0 ? 0 : Math.floor(draw.uniform() * hours * hour),
          },
    cancels: draw.integer(20),
    requests: 20 + draw.integer(200),
    rateLimited: draw.integer(3),
    seed: String(seed),
    trials: seed % 6 === 0 ? Array.from({ length: 2 + draw.integer(8) }, () => draw.normal() * 0.1) : [],
    riskFreeRate: seed % 7 === 0 ? 0.04 : 0,
  }
}

function makePrices(kind: Kind, hours: number, first: number, draw: Draw): readonly number[] {
  const jump = Math.floor(hours / 2)
  const prices = [first]
  for (let at = 1; at <= hours; at += 1) {
    const before = prices[at - 1] ?? first
    const change =
      kind === 'constant'
        ? 0
        : kind === 'steady'
          ? 0.0005
          : kind === 'one jump'
            ? at === jump
              ? -0.2
              : 0
            : kind === 'ruin'
              ? (at < 100 ? 0.03 : 0) + draw.normal() * 0.01
              : draw.normal() * 0.01
    prices.push(kind === 'steady' ? before * (1 + change) : Math.round(before * (1 + change) * 100) / 100)
  }
  return prices
}

class Account {
  readonly fills: FillRecord[] = []
  readonly orders: OrderRecord[] = []
  readonly quotes: QuoteRecord[] = []
  readonly transfers: TransferRecord[] = []
  private readonly kind: Kind
  private readonly prices: Readonly<Record<Asset, readonly number[]>>
  private readonly draw: Draw
  private readonly begin: number
  private cash = 100_000
  private readonly held: Record<Asset, number> = { BTC: 0, ETH: 0 }
  private readonly traded: Record<Asset, { quantity: number; value: number }> = {
    BTC: { quantity: 0, value: 0 },
    ETH: { quantity: 0, value: 0 },
  }
  private readonly hours: { cash: number; held: Record<Asset, number>; equity: number }[] = []

  constructor(kind: Kind, prices: Readonly<Record<Asset, readonly number[]>>, draw: Draw, begin: number) {
    this.kind = kind
    this.prices = prices
    this.draw = draw
    this.begin = begin
    if (kind === 'random' || kind === 'a maker') this.held.BTC = 0.5
  }

  /** Does what the kind of account does in an hour. */
  act(at: number): void {
    const { draw, kind } = this
    switch (kind) {
      case 'idle':
        return
      case 'constant':
      case 'steady':
      case 'one jump':
        if (at === 1) this.trade(at, 'BTC', 'buy', 1, 0)
        return
      case 'ruin':
        if (at === 1) this.trade(at, 'BTC', 'sell', 6, 0)
        return
      case 'short':
      case 'leveraged':
        if (at === 1) this.trade(at, 'BTC', kind === 'short' ? 'sell' : 'buy', kind === 'short' ? 1 : 5, 0.5)
        return
      case 'with transfers':
        if (draw.uniform() < 0.05) this.transfer(at)
        if (draw.uniform() < 0.1) this.tradeAny(at, false)
        return
      case 'random':
        if (draw.uniform() < 0.15) this.tradeAny(at, false)
        if (draw.uniform() < 0.02) this.leaveOrder(at)
        return
      case 'a maker':
        if (draw.uniform() < 0.4) this.tradeAny(at, true)
        if (draw.uniform() < 0.2) this.leaveQuote(at)
    }
  }

  closeHour(at: number): void {
    const equity = assets.reduce((sum, asset) => sum + this.held[asset] * this.priceAt(asset, at), this.cash)
    this.hours.push({ cash: this.cash, held: { ...this.held }, equity })
  }

  /** The points of a grid counted from 1970, with the first and the last hour, and the midnights that it does not have. */
  sample(hours: number, step: number): MetricsInput['grid'] {
    const isOnGrid = (at: number): boolean =>
      at === 0 || at === hours || (this.begin + at * hour) % (step * hour) === 0
    const places = Array.from({ length: hours + 1 }, (_, at) => at)
    const midnights = places.filter((at) => !isOnGrid(at) && (this.begin + at * hour) % day === 0)
    return {
      stepMillis: step * hour,
      ...this.pick(places.filter(isOnGrid)),
      ...(midnights.length === 0 ? {} : { midnights: this.pick(midnights) }),
    }
  }

  private pick(places: readonly number[]) {
    const millis = places.map((at) => this.begin + at * hour)
    return {
      atMillis: millis,
      equity: places.map((at) => this.hours[at]?.equity ?? 0),
      flow: millis.map((until, row) =>
        this.transfers
          .filter(({ atMillis }) => atMillis > (millis[row - 1] ?? 0) && atMillis <= until)
          .reduce((sum, { value }) => sum + value, 0),
      ),
      cash: places.map((at) => this.hours[at]?.cash ?? 0),
      assets: assets.map((asset) => ({
        asset,
        price: places.map((at) => this.priceAt(asset, at)),
        position: places.map((at) => this.hours[at]?.held[asset] ?? 0),
      })),
    }
  }

  private priceAt(asset: Asset, at: number): number {
    return this.prices[asset][at] ?? 0
  }

  private tradeAny(at: number, isMaker: boolean): void {
    const { draw } = this
    const asset = draw.uniform() < 0.7 ? 'BTC' : 'ETH'
    const side = draw.uniform() < 0.5 ? 'buy' : 'sell'
    const quantity = Math.round((0.05 + draw.uniform() * 0.5) * 1000) / 1000
    this.trade(at, asset, side, quantity, draw.uniform() < 0.2 ? -1 : 1, isMaker)
    // Another level of the same order, at the same instant.
    if (draw.uniform() < 0.3) this.trade(at, asset, side, quantity / 2, 1, isMaker, true)
  }

  /** Trades at a few basis points from a mid that is a little off the hour's price; with a fee of `bps`, paid in kind below 0. */
  private trade(
    at: number,
    asset: Asset,
    side: 'buy' | 'sell',
    quantity: number,
    bps: number,
    isMaker = false,
    isSameOrder = false,
  ): void {
    const { draw } = this
    const sign = side === 'buy' ? 1 : -1
    const isExact = this.kind === 'constant' || this.kind === 'steady'
    const mid = this.priceAt(asset, at) * (isExact ? 1 : 1 + draw.normal() * 0.0005)
    const price = isExact ? mid : mid * (1 + (isMaker ? -sign : sign) * draw.uniform() * 0.001)
    const value = price * quantity
    const isInKind = bps < 0 && side === 'buy'
    const feeUsd = (value * Math.abs(bps)) / 10_000
    const fee = isInKind ? feeUsd / price : feeUsd
    const orders = this.orders.length + (isSameOrder ? 0 : 1)
    const atMillis = this.begin + (at - 1) * hour + 20 * minute
    const arrivalMid = mid * (1 + draw.normal() * 0.0002)
    this.traded[asset].quantity += draw.uniform() * 10
    this.traded[asset].value += draw.uniform() * 10 * price
    this.fills.push(
      fillOf({
        fillId: `fill_${this.fills.length}`,
        orderId: `ord_${orders}`,
        atMillis,
        asset,
        side,
        price,
        quantity,
        value,
        fee,
        feeCurrency: isInKind ? asset : 'USD',
        feeUsd,
        isMaker,
        arrivalMid: draw.uniform() < 0.1 ? null : arrivalMid,
        mid: draw.uniform() < 0.1 ? null : mid,
        midAfter: markoutMillis.map(() => (draw.uniform() < 0.2 ? null : mid * (1 + draw.normal() * 0.001))),
        tradedBefore: draw.uniform() < 0.1 ? null : { ...this.traded[asset] },
      }),
    )
    this.traded[asset].quantity += quantity
    this.traded[asset].value += value
    this.cash -= sign * value + (isInKind ? 0 : feeUsd)
    this.held[asset] += sign * quantity - (isInKind ? fee : 0)
    if (isSameOrder) return
    const rest = draw.uniform() < 0.3 ? quantity : 0
    this.orders.push(
      orderOf({
        orderId: `ord_${orders}`,
        asset,
        side,
        type: isMaker ? 'limit' : 'market',
        price: isMaker ? price : null,
        quantity: quantity + rest,
        filledQuantity: quantity,
        decisionMid: draw.uniform() < 0.1 ? null : arrivalMid * (1 + draw.normal() * 0.0002),
        arrivalMid: draw.uniform() < 0.1 ? null : arrivalMid,
      }),
    )
  }

  private leaveOrder(at: number): void {
    const price = this.priceAt('BTC', at) * 0.9
    this.orders.push(
      orderOf({
        orderId: `left_${at}`,
        type: 'limit',
        price,
        quantity: 0.2,
        filledQuantity: 0,
        status: 'open',
      }),
    )
  }

  private leaveQuote(at: number): void {
    const mid = this.priceAt('BTC', at)
    const filled = this.draw.uniform() < 0.5 ? 0.05 : 0
    this.quotes.push({
      quoteId: `quo_${at}`,
      clientQuoteId: null,
      asset: 'BTC',
      bidPrice: mid * 0.999,
      askPrice: mid * 1.001,
      bidSize: 0.1,
      askSize: this.draw.uniform() < 0.2 ? 0 : 0.1,
      bidFilled: filled,
      askFilled: 0,
      status: 'expired',
      createdAtMillis: this.begin + at * hour,
      updatedAtMillis: this.begin + (at + 1) * hour,
    })
  }

  private transfer(at: number): void {
    const atMillis = this.begin + (at - 1) * hour + 10 * minute
    const isOut = this.draw.uniform() < 0.3
    if (this.draw.uniform() < 0.5) {
      const value = isOut ? -2_000 : 5_000
      this.cash += value
      this.transfers.push({ atMillis, asset: 'USD', quantity: value, value })
      return
    }
    const quantity = isOut ? -0.01 : 0.05
    const price = this.priceAt('BTC', at - 1) * 1.0001
    this.held.BTC += quantity
    this.transfers.push({ atMillis, asset: 'BTC', quantity, value: quantity * price })
  }
}
