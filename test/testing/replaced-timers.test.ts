import { expect, it, vi } from 'vitest'
import { startVenue } from '../../src/testing/start-venue.ts'

it('a venue goes on with long work in a test that has replaced every timer', async () => {
  await using venue = await startVenue()
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'setImmediate', 'performance', 'Date'] })
  try {
    const body = JSON.stringify({ byMs: 5 * 86_400_000 })
    const headers = { 'Content-Type': 'application/json' }
    const address = `${venue.adminUrl}/worlds/default/clock/advance`
    const answer = await fetch(address, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    expect(venue.world.world.workQueue.longWorkCount).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})
