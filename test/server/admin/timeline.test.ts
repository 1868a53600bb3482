import { expect, it } from 'vitest'
import { createShippedLibrary } from '../../../src/world/shipped/shipped-scenarios.ts'
import { useAdminWorld } from './admin-world.ts'

const admin = useAdminWorld()

const digest = async () => (await admin.venue.admin('GET', `${admin.path}/digest`)).body

it('a running timeline accepts actions for now and for later', async () => {
  const actions = [
    { deposit: { account: 'trader', asset: 'USD', quantity: 5 } },
    { at: '+3s', halt: { asset: 'BTC' } },
  ]
  const reply = await admin.venue.admin('POST', `${admin.path}/timeline`, { actions })
  expect(reply).toMatchObject({
    status: 200,
    body: { scheduled: 2, events: [{ type: 'deposit.settled' }, { type: 'scenario.action' }] },
  })
  const advanced = await admin.venue.admin('POST', `${admin.path}/clock/advance`, { toNext: true })
  expect(advanced.body).toMatchObject({ from: '2026-01-05T00:00:00.000Z' })
  await admin.venue.admin('POST', `${admin.path}/clock/advance`, { byMs: 3000 })
  expect((await admin.place()).status).toBe(400)
})

it.each<[object, string, string]>([
  [{ deposit: { account: 'tradr', asset: 'USD', quantity: 5 } }, 'actions[0].deposit.account', 'trader'],
  [{ halt: { asset: 'BTC', fro: '5s' } }, 'actions[0].halt.fro', 'for'],
  [{ at: '2020-01-01T00:00:00Z', note: 'late' }, 'actions[0].at', 'before'],
  [{}, 'actions[0]', ''],
])('a running timeline refuses %j and names what was meant', async (action, field, text) => {
  const before = await digest()
  const reply = await admin.venue.admin('POST', `${admin.path}/timeline`, { actions: [action] })
  expect(reply).toMatchObject({ status: 400, body: { details: { field } } })
  expect(reply.text).toContain(text)
  expect(await digest()).toEqual(before)
})

const shipped = (name: string) => {
  const loaded = createShippedLibrary().load(name)
  const made = loaded?.ok === true ? admin.venue.worlds.create(loaded.value, { id: name }) : null
  if (made?.ok !== true) throw new Error('the scenario is shipped')
  const upcoming = async (): Promise<readonly Told[]> =>
    Object((await admin.venue.admin('GET', `/worlds/${name}/view`)).body).upcoming
  const advance = (span: object) => admin.venue.admin('POST', `/worlds/${name}/clock/advance`, span)
  return { upcoming, advance, history: `/worlds/${name}/history` }
}

interface Told {
  readonly at: string
  readonly action: string
}
const told = (rows: readonly Told[]) => rows.map(({ at, action }) => [at, action])

it('what the view says that the script does next, it does', async () => {
  const { upcoming, advance, history } = shipped('flash-crash')
  const planned = await upcoming()
  expect(planned.slice(0, 2)).toEqual([
    {
      ...{ at: '2026-01-05T12:01:00.000Z', action: 'order', id: null, about: 'trader BTC bid' },
      ...{ waitsFor: null, place: 'flash-crash.yaml:22' },
    },
    expect.objectContaining({ about: 'trader BTC far', place: 'flash-crash.yaml:23' }),
  ])
  await advance({ byMs: 2 * 3_600_000 })
  const done: Told[] = []
  for (let from = 0, isWhole = false; !isWhole; ) {
    const page = Object((await admin.venue.admin('GET', `${history}?from=${from}`)).body)
    isWhole = page.isWhole
    from += page.items.length
    for (const { at, type, fields } of page.items)
      if (type === 'scenario.action') done.push({ at, action: fields.action })
  }
  expect(told(done)).toEqual(told(planned))
  expect(await upcoming()).toEqual([])
})

it('the view says when what the script did for a while ends', async () => {
  const { upcoming, advance } = shipped('outage-during-vol')
  const storm = (await upcoming()).find(({ action }) => /rate/i.test(action))
  await advance({ to: storm?.at })
  const ends = (await upcoming()).filter(({ action }) => action.startsWith('end of'))
  const end = new Date(Date.parse(storm?.at ?? '') + 180_000).toISOString()
  expect(told(ends)).toContainEqual([end, `end of ${storm?.action}`])
})

it('the view says what waits for something else', async () => {
  const actions = [
    { at: '+1s', await: { request: { method: 'POST' } }, id: 'asked' },
    { at: 'asked+5s', note: 'later' },
    { when: 'price.BTC.mark > 50000', note: 'many' },
  ]
  const document = {
    version: 1,
    name: 'waits',
    timeline: actions,
    clock: { end: '1h' },
    market: { assets: { BTC: { price: 5 } } },
  }
  const made = await admin.venue.admin('POST', '/worlds', { id: 'waits', scenario: document })
  expect([made.status, made.body]).toEqual([201, expect.anything()])
  const waiting = async () => {
    const { upcoming } = Object((await admin.venue.admin('GET', '/worlds/waits/view')).body)
    return upcoming.map(({ at, action, waitsFor }: Told & { readonly waitsFor: string }) => [
      at,
      action,
      waitsFor,
    ])
  }
  expect(await waiting()).toEqual([
    ['2026-01-05T00:00:01.000Z', 'await', null],
    [null, 'note', 'its condition'],
    [null, 'note', 'asked'],
  ])
  await admin.venue.admin('POST', '/worlds/waits/clock/advance', { byMs: 2000 })
  expect(await waiting()).toEqual([
    [null, 'await', 'what it awaits'],
    [null, 'note', 'its condition'],
    [null, 'note', 'asked'],
  ])
})
