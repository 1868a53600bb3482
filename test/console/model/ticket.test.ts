import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { leaveOutConsoleId } from '../../../src/console/model/copy-as.ts'
import {
  amendOrder,
  amendPrice,
  cancelLine,
  placeOrder,
  submitQuote,
  toNumber,
} from '../../../src/console/model/ticket.ts'
import { addClientId, signCall } from '../../../src/console/model/venue-call.ts'

const line = { kind: 'quote', id: 'quo_1', side: 'sell' } as const

describe('the ticket', () => {
  it.each([
    ['5', 5],
    [' 5 ', 5],
    ['0.25', 0.25],
    ['.5', 0.5],
    ['-3', -3],
    ['1,234,567.5', 1_234_567.5],
    ['0,5', '0,5'],
    ['1,5', '1,5'],
    ['0,500', '0,500'],
    ['0x10', '0x10'],
    ['1e3', '1e3'],
    ['Infinity', 'Infinity'],
    ['', ''],
    [' ', ' '],
    ['.', '.'],
    [undefined, undefined],
  ])('reads %j as typed', (text, read) => {
    expect(toNumber(text)).toBe(read)
  })

  it.each([
    [
      placeOrder('BTC', { side: 'buy', orderType: 'limit', quantity: '0.1', price: '50,000.5' }),
      [
        'POST',
        '/api/sdk/orders',
        { asset: 'BTC', side: 'buy', orderType: 'limit', quantity: 0.1, price: 50_000.5 },
      ],
    ],
    [
      placeOrder('BTC', { side: 'sell', orderType: 'market', quantity: 'much' }),
      ['POST', '/api/sdk/orders', { asset: 'BTC', side: 'sell', orderType: 'market', quantity: 'much' }],
    ],
    [amendOrder('ord_1', { price: '7' }), ['PATCH', '/api/sdk/orders/ord_1', { price: 7 }]],
    [amendPrice(line, 9), ['PATCH', '/api/sdk/quotes/quo_1', { askPrice: 9 }]],
    [amendPrice({ ...line, side: 'buy' }, 9), ['PATCH', '/api/sdk/quotes/quo_1', { bidPrice: 9 }]],
    [amendPrice({ ...line, kind: 'order' }, 9), ['PATCH', '/api/sdk/orders/quo_1', { price: 9 }]],
    [cancelLine(line), ['DELETE', '/api/sdk/quotes/quo_1', undefined]],
    [
      submitQuote('BTC', { bidPrice: '1', askPrice: '2', validForSeconds: '30' }),
      ['POST', '/api/sdk/quotes', { asset: 'BTC', bidPrice: 1, askPrice: 2, validForSeconds: 30 }],
    ],
  ] as const)('asks for %j', ({ method, path, body }, wanted) => {
    expect([method, path, body]).toEqual(wanted)
  })

  it('signs as the specification says', () => {
    const key = { apiKey: 'k', apiSecret: 's', timestamp: 1700, hashesSecret: false }
    const call = { method: 'PATCH', path: '/api/sdk/orders/ord_1', body: { price: 7 } } as const
    const headers = signCall(call, key)
    const text = '1700PATCH/api/sdk/orders/ord_1{"price":7}'
    expect(headers).toMatchObject({
      'X-API-Timestamp': '1700',
      'X-API-Signature': createHmac('sha256', 's').update(text).digest('hex'),
    })
  })
})

it('gives what makes an order or a quote a client id of its own, and copies nothing of it', () => {
  const id = 'console-1'
  const order = placeOrder('BTC', { side: 'buy', quantity: '1', orderType: 'market' })
  const quote = submitQuote('BTC', { bidPrice: '1', askPrice: '2' })
  expect(addClientId(order, id).body).toMatchObject({ clientOrderId: id })
  expect(addClientId(quote, id).body).toMatchObject({ clientQuoteId: id })
  const cancel = cancelLine({ kind: 'order', id: 'ord_1' })
  expect(addClientId(cancel, id)).toEqual(cancel)
  const sent = { ...order, query: '', requestBody: JSON.stringify(addClientId(order, id).body) }
  expect(leaveOutConsoleId(sent).requestBody).toBe(JSON.stringify(order.body))
})
