// Room: world

import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { recoverJournal, startFileJournal } from '../../src/world/journals/file-journal.ts'
import { createWorld, type World } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { livelyScenario } from '../world/scenarios.ts'

/*
 * In a world whose clock moves by itself, a client could be shown that its quote had expired or its order was filled,
 * and after a kill, or even after an orderly end, the quote was live again and could be cancelled: only commands had
 * lines in the journal.
 */

const scenario = compiledScenario({
  ...livelyScenario,
  accounts: [{ id: 'desk', balances: { USD: 1_000_000 } }],
})

function begun() {
  const wall = { millis: 1_000_000_000_000, nowMillis: () => wall.millis }
  const world = createWorld(scenario, { wall, clock: { mode: 'realtime' } })
  const path = join(temporaryFolder(), 'a.journal')
  const opened = recoverJournal(path, 'os')
  if (opened.kind !== 'fresh') throw new Error(opened.kind)
  const journal = startFileJournal(world, opened.file, { otcsim: 'test', start: null })
  const lines = () => readFileSync(path, 'utf8').split('\n').length - 1
  return { wall, world, path, journal, lines }
}

/** The world that another process makes of the file as it is now. */
function afterKill(path: string): World {
  const copy = join(temporaryFolder(), 'b.journal')
  copyFileSync(path, copy)
  const recovery = recoverJournal(copy, 'os')
  if (recovery.kind !== 'recovered') throw new Error(recovery.kind)
  recovery.file.close()
  return recovery.replay.world
}

const quote = { asset: 'BTC', bidPrice: 100, askPrice: 200_000, bidSize: 1, askSize: 0, validForSeconds: 2 }

it('an expiry that a client has seen has happened', () => {
  const { wall, world, path } = begun()
  expect(world.request('desk', 'POST', '/api/sdk/quotes', quote).status).toBe(201)
  wall.millis += 2500
  expect(world.request('desk', 'GET', '/api/sdk/quotes/qt_1').body).toMatchObject({ status: 'expired' })
  const again = afterKill(path)
  expect(again.request('desk', 'GET', '/api/sdk/quotes/qt_1').body).toMatchObject({ status: 'expired' })
  expect(again.digest()).toBe(world.digest())
})

it('so has one that the admin API has shown', () => {
  const { wall, world, path } = begun()
  world.request('desk', 'POST', '/api/sdk/quotes', quote)
  wall.millis += 2500
  world.time.catchUp()
  expect(afterKill(path).digest()).toBe(world.digest())
})

it('readers of prices write no lines', () => {
  const { wall, world, lines } = begun()
  world.request('desk', 'POST', '/api/sdk/quotes', { ...quote, validForSeconds: 300 })
  const before = lines()
  for (let second = 0; second < 20; second += 1) {
    wall.millis += 1000
    expect(world.request('desk', 'GET', '/api/sdk/market-data/prices').status).toBe(200)
  }
  expect(world.eventsSince(0).filter(({ type }) => type === 'price').length).toBeGreaterThan(5)
  expect(lines()).toBe(before)
})

it('an orderly end keeps the instant, a world at its last line writes none', () => {
  const { wall, world, path, journal, lines } = begun()
  wall.millis += 60_000
  world.time.catchUp()
  journal.close()
  expect(afterKill(path).now).toBe(world.now)
  const still = begun()
  still.world.setReadings(still.world.readings)
  const before = still.lines()
  still.journal.close()
  expect(still.lines()).toBe(before)
  expect(lines()).toBe(2)
})
