import { type ClientClock, type HttpTransportOptions, httpTransport, systemClock } from './http-transport.ts'
import { type MarketDataClient, marketDataClient } from './market-data-client.ts'
import { type OrdersClient, ordersClient } from './orders-client.ts'
import { type PortfolioClient, portfolioClient } from './portfolio-client.ts'
import { type QuotesClient, quotesClient } from './quotes-client.ts'
import { type RetrySettings, retriesOf } from './retries.ts'
import { type RiskClient, riskClient } from './risk-client.ts'
import type { Transport } from './transport.ts'

/** Over HTTP, with a key. */
export interface HttpClientOptions extends HttpTransportOptions {
  readonly retries?: Partial<RetrySettings>
  readonly transport?: undefined
}

/** Through a transport of your own, which holds the key, if there is one. */
export interface TransportClientOptions {
  readonly transport: Transport
  readonly retries?: Partial<RetrySettings>
  readonly clock?: ClientClock
}

export type VenueClientOptions = HttpClientOptions | TransportClientOptions

/** The 41 operations of the venue, by resource. */
export interface VenueClient {
  readonly orders: OrdersClient
  readonly quotes: QuotesClient
  readonly marketData: MarketDataClient
  readonly portfolio: PortfolioClient
  readonly risk: RiskClient
}

/**
 * A client for any service with the venue's interface: otcsim over HTTP, a world in this process, staging or
 * production. Results come without an envelope, whether the service uses one or not.
 *
 * Throws a TypeError or a RangeError for options that cannot be used; see `httpTransport`.
 */
export function createVenueClient(options: VenueClientOptions): VenueClient {
  // JavaScript callers get no help from the types.
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`createVenueClient takes its options as an object, found ${String(options)}`)
  const { clock = systemClock } = options
  const transport = options.transport ?? httpTransport(options)
  const link = { transport, clock, retries: retriesOf(options.retries) }
  return {
    orders: ordersClient(link),
    quotes: quotesClient(link),
    marketData: marketDataClient(link),
    portfolio: portfolioClient(link),
    risk: riskClient(link),
  }
}
