import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerClientErrors } from './client-errors.ts'
import type { SocketTurns } from './socket-turns.ts'

/** A listening server on one address. */
export interface Listening {
  readonly host: string
  readonly port: number
  readonly url: string
  /** The server no longer keeps the process alive. */
  unref(): void
  /** Stops listening and ends every connection, idle ones too, so that nothing keeps a test runner alive. */
  close(): Promise<void>
}

/** The bounds of one connection, and of all together. Spans are in milliseconds. */
export interface ConnectionLimits {
  readonly headersTimeout: number
  readonly requestTimeout: number
  /** How often Node looks for slow clients; this adds to the time that one may take. */
  readonly connectionsCheckingInterval: number
  /**
   * How long a connection may be silent. Longer than most servers wait: a client that is busy for some seconds does not
   * notice that its connection was closed, and sends into it.
   */
  readonly keepAliveTimeout: number
  readonly maxConnections: number
}

export const connectionLimits: ConnectionLimits = {
  headersTimeout: 5000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 60_000,
  maxConnections: 2048,
}

/** Answers requests, and decides in whose turn they take effect. */
export interface Answerer {
  readonly listener: RequestListener
  readonly turns: SocketTurns
  /** Told of connections that are closed at once because there are too many. */
  readonly dropped?: (most: number) => void
}

/** Starts a server; port 0 picks a free one. Rejects with the system's error when it cannot listen on the address. */
export function listen(
  { listener, turns, dropped }: Answerer,
  host: string,
  port: number,
  limits: ConnectionLimits = connectionLimits,
): Promise<Listening> {
  const { maxConnections, ...timeouts } = limits
  // We answer a missing Host header ourselves, in the shape of an error.
  const server = createServer({ ...timeouts, maxHeaderSize: 16_384, requireHostHeader: false }, listener)
  server.maxConnections = maxConnections
  server.on('drop', () => dropped?.(maxConnections))
  // Node would answer an expectation that it does not know with an empty body.
  server.on('checkExpectation', listener)
  answerClientErrors(server, turns)
  turns.keepAlive = keepAliveText(limits)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(listeningOn(server, host))
    })
  })
}

/** The value as Node writes it; null where Node would write another head. */
function keepAliveText({ keepAliveTimeout }: ConnectionLimits): string | null {
  return keepAliveTimeout <= 0 ? null : `timeout=${Math.floor(keepAliveTimeout / 1000)}`
}

function listeningOn(server: Server, host: string): Listening {
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
    // Connections that are open by then are in use, and end with the server.
    server.on('connection', (socket) => socket.unref())
  }
  return { host, port, url, unref, close }
}

function portOf(address: AddressInfo | string | null): number {
  return address !== null && typeof address === 'object' ? address.port : 0
}
