import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { ParameterizedContext } from 'koa'
import { pause, planDelivery } from '../pipeline/travel.ts'
import type { FaultHit } from '../world/faults/fault-book.ts'

/*
 * Faults of the way on a socket. What is still HTTP is a stream as the body; what is not takes the raw socket, by Node's
 * documented means, and leaves Koa none to answer on.
 */

/** Sends the answer that Koa has been given as the fault says. Resolves when nothing more will come of it but the body. */
export async function sendUnderFault(ctx: ParameterizedContext, hit: FaultHit): Promise<void> {
  // With clients that do not wait for one answer before the next request, only the request has the connection.
  const { socket } = ctx.req
  const body = Buffer.from(String(ctx.body))
  const travel = planDelivery(hit, body)
  switch (travel.kind) {
    case 'silent':
      if (travel.forMillis > 0) setTimeout(() => socket.destroy(), travel.forMillis).unref()
      return waitForClose(socket)
    case 'reset':
      await pause(travel.afterMillis)
      socket.resetAndDestroy()
      return
    case 'closed':
      if (!socket.destroyed) socket.end(travel.bytes, () => socket.destroy())
      return
    case 'pieces':
      if (travel.end === 'close') ctx.set('Connection', 'close')
      if (travel.end === 'cut') return cutOff(ctx, socket, travel.pieces)
      ctx.body = Readable.from(travel.pieces)
      if (travel.end === 'length') ctx.length = body.length
      return
    case 'usual':
  }
}

async function waitForClose(socket: Socket): Promise<void> {
  if (!socket.destroyed) await once(socket, 'close')
}

/** Hangs up in the middle of the body. */
async function cutOff(
  { res }: ParameterizedContext,
  socket: Socket,
  pieces: AsyncIterable<Buffer>,
): Promise<void> {
  for await (const piece of pieces) await new Promise((resolve) => res.write(piece, resolve))
  socket.destroySoon()
  return waitForClose(socket)
}
