import { expect, it } from 'vitest'
import { quietScenario } from '../../world/scenarios.ts'
import { refusal, useAdminWorld } from './admin-world.ts'

const admin = useAdminWorld(quietScenario)

const balance = async () =>
  (await admin.venue.send({ target: '/api/sdk/portfolio/balances/USD', ...admin.keysOf('trader') })).body

it('money can be deposited and withdrawn', async () => {
  const path = `${admin.path}/accounts/trader`
  expect(await admin.venue.admin('POST', `${path}/deposits`, { asset: 'BTC', quantity: 0.25 })).toMatchObject(
    {
      status: 201,
      body: { account: 'trader', asset: 'BTC', quantity: 0.25, status: 'settled' },
    },
  )
  expect(
    await admin.venue.admin('POST', `${path}/withdrawals`, { asset: 'USD', quantity: 10, pendingMs: 500 }),
  ).toMatchObject({
    status: 201,
    body: { status: 'pending', settlesAt: '2026-01-05T00:00:00.500Z' },
  })
})

it.each([
  ['deposits', 'trader', { asset: 'BTX', quantity: 1 }, 400, 'did you mean BTC?'],
  ['deposits', 'trader', { asset: 'BTC', quantity: 0 }, 400, 'quantity'],
  ['deposits', 'trader', { asset: 'BTC', quantity: 0.123456789 }, 400, 'at most 8 decimals'],
  ['deposits', 'trader', { asset: 'USD', amount: 1, quantity: 1 }, 400, 'amount is not a known field'],
  ['deposits', 'trader', { asset: 'USD', quantity: 9e14 }, 400, 'quantity'],
  ['deposits', 'tradr', { asset: 'USD', quantity: 1 }, 404, 'did you mean trader?'],
  ['withdrawals', 'trader', { asset: 'USD', quantity: 999_999_999 }, 409, 'available'],
])('%s of %s refuse %j', async (kind, account, body, status, text) => {
  const reply = await admin.venue.admin('POST', `${admin.path}/accounts/${account}/${kind}`, body)
  expect(reply).toMatchObject(refusal(status, text))
})

it('money is not changed by refused requests', async () => {
  const before = await balance()
  await admin.venue.admin('POST', `${admin.path}/accounts/trader/withdrawals`, {
    asset: 'USD',
    quantity: 1e9,
  })
  expect(await balance()).toEqual(before)
})
