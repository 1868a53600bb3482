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

/** Options of a client that sends signed requests over HTTP. */
export interface HttpClientOptions extends HttpTransportOptions {
  readonly retries?: Partial<RetrySettings>
  readonly transport?: undefined
}

/** Options of a client with a transport of your own, which signs the requests if they need it. */
export interface TransportClientOptions {
  readonly transport: Transport
  readonly retries?: Partial<RetrySettings>
  readonly clock?: ClientClock
}

/** Options of `createVenueClient`. */
export type VenueClientOptions = HttpClientOptions | TransportClientOptions

/** A client of the venue: its operations as methods, by resource. */
export interface VenueClient {
  readonly orders: OrdersClient
  readonly quotes: QuotesClient
  readonly marketData: MarketDataClient
  readonly portfolio: PortfolioClient
  readonly risk: RiskClient
}

/**
 * Creates a client for any service with the venue's interface: otcsim over HTTP, a world in this process, staging or
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
  const connection = { transport, clock, retries: readRetries(options.retries) }
  return makeMethods<VenueClient>((endpoint, given) => call(connection, endpoint, given))
}

/**
 * Makes the methods of a client from the table of endpoints. `carryOut` is called with the endpoint and the method's
 * arguments, and its result is returned.
 */
export function makeMethods<Client extends object>(
  carryOut: (endpoint: Endpoint, given: readonly unknown[]) => object,
): Client {
  const client: object = Object.fromEntries(
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
  assert(isClient<Client>(client), 'the methods are those of the endpoints')
  return client
}

function isClient<Client extends object>(methods: object): methods is Client {
  return Object.keys(methods).length === Object.keys(endpoints).length
}
