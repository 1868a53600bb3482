import { type ServerResponse, STATUS_CODES } from 'node:http'

/** An answer that only has to be written. Bodies are strings: Koa's body setter costs more than the rest of it. */
export interface Answer {
  readonly status: number
  /** Names and values in turn, besides type and length. */
  readonly headers: readonly string[]
  /** JSON unless given. */
  readonly type?: string
  readonly body: string | Buffer
  /** In place of plain writing: what a fault does to it. */
  readonly deliver?: Delivery
}

/** Sends an answer in some way, or not at all; resolves when nothing more will come of it. */
export type Delivery = (response: ServerResponse, answer: Answer) => Promise<void> | void

export const jsonType = 'application/json; charset=utf-8'

/** `keepAlive`: what the connection's Keep-Alive header says; null where Node is to write the head. */
export function writeAnswer(response: ServerResponse, answer: Answer, keepAlive: string | null): void {
  const { status, headers, type, body } = answer
  if (response.headersSent || response.destroyed) return
  if (keepAlive !== null && writeWhole(response, answer, keepAlive)) return
  if (status === 304) {
    // It has neither a body nor the length of one.
    response.writeHead(status, [...headers])
    response.end()
    return
  }
  const length = String(Buffer.byteLength(body))
  response.writeHead(status, ['Content-Type', type ?? jsonType, 'Content-Length', length, ...headers])
  // Not `end(body)`: that hands the socket an empty piece behind the answer, and so costs a call for several pieces.
  response.write(body)
  response.socket?.uncork()
  response.end()
}

/**
 * Writes a usual answer as one text, for which Node would make a string a header and four entries in its queue of ticks.
 * False for what is not usual, and then nothing is done: connections that are to close, or are not this response's
 * yet, bodies that are no text, and header values that Node may refuse.
 */
function writeWhole(response: ServerResponse, answer: Answer, keepAlive: string): boolean {
  const { socket, req } = response
  const { status, headers, type, body } = answer
  if (socket === null || typeof body !== 'string' || status < 200 || status === 204 || status === 304)
    return false
  if (!isKept(response) || req.method === 'HEAD') return false
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: ${type ?? jsonType}\r\nContent-Length: `,
    String(Buffer.byteLength(body)),
  ]
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? ''
    const value = headers[at + 1] ?? ''
    if (name === 'Connection' || !isPlainText(value)) return false
    lines.push('\r\n', name, ': ', value)
  }
  lines.push(`\r\nDate: ${dateText()}\r\nConnection: keep-alive\r\nKeep-Alive: ${keepAlive}\r\n\r\n`, body)
  socket.write(lines.join(''))
  // By this Node knows that the connection is free for the next request.
  response.emit('finish')
  return true
}

/** Whether the connection stays open behind this answer. */
function isKept(response: ServerResponse): boolean {
  const { httpVersion, headers } = response.req
  const { connection } = headers
  if (httpVersion !== '1.1' || !response.shouldKeepAlive) return false
  if (connection !== undefined && connection !== 'keep-alive') return false
  return Reflect.get(response, 'maxRequestsOnConnectionReached') !== true
}

const isPlainText = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

let dateSecond = 0
let dateOfSecond = ''

function dateText(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    dateOfSecond = new Date(second * 1000).toUTCString()
  }
  return dateOfSecond
}
