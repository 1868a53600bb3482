// Room: world

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { otcsim, type Served, serve } from '../cli/harness.ts'
import { adminRequest } from '../support/admin-request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/*
 * A fork of a world whose scenario names its keys has keys with names of its own. A server with the journals of both did
 * not restart, because it took the fork for a second owner of the first world's keys.
 */

const scenario = `version: 1
name: named
clock: { start: 2026-01-05T00:00:00Z, mode: manual }
market: { flow: { kind: none }, assets: { BTC: { price: 50000, model: { kind: constant } } } }
accounts:
  - { id: alice, balances: { USD: 1000 }, keys: [{ key: k-alice, secret: s-alice, scopes: [READ] }] }
`

const admin = async (served: Served, method: string, path: string, body?: object) =>
  (await adminRequest(served, method, `/worlds${path}`, body)).text

/** The USD that a key sees. */
async function cashOf({ url }: Served, key: string, secret: string): Promise<unknown> {
  const words = ['--url', url, '--key', key, '--secret', secret]
  const { out } = await otcsim(['curl', ...words, 'GET', '/portfolio/balances/USD'])
  return JSON.parse(out).total
}

/** All of them, but for the wall's time at which the process has made them. */
async function worldsOf(venue: Served): Promise<string> {
  return (await admin(venue, 'GET', '')).replaceAll(/"madeAt":"[^"]*"/g, '"madeAt":""')
}

it.each([
  ['as it was made', []],
  ['after a reset', ['/w1/reset']],
])('%s', async (_, then) => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'named.yaml'), scenario)
  const words = ['--port', '0', '--scenario', 'named.yaml', '--journal-dir', 'journals']
  const first = await serve(words, { cwd })
  await admin(first, 'POST', '/default/snapshots')
  await admin(first, 'POST', '', { fromSnapshot: 'snap_1' })
  for (const path of then) await admin(first, 'POST', path, {})
  await admin(first, 'POST', '/w1/accounts/alice/deposits', { asset: 'USD', quantity: 1 })
  const before = await worldsOf(first)
  await first.finished()

  for (const _again of [1, 2]) {
    const next = await serve(words, { cwd })
    expect(await worldsOf(next)).toBe(before)
    expect(await cashOf(next, 'k-alice', 's-alice')).toBe(1000)
    expect(await cashOf(next, 'simk_w1_alice', 'sims_w1_alice')).toBe(1001)
    await next.finished()
  }
})
