import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Problem, phrases } from '../../api/errors.ts'
import { jsonType } from './answer.ts'
import type { SocketTurns } from './socket-turns.ts'
import { faultBody, faultStatus, noProxy } from './transport-faults.ts'

/** How long a refused client may go on sending before its connection is cut; closing at once could lose the answer. */
const lingerMillis = 500

/**
 * Answers what Node's parser refuses (Node itself would answer with an empty body) in the shape of an error, then
 * closes.
 */
export function answerClientErrors(server: Server, turns: SocketTurns): void {
  const refused = new WeakSet<object>()
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (refused.has(socket)) return
    refused.add(socket)
    const refuse = () => refuseOn(socket, problemOfCode(error.code ?? ''))
    // Whole requests sent before this one on the same connection are answered first.
    if (turns.latestOn(socket)?.complete === true) afterAnswers(refuse)
    else refuse()
  })
  // Clients ask for a tunnel like this when this address is their HTTPS proxy; Node itself would hang up without a
  // word.
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    refuseOn(socket, { code: 'invalid-http', reason: noProxy })
  })
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = faultBody({ code: 'expectation-failed' })
    response.writeHead(faultStatus({ code: 'expectation-failed' }), {
      'Content-Type': jsonType,
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    })
    response.end(body)
  })
}

function problemOfCode(code: string): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return { code: 'headers-too-large' }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { code: 'request-timeout' }
  return { code: 'invalid-http' }
}

function refuseOn(socket: Duplex, problem: Problem): void {
  if (!socket.writable) {
    socket.destroy()
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

/** A complete request is answered within the turns of the event loop in which its body arrives. */
function afterAnswers(run: () => void): void {
  setImmediate(() => setImmediate(run))
}
