import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { jsonType } from './answer.ts'
import { faultBody, type TransportFault, transportFaults } from './transport-faults.ts'

/** How long a refused client may go on sending before its connection is cut; closing at once could lose the answer. */
const lingerMillis = 500

/** Answers what Node's parser refuses (and would answer with an empty line) in the shape of an error, and closes. */
export function answerClientErrors(server: Server): void {
  const latest = new WeakMap<object, IncomingMessage>()
  const refused = new WeakSet<object>()
  server.on('request', (request: IncomingMessage) => latest.set(request.socket, request))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (refused.has(socket)) return
    refused.add(socket)
    const refuse = () => refuseOn(socket, faultOfCode(error.code ?? ''))
    // What was sent whole before the fault, on the same connection, is answered first.
    if (latest.get(socket)?.complete === true) afterAnswers(refuse)
    else refuse()
  })
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const fault = transportFaults.expectation
    const body = faultBody(fault)
    response.writeHead(fault.status, {
      'Content-Type': jsonType,
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    })
    response.end(body)
  })
}

function faultOfCode(code: string): TransportFault {
  if (code === 'HPE_HEADER_OVERFLOW') return transportFaults.headers
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return transportFaults.timeout
  return transportFaults.malformed
}

function refuseOn(socket: Socket, fault: TransportFault): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = faultBody(fault)
  const head = `HTTP/1.1 ${fault.status} ${fault.phrase}\r\nContent-Type: ${jsonType}\r\nContent-Length: ${Buffer.byteLength(body)}`
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), lingerMillis).unref()
}

/** A complete request is answered within the turns of the event loop that hand its body over. */
function afterAnswers(run: () => void): void {
  setImmediate(() => setImmediate(run))
}
