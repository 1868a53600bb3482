import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Transform } from 'node:stream'
import { createProxyServer } from 'httpxy'
import { type ListeningServer, toListeningServer } from './listen.ts'

/** One request that went through a proxy, and what came of it, as it was on the wire. Instants are in milliseconds. */
export interface ProxiedExchange {
  readonly startMillis: number
  /** When the head of the answer had come; null where none came. */
  readonly answeredMillis: number | null
  readonly endMillis: number
  readonly method: string
  /** The address at the target, path and query as they were sent. */
  readonly url: string
  /** The headers' names and values in turn. */
  readonly requestHeaders: readonly string[]
  readonly requestBody: Buffer
  /** The status of the target's answer; 502 where it gave none, 0 where the client went away before. */
  readonly status: number
  readonly statusText: string
  readonly headers: readonly string[]
  readonly body: Buffer
  /** What went wrong: no answer, one that was cut off, or a client that went away. Null for nothing. */
  readonly failure: string | null
}

interface ProxyParts {
  /** The address to which requests go; its path is put before theirs. */
  readonly target: URL
  readonly host: string
  readonly port: number
  readonly onExchange: (exchange: ProxiedExchange) => void
}

/**
 * Starts a proxy in front of one server, which reports each exchange when it is over. Requests and answers pass
 * unchanged, so that signatures verify; only the Host header becomes the target's. Rejects with the system's error
 * when it cannot listen.
 *
 * Choice: httpxy does the forwarding (MIT, no dependencies, kept by UnJS; http-proxy-middleware is built on it),
 * because hop-by-hop headers, early answers and clients that leave are its subject, not ours.
 */
export function startRecordingProxy({
  target,
  host,
  port,
  onExchange,
}: ProxyParts): Promise<ListeningServer> {
  const proxy = createProxyServer({ target, changeOrigin: true })
  const taps = new WeakMap<IncomingMessage, Tap>()
  const underWay = new Set<Promise<void>>()
  proxy.on('proxyRes', (answer, request) => taps.get(request)?.takeAnswer(answer))
  proxy.on('error', (error, request) => {
    if (request !== undefined) taps.get(request)?.fail(error)
  })
  const server = createServer((request, response) => {
    // A whole address, as to a proxy of the system, or `*`: nothing of the target, so it is no exchange of it either.
    if (!(request.url ?? '').startsWith('/')) {
      const reason = `otcsim record stands for ${target.origin}: send it paths, as the venue's own address`
      refuse(response, 400, reason)
      return
    }
    const tap = new Tap(request, response, target)
    taps.set(request, tap)
    const told = tap.ended.then((exchange) => onExchange(exchange)).finally(() => underWay.delete(told))
    underWay.add(told)
    // The proxy waits for a connection before it reads, and by then nothing may be lost.
    proxy.web(request, response, { buffer: request.pipe(tap.copy) }).catch((error) => tap.fail(error))
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const listening = toListeningServer(server, host)
      // What was cut off by the end is told of, too.
      const close = async () => {
        await listening.close()
        await Promise.all(underWay)
      }
      resolve({ ...listening, close })
    })
  })
}

/** Answers in place of the target. */
function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify({ statusCode: status, message }))
}

/** Follows one request through the proxy, and keeps a copy of what passes. */
class Tap {
  /** Carries the request's body on, and keeps it. */
  readonly copy: Transform
  /** Resolves with the exchange once its answer has been sent, or its connection is gone. */
  readonly ended: Promise<ProxiedExchange>
  private readonly startMillis = Date.now()
  private readonly requestChunks: Buffer[] = []
  private readonly chunks: Buffer[] = []
  private readonly response: ServerResponse
  private answer: IncomingMessage | null = null
  private answeredMillis: number | null = null
  private failure: string | null = null

  constructor(request: IncomingMessage, response: ServerResponse, target: URL) {
    this.response = response
    const keep = this.requestChunks
    this.copy = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        keep.push(chunk)
        done(null, chunk)
      },
    })
    const path = target.pathname.replace(/\/$/, '')
    this.ended = new Promise((resolve) => {
      response.once('close', () =>
        resolve({
          startMillis: this.startMillis,
          answeredMillis: this.answeredMillis,
          endMillis: Date.now(),
          method: request.method ?? '',
          url: `${target.origin}${path}${request.url ?? ''}`,
          requestHeaders: request.rawHeaders,
          requestBody: Buffer.concat(this.requestChunks),
          ...this.describeAnswer(),
        }),
      )
    })
  }

  takeAnswer(answer: IncomingMessage): void {
    this.answer = answer
    this.answeredMillis = Date.now()
    answer.on('data', (chunk: Buffer) => this.chunks.push(chunk))
  }

  fail(error: Error): void {
    this.failure ??= error.message
    if (this.response.headersSent || this.response.destroyed) return
    refuse(this.response, 502, `otcsim record got no answer: ${error.message}`)
  }

  private describeAnswer() {
    const { answer, response, failure } = this
    if (answer === null) {
      const isAnswered = response.writableFinished
      return {
        status: isAnswered ? response.statusCode : 0,
        statusText: '',
        headers: [],
        body: Buffer.alloc(0),
        failure: failure ?? 'the client went away before there was an answer',
      }
    }
    const cut = answer.complete ? null : 'the answer was cut off'
    return {
      status: answer.statusCode ?? 0,
      statusText: answer.statusMessage ?? '',
      headers: answer.rawHeaders,
      body: Buffer.concat(this.chunks),
      failure: failure ?? cut,
    }
  }
}
