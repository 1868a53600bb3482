import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { adminRequest } from '../support/admin-request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { otcsim, type Served, serve } from './harness.ts'

const order = { side: 'buy', asset: 'BTC', quantity: 0.01, price: 100_000 }

async function place({ url }: Served, body: object = order): Promise<number> {
  const sent = await otcsim(['curl', '--url', url, '-i', 'POST', '/orders', '-d', JSON.stringify(body)])
  return Number(/^HTTP\/1\.1 (\d+)/.exec(sent.out)?.[1])
}

const admin = (served: Served, path: string, body?: object, method = body === undefined ? 'GET' : 'POST') =>
  adminRequest(served, method, path, body)

const digestOf = async (served: Served, world = 'default') =>
  JSON.parse((await admin(served, `/worlds/${world}/digest`)).text)

it('continues from its journal, and serves the file over the admin API', async () => {
  const cwd = temporaryFolder()
  const words = ['--port', '0', '--clock', 'manual', '--journal', 'venue.journal']
  const first = await serve(words, { cwd })
  expect([await place(first), await place(first), await place(first, { ...order, quantity: 99 })]).toEqual([
    201, 201, 422,
  ])
  await admin(first, '/worlds/default/clock/advance', { byMs: 90_000 })
  expect(await place(first, { ...order, quantity: -1 })).toBe(400)
  const key = await admin(first, '/worlds/default/accounts/trader/keys', { scopes: ['READ'] })
  const before = await digestOf(first)
  const shown = (await admin(first, '/worlds/default/journal')).text
  await first.finished()
  const file = readFileSync(join(cwd, 'venue.journal'), 'utf8')
  expect(shown).toBe(file)
  expect(
    file
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line).sequence),
  ).toEqual([1, 2, 3, 4, 5])

  const second = await serve(words, { cwd })
  expect(await digestOf(second)).toEqual(before)
  const accounts = JSON.parse((await admin(second, '/worlds/default')).text)
  expect(JSON.stringify(accounts)).toContain(JSON.parse(key.text).apiKey)
  expect(await place(second)).toBe(201)
  expect((await digestOf(second)).sequence).toBe(6)
  const orders = await otcsim(['curl', '--url', second.url, 'GET', '/orders'])
  expect(JSON.parse(orders.out).orders.map((row: { orderId: string }) => row.orderId)).toEqual([
    'ord_3',
    'ord_2',
    'ord_1',
  ])
})

it('keeps notes on moments beside the journal, for the next process and for those that show it', async () => {
  const cwd = temporaryFolder()
  const words = ['--port', '0', '--clock', 'manual', '--journal', 'venue.journal']
  const shown = ['venue.journal', '--serve', '--port', '0']
  const notesOf = async (served: Served) =>
    JSON.parse((await admin(served, '/worlds/default/notes')).text).notes
  const put = (served: Served, text: string) =>
    admin(served, '/worlds/default/notes', { notes: [{ sequence: 1, at, text }] })
  const first = await serve(words, { cwd })
  await place(first)
  const at = (await digestOf(first)).now
  await put(first, 'before the crash')
  await first.finished()
  const second = await serve(words, { cwd })
  expect(await notesOf(second)).toEqual([{ sequence: 1, at, text: 'before the crash' }])
  await second.finished()
  const replayed = await serve(shown, { cwd }, ['replay', '--json'])
  expect(await notesOf(replayed)).toEqual([{ sequence: 1, at, text: 'before the crash' }])
  await put(replayed, 'seen afterwards')
  await replayed.finished()
  expect(readFileSync(join(cwd, 'venue.notes.json'), 'utf8')).toContain('seen afterwards')

  writeFileSync(join(cwd, 'venue.notes.json'), 'torn')
  const third = await serve(words, { cwd })
  const refused = await admin(third, '/worlds/default/notes')
  expect([refused.status, JSON.parse(refused.text).message]).toEqual([
    503,
    expect.stringContaining('venue.notes.json'),
  ])
  expect((await third.finished()).err).toContain('it is left as it is, and the world takes no notes')
  expect(readFileSync(join(cwd, 'venue.notes.json'), 'utf8')).toBe('torn')
})

it('lets one process at a time use the file', async () => {
  const cwd = temporaryFolder()
  const words = ['--port', '0', '--journal', 'venue.journal']
  const first = await serve(words, { cwd })
  const second = await otcsim(['serve', ...words], { cwd })
  expect(second).toMatchObject({ code: 4, err: `venue.journal is in use by process ${process.pid}\n` })
  await first.finished()
  expect(existsSync(join(cwd, 'venue.journal.lock'))).toBe(false)
  const third = await serve(words, { cwd })
  expect(await place(third)).toBe(201)
})

it('sets a torn last line aside, and refuses damage, foreign headers and other files', async () => {
  const cwd = temporaryFolder()
  const file = join(cwd, 'venue.journal')
  const words = ['--port', '0', '--clock', 'manual', '--journal', 'venue.journal']
  const first = await serve([...words, '--seed', '5'], { cwd })
  for (let count = 0; count < 3; count += 1) await place(first)
  await first.finished()
  const whole = readFileSync(file)

  // The process ended while it wrote the fourth line, which nobody was told of.
  const half = '{"sequence":4,"at":"2026-'
  writeFileSync(file, `${whole}${half}`)
  const torn = await serve([...words, '--seed', '5'], { cwd })
  expect((await digestOf(torn)).sequence).toBe(3)
  expect((await torn.finished()).err).toContain('venue.journal.torn-3')
  expect([readFileSync(file), readFileSync(`${file}.torn-3`, 'utf8')]).toEqual([whole, half])

  const refused = async (bytes: string | Buffer, more: readonly string[] = []) => {
    writeFileSync(file, bytes)
    const { code, err } = await otcsim(['serve', ...words, ...more], { cwd })
    expect(readFileSync(file)).toEqual(Buffer.from(bytes))
    return `${code} ${err}`
  }
  expect(await refused(whole.toString().replace('"place-order"', '"place-odder"'))).toMatch(
    /^5 .*line 2 \(byte \d+\) is damaged/,
  )
  expect(await refused(whole, ['--seed', '6'])).toMatch(
    /^5 .*belongs to another run: it is of seed "5", and not of "6"/,
  )
  expect(await refused(whole, ['--scenario', 'thin-book'])).toMatch(
    /^5 .*belongs to another run: it is of the scenario calm/,
  )
  expect(await refused('dear diary\n')).toMatch(/^5 .*does not begin as an otcsim journal/)
})

it('keeps a journal in a folder for each world, and recreates all worlds', async () => {
  const cwd = temporaryFolder()
  const words = ['--port', '0', '--clock', 'manual', '--journal-dir', 'journals']
  const first = await serve(words, { cwd })
  for (const id of ['a', 'b'])
    expect((await admin(first, '/worlds', { id, seed: id, clock: { mode: 'manual' } })).status).toBe(201)
  await place(first)
  await admin(first, '/worlds/a/clock/advance', { byMs: 5000 })
  await admin(first, '/worlds/a/accounts/desk/deposits', { asset: 'USD', quantity: 5 })
  const snapshot = JSON.parse((await admin(first, '/worlds/a/snapshots', {})).text)
  await admin(first, '/worlds', { id: 'fork', fromSnapshot: snapshot.id })
  await admin(first, '/worlds/fork/accounts/desk/deposits', { asset: 'USD', quantity: 7 })
  await admin(first, '/worlds/a/clock/advance', { byMs: 5000 })
  await admin(first, `/worlds/a/snapshots/${snapshot.id}/restore`, {})
  await admin(first, '/worlds/a/clock/advance', { byMs: 1000 })
  await admin(first, `/worlds/a/snapshots/${snapshot.id}/restore`, {})
  await admin(first, '/worlds/b', undefined, 'DELETE')
  const before = [await digestOf(first), await digestOf(first, 'a'), await digestOf(first, 'fork')]
  await first.finished()
  expect(existsSync(join(cwd, 'journals', 'b.journal'))).toBe(false)
  const restores = readFileSync(join(cwd, 'journals', 'a.journal'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"restored"'))
  expect(restores.map((line) => Object.keys(JSON.parse(line).change.snapshot).includes('sameAs'))).toEqual([
    false,
    true,
  ])

  const second = await serve(words, { cwd })
  expect([await digestOf(second), await digestOf(second, 'a'), await digestOf(second, 'fork')]).toEqual(
    before,
  )
  expect((await admin(second, '/worlds/b')).status).toBe(404)
})

it('lets one process at a time use the file, under any of its names', async () => {
  const cwd = temporaryFolder()
  await serve(['--port', '0', '--journal', 'venue.journal'], { cwd })
  symlinkSync('venue.journal', join(cwd, 'link'))
  const second = await otcsim(['serve', '--port', '0', '--journal', 'link'], { cwd })
  expect(second).toEqual({ code: 4, out: '', err: expect.stringContaining('link is in use by process') })
})

it('lets one process at a time use a file, by itself or with its folder', async () => {
  const cwd = temporaryFolder()
  const [file, folder] = [
    ['--port', '0', '--journal', 'j/default.journal'],
    ['--port', '0', '--journal-dir', 'j'],
  ]
  const refusal = { code: 4, out: '', err: expect.stringContaining(' is in use by process') }
  const first = await serve(folder, { cwd })
  expect(await otcsim(['serve', ...file], { cwd })).toEqual(refusal)
  await first.finished()
  const second = await serve(file, { cwd })
  expect(await otcsim(['serve', ...folder], { cwd })).toEqual(refusal)
  await second.finished()
  const third = await serve(folder, { cwd })
  expect(await place(third)).toBe(201)
})
