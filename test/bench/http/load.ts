import { connect, type Socket } from 'node:net'
import type { Call } from './keys.ts'
import { requestBytes, traders } from './keys.ts'

export interface Load {
  readonly port: number
  readonly connections: number
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
  readonly p50Millis: number
  readonly p99Millis: number
}

const maximumRequests = 200_000
/** Latencies of one load; allocated once, so that this process has as little garbage as possible. */
const latencies = new Float64Array(maximumRequests)

/**
 * Sends signed requests over connections that stay open, the next one on each when the answer is complete, until the
 * time is up. Measuring begins after a warm-up on the same connections: in one second, first requests that wait for their
 * connections would be much of the slowest hundredth. Rejects when an answer has another status.
 *
 * This process should not be part of what is measured. Requests are signed beforehand, answers are read in place, and
 * nothing is allocated that would have to be collected. And it never sleeps: waking it would be work of the server that
 * writes an answer, up to twenty microseconds on a virtual machine, and the more often the slower the server is;
 * clients over a network are woken by their own machines.
 */
export async function load(load: Load): Promise<Figures> {
  const { port, connections, call, status, warmMillis, millis, begins } = load
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
    p50Millis: sorted[Math.floor(answers / 2)] ?? Number.NaN,
    p99Millis: sorted[Math.floor(answers * 0.99)] ?? Number.NaN,
  }
}

/** `takes` is called for each answer, and says whether to send another request. */
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

/** Length of the first answer, head and body; null until its head is complete. */
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
