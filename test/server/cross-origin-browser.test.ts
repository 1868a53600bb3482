import { createServer } from 'node:http'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startVenue, type TestVenue } from '../../src/testing/start-venue.ts'
import { launchBrowser } from '../support/browser.ts'
import { quietScenario } from '../world/scenarios.ts'
import { signedHeaders } from './signed-request.ts'

/*
 * A page of another origin in a real browser, which decides what the page may send and see: with the headers of the
 * venue's own client and of tracing.
 * @module-tag chromium
 */

let browser: Browser
let venue: TestVenue
const pages = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end('<p>'))

beforeAll(async () => {
  pages.listen(0, '127.0.0.1')
  await new Promise((resolve) => pages.once('listening', resolve))
  venue = await startVenue({ scenario: quietScenario, cors: originOf() })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await venue.close()
  pages.close()
})

function originOf(): string {
  const { port } = Object(pages.address())
  return `http://localhost:${port}`
}

interface Asked {
  readonly method?: string
  readonly body?: string
  readonly headers?: { readonly [name: string]: string }
}

/** Sends a signed request from a page of an origin, and returns what the page can see of the answer. */
async function askFrom(origin: string, { method = 'GET', body = '', headers = {} }: Asked) {
  const page = await browser.newPage()
  await page.goto(origin)
  const key = venue.keys['trader'] ?? { apiKey: '', apiSecret: '' }
  const signed = signedHeaders({ method, target: '/api/sdk/orders', body, ...key }, Date.now())
  const init = { method, headers: { ...signed, ...headers }, ...(body === '' ? {} : { body }) }
  const seen = await page.evaluate(
    ([url, sent]) =>
      fetch(url, sent).then(
        async (answer) => ({
          status: answer.status,
          id: answer.headers.get('X-Sim-Request-Id'),
          body: await answer.json(),
        }),
        (failure: unknown) => String(failure),
      ),
    [`${venue.url}/api/sdk/orders`, init] as const,
  )
  await page.close()
  return seen
}

const tracing = {
  'X-SDK-Client': 'typescript/0.2.2',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
}
const order = JSON.stringify({ side: 'buy', asset: 'BTC', quantity: 0.01, price: 40_000 })

it.each([
  ['reads', { headers: tracing }, 200],
  ['places an order', { method: 'POST', body: order, headers: tracing }, 201],
  [
    'sends headers that nobody has foreseen',
    { headers: { ...tracing, 'Cache-Control': 'no-cache', 'X-Own-Header': '1' } },
    200,
  ],
  ['is refused, and sees why', { headers: { ...tracing, 'X-API-Signature': '0'.repeat(64) } }, 401],
])('a page of an allowed origin %s', async (_what, asked, status) => {
  const seen = await askFrom(originOf(), asked)
  expect(seen).toMatchObject({ status, id: expect.stringMatching(/^req_\d+$/), body: expect.any(Object) })
})

it('a page of another origin sees nothing', async () => {
  const other = originOf().replace('localhost', '127.0.0.1')
  expect(await askFrom(other, { headers: tracing })).toBe('TypeError: Failed to fetch')
})
