// Room: world

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, startVenue, type TestVenue } from '../../src/testing/start-venue.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { quietScenario } from '../world/scenarios.ts'

/**
 * The library and the fixtures accepted ids that the admin API refuses, and that cannot be part of a path or a file
 * name.
 */
const scenario = compiledScenario(quietScenario)

let venue: TestVenue
beforeAll(async () => {
  venue = await startVenue({ scenario: quietScenario })
})
afterAll(() => venue.close())

const post = (id: unknown) =>
  fetch(`${venue.adminUrl}/worlds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id }),
  })

describe('the id of a world', () => {
  it.each(['a b', '', '-a', '.', '../up', 'a/b', 'ä', 'a'.repeat(65)])(
    'is not "%s", wherever it is given',
    async (id) => {
      const reason =
        'must be up to 64 letters, digits, dots, dashes and underscores, the first a letter or a digit'
      const answer = await post(id)
      expect([answer.status, (await answer.text()).includes(`id ${reason}`)]).toEqual([400, true])
      for (const make of [
        () => createWorld(scenario, { id }),
        () => createWorld(scenario).fork({ id }),
        () => venue.createWorld({ id }),
      ])
        expect(make).toThrow(reason)
    },
  )

  it.each(['a', '7', 'a.b-c_d', 'A'.repeat(64)])('may be "%s"', async (id) => {
    expect((await post(id)).status).toBe(201)
    expect(createWorld(scenario, { id }).id).toBe(id)
  })
})
