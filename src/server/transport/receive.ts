import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Problem } from '../../api/errors.ts'
import { splitTarget } from '../../api/split-target.ts'
import { isDocumentPath } from './admin-prefix.ts'
import { type Answer, type Delivery, writeAnswer } from './answer.ts'
import {
  type BodyOutcome,
  hasNoBody,
  maximumBodyBytes,
  maximumDocumentBytes,
  noBody,
  takeBody,
} from './raw-body.ts'
import type { SocketTurns } from './socket-turns.ts'
import { faultBody, faultStatus, transportProblem } from './transport-faults.ts'

/** A complete request, as it came over the wire. */
export interface Received {
  readonly method: string
  /** The raw target: path and query, nothing decoded. */
  readonly target: string
  readonly path: string
  /** The raw query with its question mark, or empty. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly remoteAddress: string
  readonly body: Buffer
}

/** Why a caller may not send documents, which may be large; null when it may. Asked before any of one is read. */
export type DocumentGuard = (request: IncomingMessage) => Problem | null
const nobody: DocumentGuard = () => ({ code: 'payload-too-large' })

/** A promise only while code is being loaded, or where a fault delays the answer. */
export type Respond = (received: Received) => Answer | Promise<Answer>

/**
 * Takes one request through the limits of transport, in its turn on its connection, and writes the answer that
 * `respond` gives. `respond` acts synchronously: nothing can come between the request's turn and its effect. `fail`
 * receives only what `respond` throws; when the client disconnects first, nothing happens.
 */
export function receive(
  turns: SocketTurns,
  request: IncomingMessage,
  response: ServerResponse,
  respond: Respond,
  fail: (failure: unknown) => void,
  guard: DocumentGuard = nobody,
): void {
  const queue = turns.of(request.socket)
  if (queue.isRefused) return
  const turn = queue.take(request, response)
  const end = (failure?: unknown) => {
    queue.giveBack(response)
    if (failure !== undefined) fail(failure)
  }
  const answer = (body: BodyOutcome) => {
    if (body.kind === 'refused') queue.isRefused = true
    if (turn === null) {
      answerNow(turns, request, response, body, respond, end)
      return
    }
    const held = body.kind === 'complete' ? body.bytes.length : 0
    queue.heldBytes += held
    void turn.then(() => {
      queue.heldBytes -= held
      // What was answered before has closed the connection: nobody could be told what happens now.
      if (!request.socket.writable) return
      answerNow(turns, request, response, body, respond, end)
    })
  }
  const problem = queue.heldBytes > mostHeldBytes ? tooMuchWaits : transportProblem(request)
  if (problem !== null) answer({ kind: 'refused', problem })
  else if (hasNoBody(request)) answer(noBody(request))
  else if (!isDocumentPath(request.url ?? '')) takeBody(request, answer, maximumBodyBytes)
  else {
    const denial = guard(request)
    if (denial === null) takeBody(request, answer, maximumDocumentBytes)
    else takeBody(request, answer, maximumBodyBytes, denial)
  }
}

/** A client that sends on and on without waiting for answers must not fill the memory. */
const mostHeldBytes = 4 * maximumBodyBytes
const tooMuchWaits: Problem = {
  code: 'unavailable',
  reason: 'Too much waits to be answered on this connection already',
}

function answerNow(
  { keepAlive }: SocketTurns,
  request: IncomingMessage,
  response: ServerResponse,
  body: BodyOutcome,
  respond: Respond,
  end: (failure?: unknown) => void,
): void {
  try {
    if (body.kind === 'refused') {
      refuse(response, body.problem)
      end()
      return
    }
    const answer = respond(received(request, body.bytes))
    if (answer instanceof Promise) {
      answer.then((late) => deliver(response, late, keepAlive)).then(() => end(), end)
      return
    }
    const delivering = deliver(response, answer, keepAlive)
    if (delivering === null) end()
    else delivering.then(() => end(), end)
  } catch (failure) {
    end(failure)
  }
}

/** Null when it has been written; a promise where a fault takes its time. */
function deliver(response: ServerResponse, answer: Answer, keepAlive: string | null): Promise<void> | null {
  if (answer.deliver === undefined) {
    writeAnswer(response, answer, keepAlive)
    return null
  }
  const isGone = response.headersSent || response.destroyed
  return isGone ? null : deliverBy(answer.deliver, response, answer)
}

/** Resolves when the answer has left, and the connection is closed if it is to be. */
async function deliverBy(delivery: Delivery, response: ServerResponse, answer: Answer): Promise<void> {
  const left = new Promise((resolve) => {
    response.once('finish', resolve).once('close', resolve)
  })
  await delivery(response, answer)
  if (response.writableEnded) await left
}

function received(request: IncomingMessage, body: Buffer): Received {
  const target = request.url ?? '/'
  const { path, query } = splitTarget(target)
  return {
    method: request.method ?? '',
    target,
    path,
    query,
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    remoteAddress: request.socket.remoteAddress ?? '',
    body,
  }
}

/** After a transport error, nothing else on the connection can be trusted. */
function refuse(response: ServerResponse, problem: Problem): void {
  const headers = ['Connection', 'close']
  writeAnswer(response, { status: faultStatus(problem), headers, body: faultBody(problem) }, null)
}
