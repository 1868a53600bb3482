// Room: world

import { expect, test } from 'vitest'
import { readFaultRule } from '../../src/api/faults/read-fault-rule.ts'
import { installFault } from '../../src/world/change-world.ts'
import { knownNames } from '../../src/world/faults/fire-faults.ts'
import { createWorld } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { quietScenario } from '../world/scenarios.ts'

/* An answer in process had a third field, `hint`, unless a fault rule of the world stood by. */

test('an answer in process is a status and a body, with and without faults', () => {
  const world = createWorld(compiledScenario(quietScenario))
  const ask = () => world.request('trader', 'GET', '/api/sdk/quotes')
  const before = ask()
  const rule = readFaultRule({ type: 'http_error', attributes: { status: 500 }, skip: 9 }, knownNames(world))
  if (!rule.ok) throw new Error(rule.problem.reason)
  installFault(world, rule.value)
  expect(ask()).toStrictEqual(before)
  expect(before).toStrictEqual({ status: 200, body: expect.objectContaining({ quotes: [] }) })
})
