import { afterEach, beforeEach, expect, it } from 'vitest'
import { startFixture, type VenueFixture } from '../server/venue-fixture.ts'

let venue: VenueFixture
beforeEach(async () => {
  venue = await startFixture()
})
afterEach(() => venue.server.close())

const add = (rule: object) =>
  venue.admin('POST', '/worlds/default/faults', { type: 'canned_answer', ...rule })
const place = () =>
  venue.send({
    method: 'POST',
    target: '/api/sdk/orders',
    body: '{"side":"buy","asset":"BTC","quantity":0.5,"price":40000}',
  })
const placed = async () => (await venue.send({ target: '/api/sdk/orders' })).body

it('a canned answer is any JSON, unchanged, instead of the operation', async () => {
  const body = '{"orderId": "ord_77", "status": "pending_review", "quantity": 1.50}'
  await add({ match: { method: 'POST' }, count: 1, attributes: { status: 202, body } })
  const reply = await place()
  expect([reply.status, reply.text]).toEqual([202, body])
  expect(reply.headers['content-type']).toBe('application/json')
  expect(await placed()).toMatchObject({ orders: [] })
})

it('a canned answer may come after the operation', async () => {
  await add({ match: { method: 'POST' }, count: 1, phase: 'after', attributes: { body: '[]' } })
  const reply = await place()
  expect([reply.status, reply.text]).toEqual([200, '[]'])
  expect(await placed()).toMatchObject({ orders: [{ orderId: 'ord_1' }] })
})
