import { describe, expect, it } from 'vitest'
import { openDesk } from './desk.ts'

const twoSided = { asset: 'ETH', bidPrice: 2_990, askPrice: 3_010, bidSize: 1, askSize: 2 }

describe('list and get quotes', () => {
  const prepared = (readings = {}) => {
    const desk = openDesk({ readings })
    desk.request('alice', 'POST', '/quotes', { ...twoSided, validForSeconds: 1 }) // qt_1: expired
    desk.advance(1_000)
    desk.request('alice', 'POST', '/quotes', {
      ...twoSided,
      asset: 'BTC',
      bidPrice: 40_000,
      askPrice: 60_000,
    }) // qt_2
    desk.request('bob', 'POST', '/quotes', { ...twoSided, bidPrice: 2_000, askPrice: 4_000 }) // qt_3
    desk.request('alice', 'POST', '/quotes', twoSided) // qt_4: partially filled
    desk.request('bob', 'POST', '/orders', { side: 'sell', asset: 'ETH', quantity: 0.5, price: 2_990 })
    return desk
  }
  const idsOf = (body: object) =>
    'quotes' in body && Array.isArray(body.quotes) ? body.quotes.map((quote) => quote.quoteId) : body

  it.each([
    ['', ['qt_4', 'qt_2', 'qt_1'], 3],
    ['?status=active', ['qt_2'], 1],
    ['?status=expired', ['qt_1'], 1],
    ['?asset=ETH', ['qt_4', 'qt_1'], 2],
    ['?asset=DOGE', [], 0],
    ['?limit=1&offset=1', ['qt_2'], 3],
    ['?offset=9', [], 3],
  ])('%s', (query, ids, total) => {
    const { body } = prepared().request('alice', 'GET', `/quotes${query}`)
    expect(idsOf(body)).toEqual(ids)
    expect(body).toMatchObject({ pagination: { total } })
  })

  it('has the nine fields', () => {
    expect(prepared().request('alice', 'GET', '/quotes?status=active').body).toEqual({
      quotes: [
        {
          quoteId: 'qt_2',
          asset: 'BTC',
          bidPrice: 40_000,
          askPrice: 60_000,
          bidSize: 1,
          askSize: 2,
          status: 'active',
          expiresAt: '2026-01-05T00:00:31.000Z',
          createdAt: '2026-01-05T00:00:01.000Z',
        },
      ],
      pagination: { limit: 50, offset: 0, total: 1 },
    })
  })

  it.each(['?status=partially_filled', '?status=open', '?limit=101', '?offset=-1', '?page=1'])(
    'refuses %s',
    (query) => {
      expect(prepared().request('alice', 'GET', `/quotes${query}`).status).toBe(400)
    },
  )

  it('lists the documented statuses when it refuses another', () => {
    const details = { field: 'status', reason: 'must be one of active, expired, filled, cancelled' }
    for (const word of ['open', 'partially_filled'])
      expect(openDesk().request('alice', 'GET', `/quotes?status=${word}`).body).toMatchObject({ details })
  })

  it('filters by undocumented statuses under the reading', () => {
    const desk = prepared({ 'filters.unlisted': 'accept' })
    expect(idsOf(desk.request('alice', 'GET', '/quotes?status=partially_filled').body)).toEqual(['qt_4'])
  })

  it.each(['qt_3', 'qt_9', 'ord_1', ''])('does not find %s', (id) => {
    const desk = prepared()
    const expected = id === '' ? 'The' : 'The quote does not exist'
    expect(desk.request('alice', 'GET', `/quotes/${id}`)).toMatchObject({ status: 404 })
    if (id !== '')
      expect(desk.request('alice', 'DELETE', `/quotes/${id}`)).toMatchObject({
        status: 404,
        body: { message: expected, details: { type: 'QUOTE_NOT_FOUND' } },
      })
  })
})
