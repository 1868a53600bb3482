import { createVenueClient, type VenueClient } from '../client/create-venue-client.ts'
import { inProcessTransport } from '../client/in-process-transport.ts'
import type { InProcessAnswer } from './in-process.ts'

/** Answers the operations of the interface in this process. */
interface Answering {
  request(accountId: string, method: string, target: string, body?: unknown): InProcessAnswer
}

/** The client library for an account, in this process: no sockets, signatures, keys or rate limits. */
export function inProcessClient(world: Answering, account: string): VenueClient {
  return createVenueClient({
    transport: inProcessTransport((method, target, body) => world.request(account, method, target, body)),
  })
}
