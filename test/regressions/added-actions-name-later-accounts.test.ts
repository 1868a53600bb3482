// Room: world

import { expect, it } from 'vitest'
import { useVenue } from '../server/venue-fixture.ts'
import { replayText } from '../world/journals/recorded.ts'

/*
 * A timeline knew only the accounts of its scenario: actions for an account that the admin API had opened were refused
 * as "unknown account".
 */

const venue = useVenue()
const admin = (method: string, path: string, body?: unknown) => venue.admin(method, `/worlds${path}`, body)
const opened = (id: string) => ({ id, balances: { USD: 1_000_000 } })
const gift = (account: string) => ({ at: '+1s', deposit: { account, asset: 'USD', quantity: 7 } })

/** What the next two seconds bring. */
const events = async (world: string) => {
  const { body } = await admin('POST', `/${world}/clock/advance`, { byMs: 2000 })
  return body
}

const given = (account: string) => ({
  events: [
    { type: 'deposit.settled', account, quantity: 7 },
    { type: 'scenario.action', problem: null },
  ],
})

it('takes actions for accounts that were opened later, and keeps them in snapshots, forks and journals', async () => {
  await admin('POST', '', { id: 'later' })
  for (const id of ['bob', 'carol']) await admin('POST', '/later/accounts', opened(id))
  const actions = [
    { limits: { account: 'bob', set: { maxOpenOrders: 3 } } },
    { fault: { match: { account: 'bob' }, type: 'http_error', attributes: { status: 503 } } },
    { order: { account: 'bob', side: 'buy', asset: 'BTC', quantity: 1, price: 100 } },
    gift('carol'),
  ]
  const scheduled = await admin('POST', '/later/timeline', { actions })
  expect(scheduled).toMatchObject({ status: 200, body: { scheduled: 4 } })
  await admin('POST', '/later/accounts', opened('dave'))
  expect((await admin('POST', '/later/timeline', { actions: [gift('dave')] })).status).toBe(200)

  const { body: snapshot } = await admin('POST', '/later/snapshots')
  const [listed] = (await admin('GET', '/later/snapshots')).text.match(/snap_\d+/) ?? []
  const document = await admin('GET', `/later/snapshots/${listed}`)
  const imported = await admin('POST', '/default/snapshots/import', JSON.parse(document.text))
  expect(imported).toMatchObject({ status: 201, body: { digest: Object(snapshot).digest } })
  await admin('POST', '', { id: 'fork', fromSnapshot: Object(imported.body).id })
  const both = { events: [...given('carol').events, ...given('dave').events] }
  expect(await events('later')).toMatchObject(both)
  expect(await events('fork')).toMatchObject(both)

  const { body: now } = await admin('GET', '/later/digest')
  const later = venue.worlds.get('later')
  const journal = later === undefined ? null : venue.worlds.journalOf(later)
  const replay = replayText([...(journal?.text() ?? [])].join(''))
  expect(replay.kind === 'done' ? replay.world.digest() : replay).toBe(Object(now).digest)
})

it('goes back to a start without these accounts and actions, in a fork, too', async () => {
  await admin('POST', '', { id: 'again' })
  await admin('POST', '/again/accounts', opened('bob'))
  await admin('POST', '/again/timeline', { actions: [gift('bob')] })
  const { body } = await admin('POST', '/again/snapshots')
  await admin('POST', '', { id: 'copy', fromSnapshot: Object(body).id })
  for (const world of ['again', 'copy']) {
    expect((await admin('POST', `/${world}/reset`, {})).status).toBe(200)
    expect(await events(world)).toMatchObject({ events: [] })
    // Another account has the row now.
    await admin('POST', `/${world}/accounts`, opened('erin'))
    expect(await admin('POST', `/${world}/timeline`, { actions: [gift('bob')] })).toMatchObject({
      status: 400,
      body: { details: { field: 'actions[0].deposit.account' } },
    })
    await admin('POST', `/${world}/timeline`, { actions: [gift('erin')] })
    expect(await events(world)).toMatchObject(given('erin'))
  }
  await admin('POST', `/again/snapshots/${Object(body).id}/restore`)
  expect(await events('again')).toMatchObject(given('bob'))
})
