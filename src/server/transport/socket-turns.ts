import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/*
 * Requests that share a connection take effect in the order in which they were sent. Node answers pipelined requests
 * in order, but starts them as their bodies arrive: a GET behind a POST would otherwise be carried out first. Each
 * connection has its own queue, so that one slow body holds up nobody else.
 */
export class SocketTurns {
  private readonly queues = new WeakMap<object, SocketQueue>()
  /** What answers on connections that stay open say about that; null leaves it to Node. */
  keepAlive: string | null = null

  /** The queue of a connection, from its first request on. */
  of(socket: Socket): SocketQueue {
    const known = this.queues.get(socket)
    if (known !== undefined) return known
    const made = new SocketQueue()
    this.queues.set(socket, made)
    return made
  }

  /** The last request that came on a connection, if any. */
  latestOn(socket: Socket): IncomingMessage | null {
    return this.queues.get(socket)?.latest ?? null
  }
}

class SocketQueue {
  latest: IncomingMessage | null = null
  /** A request is under way, which may never come whole. */
  private isTaken = false
  private readonly waiting: (() => void)[] = []

  /** Resolves when every request that came before on this connection has given its turn back; null: it is its turn. */
  take(request: IncomingMessage): Promise<void> | null {
    this.latest = request
    if (!this.isTaken) {
      this.isTaken = true
      return null
    }
    return new Promise((resolve) => {
      this.waiting.push(resolve)
    })
  }

  /** Hands the turn to the next request of the connection. */
  giveBack(): void {
    const next = this.waiting.shift()
    if (next === undefined) this.isTaken = false
    else next()
  }
}
