import type { ServerResponse } from 'node:http'

/** An answer that only has to be written. Bodies are strings: Koa's body setter costs more than the rest of it. */
export interface Answer {
  readonly status: number
  /** Names and values in turn, besides type and length. */
  readonly headers: readonly string[]
  readonly body: string
}

export const jsonType = 'application/json; charset=utf-8'

export function writeAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.headersSent || response.destroyed) return
  const length = String(Buffer.byteLength(body))
  response.writeHead(status, ['Content-Type', jsonType, 'Content-Length', length, ...headers])
  response.end(body)
}
