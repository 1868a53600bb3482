import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ParameterizedContext } from 'koa'
import type { FaultHit } from '../world/faults/fault-book.ts'

/*
 * How answers fail to arrive, or arrive oddly. What is still HTTP is a stream as the body; what is not takes the raw
 * socket, by Node's documented means, and leaves Koa none to answer on. Choice: sizes and rates are those of the answer's body, because its head is one
 * packet; delays are on the wall clock.
 */

/** Sends the answer that Koa has been given as the fault says. Resolves when nothing more will come of it but the body. */
export async function sendUnderFault(ctx: ParameterizedContext, { rule, draws }: FaultHit): Promise<void> {
  const { timeoutMs = 0, delayMs = 0, bytes = 0, rateKbps = 1, averageSize = 1 } = rule.attributes
  const { sizeVariation = 0 } = rule.attributes
  // With clients that do not wait for one answer before the next request, only the request has the connection.
  const { socket } = ctx.req
  const body = Buffer.from(String(ctx.body))
  switch (rule.type) {
    case 'timeout':
      return silence(socket, timeoutMs)
    case 'reset_peer':
    case 'CONNECTION_RESET_BY_PEER':
      await pause(timeoutMs)
      socket.resetAndDestroy()
      return
    case 'EMPTY_RESPONSE':
      return instead(socket, Buffer.alloc(0))
    case 'MALFORMED_RESPONSE_CHUNK':
      return instead(socket, malformedChunk)
    case 'RANDOM_DATA_THEN_CLOSE':
      return instead(socket, Buffer.from(Array.from({ length: 256 }, () => draws.integer(256))))
    case 'slow_close':
      ctx.set('Connection', 'close')
      ctx.body = Readable.from(wholeThenPause(body, delayMs))
      return
    case 'slicer': {
      const size = () => Math.max(1, averageSize + Math.round((2 * draws.uniform() - 1) * sizeVariation))
      return inSlices(ctx, body, size, delayMs)
    }
    case 'bandwidth': {
      const size = Math.max(1, Math.floor((rateKbps * 125 * tickMillis) / 1000))
      const wait = Math.max(tickMillis, Math.round((size * 1000) / (rateKbps * 125)))
      return inSlices(ctx, body, () => size, wait)
    }
    case 'limit_data':
      return body.length > bytes ? cutOff(ctx, socket, body.subarray(0, bytes)) : undefined
    default:
      return
  }
}

const tickMillis = 20

const malformedChunk = Buffer.from(
  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nlskdu018973t09sylgasjkfg1][]'./.sdlv",
)

/** It does not keep the process from ending. */
async function pause(delayMillis: number): Promise<void> {
  if (delayMillis > 0) await sleep(delayMillis, undefined, { ref: false })
}

/** Sends nothing, then hangs up; 0: only when the client does. */
function silence(socket: Socket, timeoutMillis: number): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve()
    socket.once('close', () => resolve())
    if (timeoutMillis > 0) setTimeout(() => socket.destroy(), timeoutMillis).unref()
  })
}

/** Sends bytes that are not HTTP, and ends the connection. */
function instead(socket: Socket, bytes: Buffer): void {
  if (!socket.destroyed) socket.end(bytes, () => socket.destroy())
}

/** The whole body goes out at once, but only later does its reader learn that it was whole. */
async function* wholeThenPause(body: Buffer, delayMillis: number) {
  yield body
  await pause(delayMillis)
}

function inSlices(ctx: ParameterizedContext, body: Buffer, size: () => number, delayMillis: number): void {
  ctx.body = Readable.from(slicesOf(body, size, delayMillis))
  ctx.length = body.length
}

async function* slicesOf(body: Buffer, size: () => number, delayMillis: number) {
  for (let from = 0; from < body.length; ) {
    const to = from + size()
    yield body.subarray(from, to)
    from = to
    if (from < body.length) await pause(delayMillis)
  }
}

/** Hangs up in the middle of the body. */
function cutOff({ res }: ParameterizedContext, socket: Socket, start: Buffer): Promise<void> {
  res.write(start, () => socket.destroySoon())
  return silence(socket, 0)
}
