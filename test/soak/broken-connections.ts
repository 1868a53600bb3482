import { once } from 'node:events'
import { connect } from 'node:net'
import { pause } from './kept-connection.ts'
import { orderText, requestBytes } from './requests.ts'

interface Broken {
  readonly connections: number
  /** Orders that were sent whole, and may have been made: nobody waited for their answers. */
  readonly orders: number
}

/** Clients that break off, one after the other at eight places at once, until they are told to stop. */
export async function breakConnections(port: number, stop: AbortSignal): Promise<Broken> {
  let connections = 0
  let orders = 0
  const breakOff = async (): Promise<void> => {
    while (!stop.aborted) {
      const n = connections
      connections += 1
      const whole = requestBytes('POST', '/api/sdk/orders', orderText(`broken-${n}`))
      const reads = Array.from({ length: 20 }, () => requestBytes('GET', '/api/sdk/orders?limit=100', ''))
      const half = whole.subarray(0, (whole.length * ((n % 9) + 1)) / 10)
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      // The server may hang up, too, and they do not wait for it: while it is busy, more than it takes come to its door.
      socket.on('error', () => undefined)
      const isIn = await once(socket, 'connect').then(
        () => true,
        () => false,
      )
      if (!isIn) continue
      if (n % 4 === 0) socket.write(half, () => socket.resetAndDestroy())
      else if (n % 4 === 1) socket.write(whole, () => socket.resetAndDestroy())
      else if (n % 4 === 2) socket.end(half)
      else {
        // So much that it does not fit between the two, for somebody who never reads.
        socket.pause()
        socket.write(Buffer.concat(reads))
        await pause(50)
        socket.resetAndDestroy()
      }
      if (n % 4 === 1) orders += 1
      await pause(10)
      socket.destroy()
    }
  }
  await Promise.all(Array.from({ length: 8 }, breakOff))
  return { connections, orders }
}
