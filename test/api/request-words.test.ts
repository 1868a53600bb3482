import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  describeOutcome,
  describeRequest,
  isFailedRequest,
  type RequestText,
} from '../../src/api/request-words.ts'

const asked = (line: string, body: unknown = undefined): RequestText => {
  const [method = '', target = ''] = line.split(' ')
  const [path = '', query] = target.split('?')
  return {
    method,
    path: `/api/sdk${path}`,
    query: query === undefined ? '' : `?${query}`,
    requestBody: body === undefined ? '' : JSON.stringify(body),
    status: 200,
    responseBody: '',
  }
}

describe('the description of a request', () => {
  it.each([
    ['POST /orders', { side: 'buy', asset: 'BTC', quantity: 0.1, price: 50_000 }, 'buy 0.1 BTC @ 50,000'],
    [
      'POST /orders',
      { side: 'sell', asset: 'ETH', quantity: 1200, orderType: 'market' },
      'sell 1,200 ETH at the market',
    ],
    [
      'POST /orders',
      { side: 'buy', asset: 'BTC', quantity: 1, price: 5, timeInForce: 'IOC', clientOrderId: 'a' },
      'buy 1 BTC @ 5 IOC as a',
    ],
    ['POST /orders', { side: 7 }, '? ? ? at the market'],
    ['POST /orders', undefined, '? ? ? at the market'],
    ['DELETE /orders/ord_7', undefined, 'cancel ord_7'],
    ['PATCH /orders/ord_7', { price: 51_000 }, 'change ord_7: price 51,000'],
    ['POST /orders/batch', { orders: [{}, {}] }, 'place 2 orders'],
    ['GET /orders?status=open&asset=BTC', undefined, 'list orders with status open, asset BTC'],
    ['GET /orders/by-client-id?clientOrderId=x%20y', undefined, 'read the order x y'],
    [
      'POST /quotes',
      { asset: 'BTC', bidPrice: 1000, bidSize: 1, askPrice: 1001, askSize: 2 },
      'quote BTC 1 @ 1,000 / 2 @ 1,001',
    ],
    ['GET /portfolio/balances', undefined, 'read balances'],
    ['GET /market-data/stats/24h', undefined, 'read stats 24h'],
    ['GET /risk/max-quantity?side=buy&asset=BTC', undefined, 'read max quantity with side buy, asset BTC'],
    ['GET /risk/exposure/BTC', undefined, 'read what is held of BTC'],
    ['GET /nowhere?a=%zz', undefined, 'GET /nowhere?a=%zz'],
  ])('%s %j is %s', (line, body, words) => {
    expect(describeRequest(asked(line, body))).toBe(words)
  })

  it('exists for any request', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.string(), fc.json(), (path, query, requestBody) => {
        for (const method of ['GET', 'POST', 'PATCH', 'DELETE'])
          expect(describeRequest({ ...asked('GET /'), method, path, query, requestBody })).toBeTypeOf(
            'string',
          )
      }),
    )
  })
})

describe('the outcome of a request', () => {
  it.each([
    [201, { orderId: 'ord_7', status: 'open', filledQuantity: 0, quantity: 1 }, 'ord_7 open'],
    [
      201,
      { orderId: 'ord_7', status: 'partially_filled', filledQuantity: 0.4, quantity: 1 },
      'ord_7 partially_filled 0.4 of 1',
    ],
    [201, { orderId: 'ord_7', status: 'filled', filledQuantity: 1, quantity: 1 }, 'ord_7 filled 1'],
    [200, { orders: [{}], pagination: { total: 31 } }, '31 orders'],
    [200, { fills: [{}] }, '1 fill'],
    [200, { anything: 1 }, '200'],
    [409, { message: 'the order is already filled' }, '409 the order is already filled'],
    [
      400,
      { message: 'Invalid', details: { field: 'price', reason: 'is required' } },
      '400 Invalid: price is required',
    ],
    [422, { message: 'too large', details: { reason: 'too large' } }, '422 too large'],
    [500, '<html>', '500'],
    [0, '', 'no answer'],
  ])('%i %j is %s', (status, body, words) => {
    const responseBody = typeof body === 'string' ? body : JSON.stringify(body)
    expect(describeOutcome({ ...asked('POST /orders'), status, responseBody })).toBe(words)
  })

  it.each([
    [201, null, 'ord_7 open', false],
    [0, 'before', 'no answer, nothing carried out', true],
    [201, 'after', 'ord_7 open, but its caller was not told', true],
    [201, 'cut', 'ord_7 open, cut off on its way', true],
    [0, null, 'no answer', true],
    [422, null, '422', true],
  ] as const)('%i with the answer lost (%s) is %s', (status, lost, words, isFailed) => {
    const responseBody = status === 201 ? '{"orderId":"ord_7","status":"open"}' : ''
    expect(describeOutcome({ ...asked('POST /orders'), status, responseBody, lost })).toBe(words)
    expect(isFailedRequest({ status, lost })).toBe(isFailed)
  })
})
