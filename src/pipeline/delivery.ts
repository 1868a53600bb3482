import type { FiredFault } from '../world/faults/fire-faults.ts'
import { sleep } from '../world/real-timers.ts'

/**
 * How an answer is delivered, or fails to be, whatever carries it. Choice: sizes and rates are those of the answer's
 * body, because its head is one packet; delays are on the wall clock.
 */
export type Delivery =
  /** The body arrives in pieces over time. */
  | {
      readonly kind: 'pieces'
      readonly pieces: AsyncIterable<Buffer>
      /**
       * How the body's end shows: by its length, by the end of the connection, or not at all because the answer is cut
       * off.
       */
      readonly end: 'length' | 'close' | 'cut'
    }
  /** No answer arrives: the connection ends after some bytes, or none. */
  | { readonly kind: 'closed'; readonly bytes: Buffer }
  /** No answer arrives: the connection is reset after a time. */
  | { readonly kind: 'reset'; readonly afterMillis: number }
  /** No answer arrives: the connection is silent for a time, and then ends; 0 is for ever. */
  | { readonly kind: 'silent'; readonly forMillis: number }
  /** The answer arrives as usual. */
  | { readonly kind: 'usual' }

/** Plans how a body is delivered under a fault. */
export function planDelivery({ rule, draws }: FiredFault, body: Buffer): Delivery {
  const { timeoutMs = 0, delayMs = 0, bytes = 0, rateKbps = 1, averageSize = 1 } = rule.attributes
  const { sizeVariation = 0 } = rule.attributes
  switch (rule.type) {
    case 'timeout':
      return { kind: 'silent', forMillis: timeoutMs }
    case 'reset_peer':
    case 'CONNECTION_RESET_BY_PEER':
      return { kind: 'reset', afterMillis: timeoutMs }
    case 'EMPTY_RESPONSE':
      return { kind: 'closed', bytes: Buffer.alloc(0) }
    case 'MALFORMED_RESPONSE_CHUNK':
      return { kind: 'closed', bytes: malformedChunk }
    case 'RANDOM_DATA_THEN_CLOSE': {
      const bytes = Buffer.from(Array.from({ length: 256 }, () => draws.integer(256)))
      return { kind: 'closed', bytes }
    }
    case 'slow_close':
      return { kind: 'pieces', pieces: sendThenPause(body, delayMs), end: 'close' }
    case 'slicer': {
      const size = () => Math.max(1, averageSize + Math.round((2 * draws.uniform() - 1) * sizeVariation))
      return { kind: 'pieces', pieces: sliceBody(body, size, delayMs), end: 'length' }
    }
    case 'bandwidth': {
      const size = Math.max(1, Math.floor((rateKbps * 125 * tickMillis) / 1000))
      const wait = Math.max(tickMillis, Math.round((size * 1000) / (rateKbps * 125)))
      return { kind: 'pieces', pieces: sliceBody(body, () => size, wait), end: 'length' }
    }
    case 'limit_data':
      if (body.length <= bytes) return { kind: 'usual' }
      return { kind: 'pieces', pieces: sendThenPause(body.subarray(0, bytes), 0), end: 'cut' }
    default:
      return { kind: 'usual' }
  }
}

/** Resolves after a delay, which does not keep the process from ending. */
export async function pause(delayMillis: number): Promise<void> {
  if (delayMillis > 0) await sleep(delayMillis, undefined, { ref: false })
}

const tickMillis = 20

const malformedChunk = Buffer.from(
  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nlskdu018973t09sylgasjkfg1][]'./.sdlv",
)

/** Sends the whole body at once, and pauses before it ends, so that its reader learns late that it was whole. */
async function* sendThenPause(body: Buffer, delayMillis: number) {
  yield body
  await pause(delayMillis)
}

async function* sliceBody(body: Buffer, size: () => number, delayMillis: number) {
  for (let from = 0; from < body.length; ) {
    const to = from + size()
    yield body.subarray(from, to)
    from = to
    if (from < body.length) await pause(delayMillis)
  }
}
