import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { JournalUnwritable } from '../../../src/journal/journal-file.ts'
import { LastLineFile, readLastLine } from '../../../src/journal/last-line.ts'
import { recoverJournal, startFileJournal } from '../../../src/world/journals/file-journal.ts'
import { createFolderJournals, listJournaledWorlds } from '../../../src/world/journals/journal-store.ts'
import { createWorld } from '../../../src/world/world.ts'
import { Worlds } from '../../../src/world/worlds.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { ManualWallClock } from '../manual-wall-clock.ts'
import { quietScenario } from '../scenarios.ts'
import { scenarioOf } from './recorded.ts'

/* Worlds that come and go on a server with a folder of journals, for weeks. */

const quiet = scenarioOf(quietScenario)
const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 40_000 }

function serverIn(folder: string) {
  const wall = new ManualWallClock()
  const worlds = new Worlds(wall, createFolderJournals(folder, new Map(), 'os', 'test'))
  const create = (id: string, ttlMillis: number | null = null) => {
    const made = worlds.create(quiet, { id, ttlMillis })
    if (!made.ok) throw new Error('it can be made')
    return made.world
  }
  return { wall, worlds, create }
}

it('keeps the journals of deleted worlds apart, also of those with the same id, in a folder of their own', () => {
  const folder = temporaryFolder()
  const { worlds, create } = serverIn(folder)
  for (let count = 1; count <= 9; count += 1) {
    create('w').advance(count)
    expect(worlds.delete('w')).toBe(true)
  }
  rmSync(join(folder, 'deleted', 'w.journal-3'))
  create('w')
  worlds.delete('w')
  expect(readdirSync(join(folder, 'deleted'))).toHaveLength(9)
  expect([listJournaledWorlds(folder), readdirSync(folder)]).toEqual([[], ['deleted']])
})

it('does not delete a world whose journal cannot be set aside, neither when asked to nor at the end of its time to live', () => {
  const folder = temporaryFolder()
  const { wall, worlds, create } = serverIn(folder)
  const world = create('w', 1000)
  // In the way of the folder.
  writeFileSync(join(folder, 'deleted'), '')
  expect(() => worlds.delete('w')).toThrow(JournalUnwritable)
  wall.advance(5000)
  worlds.tick()
  expect(worlds.list()).toEqual([world])
  expect(worlds.find('simk_w_trader')?.world).toBe(world)
  expect(world.request('trader', 'POST', '/api/sdk/orders', order).status).toBe(201)
  expect([...(worlds.journalOf(world)?.text() ?? [])]).toHaveLength(2)
  rmSync(join(folder, 'deleted'))
  wall.advance(5000)
  worlds.tick()
  expect(worlds.list()).toEqual([])
})

it('deletes what proves the lines of a journal before it moves that, and puts it back when it cannot be moved', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'w.journal')
  const world = createWorld(quiet)
  const opened = recoverJournal(path, 'os')
  if (opened.kind !== 'fresh') throw new Error(opened.kind)
  const journal = startFileJournal(world, opened.file, { otcsim: 'test', start: null })
  world.advance(5)
  writeFileSync(`${path}.snapshot-1`, '')
  const move = () => {
    // A process that is killed here leaves a whole journal.
    expect(readdirSync(folder)).toEqual(['w.journal'])
    expect(recoverJournal(path, 'os')).toMatchObject({ kind: 'recovered', replay: { lines: 1 } })
    throw new JournalUnwritable(path, 'EACCES', 'it cannot be moved')
  }
  expect(() => journal.discardBy(move)).toThrow('it cannot be moved')
  expect(readdirSync(folder).toSorted()).toEqual(['w.journal', 'w.journal.last'])
  world.advance(5)
  journal.close()
  expect(readLastLine(path)?.sequence).toBe(2)
})

it('makes no world where files prove lines of a journal that is gone or shorter, and leaves those alone', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'w.journal')
  const { create } = serverIn(folder)
  const { worlds: elsewhere, create: createElsewhere } = serverIn(temporaryFolder())
  const other = createElsewhere('w')
  other.advance(5)
  const text = [...(elsewhere.journalOf(other)?.text() ?? [])]
  const beside = `${path}.last`
  const last = { sequence: 2, offset: 5000, hash: '0'.repeat(32) }
  new LastLineFile(path).write(last)
  expect(() => create('w')).toThrow(`there is no ${path}`)
  writeFileSync(path, text.join(''))
  expect(() => create('w')).toThrow('w.journal.last proves #2')
  expect([readFileSync(path, 'utf8'), readLastLine(path)]).toEqual([text.join(''), last])
  expect(listJournaledWorlds(folder)).toEqual(['w'])
  rmSync(path)
  expect(listJournaledWorlds(folder)).toEqual(['w'])
  rmSync(beside)
  create('w')
})

it('deletes a world whose journal somebody has deleted', () => {
  const folder = temporaryFolder()
  const { worlds, create } = serverIn(folder)
  create('w')
  rmSync(join(folder, 'w.journal'))
  expect(worlds.delete('w')).toBe(true)
  create('w')
  expect(listJournaledWorlds(folder)).toEqual(['w'])
})

it('makes no world whose journal cannot be begun, and leaves no trace of it', () => {
  const folder = temporaryFolder()
  const { worlds, create } = serverIn(folder)
  renameSync(folder, `${folder}-away`)
  expect(() => create('w')).toThrow(JournalUnwritable)
  expect([worlds.list(), worlds.find('simk_w_trader')]).toEqual([[], null])
  mkdirSync(folder)
  create('w')
  expect(existsSync(join(folder, 'w.journal'))).toBe(true)
  rmSync(folder, { recursive: true })
  expect(() => worlds.delete('w')).toThrow(JournalUnwritable)
  expect(existsSync(folder)).toBe(false)
  rmSync(`${folder}-away`, { recursive: true })
})

it('refuses a world whose journal is the file of another one where capitals do not count', () => {
  const folder = temporaryFolder()
  const { worlds, create } = serverIn(folder)
  create('Desk').advance(1)
  expect(() => create('desk')).toThrow('on some systems the file of world Desk has the same name')
  expect([worlds.list().map(({ id }) => id), listJournaledWorlds(folder)]).toEqual([['Desk'], ['Desk']])
  worlds.delete('Desk')
  create('desk')
  expect(listJournaledWorlds(folder)).toEqual(['desk'])
})
