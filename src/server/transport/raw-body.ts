import type { IncomingMessage } from 'node:http'
import type { Problem } from '../../api/errors.ts'

/** Bodies are kept whole, so that a signature is checked over exactly the bytes that came. */
export const maximumBodyBytes = 1_048_576
/** Enough for a snapshot of a world that has traded for a long time. */
export const maximumDocumentBytes = 64 * 1_048_576
/** How much beyond that is read and thrown away, so that a client that is still sending gets its 413. */
const discardedBytes = 4 * 1_048_576

export type BodyOutcome =
  | { readonly kind: 'complete'; readonly bytes: Buffer }
  /** The request is not to be carried out, because of its head or its body's length. */
  | { readonly kind: 'refused'; readonly problem: Problem }

const payloadTooLarge: Problem = { code: 'payload-too-large' }

/** Whether a request has no body to wait for. */
export function hasNoBody(request: IncomingMessage): boolean {
  const { headers } = request
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'
}

/** The outcome for a request that has no body. */
export function noBody(request: IncomingMessage): BodyOutcome {
  return endOfStream(request, noBytes)
}

/**
 * Reads the body of any method as it is on the wire, without chunking: no charset, no inflating, no parsing. Must be
 * called before any of the body can have come. `done` is called once, as soon as the last byte of the body is there;
 * it is never called if the client goes away before that, because then nothing may happen. `problem` is what is wrong
 * with a body of more bytes.
 *
 * The parser delivers a body by pushing it into the request, which is a stream. The bytes are taken there, and the
 * stream never learns of its end: the buffers, events and ticks of a stream that nobody reads were a tenth of the
 * cost of a request.
 */
export function takeBody(
  request: IncomingMessage,
  done: (outcome: BodyOutcome) => void,
  maximumBytes: number,
  problem: Problem = payloadTooLarge,
): void {
  if (Number(request.headers['content-length'] ?? 0) > maximumBytes + discardedBytes) {
    done({ kind: 'refused', problem })
    return
  }
  // Nearly every body comes in one piece.
  let first: Buffer | null = null
  let more: Buffer[] | null = null
  let length = 0
  request.push = (chunk: Buffer | null) => {
    if (chunk === null) {
      const bytes = more === null ? (first ?? noBytes) : Buffer.concat(more)
      if (length <= maximumBytes + discardedBytes)
        done(length > maximumBytes ? { kind: 'refused', problem } : endOfStream(request, bytes))
      return true
    }
    const before = length
    length += chunk.length
    if (length > maximumBytes) {
      first = noBytes
      more = null
    } else if (first === null) first = chunk
    else if (more === null) more = [first, chunk]
    else more.push(chunk)
    if (length <= maximumBytes + discardedBytes) return true
    if (before <= maximumBytes + discardedBytes) done({ kind: 'refused', problem })
    return false
  }
}

/**
 * After the answer is written, Node drains the stream so that the next request can be read; it is already empty. Node
 * keeps this request until the connection's next one, so it must not hold on to anything large.
 */
function endOfStream(request: IncomingMessage, bytes: Buffer): BodyOutcome {
  request.push = nothing
  request.resume = itself
  return { kind: 'complete', bytes }
}

const noBytes = Buffer.alloc(0)
const nothing = () => true

function itself(this: IncomingMessage): IncomingMessage {
  return this
}
