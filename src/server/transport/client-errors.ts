import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { type Problem, phrases } from '../../api/errors.ts'
import { jsonType } from './answer.ts'
import type { SocketTurns } from './socket-turns.ts'
import { faultBody, faultStatus, noProxy } from './transport-faults.ts'

/** How long a refused client may go on sending before its connection is cut; closing at once could lose the answer. */
const lingerMillis = 500

/**
 * Answers what Node's parser refuses (Node itself would answer with an empty body) in the shape of an error, then
 * closes. Whole requests that were sent before on the same connection are answered first.
 */
export function answerClientErrors(server: Server, turns: SocketTurns): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    turns.of(socket).refuse(() => refuseOn(socket, problemOfCode(error.code ?? '')))
  })
  // Clients ask for a tunnel like this when this address is their HTTPS proxy; Node itself would hang up without a
  // word.
  server.on('connect', ({ socket }: IncomingMessage) => {
    turns.of(socket).refuse(() => refuseOn(socket, { code: 'invalid-http', reason: noProxy }))
  })
}

function problemOfCode(code: string): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return { code: 'headers-too-large' }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { code: 'request-timeout' }
  return { code: 'invalid-http' }
}

function refuseOn(socket: Socket, problem: Problem): void {
  if (!socket.writable) {
    socket.destroySoon()
    return
  }
  const status = faultStatus(problem)
  const body = faultBody(problem)
  const head = [
    `HTTP/1.1 ${status} ${phrases[status]}`,
    `Content-Type: ${jsonType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), lingerMillis).unref()
}
