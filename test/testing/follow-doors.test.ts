import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inWorld } from '../../src/testing/in-world.ts'
import { worldTests } from '../../src/testing/jest.ts'
import { worldFixtures } from '../../src/testing/playwright.ts'
import { startVenue } from '../../src/testing/start-venue.ts'
import type { TestWorld } from '../../src/testing/test-world.ts'
import { test } from '../../src/testing/vitest.ts'
import { otcsim, serve } from '../cli/harness.ts'
import { signedHeaders } from '../server/signed-request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { quietScenario } from '../world/scenarios.ts'

/* The clock that follows its clients, whichever way a world has got it. */

const start = Date.parse('2026-01-05T00:00:00Z')
const day = 86_400_000
const followingScenario = { ...quietScenario, clock: { ...quietScenario.clock, mode: 'follow' } }

/** A world that is reached by HTTP alone. */
interface Reached {
  readonly url: string
  readonly id: string
}

async function admin({ url, id }: Reached, method: string, path: string, body?: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  const sent = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
  const answer = await fetch(`${url}/__admin/worlds/${id}${path}`, sent)
  expect(answer.status, await answer.clone().text()).toBeLessThan(300)
  return answer
}

/** Asks for orders at an instant of the client's clock; returns the status, the hint, and the world's time after it. */
async function askAt(reached: Reached, timestamp: number) {
  const target = '/api/sdk/orders'
  const key = { apiKey: `simk_${reached.id}_trader`, apiSecret: `sims_${reached.id}_trader` }
  const headers = signedHeaders({ target, timestamp, ...key }, timestamp)
  const answer = await fetch(reached.url + target, { headers })
  const { now } = Object(await (await admin(reached, 'GET', '/digest')).json())
  return { status: answer.status, hint: answer.headers.get('x-sim-hint'), now: Date.parse(now) - start }
}

/** What must hold of a world whose clock follows, whoever made it. */
async function expectToFollow(reached: Reached): Promise<void> {
  expect(await askAt(reached, start + 5000)).toEqual({ status: 200, hint: null, now: 5000 })
  expect(await askAt(reached, start + 2000)).toEqual({ status: 200, hint: null, now: 5000 })
  expect(await askAt(reached, Date.now())).toEqual({
    status: 401,
    hint: expect.stringMatching(
      /^this program seems to read the machine's clock: .* start the program's clock at/,
    ),
    now: 5000,
  })
  expect(await askAt(reached, start + 5001 + day)).toMatchObject({ status: 401, now: 5000 })
  expect(await askAt(reached, start + 5000 + day)).toMatchObject({ status: 200, now: 5000 + day })
  const journal = await (await admin(reached, 'GET', '/journal')).text()
  const advances = journal.split('\n').filter((line) => line.includes('"kind":"advance"'))
  expect(advances).toHaveLength(2)
  const { clock } = Object(await (await admin(reached, 'GET', '')).json())
  expect(clock).toMatchObject({ mode: 'follow', maxMs: day })
  const { digest } = Object(await (await admin(reached, 'GET', '/digest')).json())
  const file = join(temporaryFolder(), 'story.journal')
  writeFileSync(file, journal)
  const replayed = await otcsim(['replay', file, '--verify', '--json'])
  expect(JSON.parse(replayed.out)).toMatchObject({ ok: true, digest })
}

const ofTest = ({ url, id }: TestWorld): Reached => ({ url, id })

describe('a world follows its clients', () => {
  it('of serve --clock follow', async () => {
    const file = join(temporaryFolder(), 'quiet.json')
    writeFileSync(file, JSON.stringify(quietScenario))
    const { url } = await serve(['--port', '0', '--clock', 'follow', '--scenario', file])
    await expectToFollow({ url, id: 'default' })
  })

  it('of a scenario that says so, and of the admin API', async () => {
    const file = join(temporaryFolder(), 'following.json')
    writeFileSync(file, JSON.stringify(followingScenario))
    const { url } = await serve(['--port', '0', '--scenario', file])
    await expectToFollow({ url, id: 'default' })
    const made = { id: 'made', scenario: quietScenario, clock: { mode: 'follow' } }
    await fetch(`${url}/__admin/worlds`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(made),
    })
    await expectToFollow({ url, id: 'made' })
  })

  it('once the admin API has set its clock, with the jump that it allows', async () => {
    await using venue = await startVenue({ scenario: quietScenario })
    const reached = ofTest(venue.world)
    expect(await askAt(reached, Date.now())).toMatchObject({ status: 200, now: 0 })
    await admin(reached, 'PUT', '/clock', { mode: 'follow', maxMs: 1000 })
    expect(await askAt(reached, start + 1001)).toMatchObject({ status: 401, now: 0 })
    expect(await askAt(reached, start + 1000)).toMatchObject({ status: 200, now: 1000 })
    await admin(reached, 'PUT', '/clock', { mode: 'manual' })
    expect(await askAt(reached, start + 2000)).toMatchObject({ status: 401, now: 1000 })
    expect(await askAt(reached, Date.now())).toMatchObject({ status: 200, now: 1000 })
  })

  it('of startVenue and of createWorld, by their option or their scenario', async () => {
    await using venue = await startVenue({ scenario: quietScenario, clock: 'follow' })
    await expectToFollow(ofTest(venue.world))
    await expectToFollow(ofTest(venue.createWorld()))
    await using still = await startVenue({ scenario: quietScenario })
    await expectToFollow(ofTest(still.createWorld({ clock: { mode: 'follow' } })))
    await expectToFollow(ofTest(still.createWorld({ scenario: followingScenario })))
    const other = still.createWorld({ scenario: followingScenario, clock: 'manual' })
    expect(await askAt(ofTest(other), start + 5000)).toMatchObject({ status: 401, now: 0 })
  })

  it('of inWorld', () =>
    inWorld('follows', ({ world }) => expectToFollow(ofTest(world)), {
      scenario: quietScenario,
      clock: 'follow',
    }))

  const following = test.extend({ scenario: quietScenario, worldOptions: { clock: 'follow' } })
  following('of the fixture of vitest', ({ world }) => expectToFollow(ofTest(world)))

  it('of the fixture of jest', async () => {
    const bodies: (() => Promise<void>)[] = []
    const register = (_name: string, body: () => Promise<void>) => bodies.push(body)
    const runner = Object.assign(register, { only: register, skip: register, concurrent: register })
    const before = Reflect.get(globalThis, 'test')
    Reflect.set(globalThis, 'test', runner)
    try {
      const tests = worldTests({ scenario: quietScenario, clock: 'follow' })
      tests('follows', ({ world }) => expectToFollow(ofTest(world)))
    } finally {
      Reflect.set(globalThis, 'test', before)
    }
    expect(bodies).toHaveLength(1)
    for (const body of bodies) await body()
  })

  it('of the fixture of Playwright', async () => {
    const info = {
      titlePath: ['f.ts', 'follows'],
      status: 'passed',
      expectedStatus: 'passed',
      attach: async () => {},
    }
    let reached: Reached | null = null
    const chosen = { scenario: quietScenario, worldOptions: { clock: 'follow' } } as const
    await worldFixtures().world(
      chosen,
      async (world) => {
        reached = ofTest(world)
        await expectToFollow(reached)
      },
      info,
    )
    expect(reached).toMatchObject({ id: expect.any(String) })
  })

  it('of exec --clock follow', async () => {
    const folder = temporaryFolder()
    const program = join(folder, 'client.mjs')
    writeFileSync(program, client)
    const ended = await otcsim(['exec', '--clock', 'follow', '--', process.execPath, program])
    expect(ended).toMatchObject({ code: 0 })
    expect(JSON.parse(ended.out)).toEqual([
      [200, '2026-01-05T00:00:05.000Z'],
      [200, '2026-01-05T00:00:05.000Z'],
      [401, '2026-01-05T00:00:05.000Z'],
    ])
    expect(existsSync(program)).toBe(true)
  })
})

/** A program that knows a venue by its environment. */
const client = `
import { createHmac } from 'node:crypto'
const { OTC_BASE_URL: url, OTC_API_KEY: key, OTC_API_SECRET: secret } = process.env
const start = Date.parse('2026-01-05T00:00:00Z')
const seen = []
for (const at of [start + 5000, start + 2000, Date.now()]) {
  const sign = createHmac('sha256', secret).update(at + 'GET/api/sdk/orders').digest('hex')
  const headers = { 'X-API-Key': key, 'X-API-Timestamp': String(at), 'X-API-Signature': sign }
  const answer = await fetch(url + '/api/sdk/orders', { headers })
  seen.push([answer.status, answer.headers.get('x-sim-time')])
}
console.log(JSON.stringify(seen))
`
