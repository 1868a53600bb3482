import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createVenueClient } from '../../src/client/create-venue-client.ts'
import { linesOfBytes } from '../../src/world/journal/lines/read-lines.ts'
import { replayJournal } from '../../src/world/journal/replay/replay.ts'
import { repository } from '../cli/harness.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Served, serveApart } from './served.ts'

/* The built command under a limit on file sizes, which `prlimit` removes again. Omitted on machines without it. */
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

it('serves only reads while the disk is full, and everything afterwards', async () => {
  const journal = join(temporaryFolder(), 'venue.journal')
  // In blocks of 512 or 1024 bytes, depending on the shell: enough for the header and some orders.
  const command = `ulimit -S -f 40; exec "${process.execPath}" "${bundle}" serve --port 0 --json --clock manual --journal "${journal}"`
  const served = await serveApart({ program: 'sh', words: ['-c', command] })
  onTestFinished(() => {
    served.child.kill('SIGKILL')
  })
  const { orders } = client(served)
  let placed = 0
  let refusal: unknown = null
  while (refusal === null) {
    await orders.create(order).then(
      () => {
        placed += 1
      },
      (failure: unknown) => {
        refusal = failure
      },
    )
  }
  expect(placed).toBeGreaterThan(2)
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

  execFileSync(process.env['PRLIMIT'] ?? 'prlimit', ['--pid', String(served.child.pid), '--fsize=unlimited'])
  await orders.create(order)
  expect((await digest()).sequence).toBe(placed + 1)
  const after = replayJournal(linesOfBytes(readFileSync(journal)))
  if (after.kind !== 'done') throw new Error(JSON.stringify(after))
  expect(after.world.digest()).toBe((await digest()).digest)
})
