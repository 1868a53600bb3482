import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { ParameterizedContext } from 'koa'
import { pause, planDelivery } from '../pipeline/delivery.ts'
import type { FiredFault } from '../world/faults/fire-faults.ts'
import { setTimeout } from '../world/real-timers.ts'

/*
 * Delivers answers over a socket under a fault. What is still HTTP becomes a stream as the body. What is not takes over
 * the raw socket, by Node's documented means, and leaves Koa none to answer on.
 */

/** Sends the answer that Koa has been given as a fault says. Resolves when nothing is left to send but the body. */
export async function sendUnderFault(ctx: ParameterizedContext, hit: FiredFault): Promise<void> {
  // The response to a pipelined request may have no socket yet, but the request has one.
  const { socket } = ctx.req
  const body = Buffer.from(String(ctx.body))
  const delivery = planDelivery(hit, body)
  switch (delivery.kind) {
    case 'silent':
      if (delivery.forMillis > 0) setTimeout(() => socket.destroy(), delivery.forMillis).unref()
      return waitForClose(socket)
    case 'reset':
      await pause(delivery.afterMillis)
      socket.resetAndDestroy()
      return
    case 'closed':
      if (!socket.destroyed) socket.end(delivery.bytes, () => socket.destroy())
      return
    case 'pieces':
      if (delivery.end === 'close') ctx.set('Connection', 'close')
      if (delivery.end === 'cut') return cutOff(ctx, socket, delivery.pieces)
      ctx.body = Readable.from(delivery.pieces)
      if (delivery.end === 'length') ctx.length = body.length
      return
    case 'usual':
  }
}

async function waitForClose(socket: Socket): Promise<void> {
  if (!socket.destroyed) await once(socket, 'close')
}

/** Closes the connection in the middle of the body. */
async function cutOff(
  { res }: ParameterizedContext,
  socket: Socket,
  pieces: AsyncIterable<Buffer>,
): Promise<void> {
  for await (const piece of pieces) await new Promise((resolve) => res.write(piece, resolve))
  socket.destroySoon()
  return waitForClose(socket)
}
