import { get } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { liveFor } from '../../src/testing/live-for.ts'
import { startVenue, type TestVenue } from '../../src/testing/start-venue.ts'
import type { TestWorld } from '../../src/testing/test-world.ts'
import { isLongestRun } from '../support/full-run.ts'
import { quietScenario } from '../world/scenarios.ts'
import { startPolling } from './polling-client.ts'

const day = 86_400_000

let venue: TestVenue
beforeAll(async () => {
  venue = await startVenue({ clock: 'follow' })
})
afterAll(() => venue.close())

let world: TestWorld
beforeEach(() => {
  world = venue.createWorld({ seed: '7' })
  vi.useFakeTimers({ now: world.now })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  world.delete()
})

const keyOf = (one: TestWorld) => one.keys['maker'] ?? { apiKey: '', apiSecret: '' }

/** Lets the polling client live in a world, and returns what came of it. */
async function livePolling(one: TestWorld, span: string) {
  vi.setSystemTime(one.now)
  const startMillis = Date.now()
  const client = startPolling({ url: one.url, ...keyOf(one) })
  await liveFor(vi, span)
  client.stop()
  return {
    seen: Object.fromEntries(client.seen),
    fills: client.fills(),
    livedMillis: Date.now() - startMillis,
    worldMillis: one.now.getTime() - startMillis,
    digest: one.digest(),
  }
}

describe('a client that polls with its own fetch and timers', () => {
  // The whole day is 130,000 requests.
  it.each([
    ['over HTTP', false, isLongestRun ? 86_400 : 300],
    ['without a socket', true, isLongestRun ? 86_400 : 3600],
  ])(
    'lives for hours in a test, the same each time: %s',
    { timeout: isLongestRun ? 3_600_000 : 600_000 },
    async (_name, isInProcess, seconds) => {
      if (isInProcess) vi.stubGlobal('fetch', venue.fetch)
      const lives = []
      for (let turn = 0; turn < 3; turn += 1) {
        using one = venue.createWorld({ seed: '7' })
        lives.push(await livePolling(one, `${seconds}s`))
      }
      const [first] = lives
      expect(lives).toEqual([first, first, first])
      expect(first).toMatchObject({ livedMillis: seconds * 1000, worldMillis: seconds * 1000 })
      expect(first?.seen).toEqual({ 200: seconds + seconds / 60 + 1, 201: seconds / 2 })
      expect(first?.fills).toBeGreaterThan(0)
    },
  )
})

describe('liveFor', () => {
  it('fires timers in turn, and waits for what they ask', async () => {
    const noted: string[] = []
    const ask = async (name: string) => {
      noted.push(`${name} asks`)
      await world.client('trader').orders.list()
      noted.push(`${name} has it`)
    }
    setTimeout(() => ask('late'), day)
    setTimeout(() => ask('soon'), 10)
    setTimeout(() => ask('also soon'), 11)
    await liveFor(vi, '1d')
    expect(noted).toEqual([
      'soon asks',
      'soon has it',
      'also soon asks',
      'also soon has it',
      'late asks',
      'late has it',
    ])
  })

  it('waits for the whole body of what node:http has asked', async () => {
    let received = 0
    setTimeout(() => {
      get(`${venue.adminUrl}/openapi.json`, (answer) => {
        answer.on('data', (piece) => {
          received += piece.length
        })
        answer.on('end', () => {
          received *= -1
        })
      })
    }, 1000)
    await liveFor(vi, 1000)
    expect(received).toBeLessThan(-100_000)
  })

  it('finishes a jump that is long work for the venue, though every timer is replaced', async () => {
    using far = venue.createWorld({ clock: { mode: 'follow', maxMs: 40 * day } })
    vi.setSystemTime(far.now)
    const startMillis = Date.now()
    let asked: Promise<unknown> | null = null
    setTimeout(() => {
      asked = far.client('trader').orders.list()
    }, 3 * day)
    await liveFor(vi, '30d', { patienceMs: 60_000 })
    expect(await asked).toMatchObject({ orders: [] })
    expect([Date.now() - startMillis, far.now.getTime() - startMillis]).toEqual([30 * day, 3 * day])
  })

  it('goes on without an answer that never comes, so that the limit of the client ends the wait', async () => {
    for (const ask of [fetch, world.fetch]) {
      world.addFault({ type: 'timeout', attributes: { timeoutMs: 0 }, count: 1 })
      const controller = new AbortController()
      const { apiKey } = keyOf(world)
      let ended: unknown = null
      setTimeout(() => {
        setTimeout(() => controller.abort(new Error('no answer within 5 s')), 5000)
        ask(`${world.url}/api/sdk/orders`, {
          headers: { 'X-API-Key': apiKey },
          signal: controller.signal,
        }).catch((failure: unknown) => {
          ended = failure
        })
      }, 1000)
      await liveFor(vi, '1m', { patienceMs: 100 })
      expect(ended).toEqual(new Error('no answer within 5 s'))
    }
  })

  it('takes a program by no further than the clock of the world goes at once, in words', async () => {
    let refused: unknown = null
    setTimeout(() => {
      const asking = world.client('trader').orders.list()
      asking.catch((refusal) => {
        refused = refusal
      })
    }, day + 1)
    await liveFor(vi, '2d')
    expect(refused).toMatchObject({
      type: 'TIMESTAMP_EXPIRED',
      hint: expect.stringMatching(
        /^the timestamp is 1d1ms ahead of this world, and one request moves it by 1d/,
      ),
    })
  })

  it('passes on what a timer throws', async () => {
    setTimeout(() => {
      throw new Error('as planned')
    }, 5)
    await expect(liveFor(vi, '1s')).rejects.toThrow('as planned')
  })

  it('is refused where it could not end soon', async () => {
    await expect(liveFor(vi, 'a day')).rejects.toThrow(
      'liveFor takes a span such as 30s or 1d, or whole milliseconds, found a day',
    )
    await expect(liveFor(vi, -1)).rejects.toThrow(RangeError)
    vi.useRealTimers()
    await expect(liveFor(vi, '1s')).rejects.toThrow('liveFor needs replaced timers')
  })
})

it('what is asked with the clock of the machine is refused in words', async () => {
  vi.useRealTimers()
  const quiet = venue.createWorld({ scenario: quietScenario })
  await expect(quiet.client().orders.list()).rejects.toMatchObject({
    type: 'TIMESTAMP_EXPIRED',
    hint: expect.any(String),
  })
  quiet.delete()
})
