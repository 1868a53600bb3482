import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchRoute } from '../../src/api/dispatch.ts'
import { readQuery } from '../../src/api/input/query-string.ts'
import { operationIds, routeOf } from '../../src/api/operations/operations.ts'
import { writeTarget } from '../../src/client/call.ts'
import { inProcess } from './venue.ts'

const strict = { ignoresUnknown: false, clampsNumbers: false }

describe('writeTarget', () => {
  it.each<[string, string | undefined, Parameters<typeof writeTarget>[2], string]>([
    ['/p', undefined, undefined, '/p'],
    ['/p', undefined, {}, '/p'],
    ['/p', undefined, { a: undefined, b: '' }, '/p?b='],
    ['/p', undefined, { 'a b': 'c&d=é' }, '/p?a%20b=c%26d%3D%C3%A9'],
    ['/p', undefined, { assets: ['BTC', 'A,B'] }, '/p?assets=BTC,A%2CB'],
    ['/p', undefined, { price: 1e-7, limit: 50 }, '/p?price=0.0000001&limit=50'],
    ['/p', undefined, { price: 1.5e21 }, '/p?price=1.5e+21'],
    ['/p/:id/fills', 'ord_1', undefined, '/p/ord_1/fills'],
    ['/p/:id', '$& a/b?c#d%2e', undefined, '/p/%24%26%20a%2Fb%3Fc%23d%252e'],
    ['/p/:id', '...', undefined, '/p/...'],
  ])('%s with %s and %o is %s', (path, parameter, query, target) => {
    expect(writeTarget(path, parameter, query)).toBe(target)
  })

  it.each(['', '.', '..', 'batch', 'by-client-id'])('refuses %o for an order', async (id) => {
    const { client, world } = inProcess()
    await client.orders.create({ side: 'buy', asset: 'BTC', quantity: 0.5, price: 40_000 })
    const digest = world.digest()
    const message = `${JSON.stringify(id)} is neither an id nor a symbol`
    await expect(client.orders.cancel(id)).rejects.toThrow(new TypeError(message))
    expect(world.digest()).toBe(digest)
  })

  it('leads any id to the intended operation', () => {
    const meant = operationIds.filter((id) => routeOf(id).path.includes(':'))
    const ids = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    const property = fc.property(fc.constantFrom(...meant), ids, (operation, parameter) => {
      fc.pre(!['.', '..', 'batch', 'by-client-id'].includes(parameter))
      const { method, path } = routeOf(operation)
      const { pathname } = new URL(`http://venue${writeTarget(path, parameter)}`)
      expect(matchRoute(method, pathname)).toEqual({
        kind: 'found',
        operation,
        parameter: encodeURIComponent(parameter),
      })
    })
    fc.assert(property, { seed: 7, numRuns: 300 })
  })

  it('writes queries that the service reads back', () => {
    const schema = {
      type: 'object',
      properties: { text: { type: 'string' }, list: { type: 'array' }, price: { type: 'number' } },
    } as const
    const text = fc.string({ unit: 'grapheme' })
    const list = fc.array(
      text.filter((item) => item !== '' && !item.includes(',')),
      { minLength: 1 },
    )
    const price = fc.tuple(fc.integer({ min: 0, max: 999_999_999 }), fc.integer({ min: 0, max: 15 }))
    const property = fc.property(text, list, price, (word, words, [units, scale]) => {
      const value = { text: word, list: words, price: Number(`${units}e-${scale}`) }
      expect(readQuery(writeTarget('', undefined, value), schema, strict)).toEqual({
        ok: true,
        value: { values: value, ignored: [] },
      })
    })
    fc.assert(property, { seed: 7, numRuns: 300 })
  })
})

describe('cancel-all', () => {
  it('refuses a filter that is undefined, and cancels nothing', async () => {
    const { client } = inProcess()
    await client.orders.create({ side: 'buy', asset: 'BTC', quantity: 0.5, price: 40_000 })
    const message = 'asset is undefined; leave it out to cancel everything'
    await expect(client.orders.cancelAll({ asset: undefined })).rejects.toThrow(new TypeError(message))
    await expect(client.quotes.cancelAll({ asset: undefined })).rejects.toThrow(new TypeError(message))
    await expect(client.orders.cancelAll({ asset: 'NONE' })).rejects.toMatchObject({ statusCode: 400 })
    expect((await client.orders.cancelAll()).cancelledCount).toBe(1)
  })
})
