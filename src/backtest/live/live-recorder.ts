import type { VenueClient } from '../../client/create-venue-client.ts'
import { type EquityGrid, type FillRecord, markoutMillis } from '../../metrics/records.ts'
import { isoToMillis } from '../../numeric/time-text.ts'
import type { FeedPrice, Trade } from '../strategy.ts'

interface Seen {
  readonly trade: Trade
  readonly atMillis: number
  readonly mid: number | null
  readonly midAfter: (number | null)[]
}

/**
 * What the public interface tells about an account, kept for its figures. Mids are those of the last look at the feed,
 * so markouts are as fine as the ticks. Deposits and withdrawals during the run cannot be told from profit.
 */
export class LiveRecorder {
  private readonly client: VenueClient
  private readonly assets: readonly string[]
  private readonly atMillis: number[] = []
  private readonly equity: number[] = []
  private readonly cash: number[] = []
  private readonly prices: number[][]
  private readonly positions: number[][]
  private readonly fills: Seen[] = []
  private readonly mids = new Map<string, number>()

  constructor(client: VenueClient, assets: readonly string[]) {
    this.client = client
    this.assets = assets
    this.prices = assets.map(() => [])
    this.positions = assets.map(() => [])
  }

  async sample(atMillis: number): Promise<void> {
    const [{ balances }, { positions }, { prices }, summary] = [
      await this.client.portfolio.balances(),
      await this.client.portfolio.positions(),
      await this.client.marketData.prices(),
      await this.client.portfolio.summary(),
    ]
    this.atMillis.push(atMillis)
    this.equity.push(summary.totalValue)
    this.cash.push(summary.cashBalance)
    for (const [place, asset] of this.assets.entries()) {
      const position = positions.find((one) => one.asset === asset)
      const total = balances.find((one) => one.asset === asset)?.total ?? 0
      this.positions[place]?.push(total)
      this.prices[place]?.push(position?.currentPrice ?? prices.find((one) => one.asset === asset)?.mid ?? 0)
    }
  }

  /** Without prices, only the fills count. */
  observe(atMillis: number, prices: readonly FeedPrice[], trades: readonly Trade[]): void {
    for (const trade of trades) {
      const mid = this.mids.get(trade.asset) ?? null
      const executedMillis = isoToMillis(trade.timestamp) ?? atMillis
      this.fills.push({ trade, atMillis: executedMillis, mid, midAfter: markoutMillis.map(() => null) })
    }
    for (const { asset, mid } of prices) this.mids.set(asset, mid)
    for (const fill of this.fills) {
      for (const [horizon, span] of markoutMillis.entries()) {
        if (fill.midAfter[horizon] === null && fill.atMillis + span <= atMillis)
          fill.midAfter[horizon] = this.mids.get(fill.trade.asset) ?? null
      }
    }
  }

  /** The last point. It replaces one that was kept at this instant before the last trades; the first point stays. */
  async finish(atMillis: number): Promise<void> {
    if (this.atMillis.length > 1 && this.atMillis.at(-1) === atMillis) {
      const columns = [this.atMillis, this.equity, this.cash, ...this.prices, ...this.positions]
      for (const column of columns) column.pop()
    }
    await this.sample(atMillis)
  }

  grid(stepMillis: number): EquityGrid {
    return {
      stepMillis,
      atMillis: this.atMillis,
      equity: this.equity,
      flow: this.equity.map(() => 0),
      cash: this.cash,
      assets: this.assets.map((asset, place) => ({
        asset,
        price: this.prices[place] ?? [],
        position: this.positions[place] ?? [],
      })),
    }
  }

  records(): readonly FillRecord[] {
    return this.fills.map(({ atMillis, mid, midAfter, trade }) => ({
      fillId: trade.tradeId,
      orderId: trade.orderId,
      quoteId: null,
      atMillis,
      asset: trade.asset,
      side: trade.side,
      price: trade.price,
      quantity: trade.quantity,
      value: trade.value,
      fee: trade.fee,
      feeCurrency: trade.feeCurrency,
      feeUsd: trade.feeCurrency === trade.asset ? trade.fee * trade.price : trade.fee,
      realized: 0,
      isMaker: null,
      arrivalMid: mid,
      mid,
      midAfter,
      tradedBefore: null,
      cause: null,
    }))
  }
}
