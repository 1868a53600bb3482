// Room: world

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Served, serve } from '../cli/harness.ts'
import { adminRequest } from '../support/admin-request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/*
 * A second world of a scenario that names its keys has keys with names of its own, after a reset too. The journal did not
 * contain them: a replay used the scenario's names, found no key to revoke, and the key worked again.
 */

const scenario = `version: 1
name: named
clock: { start: 2026-01-05T00:00:00Z, mode: manual }
market: { flow: { kind: none }, assets: { BTC: { price: 50000, model: { kind: constant } } } }
accounts:
  - { id: alice, balances: { USD: 1000 }, keys: [{ key: k-alice, secret: s-alice, scopes: [READ] }] }
  - { id: bob, balances: { USD: 1000 }, keys: [{ key: k-bob, secret: s-bob, scopes: [READ] }] }
`

const admin = async (served: Served, method: string, path: string, body?: object) =>
  (await adminRequest(served, method, `/worlds${path}`, body)).text

it('after any number of restarts', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'named.yaml'), scenario)
  const words = ['--port', '0', '--scenario', 'named.yaml', '--journal-dir', 'journals']
  const first = await serve(words, { cwd })
  await admin(first, 'POST', '', { id: 'second' })
  await admin(first, 'POST', '/second/accounts/alice/keys', { scopes: ['READ'] })
  await admin(first, 'POST', '/second/reset', {})
  await admin(first, 'POST', '/second/accounts/alice/keys', { scopes: ['TRADE'] })
  for (const key of ['simk_second_alice', 'simk_second_alice_2'])
    expect(await admin(first, 'DELETE', `/second/keys/${key}`)).toContain('"revoked":true')
  const before = await admin(first, 'GET', '/second')
  expect(before).not.toContain('simk_second_alice')
  expect(before).toContain('simk_second_bob')
  await first.finished()

  for (const _again of [1, 2]) {
    const next = await serve(words, { cwd })
    expect(await admin(next, 'GET', '/second')).toBe(before)
    await next.finished()
  }
})

it('the names stay the same when the first world has been deleted', async () => {
  const cwd = temporaryFolder()
  const words = ['--port', '0', '--journal-dir', 'journals']
  const first = await serve(words, { cwd })
  const named = {
    version: 1,
    name: 'named',
    market: { assets: { BTC: { price: 50_000 } } },
    accounts: [{ id: 'alice', keys: [{ key: 'k-alice', secret: 's-alice', scopes: ['READ'] }] }],
  }
  await admin(first, 'POST', '', { id: 'one', scenario: named })
  await admin(first, 'POST', '/one/snapshots')
  await admin(first, 'POST', '', { id: 'two', fromSnapshot: 'snap_1' })
  await admin(first, 'POST', '/two/reset', {})
  await admin(first, 'DELETE', '/one')
  const before = await admin(first, 'GET', '/two')
  expect(before).toContain('simk_two_alice')
  await first.finished()
  const next = await serve(words, { cwd })
  expect(await admin(next, 'GET', '/two')).toBe(before)
})
