/* The package's entry `otcsim/client`: what a user needs, and nothing that a browser lacks. */

export type { ErrorType } from '../api/error-types.ts'
export type { CallOptions } from './call.ts'
export { ConnectionError, type ConnectionFailure } from './connection-error.ts'
export {
  createVenueClient,
  type HttpClientOptions,
  type TransportClientOptions,
  type VenueClient,
  type VenueClientOptions,
} from './create-venue-client.ts'
export {
  type ClientClock,
  type Fetch,
  type FetchRequest,
  type HttpTransportOptions,
  httpTransport,
  systemClock,
} from './http-transport.ts'
export { type InProcessRequest, inProcessTransport } from './in-process-transport.ts'
export type * from './market-data-client.ts'
export type * from './orders-client.ts'
export type * from './portfolio-client.ts'
export type * from './quotes-client.ts'
export type { RetrySettings } from './retries.ts'
export type * from './risk-client.ts'
export { type StepRounding, toStep } from './to-step.ts'
export type { Transport, TransportAnswer, TransportRequest } from './transport.ts'
export { VenueError } from './venue-error.ts'
