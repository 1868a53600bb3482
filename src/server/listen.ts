import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  STATUS_CODES,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Problem } from '../api/errors.ts'
import { type AnswerHeaders, formatDate, notAProxy, refuseAtTransport } from '../pipeline/call.ts'
import { setTimeout } from '../world/real-timers.ts'
import { buildOriginHeaders, findOriginInBytes } from './cross-origin.ts'
import type { Connections } from './receive.ts'

/** A server of Node's that is listening. */
export interface ListeningServer {
  readonly port: number
  readonly url: string
  unref(): void
  /** Stops listening and ends every connection, idle ones too, so that nothing keeps a test runner alive. */
  close(): Promise<void>
}

/** The limits of one connection, and of all together. Spans are in milliseconds. */
export interface ConnectionLimits {
  readonly headersTimeout: number
  readonly requestTimeout: number
  /** How often Node looks for slow clients, which adds to the time that one may take. */
  readonly connectionsCheckingInterval: number
  /**
   * How long a connection may be silent. This is longer than with most servers, because a client that is busy for some
   * seconds does not notice that its connection was closed, and sends into it.
   */
  readonly keepAliveTimeout: number
  readonly maxConnections: number
}

const connectionLimits: ConnectionLimits = {
  headersTimeout: 5000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 60_000,
  maxConnections: 2048,
}

/** What answers the requests of a server. */
export interface ListenerParts {
  readonly listener: RequestListener
  readonly connections: Connections
  /** The origins whose pages may read the answers to what Node's parser refuses. */
  readonly origins: readonly string[]
  /** Called with the maximum when a connection is closed at once because there are too many. */
  readonly onDrop: (most: number) => void
}

/** Starts a server; port 0 picks a free one. Rejects with the system's error when it can't listen on the address. */
export function listen(
  { listener, connections, origins, onDrop }: ListenerParts,
  host: string,
  port: number,
  given: Partial<ConnectionLimits> = {},
): Promise<ListeningServer> {
  const { maxConnections, ...timeouts } = { ...connectionLimits, ...given }
  // The pipeline answers a missing Host header, in the shape of the venue's errors.
  const server = createServer({ ...timeouts, maxHeaderSize: 16_384, requireHostHeader: false }, listener)
  server.maxConnections = maxConnections
  server.on('drop', () => onDrop(maxConnections))
  makeRoom(server, maxConnections, connections)
  // Without this, Node would answer an expectation that it does not know with an empty body.
  server.on('checkExpectation', listener)
  // Without this, Node would ask for every body before anybody has looked at the head.
  server.on('checkContinue', listener)
  answerClientErrors(server, connections, origins)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(toListeningServer(server, host))
    })
  })
}

/**
 * Ends idle connections before there are too many. In a test that has replaced `setImmediate`, the platform's `fetch` never
 * learns that a connection is free again, so that each request opens another one.
 */
function makeRoom(server: Server, maxConnections: number, connections: Connections): void {
  let open = 0
  server.on('connection', (socket) => {
    open += 1
    socket.once('close', () => {
      open -= 1
    })
    if (open > (maxConnections * 7) / 8) connections.endLongestIdle()
  })
}

export function toListeningServer(server: Server, host: string): ListeningServer {
  const port = portOf(server.address())
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}`
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const unref = () => {
    server.unref()
    // Connections that are already open are in use, and end with the server.
    server.on('connection', (socket) => socket.unref())
  }
  return { port, url, unref, close }
}

function portOf(address: AddressInfo | string | null): number {
  return address !== null && typeof address === 'object' ? address.port : 0
}

/** How long a refused client may go on sending before its connection is cut. Closing at once could lose the answer. */
const lingerMillis = 500

/**
 * Answers what Node's parser refuses in the shape of the venue's errors, where Node would send an empty body, and
 * closes the connection. Complete requests that arrived on it earlier are answered first.
 */
function answerClientErrors(server: Server, connections: Connections, origins: readonly string[]): void {
  server.on('clientError', (error: ClientError, socket: Socket) => {
    const shown = buildOriginHeaders(origins, findOriginInBytes(origins, error.rawPacket))
    const problem = findParserProblem(error.code ?? '')
    connections.of(socket).refuse(() => refuseOnSocket(socket, problem, shown))
  })
  // Clients whose HTTPS proxy is this address ask for a tunnel. Node would close the connection without an answer.
  server.on('connect', ({ socket }: IncomingMessage) => {
    connections
      .of(socket)
      .refuse(() => refuseOnSocket(socket, { code: 'invalid-http', reason: notAProxy }, {}))
  })
}

/** What Node says of a request that it can't parse. */
interface ClientError extends NodeJS.ErrnoException {
  /** The bytes that the parser was reading. */
  readonly rawPacket?: Buffer
}

function findParserProblem(code: string): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return { code: 'headers-too-large' }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { code: 'request-timeout' }
  return { code: 'invalid-http' }
}

/**
 * Answers a problem on a raw socket, because there is no response to write to. Source: Node's documentation of
 * `clientError`, which ends the socket with text.
 */
function refuseOnSocket(socket: Socket, problem: Problem, more: AnswerHeaders): void {
  if (!socket.writable) {
    socket.destroySoon()
    return
  }
  const { status, headers, body } = refuseAtTransport(problem)
  const lines = Object.entries({
    ...more,
    ...headers,
    Date: formatDate(Date.now()),
    'Content-Length': Buffer.byteLength(body),
  })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), lingerMillis).unref()
}
