import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type Asked, nthRequest, orderText, requestBytes } from './requests.ts'

/** A client on one connection that stays open. It throws at the first answer that is not that of its request. */
export class Kept {
  answered = 0
  orders = 0
  private readonly socket: Socket
  private readonly number: number
  private held: Buffer = Buffer.alloc(0)
  private orderId: string | null = null
  private lastRequest = 0
  private isClosing = false

  constructor(port: number, number: number) {
    this.number = number
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.socket.on('data', (bytes: Buffer) => {
      this.held = this.held.length === 0 ? bytes : Buffer.concat([this.held, bytes])
    })
    this.socket.on('close', () => {
      if (!this.isClosing)
        throw new Error(`kept connection ${number} was closed after ${this.answered} answers`)
    })
  }

  /** Of the last order; the world counts them all. */
  get orderNumber(): number {
    return Number(this.orderId?.slice('ord_'.length) ?? 0)
  }

  /** Goes on until that many requests have been answered. */
  async askUntil(count: number): Promise<void> {
    while (this.answered < count)
      await this.burst(Math.min(burstSizes[this.answered % burstSizes.length] ?? 1, count - this.answered))
  }

  /** The number of orders in the world: ids are counted. */
  async ordersSoFar(): Promise<number> {
    this.socket.write(requestBytes('POST', '/api/sdk/orders', orderText('soak-last')))
    const { body } = await this.nextAnswer()
    this.close()
    return Number(/"orderId":"ord_(\d+)"/.exec(body)?.[1]) - 1
  }

  close(): void {
    this.isClosing = true
    this.socket.destroy()
  }

  /** Several requests before the first answer, in halves that arrive apart, or read slowly. */
  private async burst(size: number): Promise<void> {
    const asked = Array.from({ length: size }, (_, at) =>
      nthRequest(this.number, this.answered + at, this.orderId),
    )
    const bytes = Buffer.concat(asked.map((each) => each.bytes))
    const isHalved = this.answered % 11 === 0
    this.socket.write(isHalved ? bytes.subarray(0, bytes.length >> 1) : bytes)
    if (isHalved) {
      await pause(1)
      this.socket.write(bytes.subarray(bytes.length >> 1))
    }
    if (this.answered % 301 === 0) {
      this.socket.pause()
      await pause(30)
      this.socket.resume()
    }
    for (const each of asked) this.check(each, await this.nextAnswer())
  }

  private check({ status, shows }: Asked, { head, body }: Answer): void {
    const got = Number(head.slice(9, 12))
    const request = Number(/x-sim-request-id: req_(\d+)/i.exec(head)?.[1])
    const [field, value] = shows ?? ['', '']
    const isRight = got === status && (shows === null || body.includes(`"${field}":"${value}"`))
    // Requests of one connection take effect in their order.
    if (!isRight || !(request > this.lastRequest))
      throw new Error(
        `connection ${this.number}, answer ${this.answered}: not ${status} with ${field} ${value} after req_${this.lastRequest}: ${head}\n${body}`,
      )
    this.lastRequest = request
    this.answered += 1
    if (status === 201) {
      this.orders += 1
      this.orderId = /"orderId":"(ord_\d+)"/.exec(body)?.[1] ?? null
    }
  }

  private async nextAnswer(): Promise<Answer> {
    for (;;) {
      const end = this.held.indexOf('\r\n\r\n')
      const head = this.held.toString('latin1', 0, Math.max(end, 0))
      const length = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (end !== -1 && this.held.length >= length) {
        const body = this.held.toString('utf8', end + 4, length)
        this.held = this.held.subarray(length)
        return { head, body }
      }
      await once(this.socket, 'data', { signal: AbortSignal.timeout(answerLimitMillis) })
    }
  }
}

interface Answer {
  readonly head: string
  readonly body: string
}

const burstSizes = [1, 1, 2, 1, 4, 1, 8]
/** An answer that has not come by then is lost. */
const answerLimitMillis = 120_000

export function pause(millis: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, millis))
}
