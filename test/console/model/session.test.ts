import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AdminApi, createAdminApi } from '../../../src/console/model/admin-api.ts'
import { Session } from '../../../src/console/model/session.ts'
import { type ConsoleState, createStore, initialState } from '../../../src/console/model/state.ts'
import { millisToIso } from '../../../src/numeric/time-text.ts'
import { createShippedLibrary } from '../../../src/world/shipped/shipped-scenarios.ts'
import { load, scenarioWith } from '../../scenario/fixtures.ts'
import { placeBid, startFixture, type VenueFixture } from '../../server/venue-fixture.ts'
import { advanceUntilTold } from '../../support/advance-until-told.ts'

/* What keeps the page up to date, without the page: over HTTP, as in a browser. */

let venue: VenueFixture
let end: AbortController
beforeEach(async () => {
  venue = await startFixture()
  end = new AbortController()
})
afterEach(async () => {
  end.abort()
  await venue.server.close()
})

const adminUrl = () => `${venue.server.url}/__admin`

function open(state: Partial<ConsoleState> = {}, api = createAdminApi(adminUrl())): Session {
  const session = new Session(createStore({ ...initialState, ...state }), api, end.signal)
  session.start()
  return session
}

/** Waits until the state fulfils a condition. */
function until(session: Session, is: (state: ConsoleState) => boolean): Promise<ConsoleState> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('it never came to that')), 110_000)
    const look = () => {
      if (!is(session.store.get())) return
      clearTimeout(late)
      stop()
      resolve(session.store.get())
    }
    const stop = session.store.subscribe(look)
    look()
  })
}

describe('the console', () => {
  it('sees what a client does, goes back to before it, and forward to the present', async () => {
    const session = open({ account: 'trader' })
    await until(session, ({ view, connection }) => view !== null && connection === 'live')
    await placeBid(venue, 0.5)
    await placeBid(venue, 100)
    await session.act('POST', '/clock/advance', { byMs: 5000 })
    expect((await session.readJournal())?.split('\n')).toHaveLength(5)
    const now = await until(
      session,
      ({ moments, requests, view }) => moments.length === 3 && requests.length === 2 && view?.sequence === 3,
    )
    expect(now.view?.orders?.orders.map(({ orderId }) => orderId)).toEqual(['ord_1'])
    expect(now.requests.map(({ status }) => status)).toEqual([201, 422])

    session.goToFailure(1)
    const failed = await until(session, ({ view }) => view?.isPast === true)
    expect([failed.moment?.sequence, failed.view?.now]).toEqual([2, '2026-01-05T00:00:00.000Z'])
    session.scrub(0)
    const before = await until(session, ({ view, moment }) => moment?.sequence === 0 && view?.sequence === 0)
    expect(before.view?.orders?.pagination.total).toBe(0)
    session.step(1)
    const after = await until(session, ({ view }) => view?.sequence === 1)
    expect(after.view?.orders?.pagination.total).toBe(1)
    session.shift(1500)
    await until(session, ({ view }) => view?.sequence === 2 && view.now === '2026-01-05T00:00:01.500Z')
    session.show({ moment: null })
    const present = await until(session, ({ view }) => view?.isPast === false)
    expect(present.view?.now).toBe('2026-01-05T00:00:05.000Z')
  })

  it('learns of worlds and snapshots that are made later', async () => {
    const session = open()
    await until(session, ({ view }) => view !== null)
    venue.worlds.create(venue.worlds.default.scenario, { id: 'later' })
    await venue.admin('POST', '/worlds/default/snapshots', {})
    const { snapshots } = await until(
      session,
      (state) => state.worlds.includes('later') && state.snapshots.length === 1,
    )
    expect(snapshots[0]?.sequence).toBe(0)
  })

  it('keeps the keys of the world that it went to while it read those of another', async () => {
    venue.worlds.create(venue.worlds.default.scenario, { id: 'other' })
    await venue.admin('POST', '/worlds/default/snapshots', {})
    const api = createAdminApi(adminUrl())
    const leaving: AdminApi = {
      ...api,
      ask: async (method, path, body) => {
        const answer = await api.ask<never>(method, path, body)
        if (path === '/worlds/default/failure') session.show({ world: 'other' })
        return answer
      },
    }
    const session = open({}, leaving)
    const { keys, snapshots } = await until(session, ({ view, keys }) => view !== null && keys.length > 0)
    expect(JSON.stringify(keys)).toContain('"simk_other_trader"')
    expect(snapshots).toEqual([])
  })

  it('costs less than 20 KB in ten seconds of a world in which only prices move', async () => {
    const { worlds } = venue
    const loaded = createShippedLibrary().load('calm')
    if (loaded?.ok !== true) throw new Error('the scenario is shipped')
    const made = worlds.create(loaded.value, { id: 'quiet', clock: { mode: 'realtime' } })
    if (!made.ok) throw new Error('the world is made')
    const api = createAdminApi(adminUrl())
    let bytes = 0
    const headerBytes = 300
    const counting: AdminApi = {
      ...api,
      ask: async (method, path, body) => {
        const answer = await api.ask<never>(method, path, body)
        bytes += JSON.stringify(answer).length + headerBytes
        return answer
      },
      stream: (path, signal, take) =>
        api.stream(path, signal, (piece) => {
          bytes += piece.length
          take(piece)
        }),
    }
    const session = open({ world: 'quiet' }, counting)
    await until(session, ({ isPastWhole, prices, keys }) => isPastWhole && prices !== null && keys.length > 0)
    const look = async (): Promise<void> => {
      const goal = millisToIso(made.world.now + 2000)
      venue.wall.advance(2000)
      await until(session, ({ view }) => view?.now === goal)
    }
    await look()
    bytes = 0
    const from = made.world.now
    for (let count = 0; count < 5; count += 1) await look()
    expect(made.world.now - from).toBe(10_000)
    expect(bytes).toBeGreaterThan(2000)
    expect(bytes).toBeLessThan(20_000)
  })

  it('steps the present on before it has read the past', async () => {
    const session = open()
    session.shift(1500)
    await until(session, ({ view }) => view?.now === '2026-01-05T00:00:01.500Z')
  })

  it('continues from a moment of the past in a new world', async () => {
    await placeBid(venue, 0.5)
    await placeBid(venue, 0.25)
    const session = open({ account: 'trader', moment: { sequence: 1, at: '' } })
    const digest = (await until(session, ({ view }) => view !== null)).view?.digest
    await session.fork()
    const forked = await until(session, ({ view, world }) => world !== 'default' && view?.world === world)
    expect([forked.view?.digest, forked.moment]).toEqual([digest, null])
    expect(forked.worlds).toContain(forked.world)
  })

  it('shows another world when its own is deleted, and reports a moment that does not exist', async () => {
    const session = open({ world: 'gone' })
    await until(session, ({ view }) => view?.world === 'default')
    session.show({ moment: { sequence: 999, at: '' } })
    const told = await until(session, ({ message }) => message?.text.includes('moment') === true)
    expect([told.moment, told.message?.isBad]).toEqual([null, true])
  })

  it('reports that the world or the account that it showed is gone', async () => {
    const { worlds } = venue
    worlds.create(load(scenarioWith('')), { id: 'short' })
    const session = open({ world: 'short' })
    await until(session, ({ connection, account }) => connection === 'live' && account === 'alice')
    worlds.delete('short')
    const left = await until(session, ({ view }) => view?.world === 'default')
    expect(left.message?.text).toBe('There is no world short')
    session.show({ account: 'alice' })
    const told = await until(session, ({ account }) => account === 'desk')
    expect(told.message?.text).toBe('There is no such account or asset')
  })

  it('shows refusals of the admin API in its words', async () => {
    const session = open()
    await until(session, ({ view }) => view !== null)
    expect(await session.act('POST', '/faults', { type: 'latencey' })).toBe(false)
    expect(session.store.get().message).toEqual({ isBad: true, text: expect.stringContaining('latency') })
    expect(await session.act('POST', '/clock/advance', { byMs: 1 })).toBe(true)
    expect(session.store.get().message).toBeNull()
  })

  it('asks for the token of a guarded server', async () => {
    const guarded = await startFixture({ adminToken: 's3cret' })
    const session = open({}, createAdminApi(`${guarded.server.url}/__admin`))
    await until(session, ({ connection }) => connection === 'guarded')
    session.authenticate('wrong')
    session.authenticate('s3cret')
    await until(session, ({ connection, view }) => connection === 'live' && view !== null)
    await guarded.server.close()
  })

  it('shows the progress of a running advance, also when it is opened during one', async () => {
    const world = venue.worlds.default
    const session = open({ account: 'trader' })
    await until(session, ({ connection, view }) => connection === 'live' && view !== null)
    const advancing = advanceUntilTold(world, 3_600_000)
    const seen = await until(session, (state) => state.advancing?.now === '2026-01-05T01:00:00.000Z')
    expect([seen.view?.now, seen.connection]).toEqual(['2026-01-05T00:00:00.000Z', 'live'])
    const opened = open()
    expect((await until(opened, (state) => state.advancing !== null)).view).toBeNull()
    advancing.end()
    await advancing.ended
    for (const each of [session, opened])
      await until(
        each,
        ({ advancing: left, view }) => left === null && view?.now === '2026-01-05T01:00:00.000Z',
      )
  })

  it('shows that its server is down, and continues when it is back', async () => {
    const { port } = venue.server
    const session = open({ account: 'trader' })
    for (const quantity of [0.1, 0.2, 0.3]) await placeBid(venue, quantity)
    await until(session, ({ connection, moments }) => connection === 'live' && moments.length === 3)
    await venue.server.close()
    await until(session, ({ connection }) => connection === 'lost')
    expect(await session.act('POST', '/clock/advance', { byMs: 1 })).toBe(false)
    expect(await session.readJournal()).toBeNull()
    expect(session.store.get()).toMatchObject({ connection: 'lost', message: null })
    venue = await startFixture({ port })
    await placeBid(venue, 0.5)
    const back = await until(session, ({ view, requests }) => view?.sequence === 1 && requests.length === 1)
    expect(back.view?.orders?.pagination.total).toBe(1)
    const { moments } = await until(session, ({ isPastWhole }) => isPastWhole)
    expect(moments.map(({ sequence }) => sequence)).toEqual([1])
  })

  it('knows another world of the same name', async () => {
    const { worlds } = venue
    const create = () => worlds.create(worlds.default.scenario, { id: 'again' })
    create()
    const session = open({ world: 'again' })
    await until(session, ({ connection, view }) => connection === 'live' && view !== null)
    await session.act('POST', '/clock/advance', { byMs: 1 })
    await until(session, ({ moments }) => moments.length === 1)
    worlds.delete('again')
    create()
    const { world } = await until(session, ({ begins, moments }) => begins !== null && moments.length === 0)
    expect(world).toBe('again')
  })
})
