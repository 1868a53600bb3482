import { expect, it } from 'vitest'
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
