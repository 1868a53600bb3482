import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { openApi } from '../../src/api/openapi/openapi.ts'
import { programPath } from '../support/program-path.ts'
import { serveNow } from './venue.ts'

/*
 * An independent client: openapi-fetch with the types that openapi-typescript generates from our document, and a short
 * signing middleware. It must compile, and it must be able to trade.
 */

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const run = promisify(execFile)

const trade = `
import { createHmac } from 'node:crypto'
import createClient from 'openapi-fetch'
import type { paths } from './venue.ts'

const client = createClient<paths>({ baseUrl: process.env['URL'] ?? '' })
client.use({
  async onRequest({ request }) {
    const { pathname, search } = new URL(request.url)
    const timestamp = String(Date.now())
    const message = timestamp + request.method + pathname + search + (await request.clone().text())
    request.headers.set('X-API-Key', 'simk_default_desk')
    request.headers.set('X-API-Timestamp', timestamp)
    request.headers.set('X-API-Signature', createHmac('sha256', 'sims_default_desk').update(message).digest('hex'))
    return request
  },
})

const price = await client.GET('/api/sdk/market-data/prices/{asset}', { params: { path: { asset: 'BTC' } } })
const made = await client.POST('/api/sdk/orders', {
  body: { side: 'buy', asset: 'BTC', quantity: 0.5, price: 60_000, clientOrderId: 'é 1' },
})
const read = await client.GET('/api/sdk/orders/by-client-id', { params: { query: { clientOrderId: 'é 1' } } })
const orderId = made.data?.orderId ?? ''
const fills = await client.GET('/api/sdk/orders/{orderId}/fills', { params: { path: { orderId } } })
await client.POST('/api/sdk/orders', { body: { side: 'buy', asset: 'BTC', quantity: 0.1, price: 40_000 } })
const listed = await client.GET('/api/sdk/orders', { params: { query: { statuses: 'open,filled', limit: 5 } } })
const cancelled = await client.DELETE('/api/sdk/orders/batch', { body: { asset: 'BTC', side: 'buy' } })
const missing = await client.GET('/api/sdk/orders/{orderId}', { params: { path: { orderId: 'ord_9' } } })
const report = {
  mid: price.data?.mid,
  made: made.data?.status,
  read: [read.data?.status, read.data?.clientOrderId],
  filled: fills.data?.fills.reduce((sum, { quantity }) => sum + quantity, 0),
  listed: listed.data?.orders.map(({ status }) => status),
  cancelled: cancelled.data?.cancelledCount,
  missing: [missing.error?.statusCode, missing.error?.details.type],
}
console.log(JSON.stringify(report))
`

const mistaken = `
import createClient from 'openapi-fetch'
import type { paths } from './venue.ts'
createClient<paths>({}).POST('/api/sdk/orders', { body: { side: 'hold', asset: 'BTC', quantity: 1 } })
`

it('is generated from our document, compiles, signs and trades', {
  tags: ['openapi-typescript'],
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'independent-client-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const generator = programPath('openapi-typescript')
  const generators = resolve(generator, '../../..')
  mkdirSync(join(folder, 'node_modules'))
  for (const [from, name] of [
    [generators, 'openapi-fetch'],
    [generators, 'openapi-typescript-helpers'],
    [modules, '@types'],
    [modules, 'undici-types'],
  ] as const)
    symlinkSync(join(from, name), join(folder, 'node_modules', name), 'junction')
  const document = openApi({ version: '1.0.0', servers: ['http://127.0.0.1:4010'] })
  const files = {
    'package.json': '{ "type": "module" }',
    'openapi.json': JSON.stringify(document),
    'trade.ts': trade,
  }
  for (const [name, text] of Object.entries({ ...files, 'mistaken.ts': mistaken })) {
    writeFileSync(join(folder, name), text)
  }

  await run(process.execPath, [generator, 'openapi.json', '-o', 'venue.ts'], { cwd: folder })

  const options = [
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--lib',
    'es2023,dom',
    '--types',
    'node',
  ]
  const quick = ['--skipLibCheck', '--rewriteRelativeImportExtensions']
  const words = [join(modules, '@typescript/native/bin/tsc'), ...options, ...quick]
  const compiling = run(process.execPath, [...words, 'trade.ts', 'mistaken.ts'], { cwd: folder })
  const { stdout } = await compiling.catch((failure: { readonly stdout: string }) => failure)
  expect(stdout).toMatch(/^mistaken\.ts\(4,\d+\): error TS2322: Type '"hold"' is not assignable .*\n$/)

  const { url, world } = await serveNow()
  const traded = await run(process.execPath, ['trade.js'], { cwd: folder, env: { ...process.env, URL: url } })
  expect(JSON.parse(traded.stdout)).toEqual({
    mid: 50_000,
    made: 'open',
    read: ['filled', 'é 1'],
    filled: 0.5,
    listed: ['open', 'filled'],
    cancelled: 1,
    missing: [404, 'ORDER_NOT_FOUND'],
  })
  expect(world.requests.since(0).map(({ status }) => status)).toEqual([
    200, 201, 200, 200, 201, 200, 200, 404,
  ])
})
