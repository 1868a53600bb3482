import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type Koa from 'koa'
import type { ParameterizedContext } from 'koa'
import { splitTarget } from '../api/dispatch.ts'
import type { Problem } from '../api/errors.ts'
import {
  type AnswerHeaders,
  findTransportProblem,
  jsonType,
  maximumBodyBytes,
  type RawRequest,
  refuseAtTransport,
} from '../pipeline/call.ts'

/*
 * From the wire to a request whose bytes are all there, and an answer back to Koa. Requests that share a connection take effect in the order in
 * which they were sent: Node answers pipelined requests in order, but starts each when its head has arrived. Each
 * connection has its own order, so one slow body does not hold up others.
 */

export interface ServerState {
  request: RawRequest
}

/** How large a body may be, and what is wrong with a larger one. Asked before any of it is read. */
export type BodyLimit = (request: IncomingMessage) => { readonly bytes: number; readonly problem: Problem }

/** How much beyond a limit is read and thrown away, so that a client that is still sending gets its 413. */
const maximumDiscardedBytes = 4 * 1_048_576
/** A client that sends on and on without waiting for answers must not fill the memory. */
const maximumHeldBytes = 4 * maximumBodyBytes
const tooMuchPending: Problem = {
  code: 'unavailable',
  reason: 'Too much waits to be answered on this connection already',
}

/** The first middleware after the error exit: transport limits, the raw body, and a request's turn on its connection. */
export function receive(connections: Connections, allowance: BodyLimit): Koa.Middleware<ServerState> {
  return async (ctx, next) => {
    const { req, res } = ctx
    const connection = connections.of(req.socket)
    const turn = connection.enter(req, res)
    // Whoever leaves, or comes behind the last answer of a connection, is not heard: nobody could be told what happens.
    if (connection.isClosing) return
    let heldBytes = 0
    const hold = (bytes: number) => {
      if (turn === null) return
      heldBytes += bytes
      connection.heldBytes += bytes
    }
    const body = await readBody(req, connection.heldBytes, allowance, hold)
    if (body === null) return
    if (!Buffer.isBuffer(body)) connection.isClosing = true
    if (turn !== null) await turn
    connection.heldBytes -= heldBytes
    if (!req.socket.writable) return
    if (!Buffer.isBuffer(body)) return respondWith(ctx, refuseAtTransport(body))
    const { method = '', url: target = '/', headers, rawHeaders } = req
    ctx.state.request = { method, target, ...splitTarget(target), headers, rawHeaders, body }
    await next()
  }
}

/** The body of any method as it is on the wire, or what is wrong with it; null when the client goes away before its end. */
function readBody(
  request: IncomingMessage,
  heldBytes: number,
  allowance: BodyLimit,
  hold: CountHeld,
): Buffer | Problem | Promise<Buffer | Problem | null> {
  const { method = '', url: target = '', headers, rawHeaders, httpVersion } = request
  if (heldBytes > maximumHeldBytes) return tooMuchPending
  const problem = findTransportProblem({ method, target, headers, rawHeaders, httpVersion })
  if (problem !== null) return problem
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return noBytes
  return collectBytes(request, allowance(request), hold)
}

type CountHeld = (bytes: number) => void

const noBytes = Buffer.alloc(0)

function collectBytes(
  request: IncomingMessage,
  { bytes: maximumBytes, problem }: ReturnType<BodyLimit>,
  hold: CountHeld,
): Promise<Buffer | Problem | null> {
  const mostRead = maximumBytes + maximumDiscardedBytes
  return new Promise((resolve) => {
    if (Number(request.headers['content-length'] ?? 0) > mostRead) return resolve(problem)
    let chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      hold(chunk.length)
      if (length <= maximumBytes) chunks.push(chunk)
      else chunks = []
      if (length <= mostRead) return
      request.pause()
      resolve(problem)
    })
    request.on('end', () => {
      const [first = noBytes, ...more] = chunks
      if (length > maximumBytes) resolve(problem)
      else resolve(more.length === 0 ? first : Buffer.concat(chunks))
    })
    request.on('error', () => resolve(null))
  })
}

export class Connections {
  private readonly open = new WeakMap<Socket, Connection>()

  of(socket: Socket): Connection {
    const known = this.open.get(socket)
    if (known !== undefined) return known
    const made = new Connection()
    this.open.set(socket, made)
    return made
  }
}

class Connection {
  /** The bodies of requests that wait for their turn. */
  heldBytes = 0
  /** What came last has been, or will be, refused in a way that closes the connection: nothing behind it is heard. */
  isClosing = false
  private latest: PendingRequest | null = null

  /** Resolves when every earlier request on this connection has been answered; null: it is this one's turn. */
  enter(request: IncomingMessage, response: ServerResponse): Promise<void> | null {
    const turn = waitForAnswer(this.latest)
    const taken = { request, response, turn }
    this.latest = taken
    response.once('close', () => this.leave(taken))
    return turn
  }

  /** An idle connection holds nothing of its last request, whose body may be large. */
  private leave(taken: PendingRequest): void {
    if (this.latest !== taken) return
    if (asksToClose(taken.request)) this.isClosing = true
    this.latest = null
  }

  /**
   * Refuses what can't be read, by `write`, when all that was read before has been answered: in the place of a request
   * that will never be complete, else behind the last one. Not at all where the connection has its last answer anyway.
   */
  refuse(write: () => void): void {
    const { latest } = this
    const isLast = latest?.request.complete === true && asksToClose(latest.request)
    if (this.isClosing || isLast) return
    this.isClosing = true
    const turn = latest?.request.complete === false ? latest.turn : waitForAnswer(latest)
    if (turn === null) write()
    else void turn.then(write)
  }
}

interface PendingRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly turn: Promise<void> | null
}

/** Resolves when a request has been answered, or never will be; null: it has. Answers leave in the order of requests. */
function waitForAnswer(taken: PendingRequest | null): Promise<void> | null {
  if (taken === null || taken.response.writableFinished || taken.response.destroyed) return null
  return new Promise((resolve) => taken.response.once('close', resolve))
}

function asksToClose({ headers, httpVersion }: IncomingMessage): boolean {
  const wanted = headers.connection?.toLowerCase() ?? ''
  return httpVersion === '1.0' ? wanted !== 'keep-alive' : wanted === 'close'
}

export const jsonHeaders = { 'Content-Type': jsonType } as const

interface OutgoingAnswer {
  readonly status: number
  readonly headers: AnswerHeaders
  readonly body: string | Buffer | Readable
}

/** Hands an answer to Koa. Its type is set first, because Koa would guess one for a body without. */
export function respondWith(
  ctx: Pick<ParameterizedContext, 'set' | 'body' | 'status'>,
  { status, headers, body }: OutgoingAnswer,
): void {
  ctx.status = status
  ctx.set(headers)
  ctx.body = body
}
