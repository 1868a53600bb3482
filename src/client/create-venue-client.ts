import { assert } from '../numeric/assert.ts'
import { call } from './call.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import { type RetrySettings, readRetries } from './exchange.ts'
import { type ClientClock, type HttpTransportOptions, httpTransport, systemClock } from './http-transport.ts'
import type { Transport } from './transport.ts'
import type {
  MarketDataClient,
  OrdersClient,
  PortfolioClient,
  QuotesClient,
  RiskClient,
} from './venue-types.ts'

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

/** The operations of the venue, by resource. */
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
  const link = { transport, clock, retries: readRetries(options.retries) }
  return methods<VenueClient>((endpoint, given) => call(link, endpoint, given))
}

/** The operations as methods, each carried out by one function: what they take and answer is what their rows say. */
export function methods<Client extends object>(
  carryOut: (endpoint: Endpoint, given: readonly unknown[]) => object,
): Client {
  const made: object = Object.fromEntries(
    Object.entries(endpoints).map(([family, rows]) => [
      family,
      Object.fromEntries(
        Object.entries(rows).map(([name, endpoint]) => [
          name,
          (...given: unknown[]) => carryOut(endpoint, given),
        ]),
      ),
    ]),
  )
  assert(isClient<Client>(made), 'the methods are those of the endpoints')
  return made
}

function isClient<Client extends object>(made: object): made is Client {
  return Object.keys(made).length === Object.keys(endpoints).length
}
