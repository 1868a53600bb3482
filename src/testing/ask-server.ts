import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { isObject, jsonField, parseJson } from '../api/json.ts'

/** What a server has answered. */
export interface ServerAnswer {
  readonly status: number
  readonly text: string
}

/** Asks the admin API of a running server, and waits for the answer. */
export type AskServer = (method: string, path: string, body?: unknown) => ServerAnswer

/**
 * Creates a function that asks a server and returns its answer at once, without a promise, so that a test does the
 * same to its world wherever that is. The request is sent by a thread, for whose message this one waits; the thread
 * does not keep the process alive. Each call throws an Error if nobody answers.
 */
export function createAskServer(adminUrl: string, token: string | null): AskServer {
  const { port1: receiving, port2: sending } = new MessageChannel()
  const signal = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const workerData = { sending, signal }
  // The options of this process, such as loaders of TypeScript, are not for plain JavaScript.
  const thread = new Worker(threadSource, {
    eval: true,
    workerData,
    transferList: [sending],
    execArgv: [],
  })
  thread.unref()
  receiving.unref()
  return (method, path, body) => {
    const request = {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
    Atomics.store(signal, 0, 0)
    thread.postMessage({ url: `${adminUrl}${path}`, request })
    const isOver = Atomics.wait(signal, 0, 0, patienceMillis) !== 'timed-out'
    const answer: unknown = isOver ? receiveMessageOnPort(receiving)?.message : null
    if (isServerAnswer(answer)) return answer
    const reason = isObject(answer) ? String(answer['failure']) : `no answer within ${patienceMillis} ms`
    throw new Error(
      `${method} ${adminUrl}${path}: ${reason}. OTC_ADMIN_URL names the server that these tests join: it must run in another process; without the variable, tests have a venue of their own`,
    )
  }
}

/** How long to wait for an answer, in milliseconds: an advance over months takes its time. */
const patienceMillis = 120_000

/** What the thread runs, as plain JavaScript: neither a bundler nor a test runner has to find a file of its own. */
const threadSource = `
const { parentPort, workerData } = require('node:worker_threads')
const { sending, signal } = workerData
parentPort.on('message', async ({ url, request }) => {
  let answer
  try {
    const response = await fetch(url, request)
    answer = { status: response.status, text: await response.text() }
  } catch (failure) {
    answer = { failure: String(failure.cause?.message || failure.message) }
  }
  sending.postMessage(answer)
  Atomics.store(signal, 0, 1)
  Atomics.notify(signal, 0)
})
`

function isServerAnswer(value: unknown): value is ServerAnswer {
  return isObject(value) && typeof value['status'] === 'number' && typeof value['text'] === 'string'
}

/** Returns the message of a refusal of the admin API, or what else was answered. */
export function refusalText({ status, text }: ServerAnswer): string {
  const message = jsonField(parseJson(text), 'message')
  return typeof message === 'string' ? message : `${status} ${text.slice(0, 500)}`
}
