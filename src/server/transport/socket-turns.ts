import type { IncomingMessage, ServerResponse } from 'node:http'
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

  /** The queue of a connection. */
  of(socket: Socket): SocketQueue {
    const known = this.queues.get(socket)
    if (known !== undefined) return known
    const made = new SocketQueue()
    this.queues.set(socket, made)
    return made
  }
}

class SocketQueue {
  /** The bodies of complete requests that wait for their turn. */
  heldBytes = 0
  /**
   * What came last has been, or will be, refused in a way that closes the connection: nothing that comes behind it is
   * heard, and nothing is answered after it.
   */
  isRefused = false
  private latest: Exchange | null = null
  /** A request has begun, which may never be complete. */
  private isTaken = false
  /** Of the last turn that was given back; Node may still be writing it. */
  private answered: ServerResponse | null = null
  private readonly waiting: (() => void)[] = []

  /**
   * Resolves when every earlier request on this connection has given up its turn; null when it is already this one's
   * turn.
   */
  take(request: IncomingMessage, response: ServerResponse): Promise<void> | null {
    const turn = this.turn()
    this.latest = { request, response, turn }
    return turn
  }

  /** Gives the turn to the next request of the connection. */
  giveBack(response: ServerResponse): void {
    this.answered = response
    const next = this.waiting.shift()
    if (next === undefined) this.isTaken = false
    else next()
  }

  /**
   * Refuses what can't be read, by `write`, when all that was read before has been answered: in the place of a request
   * that will never be complete, else behind the last one. Not at all where the connection has its last answer anyway.
   */
  refuse(write: () => void): void {
    if (this.isRefused) return
    this.isRefused = true
    const { latest } = this
    if (latest?.request.complete === true && !latest.response.shouldKeepAlive) return
    const turn = latest?.request.complete === false ? latest.turn : this.turn()
    const last = () => {
      const { answered } = this
      if (answered?.writableEnded === true && !answered.writableFinished) answered.once('finish', write)
      else write()
    }
    if (turn === null) last()
    else void turn.then(last)
  }

  private turn(): Promise<void> | null {
    if (!this.isTaken) {
      this.isTaken = true
      return null
    }
    return new Promise((resolve) => {
      this.waiting.push(resolve)
    })
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly turn: Promise<void> | null
}
