import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { maximumStreams } from '../../../src/server/admin/event-routes.ts'
import type { World } from '../../../src/world/world.ts'
import { until } from '../../support/until.ts'
import { rawExchange } from '../transport/raw-exchange.ts'
import { useAdminWorld } from './admin-world.ts'

/* Readers of the events of a world: one who reads, who do not, and many. */

const admin = useAdminWorld()
const { venue } = admin

interface Reader {
  readonly socket: Socket
  text(): string
}

function read(query: string): Reader {
  const seen: string[] = []
  const socket = connect(venue.server.adminPort, '127.0.0.1')
  socket.setEncoding('utf8').on('data', (text) => seen.push(String(text)))
  socket.on('error', () => undefined)
  socket.write(`GET /__admin/worlds/default/events${query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
  return { socket, text: () => seen.join('') }
}

/** Places and cancels orders that make large events, until there are so many more. */
function makeEvents(world: World, count: number): void {
  const { lastSequence } = world.events
  while (world.events.lastSequence < lastSequence + count) {
    const orders = Array.from({ length: 10 }, (_, place) => {
      const clientOrderId = `${'\u{1f600}'.repeat(50)}${world.events.lastSequence + place}`
      return { side: 'buy', asset: 'BTC', quantity: 1, price: 40_000, clientOrderId }
    })
    const { body } = world.request('desk', 'POST', '/api/sdk/orders/batch', { orders })
    expect(body).toMatchObject({ summary: { successful: 10 } })
    world.request('desk', 'DELETE', '/api/sdk/orders/batch')
  }
}

it('a reader gets what happens from where it was on, until the world is deleted', async () => {
  await admin.place()
  const stream = await fetch(`${venue.server.adminUrl}${admin.path}/events?since=0`)
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const readUntil = async (wanted: string) => {
    while (!text.includes(wanted)) {
      const part = await reader?.read()
      if (part === undefined || part.done) throw new Error(`ended without ${wanted}: ${text}`)
      text += part.value
    }
  }
  await readUntil('event: order.accepted')
  await venue.send({ method: 'DELETE', target: '/api/sdk/orders/ord_1', ...admin.keysOf('trader') })
  await readUntil('event: order.cancelled')
  expect(text).toMatch(/id: 10\nevent: order\.accepted\ndata: \{"sequence":10,/)
  await venue.admin('DELETE', admin.path)
  expect((await reader?.read())?.done).toBe(true)
  expect((await venue.admin('GET', '/worlds/default/events?since=x')).status).toBe(400)
})

it('a reader who does not read gets the newest events when it reads on, and is told what it has missed', async () => {
  const reader = read('?since=0')
  await until('the stream begins', () => reader.text().includes('the events of'))
  reader.socket.pause()
  const world = venue.worlds.default
  // More than the system takes for a connection, in parts of what a world keeps.
  for (let bytes = 0; bytes < 24_000_000; bytes += 4000 * 400) {
    makeEvents(world, 4000)
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  reader.socket.resume()
  const last = `id: ${world.events.lastSequence}\n`
  await until('it has the last event', () => reader.text().slice(-1000).includes(last))
  const text = reader.text()
  const told = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
  expect(told).toEqual([...new Set(told)].toSorted((one, other) => one - other))
  const [, missed] = /^: (\d+) events before this one are no longer kept$/m.exec(text) ?? []
  expect(Number(missed)).toBeGreaterThan(0)
  reader.socket.destroy()
})

it('too many streams are refused, so that others get connections, until some have ended', async () => {
  const readers = Array.from({ length: maximumStreams }, () => read(''))
  await until('all are open', () => readers.every((reader) => reader.text().includes('the events of')))
  expect(await venue.admin('GET', '/worlds/default/events')).toMatchObject({
    status: 503,
    body: {
      statusCode: 503,
      message: expect.stringContaining(`${maximumStreams} event streams are open already`),
    },
  })
  expect((await venue.admin('GET', '/health')).status).toBe(200)
  for (const { socket } of readers) socket.destroy()
  const isOpen = async (): Promise<boolean> => {
    const again = read('')
    await until('an answer comes', () => again.text().includes('HTTP/1.1'))
    again.socket.destroy()
    return again.text().includes('HTTP/1.1 200')
  }
  await expect.poll(isOpen).toBe(true)
})

it('a HEAD request for a stream gets its head, and the connection is free again', async () => {
  const head = 'HEAD /__admin/worlds/default/events HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const next = 'GET /__admin/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  const text = await rawExchange(venue.server.adminPort, [head + next])
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Type: text\/event-stream\r\n/)
  expect(text).toMatch(/\r\n\r\n\{"status":"ok"\}$/)
})
