import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJson, significantDigits } from '../../../src/api/input/json-scan.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const object = (keys: number) =>
  `{${Array.from({ length: keys }, (_, index) => `"k${index}":${index}`).join(',')}}`

describe('readJson', () => {
  it.each([
    ['an object', '{"a":1,"b":[true,false,null]}'],
    ['white space everywhere', ' \t\r\n{ "a" : [ 1 , 2 ] } '],
    ['an empty string and key', '{"":""}'],
    ['escapes in a value', '{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041"}'],
    ['braces in a string', '{"a":"}{][\\","}'],
    ['a surrogate pair, raw and escaped', '{"a":"😀\\ud83d\\ude00"}'],
    ['the same key in two objects', '{"a":{"x":1},"b":{"x":2},"x":3}'],
    ['the same key in neighbours of an array', '[{"x":1},{"x":2}]'],
    ['15 significant digits', '{"a":123456789.012345}'],
    ['zeros that add no digits', '{"a":[0.00000000000000000001,10000000000000000000,1.000000000000000000]}'],
    ['a number of 32 characters', `{"a":0.${'0'.repeat(29)}1}`],
    ['zero in every form', '[0,-0,0.0,0e5]'],
    ['16 levels', nested(16)],
    ['256 keys', object(256)],
    ['keys of Object.prototype that do no harm', '{"toJSON":1,"length":1e9,"hasOwnProperty":1}'],
  ])('takes %s', (_, text) => {
    expect(readJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
  })

  it.each([
    ['nothing', '', 'body', 'is not valid JSON'],
    ['blanks', '  ', 'body', 'is not valid JSON'],
    ['a trailing comma', '{"a":1,}', 'body', 'is not valid JSON'],
    ['a comment', '{/**/}', 'body', 'is not valid JSON'],
    ['NaN', 'NaN', 'body', 'is not valid JSON'],
    ['+1', '+1', 'body', 'is not valid JSON'],
    ['01', '01', 'body', 'is not valid JSON'],
    ['1_000', '1_000', 'body', 'is not valid JSON'],
    ['single quotes', "{'a':1}", 'body', 'is not valid JSON'],
    ['two values', '{}{}', 'body', 'is not valid JSON'],
    ['a raw control character', '{"a":"\u0001"}', 'body', 'is not valid JSON'],
    ['a byte order mark', '\ufeff{}', 'body', 'starts with a byte order mark'],
    ['a duplicate key', '{"quantity":1,"quantity":9}', 'quantity', 'is given twice'],
    ['a duplicate key in disguise', '{"quantity":1,"quantit\\u0079":9}', 'quantity', 'is given twice'],
    ['a duplicate key deep inside', '{"a":[0,{"b":{"c":1,"d":2,"c":3}}]}', 'a[1].b.c', 'is given twice'],
    ['a duplicate after a nested object', '{"a":{"b":1},"c":2,"a":3}', 'a', 'is given twice'],
    ['__proto__', '{"__proto__":{"x":1}}', '__proto__', 'is not an allowed key'],
    ['constructor', '{"metadata":{"constructor":1}}', 'metadata.constructor', 'is not an allowed key'],
    ['prototype, escaped', '[{"prototyp\\u0065":1}]', '[0].prototype', 'is not an allowed key'],
    [
      '17 levels',
      nested(17),
      '[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]',
      'is nested deeper than 16 levels',
    ],
    ['257 keys', `{"m":${object(257)}}`, 'm', 'has more than 256 keys'],
    ['a lone surrogate', '{"a":"\\ud800"}', 'a', 'has half a surrogate pair'],
    ['a lone low surrogate', '{"a":["x","\\udc00"]}', 'a[1]', 'has half a surrogate pair'],
    ['a lone surrogate, raw', '"\ud800"', 'body', 'has half a surrogate pair'],
    ['a lone surrogate in a key', '{"a":{"\\ud800":1}}', 'a', 'has a key with half a surrogate pair'],
    ['16 significant digits', '{"a":0.1234567890123456}', 'a', 'has more than 15 significant digits'],
    ['0.1 + 0.2', '{"a":[1,0.30000000000000004]}', 'a[1]', 'has more than 15 significant digits'],
    [
      '17 digits beside metadata',
      '{"metadata":{},"a":0.30000000000000004}',
      'a',
      'has more than 15 significant digits',
    ],
    [
      '17 digits for metadata',
      '{"metadata":0.30000000000000004}',
      'metadata',
      'has more than 15 significant digits',
    ],
    [
      'digits in metadata that a double loses',
      '{"metadata":{"id":12345678901234567890}}',
      'metadata.id',
      'has more than 15 significant digits',
    ],
    ['33 characters', `{"a":0.${'0'.repeat(30)}1}`, 'a', 'is a number of more than 32 characters'],
    ['an overflow', '{"a":1e400}', 'a', 'is out of the range of numbers'],
    ['an underflow', '{"a":1e-400}', 'a', 'is out of the range of numbers'],
  ])('refuses %s', (_, text, field, reason) => {
    expect(readJson(text)).toMatchObject({ ok: false, flaw: { field, reason } })
  })

  it.each([
    '{"metadata":{"third":0.3333333333333333,"sum":[0.30000000000000004]}}',
    '{"orders":[{"metadata":{"a":{"b":-1.7976931348623157e308}}}]}',
  ])('takes any double in metadata: %s', (text) => {
    expect(readJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
  })

  it('accepts any double everywhere when asked to', () => {
    expect(readJson('{"toxicity":0.3333333333333333}', 'doubles')).toMatchObject({ ok: true })
    expect(readJson('{"toxicity":0.33333333333333333333}', 'doubles')).toMatchObject({ ok: false })
  })

  it('refuses a million brackets without overflowing a stack', () => {
    expect(readJson(nested(500_000))).toMatchObject({ ok: false })
  })

  it('reads back unchanged what JSON.stringify writes of harmless values', () => {
    const harmless = fc.object({
      maxDepth: 4,
      key: fc.string().filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key)),
      values: [fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null)],
    })
    fc.assert(
      fc.property(harmless, (value) => {
        expect(readJson(JSON.stringify(value))).toEqual({ ok: true, value })
      }),
      { seed: 7, numRuns: 500 },
    )
  })

  it('agrees with JSON.parse on which texts are JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:0123.-eE\\u ntf') }), (text) => {
        const isJson = (() => {
          try {
            JSON.parse(text)
            return true
          } catch {
            return false
          }
        })()
        const reading = readJson(text)
        if (reading.ok) expect(isJson).toBe(true)
        if (!isJson) expect(reading).toMatchObject({ ok: false, flaw: { reason: 'is not valid JSON' } })
      }),
      { seed: 7, numRuns: 5_000 },
    )
  })
})

describe('significantDigits', () => {
  it.each([
    ['0', 0],
    ['-0.000', 0],
    ['1', 1],
    ['1000', 1],
    ['0.001000', 1],
    ['1001', 4],
    ['-10.50', 3],
    ['1.5e100', 2],
    ['100200e3', 4],
  ])('of %s are %i', (token, digits) => {
    expect(significantDigits(token)).toBe(digits)
  })
})
