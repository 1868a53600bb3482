// Room: world

import { expect, it } from 'vitest'
import { startFixture } from '../server/venue-fixture.ts'

/* A world created without a scenario has the first world's, and also had the actions that were added there later. */

it('actions added to one world do not happen in another', async () => {
  const { admin, server } = await startFixture()
  const deposit = { at: '+1s', deposit: { account: 'desk', asset: 'USD', quantity: 7 } }
  await admin('POST', '/worlds/default/timeline', { actions: [deposit] })
  await admin('POST', '/worlds', { id: 'other' })
  const eventsIn = async (world: string) => {
    const { body } = await admin('POST', `/worlds/${world}/clock/advance`, { byMs: 2000 })
    return body
  }
  expect(await eventsIn('default')).toMatchObject({
    events: [{ type: 'deposit.settled' }, { type: 'scenario.action' }],
  })
  expect(await eventsIn('other')).toMatchObject({ events: [] })
  await server.close()
})
