import type { Socket } from 'node:net'

/*
 * Requests that share a connection take effect in the order in which they were sent. Node answers pipelined requests
 * in order, but starts them as their bodies arrive: a GET behind a POST would otherwise be carried out first. Each
 * connection has its own queue, so that one slow body holds up nobody else.
 */
export class SocketTurns {
  /** Of connections with a request under way, which may never come whole; null while no other waits behind it. */
  private readonly queues = new WeakMap<Socket, (() => void)[] | null>()

  /** Resolves when every request that came before on this connection has given its turn back; null: it is its turn. */
  take(socket: Socket): Promise<void> | null {
    const queue = this.queues.get(socket)
    if (queue === undefined) {
      this.queues.set(socket, null)
      return null
    }
    return new Promise((resolve) => {
      if (queue === null) this.queues.set(socket, [resolve])
      else queue.push(resolve)
    })
  }

  /** Hands the turn to the next request of the connection. */
  giveBack(socket: Socket): void {
    const next = this.queues.get(socket)?.shift()
    if (next === undefined) this.queues.delete(socket)
    else next()
  }
}
