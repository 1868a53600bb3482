import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { otcsim } from './harness.ts'

it('finds no problem of our own venue, and has most of its requests accepted', async () => {
  const done = await otcsim(['fuzz', '--requests', '250', '--seed', '5', '--json'])
  expect(done).toMatchObject({ code: 0, err: '' })
  const { ok, seed, successes } = JSON.parse(done.out)
  expect([ok, seed]).toEqual([true, '5'])
  expect(successes).toBeGreaterThan(80)
})

it.each([
  '@published-client',
  'shapes.price=reduced,shapes.limits=reduced',
  'envelope=wrapped,positions.one=wrapped,nulls=omitted',
  'batchStatus=422,pairs.violation=422',
  'orders.rejectMode=stored',
])('finds no problem under the readings %s: they say how answers are', async (readings) => {
  const done = await otcsim(['fuzz', '--requests', '250', '--seed', '5', '--readings', readings])
  expect(done).toMatchObject({ code: 0, err: '' })
})

it('finds a failure, and a single request that shows it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'otcsim-fuzz-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'down.json')
  const fault = { status: 503, match: { path: '/api/sdk/market-data/prices/*' } }
  const assets = { BTC: { price: 60_000, model: { kind: 'constant' } } }
  const scenario = { version: 1, name: 'down', market: { assets }, timeline: [{ at: '+0s', fault }] }
  writeFileSync(file, JSON.stringify(scenario))
  const done = await otcsim(['fuzz', '--scenario', file, '--requests', '250', '--seed', '5', '--json'])
  expect(done.code).toBe(1)
  const { found } = JSON.parse(done.out)
  expect(found).toMatchObject({
    flaw: 'answers 503',
    requests: [expect.stringMatching(/^GET \/api\/sdk\/market-data\/prices/)],
  })
})

/** A venue that always gives the same answer. */
async function venue(status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(body)
  })
  await new Promise<void>((settle) => {
    server.listen(0, '127.0.0.1', () => settle())
  })
  onTestFinished(() => {
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

const error = { statusCode: 404, message: 'no', error: 'Not Found', details: {} }

it.each([
  ['a failure', 500, '{}', /^answers 500/],
  ['a status of its own', 418, JSON.stringify(error), /^answers 418, which the interface does not have here/],
  ['what is not JSON', 404, '<html>', /^answers 404 with what is not JSON/],
  [
    'an error without details',
    404,
    JSON.stringify({ ...error, details: undefined }),
    /^an error without details/,
  ],
  [
    'an error that contradicts itself',
    404,
    JSON.stringify({ ...error, statusCode: 400 }),
    /^an error whose statusCode is 400/,
  ],
  [
    'an error that shows code',
    404,
    JSON.stringify({ ...error, message: 'x at run (node:internal/a:1)' }),
    /^an error that shows our code/,
  ],
  ['a success without a body', 200, '{}', /^body\.\w+ is missing|^body is/],
])('finds %s at another venue', async (_what, status, body, flaw) => {
  const url = await venue(status, body)
  const done = await otcsim([
    'fuzz',
    '--requests',
    '20',
    '--seed',
    '1',
    '--against',
    url,
    '--key',
    'k',
    '--secret',
    's',
  ])
  expect(done.code).toBe(1)
  expect(done.out).toMatch(flaw)
})

it('needs a key for another venue, and an existing account', async () => {
  expect((await otcsim(['fuzz', '--against', 'http://127.0.0.1:1'])).code).toBe(2)
  expect(
    (await otcsim(['fuzz', '--against', 'http://127.0.0.1:1', '--key', 'k', '--secret', 's'])).code,
  ).toBe(4)
})

it.each([
  [['--key', 'k'], '--key needs --against'],
  [['--against', 'http://127.0.0.1:1', '--scenario', 'calm'], '--scenario does not go with --against'],
])('refuses %j', async (words, message) => {
  const { code, err } = await otcsim(['fuzz', ...words])
  expect([code, err]).toEqual([2, expect.stringContaining(message)])
})
