import { describe, expect } from 'vitest'
import { test } from '../../src/testing/vitest.ts'
import { seedOf } from '../../src/world/logs/test-failure.ts'
import { quietScenario } from '../world/scenarios.ts'

const order = { side: 'buy', asset: 'BTC', quantity: 0.01, price: 40_000 } as const
const quiet = test.extend({ scenario: quietScenario, worldOptions: { readings: { nulls: 'omitted' } } })

describe('the fixture of vitest', () => {
  quiet.concurrent.for(Array.from({ length: 12 }, (_, n) => n))(
    'gives test %i a world of its own',
    async (n, { world }) => {
      for (let placed = 0; placed <= n; placed += 1) {
        const { orderId } = await world.client('trader').orders.create(order)
        expect(orderId).toBe(`ord_${placed + 1}`)
      }
      expect(world.world.venue.state.orders.count).toBe(n + 1)
    },
  )

  quiet('makes the seed of the name', ({ world }) => {
    const name = 'test/testing/vitest-fixture.test.ts > the fixture of vitest > makes the seed of the name'
    expect(world.seed).toBe(seedOf(name))
  })

  quiet('takes the scenario and the readings that are chosen', async ({ world, venue }) => {
    expect(world.world.scenario.name).toBe('quiet')
    expect(world.url).toBe(venue.url)
    const placed = await world.client('trader').orders.create(order)
    expect(placed).not.toHaveProperty('clientOrderId')
  })
})
