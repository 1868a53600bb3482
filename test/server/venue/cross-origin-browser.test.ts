import { createServer, type Server } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isObject } from '../../../src/api/json.ts'
import { launchBrowser } from '../../support/browser.ts'
import { type Sending, signedHeaders } from '../signed-request.ts'
import { startFixture, type VenueFixture } from '../venue-fixture.ts'

/*
 * Pages of other origins in a real browser, which asks by preflights what they may send, and hides what they may not read.
 * @module-tag chromium
 */

let browser: Browser
let venue: VenueFixture
const servers: Server[] = []

/** Serves an empty page on a port, and so an origin, of its own. */
async function servePage(): Promise<string> {
  const server = createServer((_request, response) => response.end('<!doctype html><title>page</title>'))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${isObject(address) ? address['port'] : ''}`
}

let allowed: Page
let foreign: Page
beforeAll(async () => {
  const [origin, other] = [await servePage(), await servePage()]
  browser = await launchBrowser()
  venue = await startFixture({ origins: [origin] })
  venue.wall.set(Date.now())
  ;[allowed, foreign] = await Promise.all([browser.newPage(), browser.newPage()])
  await Promise.all([allowed.goto(origin), foreign.goto(other)])
})
afterAll(async () => {
  await browser.close()
  await venue.server.close()
  for (const server of servers) server.close()
})

const traced = {
  'x-sdk-client': 'zenotc-js/1.0',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  'cache-control': 'no-cache',
}

/** Sends a request from within a page, and returns what the page can see of its answer. */
function sendFrom(page: Page, sending: Sending): Promise<unknown> {
  const { method = 'GET', target = '', body } = sending
  const headers = signedHeaders(
    { ...sending, headers: { ...traced, ...sending.headers } },
    venue.wall.nowMillis(),
  )
  const url = venue.server.url + target
  return page.evaluate(
    ([address, init]) =>
      fetch(address, init).then(
        async (reply) => ({
          status: reply.status,
          error: Object(await reply.json()).error,
          world: reply.headers.get('x-sim-world'),
          date: reply.headers.get('date') !== null,
        }),
        (failure: Error) => failure.name,
      ),
    [url, { method, headers, ...(body === undefined ? {} : { body }) }] as const,
  )
}

const orders = '/api/sdk/orders'
const order = '{"side":"buy","asset":"BTC","quantity":0.001,"price":40000}'

describe('a page of an allowed origin', () => {
  it.each<[string, Sending, object]>([
    ['reads', { target: orders }, { status: 200, world: 'default', date: true }],
    ['places an order', { method: 'POST', target: orders, body: order }, { status: 201, world: 'default' }],
    ['cancels', { method: 'DELETE', target: `${orders}/batch` }, { status: 200 }],
    [
      'asks for a reading',
      { target: orders, headers: { prefer: 'reading.envelope=wrapped' } },
      { status: 200 },
    ],
    [
      'sees why it is refused',
      { target: orders, signature: 'wrong' },
      { status: 401, error: 'Unauthorized' },
    ],
    [
      'sees that it sends too much',
      { method: 'POST', target: orders, body: 'x'.repeat(1_048_577) },
      { status: 413, error: 'Payload Too Large' },
    ],
  ])('%s, with headers of its own', async (_name, sending, seen) => {
    expect(await sendFrom(allowed, sending)).toMatchObject(seen)
  })
})

describe('a page of another origin', () => {
  it('sees nothing, and can place nothing', async () => {
    const before = venue.worlds.default.venue.state.orders.count
    expect(await sendFrom(foreign, { target: orders })).toBe('TypeError')
    expect(await sendFrom(foreign, { method: 'POST', target: orders, body: order })).toBe('TypeError')
    expect(venue.worlds.default.venue.state.orders.count).toBe(before)
  })

  it('never reaches the admin API, and neither does the allowed one', async () => {
    for (const page of [foreign, allowed])
      expect(await sendFrom(page, { target: '/__admin/worlds' })).toBe('TypeError')
  })
})
