import { describe, expect, it } from 'vitest'
import { openDesk } from './desk.ts'

const twoSided = { asset: 'ETH', bidPrice: 2_990, askPrice: 3_010, bidSize: 1, askSize: 2 }

describe('update quote', () => {
  const live = (readings = {}) => {
    const desk = openDesk({ readings })
    desk.request('alice', 'POST', '/quotes', twoSided)
    desk.advance(500)
    return desk
  }

  it('changes the given fields, and counts a new validity from now', () => {
    const desk = live()
    expect(
      desk.request('alice', 'PATCH', '/quotes/qt_1', { bidPrice: 2_980, askSize: 5, validForSeconds: 60 }),
    ).toMatchObject({
      status: 200,
      body: {
        bidPrice: 2_980,
        askPrice: 3_010,
        bidSize: 1,
        askSize: 5,
        status: 'active',
        validForSeconds: 60,
        expiresAt: '2026-01-05T00:01:00.500Z',
        updatedAt: '2026-01-05T00:00:00.500Z',
      },
    })
  })

  it.each([
    ['now', '2026-01-05T00:01:00.500Z'],
    ['created', '2026-01-05T00:01:00.000Z'],
    ['expiry', '2026-01-05T00:01:30.000Z'],
  ])('extends from %s by reading', (reading, expiresAt) => {
    const desk = live({ 'quotes.extend': reading })
    expect(desk.request('alice', 'PATCH', '/quotes/qt_1', { validForSeconds: 60 }).body).toMatchObject({
      expiresAt,
    })
  })

  it.each([
    ['nothing', {}, 'bidPrice'],
    ['only null', { askSize: null }, 'bidPrice'],
    ['an unknown field', { price: 1 }, 'price'],
    ['a crossed quote', { bidPrice: 3_010 }, 'bidPrice'],
    ['no size at all', { bidSize: 0, askSize: 0 }, 'bidSize'],
  ])('refuses %s and changes nothing', (_, body, field) => {
    const desk = live()
    const before = desk.venue.digest()
    expect(desk.request('alice', 'PATCH', '/quotes/qt_1', body)).toMatchObject({
      status: 400,
      body: { details: { field } },
    })
    expect(desk.venue.digest()).toBe(before)
  })

  it.each([
    ['409', 409, 409],
    ['404', 404, 404],
    ['400', 400, 400],
    ['200', 409, 200],
  ])('of a done quote with reading %s: update %i, cancel %i', (reading, update, cancel) => {
    const desk = live({ 'quotes.terminal': reading })
    expect(desk.request('alice', 'DELETE', '/quotes/qt_1')).toEqual({
      status: 200,
      body: { quoteId: 'qt_1', status: 'cancelled', cancelledAt: '2026-01-05T00:00:00.500Z' },
      hint: null,
    })
    expect(desk.request('alice', 'PATCH', '/quotes/qt_1', { bidPrice: 2_980 }).status).toBe(update)
    expect(desk.request('alice', 'DELETE', '/quotes/qt_1').status).toBe(cancel)
  })
})

describe('cancel all and bulk update', () => {
  const prepared = (readings = {}) => {
    const desk = openDesk({ readings })
    desk.request('alice', 'POST', '/quotes', twoSided)
    desk.request('alice', 'POST', '/quotes', {
      ...twoSided,
      asset: 'BTC',
      bidPrice: 40_000,
      askPrice: 60_000,
    })
    return desk
  }

  it.each([
    ['', ['qt_1', 'qt_2']],
    ['{"asset":"BTC"}', ['qt_2']],
  ])('cancels with the body %s', (body, ids) => {
    expect(prepared().request('alice', 'DELETE', '/quotes', body).body).toEqual({
      cancelledCount: ids.length,
      cancelledQuotes: ids,
    })
  })

  it.each(['{"aset":"BTC"}', '{"asset":null}', '{"asset":"DOGE"}', '[]'])(
    'cancels nothing with %s',
    (body) => {
      const desk = prepared()
      const before = desk.venue.digest()
      expect(desk.request('alice', 'DELETE', '/quotes', body).status).toBe(400)
      expect(desk.venue.digest()).toBe(before)
    },
  )

  it('updates each quote all or nothing, on its own', () => {
    const desk = prepared()
    const updates = [
      { quoteId: 'qt_1', askSize: 3 },
      7,
      { quoteId: 'qt_9', askSize: 3 },
      { quoteId: 'qt_2', bidPrice: 41_000, askPrice: 40_000 },
      { quoteId: 'qt_2' },
      { quoteId: 'qt_1', validForSeconds: 5 },
      { bidPrice: 5 },
      { quoteId: 'qt_1', askSize: 0.1 + 0.2 },
      { quoteId: 'qt_9' },
    ]
    expect(desk.request('alice', 'PATCH', '/quotes/batch/update', updates)).toEqual({
      status: 200,
      body: {
        results: [
          { success: true, quoteId: 'qt_1' },
          { success: false, quoteId: null, error: 'item must be an object', index: 1 },
          { success: false, quoteId: 'qt_9', error: 'The quote does not exist', index: 2 },
          { success: false, quoteId: 'qt_2', error: 'bidPrice must be lower than askPrice', index: 3 },
          { success: false, quoteId: 'qt_2', error: 'bidPrice or another field must be given', index: 4 },
          { success: false, quoteId: 'qt_1', error: 'validForSeconds is not a known field', index: 5 },
          { success: false, quoteId: null, error: 'quoteId is required', index: 6 },
          { success: false, quoteId: 'qt_1', error: 'askSize has more than 15 significant digits', index: 7 },
          { success: false, quoteId: 'qt_9', error: 'bidPrice or another field must be given', index: 8 },
        ],
        summary: { total: 9, successful: 1, failed: 8 },
      },
      hint: null,
    })
    expect(desk.request('alice', 'GET', '/quotes/qt_2').body).toMatchObject({
      bidPrice: 40_000,
      askPrice: 60_000,
    })
  })

  it('reports malformed text inside an item as a failure of that item', () => {
    const items = [
      '{"quoteId":"qt_1","askSize":3,"askSize":4}',
      '{"quoteId":"qt_1","quoteId":"qt_2","askSize":3}',
      '{"quoteId":"qt_2","askSize":3}',
    ]
    expect(
      prepared().request('alice', 'PATCH', '/quotes/batch/update', `[${items.join(',')}]`),
    ).toMatchObject({
      status: 200,
      body: {
        results: [
          { success: false, quoteId: 'qt_1', error: 'askSize is given twice', index: 0 },
          { success: false, quoteId: null, error: 'quoteId is given twice', index: 1 },
          { success: true, quoteId: 'qt_2' },
        ],
      },
    })
  })

  it.each([
    ['{}', 'must be an array'],
    ['[]', 'must not be empty'],
  ])('refuses %s', (body, reason) => {
    expect(prepared().request('alice', 'PATCH', '/quotes/batch/update', body)).toMatchObject({
      status: 400,
      body: { details: { field: 'body', reason } },
    })
  })

  it('shows failures in the other shape under the reading', () => {
    const desk = prepared({ 'bulk.failure': 'plain' })
    expect(
      desk.request('alice', 'PATCH', '/quotes/batch/update', [{ quoteId: 'qt_9', askSize: 1 }]).body,
    ).toMatchObject({
      results: [{ success: false, quoteId: 'qt_9' }],
    })
  })
})
