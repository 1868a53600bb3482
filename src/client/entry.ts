/* The entry `otcsim/client` of the package. Nothing in it needs Node. */

export type { ErrorType } from '../api/error-types.ts'
export type { CallOptions } from './call.ts'
export {
  createVenueClient,
  type HttpClientOptions,
  type TransportClientOptions,
  type VenueClient,
  type VenueClientOptions,
} from './create-venue-client.ts'
export type { RetrySettings } from './exchange.ts'
export {
  type ClientClock,
  type Fetch,
  type FetchRequest,
  type HttpTransportOptions,
  httpTransport,
  systemClock,
} from './http-transport.ts'
export { type StepRounding, toStep } from './to-step.ts'
export {
  type InProcessRequest,
  inProcessTransport,
  type Transport,
  type TransportAnswer,
  type TransportRequest,
} from './transport.ts'
export { ConnectionError, type ConnectionFailure, VenueError } from './venue-error.ts'
export type * from './venue-types.ts'
