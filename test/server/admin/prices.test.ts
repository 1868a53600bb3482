import { expect, it } from 'vitest'
import { quietScenario } from '../../world/scenarios.ts'
import { refusal, useAdminWorld } from './admin-world.ts'

const admin = useAdminWorld(quietScenario)

it('a price can be set, at once or over a period', async () => {
  const path = `${admin.path}/market/BTC/price`
  expect(await admin.venue.admin('POST', path, { mid: 60_000 })).toMatchObject({
    status: 200,
    body: { mark: 60_000 },
  })
  expect((await admin.venue.admin('POST', path, { percent: -10 })).body).toMatchObject({ mark: 54_000 })
  const slow = await admin.venue.admin('POST', path, { mid: 58_000, overMs: 10_000 })
  expect(slow.body).toMatchObject({ mark: 54_000, target: 58_000, reachedAt: '2026-01-05T00:00:10.000Z' })
  await admin.venue.admin('POST', `${admin.path}/clock/advance`, { byMs: 10_000 })
  const prices = await admin.venue.send({
    target: '/api/sdk/market-data/prices/BTC',
    ...admin.keysOf('trader'),
  })
  expect(prices.body).toMatchObject({ mid: 58_000 })
})

it.each([
  ['BTC', {}, 400, 'one of mid and percent'],
  ['BTC', { mid: 1, percent: 1 }, 400, 'one of mid and percent'],
  ['BTC', { mid: 50_000.001 }, 400, 'multiple of 0.01'],
  ['BTC', { mid: -1 }, 400, 'mid'],
  ['USD', { mid: 1 }, 404, 'traded asset USD'],
  ['ETHH', { mid: 1 }, 404, 'did you mean ETH?'],
])('the price of %s cannot be set by %j', async (asset, body, status, text) => {
  expect(await admin.venue.admin('POST', `${admin.path}/market/${asset}/price`, body)).toMatchObject(
    refusal(status, text),
  )
})
