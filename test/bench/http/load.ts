import { connect, type Socket } from 'node:net'
import type { Call } from './keys.ts'
import { requestBytes, traders } from './keys.ts'

export interface Load {
  readonly port: number
  readonly call: (connection: number) => Call
  readonly status: number
  readonly millis: number
}

export interface Figures {
  readonly requestsPerSecond: number
  readonly p99Millis: number
}

const connections = 50
const requestsMaximum = 200_000

/**
 * Sends signed requests over 50 connections that stay open, each its next one when its answer is whole, until the time
 * is up. Requests are signed beforehand, so that nearly all of this process's time is the system's. Rejects when an
 * answer has another status.
 */
export async function load({ port, call, status, millis }: Load): Promise<Figures> {
  const latencies: number[] = []
  const start = performance.now()
  const isOver = () => latencies.length >= requestsMaximum || performance.now() - start >= millis
  await Promise.all(
    Array.from({ length: connections }, (_, at) => {
      const request = requestBytes(call(at), traders[at % 2 === 0 ? 0 : 1])
      return converse(port, request, status, latencies, isOver)
    }),
  )
  const elapsed = performance.now() - start
  latencies.sort((left, right) => left - right)
  return {
    requestsPerSecond: (latencies.length / elapsed) * 1000,
    p99Millis: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
  }
}

function converse(
  port: number,
  request: Buffer,
  status: number,
  latencies: number[],
  isOver: () => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let received = ''
    let sentAt = 0
    const send = () => {
      sentAt = performance.now()
      socket.write(request)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1')
      const length = wholeLength(received)
      if (length === null || received.length < length) return
      if (!received.startsWith(`HTTP/1.1 ${status} `)) {
        socket.destroy()
        reject(new Error(`expected ${status}, got ${received}`))
        return
      }
      received = received.slice(length)
      latencies.push(performance.now() - sentAt)
      if (!isOver()) return send()
      socket.destroy()
      resolve()
    })
  })
}

/** Of the first answer in the text, head and body; null until its head is there. */
function wholeLength(text: string): number | null {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return null
  const [, length = '0'] = /\r\ncontent-length: ([0-9]+)/i.exec(text.slice(0, head)) ?? []
  return head + 4 + Number(length)
}
