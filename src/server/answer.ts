import type { ServerResponse } from 'node:http'

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

export function writeAnswer(response: ServerResponse, { status, headers, type, body }: Answer): void {
  if (response.headersSent || response.destroyed) return
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
