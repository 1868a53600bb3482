import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { millis } from '../../src/numeric/units.ts'
import { createFetch } from '../../src/pipeline/fetch.ts'
import { createMemoryJournals } from '../../src/world/journals/journal-store.ts'
import { defaultWorld, Worlds } from '../../src/world/worlds.ts'
import { signedHeaders } from '../server/signed-request.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { caseBudget } from '../support/full-run.ts'
import { replayText } from '../world/journals/recorded.ts'
import { ManualWallClock } from '../world/manual-wall-clock.ts'
import { livelyScenario } from '../world/scenarios.ts'

/* What holds of a world that follows its clients, whatever they ask and when. */

const scenario = compiledScenario({ ...livelyScenario, rateLimits: { enabled: false } })
const start = Date.parse('2026-01-05T00:00:00Z')

/** A request after some time by the client's clock, which may go back, be signed by somebody else, or jump too far. */
interface Asked {
  readonly afterMillis: number
  readonly body: string | null
  readonly isForged: boolean
}

const anOrder = fc.record({
  side: fc.constantFrom('buy', 'sell'),
  asset: fc.constant('BTC'),
  quantity: fc.integer({ min: 1, max: 20 }).map((tenths) => tenths / 10),
  price: fc.integer({ min: 49_000, max: 51_000 }),
})
const askedList = fc.array(
  fc.record<Asked>({
    afterMillis: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 90_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: -40_000, max: 0 }) },
      { weight: 1, arbitrary: fc.constantFrom(3_600_000, 3_600_001) },
    ),
    body: fc.option(anOrder.map((order) => JSON.stringify(order))),
    isForged: fc.integer({ min: 0, max: 9 }).map((draw) => draw === 0),
  }),
  { minLength: 1, maxLength: 12 },
)

function openFollowing() {
  const worlds = new Worlds(new ManualWallClock(), createMemoryJournals('test'))
  const clock = { mode: 'follow', maxMillis: millis(3_600_000) } as const
  const made = worlds.create(scenario, { id: defaultWorld, seed: '7', clock })
  if (!made.ok) throw new Error('there is no other world')
  const { world } = made
  const fetch = createFetch(worlds)
  const ask = async (timestamp: number, { body, isForged }: Omit<Asked, 'afterMillis'>): Promise<number> => {
    const method = body === null ? 'GET' : 'POST'
    const sending = {
      method,
      target: '/api/sdk/orders',
      timestamp,
      ...(body === null ? {} : { body }),
      ...(isForged ? { signature: '0'.repeat(64) } : {}),
    }
    const headers = signedHeaders(sending, timestamp)
    const answer = await fetch(sending.target, { method, headers, ...(body === null ? {} : { body }) })
    return answer.status
  }
  return { world, ask, journal: () => [...(worlds.journalOf(world)?.text() ?? [])].join('') }
}

/** Lets a client ask; `before` is called ahead of each request with the instants of the last one and of this one. */
async function follow(
  list: readonly Asked[],
  { world, ask }: ReturnType<typeof openFollowing>,
  before: (from: number, to: number) => Promise<void> = async () => {},
): Promise<readonly number[]> {
  let clientMillis = start
  const statuses: number[] = []
  for (const { afterMillis, ...asked } of list) {
    const present: number = world.now
    clientMillis += afterMillis
    if (!asked.isForged) await before(present, clientMillis)
    statuses.push(await ask(clientMillis, asked))
    const isMoved = !asked.isForged && clientMillis > present && clientMillis <= present + 3_600_000
    expect(world.now).toBe(isMoved ? clientMillis : present)
    clientMillis = world.now
  }
  return statuses
}

const runs = { numRuns: caseBudget(200) }

describe('a world that follows its clients', () => {
  it('is what the replay of its journal makes, and never goes back', async () => {
    await fc.assert(
      fc.asyncProperty(askedList, async (list) => {
        const followed = openFollowing()
        await follow(list, followed)
        const replay = replayText(followed.journal())
        expect(replay).toMatchObject({ kind: 'done' })
        if (replay.kind !== 'done') return
        expect(replay.world.digest()).toBe(followed.world.digest())
        expect(replay.world.now).toBe(followed.world.now)
      }),
      runs,
    )
  })

  it('is the same whether a client comes in one jump or in two', async () => {
    await fc.assert(
      fc.asyncProperty(askedList, fc.integer({ min: 0, max: 100 }), async (list, percent) => {
        const whole = openFollowing()
        const split = openFollowing()
        const statuses = await follow(list, whole)
        const halfway = async (from: number, to: number) => {
          if (to <= from || to > from + 3_600_000) return
          const between = from + Math.floor(((to - from) * percent) / 100)
          await split.ask(between, { body: null, isForged: false })
        }
        expect(await follow(list, split, halfway)).toEqual(statuses)
        expect(split.world.digest()).toBe(whole.world.digest())
      }),
      runs,
    )
  })
})
