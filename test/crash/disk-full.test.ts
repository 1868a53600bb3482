import { execFileSync } from 'node:child_process'
import { appendFileSync, copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createVenueClient } from '../../src/client/create-venue-client.ts'
import { linesOfBytes } from '../../src/journal/lines.ts'
import { replayJournal } from '../../src/world/journals/replay.ts'
import { repository } from '../cli/harness.ts'
import { adminRequest } from '../support/admin-request.ts'
import { programPath } from '../support/program-path.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { quietScenario } from '../world/scenarios.ts'
import { type Served, serveApart } from './served.ts'

/*
 * The built command under a limit on file sizes, which `prlimit` removes again.
 * @module-tag sh
 * @module-tag prlimit
 */
const bundle = join(repository, 'dist', 'cli.cjs')

const client = ({ url }: Served) =>
  createVenueClient({
    baseUrl: url,
    apiKey: 'simk_default_desk',
    apiSecret: 'sims_default_desk',
    retries: { afterFailure: 0, afterRateLimit: 9 },
  })

const order = {
  side: 'buy',
  asset: 'BTC',
  quantity: 0.01,
  price: 20_000,
  metadata: { padding: 'x'.repeat(1000) },
} as const

const desk = {
  id: 'desk',
  balances: { USD: 1_000_000 },
  keys: [{ key: 'simk_default_desk', secret: 'sims_default_desk', scopes: ['READ', 'TRADE'] }],
}

/** Serves with a journal for which there is little room. */
async function serveOnSmallDisk(journal: string, flags = ''): Promise<Served> {
  // In blocks of 512 or 1024 bytes, depending on the shell: enough for the header and some orders.
  const command = `ulimit -S -f 40; exec "${process.execPath}" "${bundle}" serve --port 0 --json --clock manual --journal "${journal}" ${flags}`
  const served = await serveApart({ program: programPath('sh'), words: ['-c', command] })
  onTestFinished(() => {
    served.child.kill('SIGKILL')
  })
  return served
}

const makeRoom = ({ child }: Served) =>
  execFileSync(programPath('prlimit'), ['--pid', String(child.pid), '--fsize=unlimited'])

/** Places orders until one is refused. Resolves with how many were accepted, and with the refusal. */
async function fillDisk({
  orders,
}: ReturnType<typeof client>): Promise<{ placed: number; refusal: unknown }> {
  for (let placed = 0; ; placed += 1) {
    try {
      await orders.create(order)
    } catch (refusal) {
      return { placed, refusal }
    }
  }
}

/** Asks whether the server is well: the status, with its word or why it is not. */
async function askHealth(served: Served): Promise<{ status: number; said: string }> {
  const { status, text } = await adminRequest(served, 'GET', '/health')
  const body: { readonly status?: string; readonly message?: string } = JSON.parse(text)
  return { status, said: body.status ?? body.message ?? '' }
}

const unwell = (reason: string) => ({
  status: 503,
  said: `World default cannot be changed, because its journal cannot be written (${reason})`,
})

it('says that it is not well when a change would find the disk full, before one is tried', async () => {
  const served = await serveOnSmallDisk(join(temporaryFolder(), 'venue.journal'))
  expect((await askHealth(served)).status).toBe(200)
  const { pid } = served.child
  execFileSync(programPath('prlimit'), ['--pid', String(pid), '--fsize=512:'])
  expect(await askHealth(served)).toEqual(unwell('EFBIG'))
  await expect(client(served).orders.create(order)).rejects.toMatchObject({ statusCode: 500 })
  makeRoom(served)
  await client(served).orders.create(order)
  expect((await askHealth(served)).status).toBe(200)
})

it('acknowledges nothing once its file was deleted, moved or replaced, and goes on when it is back', async () => {
  const folder = temporaryFolder()
  const journal = join(folder, 'venue.journal')
  const served = await serveOnSmallDisk(journal)
  makeRoom(served)
  const { orders } = client(served)
  await orders.create(order)
  renameSync(journal, `${journal}.away`)
  expect(await askHealth(served)).toEqual(unwell('its file was deleted or moved'))
  await expect(orders.create(order)).rejects.toMatchObject({
    statusCode: 500,
    message: expect.stringContaining('(its file was deleted or moved): nothing was changed'),
  })
  expect((await orders.list()).orders).toHaveLength(1)
  copyFileSync(`${journal}.away`, journal)
  appendFileSync(journal, 'x')
  expect(await askHealth(served)).toEqual(unwell('its file was replaced or changed'))
  renameSync(`${journal}.away`, journal)
  await orders.create(order)
  expect((await askHealth(served)).status).toBe(200)
  rmSync(journal)
  expect((await askHealth(served)).status).toBe(503)
  await expect(orders.create(order)).rejects.toMatchObject({ statusCode: 500 })
  served.child.kill('SIGTERM')
  await served.ended
  const again = serveApart({
    program: process.execPath,
    words: [bundle, 'serve', '--port', '0', '--json', '--journal', journal],
  })
  await expect(again).rejects.toThrow(/ended with 5 .*: 2 acknowledged lines are missing/)
})

it('serves only reads while the disk is full, and everything afterwards', async () => {
  const journal = join(temporaryFolder(), 'venue.journal')
  const served = await serveOnSmallDisk(journal)
  const { orders } = client(served)
  const { placed, refusal } = await fillDisk(client(served))
  expect(placed).toBeGreaterThan(2)
  expect(await askHealth(served)).toEqual(unwell('EFBIG'))
  expect(refusal).toMatchObject({
    statusCode: 500,
    message: expect.stringMatching(/journal cannot be written \(EFBIG\): nothing was changed/),
  })
  const digest = async () =>
    JSON.parse(await (await fetch(`${served.url}/__admin/worlds/default/digest`)).text())
  const before = await digest()
  expect(before.sequence).toBe(placed)
  expect((await orders.list({ limit: 100 })).orders).toHaveLength(placed)
  await expect(orders.cancelAll()).rejects.toMatchObject({ statusCode: 500 })
  const deposit = await fetch(`${served.url}/__admin/worlds/default/accounts/desk/deposits`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"asset":"USD","quantity":1}',
  })
  expect(deposit.status).toBe(500)
  expect(await digest()).toEqual(before)
  const replayed = replayJournal(linesOfBytes(readFileSync(journal)))
  expect(replayed).toMatchObject({ kind: 'done', end: { sequence: placed, torn: null } })

  makeRoom(served)
  expect(await askHealth(served)).toEqual({ status: 200, said: 'ok' })
  await orders.create(order)
  expect((await digest()).sequence).toBe(placed + 1)
  const after = replayJournal(linesOfBytes(readFileSync(journal)))
  if (after.kind !== 'done') throw new Error(JSON.stringify(after))
  expect(after.world.digest()).toBe((await digest()).digest)
})

it('a full disk never leaves a fault half carried out, nor an accepted order reported as refused', async () => {
  const folder = temporaryFolder()
  const scenario = join(folder, 'watching.json')
  // Each order writes a line, and so does telling the script about its request.
  const timeline = [{ when: 'requests[POST /api/sdk/orders].count > 1000', note: 'many' }]
  writeFileSync(scenario, JSON.stringify({ ...quietScenario, accounts: [desk], timeline }))
  const served = await serveOnSmallDisk(join(folder, 'venue.journal'), `--scenario "${scenario}"`)
  const { orders, marketData, portfolio } = client(served)
  const addFault = (rule: object) => adminRequest(served, 'POST', '/worlds/default/faults', rule)
  const prices = { path: '/api/sdk/market-data/*' }
  await addFault({ type: 'http_error', attributes: { status: 503 }, count: 1, match: prices })
  const world = { latencyMs: 60_000, clock: 'world' }
  await addFault({ type: 'latency', attributes: world, match: { path: '/api/sdk/portfolio/*' } })
  await addFault({ type: 'latency', phase: 'after', attributes: world, match: { path: '/api/sdk/risk/*' } })
  const { placed } = await fillDisk(client(served))
  expect((await orders.list({ limit: 100 })).orders).toHaveLength(placed)

  const unwritable = { statusCode: 500, message: expect.stringContaining('nothing was changed') }
  await expect(marketData.prices()).rejects.toMatchObject(unwritable)
  await expect(portfolio.balances()).rejects.toMatchObject(unwritable)
  const struck = JSON.parse((await adminRequest(served, 'GET', '/worlds/default/faults/flt_1')).text)
  expect(struck).toMatchObject({ matched: 0, fired: 0 })
  expect((await client(served).risk.limits()).limits).toMatchObject({ maxOpenOrders: 100 })
  expect(served.errors()).toBe('')

  makeRoom(served)
  await expect(marketData.prices()).rejects.toMatchObject({ statusCode: 503 })
  await marketData.prices()
  await orders.create(order)
})
