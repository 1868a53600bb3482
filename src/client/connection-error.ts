/**
 * Why there is no answer: `network` (the connection failed), `timeout` (it took too long), `unreadable` (what came is
 * not a venue's answer), `unverified` (an order's answer was lost, and looking for the order failed as well: see
 * `cause`).
 */
export type ConnectionFailure = 'network' | 'timeout' | 'unreadable' | 'unverified'

/** There is no answer, so nothing is known: the request may have been carried out, or not. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly reason: ConnectionFailure

  constructor(reason: ConnectionFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}
