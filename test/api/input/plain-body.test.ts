import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainBody, readJson } from '../../../src/api/input/read-body.ts'
import { routeOf } from '../../../src/api/operations/operations.ts'

const row = routeOf('createOrder')
const names = Object.keys(row.body?.properties ?? {})

/** Amounts in steps of 10^-8, and numbers near to what a text would change or the venue refuse. */
const numbers = fc.oneof(
  fc.integer({ min: 0, max: 1e15 }).map((units) => units / 1e8),
  fc.integer({ min: 0, max: 1e7 }).map((units) => units / 1e2),
  fc.constantFrom(0, -0, -1, 1e-6, 1e-7, 0.1 + 0.2, 1 / 3, 1e15, 2 ** 53, 1e21, 1e300, Number.NaN, Infinity),
  fc.double(),
)
const fields = fc.oneof(
  numbers,
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('buy', 'BTC', null, undefined, true, [], {}, new Date(0), 'a"b', 'a\\b', '\u007f', '\n'),
)
const bodies = fc.dictionary(fc.constantFrom(...names, 'toJSON', 'constructor', '__proto__', 'é'), fields, {
  maxKeys: 4,
  noNullPrototype: false,
})

describe('plainBody', () => {
  it('is what the text of the body would be read as', () => {
    let plain = 0
    const property = fc.property(bodies, (body) => {
      const found = plainBody(row, body)
      if (found === null) return
      plain += 1
      expect(readJson(JSON.stringify(body))).toStrictEqual({ ok: true, value: found })
      expect(found).not.toBe(body)
    })
    fc.assert(property, { seed: 7, numRuns: 3000 })
    expect(plain).toBeGreaterThan(300)
  })

  it('takes an order as strategies send it', () => {
    const order = { side: 'buy', asset: 'BTC', quantity: 0.0123, price: 45_678.91, clientOrderId: 'bid 7' }
    expect(plainBody(row, order)).toEqual(order)
  })

  it.each<[string, unknown]>([
    ['an unknown field', { quantitty: 1 }],
    ['a field that JSON leaves out', { price: undefined }],
    ['metadata', { metadata: {} }],
    ['a list', [1]],
    ['an object of a class', Object.create({ price: 1 })],
    ['too many digits', { price: 0.1 + 0.2 }],
    ['a number that JSON does not have', { price: Number.NaN }],
    ['minus zero', { price: -0 }],
    ['an escape', { asset: 'B"TC' }],
    ['half a surrogate pair', { asset: '\ud800' }],
    ['no object', 'BTC'],
    ['nothing', undefined],
  ])('leaves %s to the text', (_what, body) => {
    expect(plainBody(row, body)).toBeNull()
  })

  it('leaves everything to the text where no body is read', () => {
    expect(plainBody(routeOf('getOrder'), { price: 1 })).toBeNull()
  })
})
