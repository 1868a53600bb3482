import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Locking } from '../../src/journal/lock.ts'
import { lockFolder, lockJournal } from '../../src/journal/lock.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const taking = (folder: string, what: string): Promise<Locking> =>
  what === 'folder' ? lockFolder(folder) : lockJournal(join(folder, `${what}.journal`))

const excludes = (one: string, other: string) => one === other || one === 'folder' || other === 'folder'

it('all files of a folder can be locked at the same time, repeatedly', async () => {
  const folder = temporaryFolder()
  const names = Array.from({ length: 40 }, (_, index) => `w${index}`)
  for (let round = 0; round < 10; round += 1) {
    const all = await Promise.all(names.map((name) => taking(folder, name)))
    expect(all.filter(({ ok }) => !ok)).toEqual([])
    for (const locking of all) if (locking.ok) locking.lock.release()
  }
  expect(readdirSync(folder)).toEqual([])
})

it('a locked folder excludes its files, and a locked file its folder', async () => {
  const folder = temporaryFolder()
  const refused = { ok: false, owner: process.pid }
  const [whole, other] = [await taking(folder, 'folder'), temporaryFolder()]
  expect(await taking(folder, 'folder')).toEqual(refused)
  expect(await taking(folder, 'new')).toEqual(refused)
  expect((await taking(other, 'new')).ok).toBe(true)
  if (whole.ok) whole.lock.release()
  const file = await taking(folder, 'new')
  expect(file.ok).toBe(true)
  expect(await taking(folder, 'folder')).toEqual(refused)
  expect(await taking(folder, 'new')).toEqual(refused)
  expect((await taking(folder, 'another')).ok).toBe(true)
})

it('a refused attempt to lock a folder does not disturb its other files', async () => {
  const folder = temporaryFolder()
  await taking(folder, 'a')
  const both = () => Promise.all([taking(folder, 'folder'), taking(folder, 'b')])
  for (let round = 0; round < 20; round += 1) {
    const [whole, file] = await both()
    expect([whole.ok, file.ok]).toEqual([false, true])
    if (file.ok) file.lock.release()
  }
})

it('deleting a lock file does not free the lock while its process lives', async () => {
  if (process.platform !== 'linux') return
  const folder = temporaryFolder()
  await taking(folder, 'a')
  writeFileSync(join(folder, 'a.journal'), '')
  rmSync(join(folder, 'a.journal.lock'))
  expect(await taking(folder, 'folder')).toEqual({ ok: false, owner: null })
})

it('the lock files of a killed process exclude nobody', async () => {
  const folder = temporaryFolder()
  const dead = JSON.stringify({ pid: process.pid, began: '1', nonce: 'x' })
  for (const name of ['a.journal.lock', 'otcsim.lock']) writeFileSync(join(folder, name), dead)
  const file = await taking(folder, 'b')
  expect(file.ok).toBe(true)
  if (file.ok) file.lock.release()
  expect((await taking(folder, 'folder')).ok).toBe(true)
})

it('of processes that start at once, no two get locks that exclude each other, and at least one gets its lock', async () => {
  const base = temporaryFolder()
  let count = 0
  const take = fc.record({
    what: fc.constantFrom('a', 'a', 'b', 'c', 'folder'),
    /** How many turns of the event loop it comes later. */
    turns: fc.nat(3),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(take, { minLength: 1, maxLength: 8 }), async (takes) => {
      count += 1
      const folder = join(base, String(count))
      mkdirSync(folder)
      const held = await Promise.all(
        takes.map(async ({ what, turns }) => {
          for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
          return { what, locking: await taking(folder, what) }
        }),
      )
      const winners = held.filter(({ locking }) => locking.ok)
      for (const [index, { what }] of winners.entries())
        for (const { what: other } of winners.slice(index + 1)) expect(excludes(what, other)).toBe(false)
      expect(winners).not.toEqual([])
      for (const { what, locking } of held) {
        const rivals = takes.filter((other) => excludes(what, other.what))
        if (rivals.length === 1) expect(locking.ok).toBe(true)
        if (locking.ok) locking.lock.release()
      }
    }),
    { seed: 7, numRuns: 30 },
  )
})
