import { connect, type Socket } from 'node:net'
import type { Call } from './keys.ts'
import { requestBytes, traders } from './keys.ts'

export interface Load {
  readonly port: number
  readonly call: (connection: number) => Call
  readonly status: number
  /** How long the same load goes on before anything is measured. */
  readonly warmMillis: number
  readonly millis: number
  /** Called between the two. */
  readonly begins: () => void
}

export interface Figures {
  readonly requestsPerSecond: number
  readonly p99Millis: number
}

const connections = 50
const maximumRequests = 200_000
/** Of the answers of one load; made once, so that this process has as little to collect as can be. */
const latencies = new Float64Array(maximumRequests)

/**
 * Sends signed requests over 50 connections that stay open, each its next one when its answer is whole, until the time
 * is up. What is measured begins behind the warm-up on the same connections: in a second, 50 first requests that wait for
 * their connections to be made would be much of the slowest hundredth. Rejects when an answer has another status.
 *
 * This process is to be no part of what is measured. Requests are signed beforehand, answers are read where they are, and
 * nothing is made that would have to be collected. And it never sleeps: to wake it up is the work of the server that
 * writes an answer, up to twenty microseconds of it on a virtual machine, more often the slower the server is; clients
 * over a network are woken by their own machines.
 */
export async function load(load: Load): Promise<Figures> {
  const { port, call, status, warmMillis, millis, begins } = load
  const begun = performance.now()
  let start = Number.POSITIVE_INFINITY
  let answers = 0
  const takes = (sentAt: number, now: number): boolean => {
    if (start > now && now - begun >= warmMillis) {
      start = now
      begins()
    }
    // Those that were sent during the warm-up are part of it.
    if (sentAt >= start) {
      latencies[answers] = now - sentAt
      answers += 1
    }
    return answers < maximumRequests && now - start < millis
  }
  let isAwake = true
  const stayAwake = () => {
    if (isAwake) setImmediate(stayAwake)
  }
  stayAwake()
  await Promise.all(
    Array.from({ length: connections }, (_, at) =>
      converse(port, requestBytes(call(at), traders[at % 2 === 0 ? 0 : 1]), status, takes),
    ),
  ).finally(() => {
    isAwake = false
  })
  const elapsed = performance.now() - start
  const sorted = latencies.subarray(0, answers).sort()
  return {
    requestsPerSecond: (answers / elapsed) * 1000,
    p99Millis: sorted[Math.floor(answers * 0.99)] ?? Number.NaN,
  }
}

/** `takes` is told of each answer, and says whether another request is to go. */
function converse(
  port: number,
  request: Buffer,
  status: number,
  takes: (sentAt: number, now: number) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const statusLine = Buffer.from(`HTTP/1.1 ${status} `)
    // Answers are read into the same memory again and again.
    const buffer = Buffer.alloc(65_536)
    let held = 0
    let sentAt = 0
    const read = (size: number, bytes: Uint8Array): boolean => {
      buffer.set(bytes.subarray(0, size), held)
      held += size
      const length = wholeLength(buffer.subarray(0, held))
      if (length === null || held < length) return true
      held -= length
      if (held !== 0 || buffer.compare(statusLine, 0, statusLine.length, 0, statusLine.length) !== 0) {
        socket.destroy()
        reject(new Error(`expected one answer with ${status}, got ${buffer.toString('latin1', 0, length)}`))
        return false
      }
      if (takes(sentAt, performance.now())) {
        send()
        return true
      }
      socket.destroy()
      resolve()
      return false
    }
    const onread = { buffer: Buffer.alloc(65_536), callback: read }
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true, onread })
    const send = () => {
      sentAt = performance.now()
      socket.write(request)
    }
    socket.on('connect', send)
    socket.on('error', reject)
  })
}

const endOfHead = Buffer.from('\r\n\r\n')
const lengthNames = ['\r\nContent-Length: ', '\r\ncontent-length: '].map((name) => Buffer.from(name))

/** Of the first answer, head and body; null until its head is there. */
function wholeLength(bytes: Buffer): number | null {
  const head = bytes.indexOf(endOfHead)
  if (head < 0) return null
  let length = 0
  for (const name of lengthNames) {
    const at = bytes.indexOf(name)
    if (at < 0 || at > head) continue
    for (let digit = at + name.length; (bytes[digit] ?? 0) >= 0x30; digit += 1)
      length = length * 10 + (bytes[digit] ?? 0) - 0x30
  }
  return head + 4 + length
}
