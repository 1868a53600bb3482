import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Problem } from '../api/errors.ts'
import { type Answer, writeAnswer } from './answer.ts'
import { hasNoBody, readBody } from './raw-body.ts'
import type { SocketTurns } from './socket-turns.ts'
import { faultBody, faultStatus, transportProblem } from './transport-faults.ts'

/** A request that is there whole, as it came over the wire. */
export interface Received {
  readonly method: string
  /** The raw target: path and query, nothing decoded. */
  readonly target: string
  readonly path: string
  /** The raw query with its question mark, or nothing. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly remoteAddress: string
  readonly body: Buffer
}

/** A promise only for as long as code is loaded. */
export type Respond = (received: Received) => Answer | Promise<Answer>

/**
 * Takes one request through the limits of transport, in its turn on its connection, and writes what `respond` says.
 * What `respond` does, it does at once: between the request's turn and its effect nothing else can come.
 */
export async function receive(
  turns: SocketTurns,
  request: IncomingMessage,
  response: ServerResponse,
  respond: Respond,
): Promise<void> {
  const { socket } = request
  const turn = turns.take(socket)
  if (turn !== null) await turn
  try {
    const problem = transportProblem(request)
    if (problem !== null) return refuse(response, problem)
    let body: Buffer = noBytes
    if (!hasNoBody(request)) {
      const outcome = await readBody(request)
      if (outcome.kind === 'aborted') return
      if (outcome.kind === 'too-large') return refuse(response, { code: 'payload-too-large' })
      body = outcome.bytes
    }
    const answer = respond(received(request, body))
    writeAnswer(response, answer instanceof Promise ? await answer : answer)
  } finally {
    turns.giveBack(socket)
  }
}

const noBytes = Buffer.alloc(0)

function received(request: IncomingMessage, body: Buffer): Received {
  const target = request.url ?? '/'
  const mark = target.indexOf('?')
  return {
    method: request.method ?? '',
    target,
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? '' : target.slice(mark),
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    remoteAddress: request.socket.remoteAddress ?? '',
    body,
  }
}

/** After a fault of transport nothing more on the connection can be trusted. */
function refuse(response: ServerResponse, problem: Problem): void {
  const headers = ['Connection', 'close']
  writeAnswer(response, { status: faultStatus(problem), headers, body: faultBody(problem) })
}
