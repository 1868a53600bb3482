import type { ServerResponse } from 'node:http'
import type { FaultHit } from '../../world/faults/fault-book.ts'
import { type Answer, type Delivery, headersOf, jsonType } from '../transport/answer.ts'

/*
 * How answers fail to arrive, or arrive oddly. Choice: sizes and rates are those of the answer's body, because its head
 * is one packet; delays are on the wall clock. The connection is taken from the request: with clients that do not wait
 * for one answer before the next request, a response has none while the answer before it is on its way.
 */

/** How a fault sends the answer; null for faults that do not change that. */
export function deliveryOf({ rule, draws }: FaultHit): Delivery | null {
  const { timeoutMs = 0, delayMs = 0, bytes = 0, rateKbps = 1, averageSize = 1 } = rule.attributes
  const { sizeVariation = 0 } = rule.attributes
  switch (rule.type) {
    case 'timeout':
      return (response) => silence(response, timeoutMs)
    case 'reset_peer':
    case 'CONNECTION_RESET_BY_PEER':
      return async (response) => {
        await pause(timeoutMs)
        response.req.socket.resetAndDestroy()
      }
    case 'EMPTY_RESPONSE':
      return (response) => closeAfter(response, Buffer.alloc(0))
    case 'MALFORMED_RESPONSE_CHUNK':
      return (response) => closeAfter(response, malformedChunk)
    case 'RANDOM_DATA_THEN_CLOSE': {
      const garbage = Buffer.from(Array.from({ length: 256 }, () => draws.integer(256)))
      return (response) => closeAfter(response, garbage)
    }
    case 'slow_close':
      return (response, answer) => closeLate(response, answer, delayMs)
    case 'slicer': {
      const size = () => Math.max(1, averageSize + Math.round((2 * draws.uniform() - 1) * sizeVariation))
      return (response, answer) => inSlices(response, answer, size, delayMs)
    }
    case 'bandwidth': {
      const size = Math.max(1, Math.floor((rateKbps * 125 * tickMillis) / 1000))
      const wait = Math.max(tickMillis, Math.round((size * 1000) / (rateKbps * 125)))
      return (response, answer) => inSlices(response, answer, () => size, wait)
    }
    case 'limit_data':
      return (response, answer) => cutOff(response, answer, bytes)
    default:
      return null
  }
}

/** Resolves after this long; at once for 0. It does not keep the process from ending. */
export function pause(delayMillis: number): Promise<void> {
  if (delayMillis <= 0) return Promise.resolve()
  return new Promise((resolve) => {
    setTimeout(resolve, delayMillis).unref()
  })
}

const tickMillis = 20

const malformedChunk = Buffer.from(
  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nlskdu018973t09sylgasjkfg1][]'./.sdlv",
)

/** Sends nothing, then hangs up; 0: only when the client does. */
async function silence(response: ServerResponse, timeoutMillis: number): Promise<void> {
  const { socket } = response.req
  if (socket.destroyed) return
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
  })
  if (timeoutMillis > 0) setTimeout(() => socket.destroy(), timeoutMillis).unref()
  await closed
}

/** Sends bytes that are not HTTP, and ends the connection. */
function closeAfter(response: ServerResponse, bytes: Buffer): void {
  const { socket } = response.req
  if (socket.destroyed) return
  socket.end(bytes, () => socket.destroy())
}

/** The whole body goes out at once, but only later does its reader learn that it was whole. */
async function closeLate(response: ServerResponse, answer: Answer, delayMillis: number): Promise<void> {
  const { status, type, body } = answer
  const headers = ['Content-Type', type ?? jsonType, 'Connection', 'close', ...headersOf(answer)]
  response.writeHead(status, headers)
  response.write(body)
  await pause(delayMillis)
  response.end()
}

async function inSlices(
  response: ServerResponse,
  answer: Answer,
  size: () => number,
  delayMillis: number,
): Promise<void> {
  const bytes = begin(response, answer)
  for (let from = 0; from < bytes.length && !response.destroyed; ) {
    const to = from + size()
    response.write(bytes.subarray(from, to))
    from = to
    if (from < bytes.length) await pause(delayMillis)
  }
  response.end()
}

/** Hangs up in the middle of the body. */
async function cutOff(response: ServerResponse, answer: Answer, maximumBytes: number): Promise<void> {
  const bytes = begin(response, answer)
  if (bytes.length <= maximumBytes) {
    response.end(bytes)
    return
  }
  const { socket } = response.req
  await new Promise((resolve) => {
    response.write(bytes.subarray(0, maximumBytes), resolve)
  })
  socket.destroySoon()
}

/** Writes the head, and answers the bytes of the body. */
function begin(response: ServerResponse, answer: Answer): Buffer {
  const { status, type, body } = answer
  const bytes = Buffer.from(body)
  const length = String(bytes.length)
  const headers = ['Content-Type', type ?? jsonType, 'Content-Length', length, ...headersOf(answer)]
  response.writeHead(status, headers)
  return bytes
}
