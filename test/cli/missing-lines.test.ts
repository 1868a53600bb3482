import {
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { adminRequest } from '../support/admin-request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { otcsim, type Served, serve } from './harness.ts'

/* Both doors of a journal that has lost lines: the server, and the commands that read it. */

const served = ['--port', '0', '--clock', 'manual']
const toFile = [...served, '--journal', 'venue.journal']
const toFolder = [...served, '--journal-dir', 'j']

/** Writes this many lines: deposits. */
async function deposit(venue: Served, count: number, world = 'default'): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    const path = `/worlds/${world}/accounts/desk/deposits`
    const { status } = await adminRequest(venue, 'POST', path, { asset: 'USD', quantity: 1 })
    expect(status).toBe(201)
  }
}

const sequenceOf = async (venue: Served, world = 'default'): Promise<unknown> =>
  JSON.parse((await adminRequest(venue, 'GET', `/worlds/${world}/digest`)).text).sequence

/** A folder with a journal of five lines. */
async function folderWithJournal(): Promise<string> {
  const cwd = temporaryFolder()
  const venue = await serve(toFile, { cwd })
  await deposit(venue, 5)
  await venue.finished()
  return cwd
}

/** Cuts a file at the end of its first lines. */
function cutAfter(path: string, lines: number): void {
  const kept = readFileSync(path, 'utf8').split('\n').slice(0, lines).join('\n')
  truncateSync(path, lines === 0 ? 0 : kept.length + 1)
}

const listFiles = (cwd: string) =>
  readdirSync(cwd).map((name) => [name, readFileSync(join(cwd, name)).toString('latin1')])

it.each([
  [
    'cut after its third line',
    (path: string) => cutAfter(path, 4),
    'venue.journal ends with #3, but venue.journal.last proves #5: 2 acknowledged lines are missing. Put the whole file back, or move venue.journal.last aside to go on without them\n',
  ],
  [
    'cut after its first line',
    (path: string) => cutAfter(path, 1),
    'venue.journal ends with its first line, but venue.journal.last proves #5: 5 acknowledged lines are missing. Put the whole file back, or move venue.journal.last aside to go on without them\n',
  ],
  [
    'cut within its first line',
    (path: string) => truncateSync(path, 100),
    'venue.journal does not begin as an otcsim journal, but venue.journal.last proves #5: 5 acknowledged lines are missing. Put the whole file back, or move it and venue.journal.last aside to begin anew\n',
  ],
  [
    'cut to nothing',
    (path: string) => cutAfter(path, 0),
    'venue.journal does not begin as an otcsim journal, but venue.journal.last proves #5: 5 acknowledged lines are missing. Put the whole file back, or move it and venue.journal.last aside to begin anew\n',
  ],
  [
    'missing',
    (path: string) => rmSync(path),
    'there is no venue.journal, but venue.journal.last proves #5: 5 acknowledged lines are missing. Put the file back, or move venue.journal.last aside to begin anew\n',
  ],
])(
  'serve refuses a journal that is %s, leaves it alone, and goes on when told to',
  async (_what, damage, err) => {
    const cwd = await folderWithJournal()
    damage(join(cwd, 'venue.journal'))
    const before = listFiles(cwd)
    expect(await otcsim(['serve', ...toFile], { cwd })).toEqual({ code: 5, out: '', err })
    expect(listFiles(cwd)).toEqual(before)
    renameSync(join(cwd, 'venue.journal.last'), join(cwd, 'aside'))
    const again = await serve(toFile, { cwd })
    expect(await sequenceOf(again)).toBe(err.includes('ends with #3') ? 3 : 0)
  },
)

it.each([
  ['replay', ['replay', 'venue.journal']],
  ['replay --verify', ['replay', 'venue.journal', '--verify']],
  ['replay by a link', ['replay', 'link']],
  ['diff', ['diff', 'venue.journal', 'venue.journal']],
  ['shrink', ['shrink', 'venue.journal', '--assert', 'order[ord_7].status == "open"', '-o', 'small']],
  ['show', ['show', 'venue.journal']],
])('%s judges no journal that has lost lines', async (_what, words) => {
  const cwd = await folderWithJournal()
  symlinkSync('venue.journal', join(cwd, 'link'))
  cutAfter(join(cwd, 'venue.journal'), 4)
  const { code, err, out } = await otcsim(words, { cwd })
  expect({ code, out }).toEqual({ code: 5, out: '' })
  expect(err).toContain('.journal.last proves #5: 2 acknowledged lines are missing')
  // By itself it is what it is.
  rmSync(join(cwd, 'venue.journal.last'))
  expect((await otcsim(['replay', 'venue.journal', '--verify'], { cwd })).code).toBe(0)
})

it('replay tells missing lines as JSON, too', async () => {
  const cwd = await folderWithJournal()
  cutAfter(join(cwd, 'venue.journal'), 4)
  const { out } = await otcsim(['replay', 'venue.journal', '--verify', '--json'], { cwd })
  expect(JSON.parse(out)).toEqual({
    ok: false,
    missing: { kind: 'short', last: 3, proven: 5, files: [expect.stringMatching(/venue\.journal\.last$/)] },
  })
})

it('replay verifies a journal that is being written', async () => {
  const cwd = temporaryFolder()
  const venue = await serve(toFile, { cwd })
  for (let count = 0; count < 5; count += 1) {
    await deposit(venue, 3)
    expect((await otcsim(['replay', 'venue.journal', '--verify'], { cwd })).code).toBe(0)
  }
})

it('a folder of journals is refused when one of them is gone, and served without the world when told to', async () => {
  const cwd = temporaryFolder()
  const venue = await serve(toFolder, { cwd })
  for (const id of ['a', 'b']) await adminRequest(venue, 'POST', '/worlds', { id })
  await deposit(venue, 2, 'a')
  await adminRequest(venue, 'DELETE', '/worlds/b')
  await venue.finished()
  rmSync(join(cwd, 'j', 'a.journal'))
  const refused = await otcsim(['serve', ...toFolder], { cwd })
  expect(refused).toMatchObject({ code: 5, err: expect.stringContaining('there is no j/a.journal') })
  rmSync(join(cwd, 'j', 'a.journal.last'))
  const again = await serve(toFolder, { cwd })
  expect((await adminRequest(again, 'GET', '/worlds/a')).status).toBe(404)
})

it('says which snapshot was not used, and where half a first line went', async () => {
  const cwd = await folderWithJournal()
  writeFileSync(join(cwd, 'venue.journal.snapshot-3'), 'half')
  const venue = await serve(toFile, { cwd })
  expect(await sequenceOf(venue)).toBe(5)
  expect((await venue.finished()).err).toContain(
    'venue.journal.snapshot-3 is damaged: lines before it were repeated',
  )
  const other = temporaryFolder()
  writeFileSync(join(other, 'venue.journal'), '{"format":"otcsim-jour')
  const begun = await serve(toFile, { cwd: other })
  expect((await begun.finished()).err).toContain(
    'venue.journal: the first line was not whole and has been put into venue.journal.torn-0',
  )
})

it('a backtest writes nothing beside its journal, and none in the place of one that is missing', async () => {
  const cwd = temporaryFolder()
  writeFileSync(
    join(cwd, 'busy.mjs'),
    `export default { name: 'busy', tick: '1m', onTick: ({ venue }) => {
      for (let n = 0; n < 20; n += 1) venue.orders.create({ side: 'buy', asset: 'BTC', quantity: 0.001, price: 40_000 })
      venue.orders.cancelAll()
    } }`,
  )
  const words = ['backtest', 'busy.mjs', '--model', 'constant', '--to', '100m', '--journal', 'run.journal']
  expect((await otcsim(words, { cwd })).code).toBe(0)
  expect(readdirSync(cwd).toSorted()).toEqual(['busy.mjs', 'run.journal'])
  const { out } = await otcsim(['replay', 'run.journal', '--verify', '--json'], { cwd })
  expect(JSON.parse(out).sequence).toBeGreaterThan(2000)
  rmSync(join(cwd, 'run.journal'))
  writeFileSync(join(cwd, 'run.journal.snapshot-7'), '')
  expect(await otcsim(words, { cwd })).toMatchObject({
    code: 5,
    err: expect.stringContaining('there is no run.journal, but run.journal.snapshot-7 proves #7'),
  })
  expect(readdirSync(cwd)).not.toContain('run.journal')
})
