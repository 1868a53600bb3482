import type { ServerResponse } from 'node:http'

/** An answer that only has to be written. Bodies are strings: Koa's body setter costs more than the rest of it. */
export interface Answer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export const jsonType = 'application/json; charset=utf-8'

export function writeAnswer(response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(answer.status, {
    'Content-Type': jsonType,
    'Content-Length': Buffer.byteLength(answer.body),
    ...answer.headers,
  })
  response.end(answer.body)
}
