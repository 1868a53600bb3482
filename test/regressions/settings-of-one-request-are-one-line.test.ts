// Room: world

import { beforeEach, describe, expect, it } from 'vitest'
import { millis } from '../../src/numeric/units.ts'
import type { World } from '../../src/world/world.ts'
import { useVenue } from '../server/venue-fixture.ts'
import { forgeJournal, replayText } from '../world/journals/recorded.ts'

/*
 * A PATCH of an account or a pair with several fields wrote a line of the journal for each of them: a process that was
 * killed between two lines came back with half of what was asked for.
 */

const venue = useVenue()

let made = 0
let world: World
let path = ''
beforeEach(async () => {
  made += 1
  const id = `w-${made}`
  path = `/worlds/${id}`
  await venue.admin('POST', '/worlds', { id })
  const found = venue.worlds.get(id)
  if (found === undefined) throw new Error('it was created')
  world = found
})

const journalLines = (): string[] =>
  [...(venue.worlds.journalOf(world)?.text() ?? [])].join('').split('\n').slice(0, -1)
const state = () => ({ digest: world.digest(), sequence: world.sequence, lines: journalLines().length })

describe.each<[string, string, object]>([
  [
    'an account',
    '/accounts/trader',
    { type: 'margin', limits: { maxOpenOrders: 3 }, fees: { takerBps: 7, makerBps: -1 } },
  ],
  ['a pair', '/pairs/BTC-USD', { status: 'inactive', minQuantity: 0.5, minNotional: 20 }],
])('several settings of %s', (_what, place, change) => {
  it('are one line, from which they come again, and come to the same as one after the other', async () => {
    const before = state()
    expect((await venue.admin('PATCH', path + place, change)).status).toBe(200)
    const after = state()
    expect([after.sequence, after.lines]).toEqual([before.sequence + 1, before.lines + 1])
    expect(after.digest).not.toBe(before.digest)
    const replay = replayText(`${journalLines().join('\n')}\n`)
    if (replay.kind !== 'done') throw new Error(JSON.stringify(replay))
    expect(replay.world.digest()).toBe(after.digest)

    await venue.admin('POST', `${path}/reset`)
    for (const [field, value] of Object.entries(change))
      expect((await venue.admin('PATCH', path + place, { [field]: value })).status).toBe(200)
    expect(world.digest()).toBe(after.digest)
    const inLines = replayText(`${journalLines().join('\n')}\n`)
    expect(inLines.kind === 'done' && inLines.world.digest()).toBe(after.digest)
  })

  it('are made together or, when the line cannot be written, not at all', async () => {
    const before = world.digest()
    world.observe({
      afterCommand: () => {},
      beforeChange: () => {
        throw new Error('the disk is full')
      },
    })
    expect((await venue.admin('PATCH', path + place, change)).status).toBe(500)
    expect(world.digest()).toBe(before)
  })
})

it.each<[string, string, object, number]>([
  ['a wrong limit', '/accounts/trader', { fees: { takerBps: 7 }, limits: { maxOpenOrders: -1 } }, 400],
  ['a wrong rate', '/accounts/trader', { limits: { maxOpenOrders: 3 }, fees: { takerBps: 'x' } }, 400],
  ['an account in debt', '/accounts/trader', { type: 'cash', fees: { takerBps: 7 } }, 409],
  ['an account in debt, alone', '/accounts/trader', { type: 'cash' }, 409],
  ['a wrong bound', '/pairs/BTC-USD', { status: 'inactive', minQuantity: 0.00001 }, 400],
])('%s refuses all of them', async (_why, place, change, status) => {
  await venue.admin('PATCH', `${path}/accounts/trader`, { type: 'margin', limits: { maxLeverage: 3 } })
  const account = world.venue.state.accounts.rowOf('trader')
  const held = world.venue.state.ledger.available(account, 1) / 1e8
  await venue.send({
    method: 'POST',
    target: '/api/sdk/orders',
    body: JSON.stringify({ side: 'buy', asset: 'BTC', quantity: 5, price: 50_000 }),
    apiKey: `simk_${world.id}_desk`,
    apiSecret: `sims_${world.id}_desk`,
  })
  const short = await venue.send({
    method: 'POST',
    target: '/api/sdk/orders',
    body: JSON.stringify({ side: 'sell', asset: 'BTC', quantity: held + 1, price: 50_000 }),
    apiKey: `simk_${world.id}_trader`,
    apiSecret: `sims_${world.id}_trader`,
  })
  expect(short.status, short.text).toBe(201)
  const before = state()
  expect((await venue.admin('PATCH', path + place, change)).status).toBe(status)
  expect(state()).toEqual(before)
})

it.each<[string, object]>([
  ['no setting', { kind: 'advance' }],
  ['an account that is not there', { kind: 'set-fees', account: 99, makerRate: 0, takerRate: 0 }],
  ['an asset that is not there', { kind: 'resume', asset: 9 }],
])('a journal with %s among them is damaged', async (_what, setting) => {
  world.execute({ kind: 'advance', at: millis(world.now + 1) })
  await venue.admin('PATCH', `${path}/pairs/BTC-USD`, { status: 'inactive', minQuantity: 0.5 })
  const text = forgeJournal(journalLines(), (line) => {
    const change = line['change']
    if (typeof change === 'object' && change !== null) Reflect.set(change, 'settings', [setting])
  })
  expect(replayText(text)).toMatchObject({ kind: 'damaged', damage: { line: 3 } })
})
