import { beforeEach, describe, expect, it } from 'vitest'
import { useVenue } from '../venue-fixture.ts'

const venue = useVenue()
beforeEach(() => venue.worlds.default.limiter.reset())

const order = '"side":"buy","asset":"BTC","quantity":0.5,"price":40000'
const post = (body: string) => venue.send({ method: 'POST', target: '/api/sdk/orders', body })

describe('malformed bodies', () => {
  it.each([
    ['nothing', ''],
    ['spaces', '   '],
    ['null', 'null'],
    ['true', 'true'],
    ['a number', '1'],
    ['a text', '"x"'],
    ['a list', '[]'],
    ['two objects', '{}{}'],
    ['a trailing comma', `{${order},}`],
    ['a comment', `{${order}/* x */}`],
    ['single quotes', "{'side':'buy'}"],
    ['NaN', `{${order.replace('0.5', 'NaN')}}`],
    ['Infinity', `{${order.replace('0.5', 'Infinity')}}`],
    ['+1', `{${order.replace('0.5', '+1')}}`],
    ['.5', `{${order.replace('0.5', '.5')}}`],
    ['5.', `{${order.replace('0.5', '5.')}}`],
    ['01', `{${order.replace('0.5', '01')}}`],
    ['0x1', `{${order.replace('0.5', '0x1')}}`],
    ['1_000', `{${order.replace('0.5', '1_000')}}`],
    ['a key given twice', `{${order},"quantity":99999}`],
    ['a prototype key', `{${order},"metadata":{"__proto__":{"x":1}}}`],
    ['a constructor key', `{${order},"constructor":1}`],
    ['17 levels', `{${order},"metadata":{"a":${'['.repeat(17)}${']'.repeat(17)}}}`],
    ['half a million brackets', `${'['.repeat(500_000)}`],
    ['a raw control character', `{${order},"clientOrderId":"a\u0001b"}`],
    ['half a surrogate pair', `{${order},"clientOrderId":"\\ud800"}`],
    ['NUL in an id', `{${order},"clientOrderId":"a\\u0000b"}`],
    ['a number of 33 characters', `{${order.replace('0.5', `0.5${'0'.repeat(33)}`)}}`],
    ['a number beyond doubles', `{${order.replace('0.5', '1e999')}}`],
    ['257 keys', `{${order},"metadata":{${Array.from({ length: 257 }, (_, at) => `"k${at}":1`).join()}}}`],
    ['a list of 100,000', `{${order},"metadata":{"a":[${'1,'.repeat(99_999)}1]}}`],
    ['a look-alike name', `{${order.replace('quantity', 'quant\u0131ty')}}`],
  ])('%s: 400, nothing happens, and nothing of ours leaks', async (_name, body) => {
    const before = venue.worlds.default.digest()
    const reply = await post(body)
    expect(reply.status).toBe(400)
    expect(reply.body).toEqual({
      statusCode: 400,
      message: expect.any(String),
      error: 'Bad Request',
      details: expect.any(Object),
    })
    expect(reply.text).not.toMatch(/JSON\.parse|position \d|Unexpected|node_modules|\.ts\b/)
    expect(venue.worlds.default.digest()).toBe(before)
    expect(venue.reports).toEqual([])
  })

  it('may use names that only look dangerous', async () => {
    const metadata = { toJSON: 1, length: 1e9, hasOwnProperty: 1 }
    const reply = await post(`{${order},"metadata":${JSON.stringify(metadata)}}`)
    expect(reply).toMatchObject({ status: 201, body: { metadata } })
  })
})
