// Room: api

import { expect, it } from 'vitest'
import { openDesk } from '../api/desk.ts'

/*
 * Under `body.unknown=ignore` an order with `time_in_force: IOC` became one that rests, without a word. Whatever is
 * ignored is now named in X-Sim-Hint, also where the request is refused. So is a parameter under `query.unknown=ignore`, which was dropped
 * without a word.
 */

const order = { side: 'buy', asset: 'BTC', quantity: 1, price: 40_000 }
const ignoring = { 'body.unknown': 'ignore' }

it.each([
  [{ ...order, time_in_force: 'IOC' }, 201, 'ignored: time_in_force (did you mean timeInForce?)'],
  [{ ...order, zebra: 1, tiF: 'IOC' }, 201, 'ignored: zebra, tiF'],
  [{ ...order, quantity: 900, zebra: 1 }, 422, 'ignored: zebra'],
  [
    { ...order, quantity: 0, time_in_force: 'IOC' },
    400,
    'ignored: time_in_force (did you mean timeInForce?)',
  ],
  [{ side: 'buy', symbol: 'BTC', quantity: 1, '': 1 }, 400, 'ignored: symbol, ""'],
  [{ ...order, metadata: { zebra: 1 } }, 201, null],
] as const)('%j', (body, status, hint) => {
  const desk = openDesk({ readings: ignoring, limits: { maxOpenOrders: 10 } })
  expect(desk.request('alice', 'POST', '/orders', body)).toMatchObject({ status, hint })
})

it('names what was ignored in each item, and bounds what it says', () => {
  const desk = openDesk({ readings: ignoring })
  const batch = desk.request('alice', 'POST', '/orders/batch', {
    orders: [order, { ...order, zebra: 1 }],
    all: 1,
  })
  expect(batch.hint).toBe('ignored: orders[1].zebra, all')
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${'z'.repeat(200)}${at}`, at]))
  const { hint } = desk.request('alice', 'POST', '/orders', { ...order, ...many })
  expect(hint).toContain('and 30 more')
  expect(hint?.length).toBeLessThan(1000)
})

it('takes one name of a field only, and says which two were given', () => {
  const desk = openDesk({ readings: { 'body.names': 'either' } })
  const both = { ...order, timeInForce: 'GTC', time_in_force: 'IOC' }
  expect(desk.request('alice', 'POST', '/orders', both)).toMatchObject({
    status: 400,
    body: {
      message: 'time_in_force and timeInForce are the same field; give one of them',
      details: { field: 'time_in_force' },
    },
  })
  const { body } = desk.request('alice', 'POST', '/orders/batch', {
    orders: [both, { ...order, time_in_force: 'FOK' }],
  })
  expect(body).toMatchObject({ summary: { successful: 1, failed: 1 } })
  expect(desk.request('alice', 'GET', '/orders/ord_1').body).toMatchObject({ timeInForce: 'FOK' })
})

it.each([
  ['/orders?colour=red', 'ignored: colour'],
  ['/orders?statues=open&page=1', 'ignored: statues (did you mean statuses?)'],
  ['/orders/batch?colour=red', 'ignored: zebra; ignored: colour'],
  ['/orders?page=1', null],
  ['/orders?colour=red&page=0', 'ignored: colour'],
  ['/orders/batch?colour=red&colour', 'ignored: zebra; ignored: colour, colour'],
])('%s under query.unknown=ignore', (target, hint) => {
  const desk = openDesk({ readings: { ...ignoring, 'query.unknown': 'ignore' } })
  const answer = target.includes('batch')
    ? desk.request('alice', 'POST', target, { orders: [order], zebra: 1 })
    : desk.request('alice', 'GET', target)
  expect(answer.hint).toBe(hint)
})
