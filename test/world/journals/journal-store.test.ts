import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { JournalUnwritable } from '../../../src/journal/journal-file.ts'
import { createFolderJournals, listJournaledWorlds } from '../../../src/world/journals/journal-store.ts'
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
