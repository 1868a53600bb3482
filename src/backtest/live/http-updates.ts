import type { VenueClient } from '../../client/create-venue-client.ts'
import type { Order, OrderList } from '../../client/orders-client.ts'
import type { Quote, QuoteList } from '../../client/quotes-client.ts'
import type { Trade } from '../strategy.ts'

const pageSize = 100
type ListedOrder = OrderList['orders'][number]
type ListedQuote = QuoteList['quotes'][number]

/*
 * What has happened to an account since the last look, found out by requests: the service has no feed. Lists come
 * newest first, and are read as far back as something may have changed.
 */
export class HttpUpdates {
  private readonly client: VenueClient
  private readonly knownTrades = new Set<string>()
  private readonly liveOrders = new Map<string, string>()
  private readonly liveQuotes = new Map<string, string>()
  private newestOrder: string | null = null
  private newestQuote: string | null = null

  constructor(client: VenueClient) {
    this.client = client
  }

  /** Notes what is there before the run, so that it is not news. */
  async begin(): Promise<void> {
    await this.fills()
    const [orders, quotes] = [
      await this.client.orders.list({ limit: 1 }),
      await this.client.quotes.list({ limit: 1 }),
    ]
    this.newestOrder = orders.orders[0]?.orderId ?? null
    this.newestQuote = quotes.quotes[0]?.quoteId ?? null
  }

  /** Oldest first. */
  async fills(): Promise<readonly Trade[]> {
    const found: Trade[] = []
    for (let page = 1; ; page += 1) {
      const { pagination, trades } = await this.client.portfolio.trades({ page, limit: pageSize })
      const fresh = trades.filter(({ tradeId }) => !this.knownTrades.has(tradeId))
      found.push(...fresh)
      if (fresh.length < trades.length || page >= pagination.totalPages) break
    }
    for (const { tradeId } of found) this.knownTrades.add(tradeId)
    return found.reverse()
  }

  /** Those whose status or filled quantity has changed, in order of creation. */
  async orders(): Promise<readonly Order[]> {
    const rows = await this.listOrders()
    const changed: Order[] = []
    for (const row of rows.toReversed()) {
      const before = this.liveOrders.get(row.orderId) ?? 'open/0'
      const now = `${row.status}/${row.filledQuantity}`
      if (row.status === 'open' || row.status === 'partially_filled') this.liveOrders.set(row.orderId, now)
      else this.liveOrders.delete(row.orderId)
      if (now !== before) changed.push(await this.client.orders.get(row.orderId))
    }
    return changed
  }

  async quotes(): Promise<readonly Quote[]> {
    const rows = await this.listQuotes()
    const changed: Quote[] = []
    for (const row of rows.toReversed()) {
      // The list does not say what has filled, so live quotes with fills are read in full.
      const quote = row.status === 'active' ? null : await this.client.quotes.get(row.quoteId)
      const now = quote === null ? 'active/0/0' : `${quote.status}/${quote.bidFilled}/${quote.askFilled}`
      const before = this.liveQuotes.get(row.quoteId) ?? 'active/0/0'
      if (row.status === 'active' || row.status === 'partially_filled') this.liveQuotes.set(row.quoteId, now)
      else this.liveQuotes.delete(row.quoteId)
      if (quote !== null && now !== before) changed.push(quote)
    }
    return changed
  }

  /** New ones and those that were live, newest first. */
  private async listOrders(): Promise<readonly ListedOrder[]> {
    const found: ListedOrder[] = []
    const missing = new Set(this.liveOrders.keys())
    const known = this.newestOrder
    let isNew = true
    for (let page = 1; isNew || missing.size > 0; page += 1) {
      const { orders, pagination } = await this.client.orders.list({ page, limit: pageSize })
      if (page === 1) this.newestOrder = orders[0]?.orderId ?? known
      for (const row of orders) {
        if (row.orderId === known) isNew = false
        if (isNew || missing.delete(row.orderId)) found.push(row)
      }
      if (page >= pagination.totalPages) break
    }
    return found
  }

  private async listQuotes(): Promise<readonly ListedQuote[]> {
    const found: ListedQuote[] = []
    const missing = new Set(this.liveQuotes.keys())
    const known = this.newestQuote
    let isNew = true
    for (let offset = 0; isNew || missing.size > 0; offset += pageSize) {
      const { pagination, quotes } = await this.client.quotes.list({ offset, limit: pageSize })
      if (offset === 0) this.newestQuote = quotes[0]?.quoteId ?? known
      for (const row of quotes) {
        if (row.quoteId === known) isNew = false
        if (isNew || missing.delete(row.quoteId)) found.push(row)
      }
      if (offset + pageSize >= pagination.total) break
    }
    return found
  }
}
