// Room: engine

import { expect, test } from 'vitest'
import { crowdedConfig } from '../arbitraries/configs.ts'
import { advance, alice, limit } from '../model/commands.ts'
import { EngineSubject } from '../model/engine-subject.ts'
import { lineOf } from '../model/recorded-event.ts'

/*
 * Grid steps were skipped while prices were constant, although the refresh had traded and the next one would trade again:
 * an advance of three seconds gave another world than three advances of one second.
 */
test('an order at the ladder’s price trades at each refresh, however time is split', () => {
  const config = crowdedConfig({ hasLadder: true })
  const whole = new EngineSubject(config)
  const parted = new EngineSubject(config)
  for (const venue of [whole, parted]) venue.execute(limit(alice, 1, 15, 98))
  whole.execute(advance(3000))
  for (const span of [1000, 2000, 3000]) parted.execute(advance(span))
  const trades = whole.events.filter(({ name }) => name === 'trade').map((event) => `${lineOf(event)}`)
  expect(trades).toEqual(['trade -1 0 1 98 7 1', 'trade 0 -1 1 98 7', 'trade 0 -1 1 98 1'])
  expect(whole.events).toEqual(parted.events)
  expect(whole.venue.digest()).toBe(parted.venue.digest())
})
