import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { hostname } from 'node:os'
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
import { isLoopbackHost } from './loopback.ts'

/*
 * Reads complete requests from the wire, and hands answers to Koa. Requests that share a connection take effect in the
 * order in which they were sent: Node answers pipelined requests in order, but starts each when its head has arrived.
 * Each connection has its own order, so one slow body does not hold up other connections.
 */

/** Koa's state of one request. */
export interface ServerState {
  request: RawRequest
}

/**
 * Says how large the body of a request may be, and what is wrong with a larger one. Called before any of it is read.
 */
export type BodyLimit = (request: IncomingMessage) => { readonly bytes: number; readonly problem: Problem }

/**
 * Answers a request whose head alone decides that it fails; null where its body is needed. Called only for requests that
 * wait for `100 Continue`.
 */
export type HeadRefusal = (request: IncomingMessage, head: RawRequest) => OutgoingAnswer | null

/** How much beyond the limit is read and discarded, so that a client that is still sending gets its 413. */
const maximumDiscardedBytes = 4 * 1_048_576
/**
 * The most that the waiting bodies of one connection may hold, so that a client that never waits can't fill the memory.
 */
const maximumHeldBytes = 4 * maximumBodyBytes
const tooMuchPending: Problem = {
  code: 'unavailable',
  reason: 'Too many bytes of requests are already waiting on this connection',
}

/**
 * Creates the first middleware after the error exit, which checks transport limits, reads the raw body and waits for
 * the request's turn on its connection.
 */
export function receive(
  connections: Connections,
  bodyLimit: BodyLimit,
  refuseByHead: HeadRefusal,
): Koa.Middleware<ServerState> {
  return async (ctx, next) => {
    const { req, res } = ctx
    ctx.url = toPathTarget(req)
    const connection = connections.of(req.socket)
    const turn = connection.enter(req, res)
    // Drop requests on a closing connection: no response could be sent.
    if (connection.isClosing) return
    let heldBytes = 0
    const countHeld = (bytes: number) => {
      if (turn === null) return
      heldBytes += bytes
      connection.heldBytes += bytes
    }
    if (waitsForContinue(req)) {
      if (turn !== null) await turn
      const refusal = refuseExpecting(req, bodyLimit, refuseByHead)
      if (refusal !== null) {
        connection.isClosing = true
        return respondWith(ctx, refusal)
      }
      res.writeContinue()
    }
    const body = await readBody(req, connection.heldBytes, bodyLimit, countHeld)
    if (body === null) return
    if (!Buffer.isBuffer(body)) connection.isClosing = true
    if (turn !== null) await turn
    connection.heldBytes -= heldBytes
    if (!req.socket.writable) return
    if (!Buffer.isBuffer(body)) return respondWith(ctx, refuseAtTransport(body))
    ctx.state.request = toRequest(req, body)
    await next()
  }
}

/**
 * Returns the target of a request as a path with its query. Clients whose proxy is this address send it in absolute form,
 * `http://127.0.0.1:4000/api`; where it names this server it is shortened to its path, which is what they have signed.
 * Any other target stays as it is. Source: RFC 9112, section 3.2.2: a server accepts the absolute form.
 */
function toPathTarget({ url = '/', socket }: Pick<IncomingMessage, 'url' | 'socket'>): string {
  const [, authority = '', rest = ''] = /^http:\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
  if (authority === '' || !isOwnAddress(authority, socket)) return url
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Returns whether a host with its port is an address of this server. */
function isOwnAddress(
  authority: string,
  { localAddress = '', localPort }: IncomingMessage['socket'],
): boolean {
  const [, host = '', port = '80'] = /^(.*?)(?::(\d+))?$/.exec(authority) ?? []
  if (Number(port) !== localPort) return false
  const address = localAddress.replace(/^::ffff:/, '')
  const own = [address, `[${address}]`, hostname().toLowerCase()]
  return isLoopbackHost(host) || own.includes(host.toLowerCase())
}

function toRequest(
  { method = '', url: target = '/', headers, rawHeaders }: IncomingMessage,
  body: Buffer,
): RawRequest {
  return { method, target, ...splitTarget(target), headers, rawHeaders, body }
}

/** Returns whether a client sends its body only after `100 Continue`. HTTP/1.0 does not have that. */
function waitsForContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === '100-continue' && httpVersion === '1.1'
}

/** Finds the final answer to a request that waits for `100 Continue`; null where its body is to be sent. */
function refuseExpecting(
  request: IncomingMessage,
  bodyLimit: BodyLimit,
  refuseByHead: HeadRefusal,
): OutgoingAnswer | null {
  const { headers, rawHeaders, httpVersion, url: target = '', method = '' } = request
  const invalid = findTransportProblem({ method, target, headers, rawHeaders, httpVersion })
  if (invalid !== null) return refuseAtTransport(invalid)
  const { bytes, problem } = bodyLimit(request)
  if (Number(headers['content-length'] ?? 0) > bytes) return refuseAtTransport(problem)
  const refusal = refuseByHead(request, toRequest(request, noBytes))
  // The client may send the body nevertheless, so nothing that follows on the connection can be trusted.
  return refusal === null ? null : { ...refusal, headers: { ...refusal.headers, Connection: 'close' } }
}

/**
 * Reads the body of any method as it is on the wire, or finds what is wrong with it; null when the client leaves before
 * its end.
 */
function readBody(
  request: IncomingMessage,
  heldBytes: number,
  bodyLimit: BodyLimit,
  countHeld: CountHeld,
): Buffer | Problem | Promise<Buffer | Problem | null> {
  const { method = '', url: target = '', headers, rawHeaders, httpVersion } = request
  if (heldBytes > maximumHeldBytes) return tooMuchPending
  const problem = findTransportProblem({ method, target, headers, rawHeaders, httpVersion })
  if (problem !== null) return problem
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return noBytes
  return collectBytes(request, bodyLimit(request), countHeld)
}

type CountHeld = (bytes: number) => void

const noBytes = Buffer.alloc(0)

function collectBytes(
  request: IncomingMessage,
  { bytes: maximumBytes, problem }: ReturnType<BodyLimit>,
  countHeld: CountHeld,
): Promise<Buffer | Problem | null> {
  const maximumReadBytes = maximumBytes + maximumDiscardedBytes
  return new Promise((resolve) => {
    if (Number(request.headers['content-length'] ?? 0) > maximumReadBytes) return resolve(problem)
    let chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      countHeld(chunk.length)
      if (length <= maximumBytes) chunks.push(chunk)
      else chunks = []
      if (length <= maximumReadBytes) return
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

/** The open connections of a server. */
export class Connections {
  private readonly open = new WeakMap<Socket, Connection>()
  /** The sockets whose requests are all answered, the longest idle first. */
  private readonly idle = new Set<Socket>()

  of(socket: Socket): Connection {
    const known = this.open.get(socket)
    if (known !== undefined) return known
    const made = new Connection((isIdle) => {
      this.idle.delete(socket)
      if (isIdle && !socket.destroyed) this.idle.add(socket)
    })
    this.open.set(socket, made)
    socket.once('close', () => this.idle.delete(socket))
    return made
  }

  /** Ends the connection that is idle for the longest time, if any is idle. */
  endLongestIdle(): void {
    const [socket] = this.idle
    if (socket === undefined) return
    this.idle.delete(socket)
    socket.destroySoon()
  }
}

/** The order of requests on one connection. */
class Connection {
  /** The size of the bodies of requests that wait for their turn. */
  heldBytes = 0
  /** Whether the last answer of this connection is decided, so that requests after it are dropped. */
  isClosing = false
  private latest: PendingRequest | null = null
  private readonly noteIdle: (isIdle: boolean) => void

  /** Calls `noteIdle` whenever its last request is answered, and when another one comes. */
  constructor(noteIdle: (isIdle: boolean) => void) {
    this.noteIdle = noteIdle
  }

  /** Adds a request. Its turn resolves when every earlier one has been answered; null when it is next already. */
  enter(request: IncomingMessage, response: ServerResponse): Promise<void> | null {
    const turn = waitForAnswer(this.latest)
    const taken = { request, response, turn }
    this.latest = taken
    this.noteIdle(false)
    response.once('close', () => this.leave(taken))
    return turn
  }

  /** Forgets the last request, whose body may be large, once the connection is idle. */
  private leave(taken: PendingRequest): void {
    if (this.latest !== taken) return
    if (asksToClose(taken.request)) this.isClosing = true
    this.latest = null
    this.noteIdle(true)
  }

  /**
   * Refuses what can't be parsed by calling `write` once everything before it has been answered. The refusal takes the
   * place of a request that will never be complete, or else follows the last one. Nothing is written on a connection
   * that is closing anyway.
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

/** A request on a connection, and its turn; null when it had none to wait for. */
interface PendingRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly turn: Promise<void> | null
}

/**
 * Resolves when a request has been answered, or never will be; null when it has been. Answers leave in the order of
 * requests.
 */
function waitForAnswer(taken: PendingRequest | null): Promise<void> | null {
  if (taken === null || taken.response.writableFinished || taken.response.destroyed) return null
  return new Promise((resolve) => taken.response.once('close', resolve))
}

/** Returns whether the connection ends with the answer to this request. */
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

/** Hands an answer to Koa. Its type is set before its body, because Koa would guess a type that is missing. */
export function respondWith(
  ctx: Pick<ParameterizedContext, 'set' | 'body' | 'status'>,
  { status, headers, body }: OutgoingAnswer,
): void {
  ctx.status = status
  ctx.set(headers)
  ctx.body = body
}
