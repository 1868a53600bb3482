import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createShippedLibrary } from '../../src/world/shipped/shipped-scenarios.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { serve } from './harness.ts'

/* Shipped scenarios that name recordings: those that lie beside them are read wherever the server was started. */

async function post(url: string, path: string, body: object) {
  const response = await fetch(`${url}/__admin/worlds${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}

const postScenario = (url: string, scenario: unknown) => post(url, '', { scenario })

it('makes worlds of the shipped recorded book, wherever it was started', async () => {
  const cwd = temporaryFolder()
  const { url } = await serve(['--port', '0', '--clock', 'manual'], { cwd })
  for (const id of ['w1', 'w2']) {
    const { status, text } = await postScenario(url, 'recorded-book')
    expect([status, JSON.parse(text)]).toMatchObject([201, { id, scenario: 'recorded-book' }])
  }
  expect(await post(url, '/w1/clock/advance', { byMs: 1000 })).toMatchObject({ status: 200 })
  const view = await fetch(`${url}/__admin/worlds/w1/view?account=client&asset=BTC`)
  expect(await view.json()).toMatchObject({
    queuePlaces: [
      {
        orderId: expect.any(String),
        told: expect.stringMatching(
          /^[\d.]+ of the [\d.]+ that stood ahead of it at placing is still ahead \(riskAverse\)$/,
        ),
      },
    ],
  })
  for (const price of [{ mid: 90_000 }, { percent: 1 }])
    expect(await post(url, '/w1/market/BTC/price', price)).toMatchObject({
      status: 400,
      text: expect.stringContaining('asset has the price of a recorded book, which only its rows move'),
    })
  expect(existsSync(join(cwd, '.otcsim/recordings'))).toBe(true)
  const words = ['--port', '0', '--clock', 'manual', '--scenario', 'recorded-book', '--no-cache']
  expect((await serve(words, { cwd })).ready).toMatchObject({ scenario: 'recorded-book' })
})

it('says what a scenario lacks that wants a file of yours, and how to give it', async () => {
  const { url } = await serve(['--port', '0', '--clock', 'manual'], { cwd: temporaryFolder() })
  const { status, text } = await postScenario(url, 'replay-candles')
  expect(status).toBe(400)
  expect(text).toMatch(
    /replay-candles\.yaml:\d+:\d+ params\.data: the parameter has no default; .*--param data=/,
  )
  expect(text).toContain('otcsim serve --scenario replay-candles')
})

it('reads no file that an object names', async () => {
  const { url } = await serve(['--port', '0', '--clock', 'manual'])
  const liquidity = { kind: 'recorded', data: '/etc/passwd' }
  const { status, text } = await postScenario(url, {
    ...{ version: 1, name: 'mine', clock: { start: '2026-01-05T00:00:00Z', end: '+1h' } },
    ...{ accounts: [], market: { assets: { BTC: { liquidity, flow: { kind: 'recorded' } } } } },
  })
  expect(status).toBe(400)
  expect(JSON.parse(text).message).toContain('"/etc/passwd" is not read here, only for a scenario file')
})

it('says which file is not read where a server reads none', () => {
  const loaded = createShippedLibrary().load('recorded-book')
  const reasons = loaded === null || loaded.ok ? [] : loaded.problems.map(({ reason }) => reason)
  expect(reasons).toContain(
    '"data/book.csv" is not read here, only for a scenario file: give that to otcsim serve --scenario, or in code to loadScenario',
  )
})
