import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startVenue, type TestVenue } from '../../src/testing/start-venue.ts'
import { meetsFault, type Seen, sharedScenario, testAlone, testOverHttp } from './parallel-worlds.ts'

const tests = 200

describe(`${tests} tests at once on one server`, () => {
  let venue: TestVenue
  beforeAll(async () => {
    venue = await startVenue({ scenario: sharedScenario })
  })
  afterAll(() => venue.close())

  const round = (count: number): Promise<Seen[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => testOverHttp(venue, n)))

  it('are independent of each other, with the same results each time', { timeout: 600_000 }, async () => {
    const first = await round(tests)
    for (const [n, { digest, reads }] of first.entries()) {
      if (meetsFault(n)) expect(reads.every((status) => status === 200 || status === 500)).toBe(true)
      else {
        expect(digest).toBe(testAlone(n))
        expect(reads).toEqual([200, 200, 200, 200])
      }
    }
    expect(new Set(first.flatMap(({ reads }) => reads))).toEqual(new Set([200, 500]))
    expect(await round(50)).toEqual(first.slice(0, 50))
  })
})
