import { type ServerResponse, STATUS_CODES } from 'node:http'

/** An answer, ready to be written. Bodies are strings: Koa's body setter costs more than the rest of it. */
export interface Answer {
  readonly status: number
  /**
   * The usual headers besides type and length, already as text, each after a line end: what nearly every answer has
   * is not taken apart just to be put together again. Printable ASCII.
   */
  readonly lines?: string
  /** Further headers, names and values in turn. */
  readonly headers: readonly string[]
  /** JSON by default. */
  readonly type?: string
  readonly body: string | Buffer
  /** Replaces the usual way of writing when a fault shapes how the answer travels. */
  readonly deliver?: Delivery
}

/** Sends an answer in some way, or not at all; resolves when nothing more will come of it. */
export type Delivery = (response: ServerResponse, answer: Answer) => Promise<void> | void

export const jsonType = 'application/json; charset=utf-8'

/** All headers of an answer but type and length, names and values in turn. */
export function headersOf({ lines = '', headers }: Answer): string[] {
  const usual = lines.split('\r\n').flatMap((line) => {
    const colon = line.indexOf(': ')
    return colon < 0 ? [] : [line.slice(0, colon), line.slice(colon + 2)]
  })
  return [...usual, ...headers]
}

/**
 * Writes an answer. `keepAlive`: the value of the connection's Keep-Alive header; null where Node is to write the head.
 */
export function writeAnswer(response: ServerResponse, answer: Answer, keepAlive: string | null): void {
  const { status, type, body } = answer
  if (response.headersSent || response.destroyed) return
  if (keepAlive !== null && writeWhole(response, answer, keepAlive)) return
  const headers = headersOf(answer)
  if (status === 304 || status === 204) {
    // Such answers have neither a body nor a length.
    response.writeHead(status, headers)
    response.end()
    return
  }
  const length = String(Buffer.byteLength(body))
  response.writeHead(status, ['Content-Type', type ?? jsonType, 'Content-Length', length, ...headers])
  // Not `end(body)`: that hands the socket an empty chunk after the answer, which costs a call for several chunks.
  response.write(body)
  response.socket?.uncork()
  response.end()
}

/**
 * Writes a usual answer as one text, for which Node would make one string per header and four entries in its tick
 * queue. Answers false, and does nothing, for what is not usual: connections that are about to close or do not belong
 * to this response yet, bodies that are not text, and header values that Node may refuse.
 */
function writeWhole(response: ServerResponse, answer: Answer, keepAlive: string): boolean {
  const { socket, req } = response
  const { status, lines = '', headers, type, body } = answer
  if (socket === null || typeof body !== 'string' || status < 200 || status === 204 || status === 304)
    return false
  if (!isKept(response) || req.method === 'HEAD') return false
  const more = headers.length === 0 ? '' : plainLines(headers)
  if (more === null) return false
  const length = Buffer.byteLength(body)
  const text = firstLines(status, type) + length + lines + more + lastLines(keepAlive) + body
  // Where each character is one byte, nothing has to be encoded.
  socket.write(text, length === body.length ? 'latin1' : 'utf8')
  // This tells Node that the connection is free for the next request.
  response.emit('finish')
  return true
}

/** Null when Node may refuse one of the values, or when one decides what happens to the connection. */
function plainLines(headers: readonly string[]): string | null {
  let lines = ''
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? ''
    const value = headers[at + 1] ?? ''
    if (name === 'Connection' || !isPlainText(value)) return null
    lines += `\r\n${name}: ${value}`
  }
  return lines
}

/** Whether the connection stays open after this answer. */
function isKept(response: ServerResponse): boolean {
  const { httpVersion, headers } = response.req
  const { connection } = headers
  if (httpVersion !== '1.1' || !response.shouldKeepAlive) return false
  return connection === undefined || connection === 'keep-alive'
}

const isPlainText = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

const firstOfJson = new Map<number, string>()

/** The head up to the length. */
function firstLines(status: number, type: string | undefined): string {
  const known = type === undefined ? firstOfJson.get(status) : undefined
  if (known !== undefined) return known
  const phrase = STATUS_CODES[status] ?? ''
  const lines = `HTTP/1.1 ${status} ${phrase}\r\nContent-Type: ${type ?? jsonType}\r\nContent-Length: `
  if (type === undefined) firstOfJson.set(status, lines)
  return lines
}

const last = { second: 0, keepAlive: '', lines: '' }

/** The head from the date on; the same for a whole second. */
function lastLines(keepAlive: string): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== last.second || keepAlive !== last.keepAlive) {
    const date = new Date(second * 1000).toUTCString()
    last.second = second
    last.keepAlive = keepAlive
    last.lines = `\r\nDate: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: ${keepAlive}\r\n\r\n`
  }
  return last.lines
}
