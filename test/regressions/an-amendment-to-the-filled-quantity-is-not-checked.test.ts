// Room: engine

import { expect, test } from 'vitest'
import type { Command } from '../../src/engine/command.ts'
import { quantitySteps } from '../../src/numeric/units.ts'
import { crowdedConfig } from '../arbitraries/configs.ts'
import { wideLimits } from '../arbitraries/limits.ts'
import { after, alice, amend, bob, limit, quote } from '../model/commands.ts'
import { EngineSubject } from '../model/engine-subject.ts'
import { lineOf } from '../model/recorded-event.ts'

/* Amending an order to its filled quantity was checked against size limits that had become narrower since. */

const narrow: Command = {
  kind: 'set-limits',
  at: after(0),
  account: bob,
  limits: { ...wideLimits, minOrderSize: { bySymbol: new Map(), default: 20_000_000 } },
}

test('an order can be amended to its filled quantity, whatever the limits are now', () => {
  const venue = new EngineSubject(crowdedConfig())
  for (const command of [limit(alice, 1, 1, 98), limit(bob, 0, 3, 98), narrow]) venue.execute(command)
  expect(venue.execute(amend(bob, 1, 1, null)).ok).toBe(true)
  expect(venue.events.slice(-2).map(lineOf)).toEqual(['order-amended 1 4 1 0 98 1', 'order-filled 1 4 1 1 1'])
})

test('a filled side of a quote is not checked again', () => {
  const venue = new EngineSubject(crowdedConfig())
  const commands = [quote(bob, [98, 1], [102, 3]), limit(alice, 1, 1, 98, { timeInForce: 1 }), narrow]
  for (const command of commands) venue.execute(command)
  const update: Command = {
    kind: 'update-quote',
    at: after(0),
    account: bob,
    quote: 0,
    bidPriceTicks: null,
    askPriceTicks: null,
    bidSteps: null,
    askSteps: quantitySteps(2),
    validForMillis: null,
    validFrom: 'now',
  }
  expect(venue.execute(update).ok).toBe(true)
})
