import type { Transport } from './transport.ts'

/** The interface of a venue in this process for one account: a world's `request` without its first argument. */
export type InProcessRequest = (
  method: string,
  target: string,
  body?: unknown,
) => { readonly status: number; readonly body: object }

/** No sockets, signatures or rate limits; the bodies and statuses are those of the wire. */
export function inProcessTransport(request: InProcessRequest): Transport {
  return async ({ method, target, body, signal }) => {
    signal?.throwIfAborted()
    return { ...request(method, target, body), header: noHeader }
  }
}

const noHeader = () => null
