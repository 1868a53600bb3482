import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/*
 * Requests that share a connection take effect in the order in which they were sent. Node answers pipelined requests
 * in order, but starts each when its body has arrived: a GET after a POST would otherwise be carried out first. Each
 * connection has its own queue, so that one slow body does not hold up others.
 */
export class SocketTurns {
  private readonly queues = new WeakMap<object, SocketQueue>()
  /** The Keep-Alive header of answers on connections that stay open; null leaves it to Node. */
  keepAlive: string | null = null

  /** The queue of a connection, from its first request on. */
  of(socket: Socket): SocketQueue {
    const known = this.queues.get(socket)
    if (known !== undefined) return known
    const made = new SocketQueue()
    this.queues.set(socket, made)
    return made
  }

  /** The last request on a connection, if any. */
  latestOn(socket: Socket): IncomingMessage | null {
    return this.queues.get(socket)?.latest ?? null
  }
}

class SocketQueue {
  latest: IncomingMessage | null = null
  /** The bodies of complete requests that wait for their turn. */
  heldBytes = 0
  /** A request has begun, which may never be complete. */
  private isTaken = false
  private readonly waiting: (() => void)[] = []

  /**
   * Resolves when every earlier request on this connection has given up its turn; null when it is already this one's
   * turn.
   */
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

  /** Gives the turn to the next request of the connection. */
  giveBack(): void {
    const next = this.waiting.shift()
    if (next === undefined) this.isTaken = false
    else next()
  }
}
