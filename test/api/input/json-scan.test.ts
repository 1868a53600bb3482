import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { significantDigits } from '../../../src/api/input/json-scan.ts'
import { readJson, readJsonItems } from '../../../src/api/input/read-body.ts'
import { type InputResult, inputProblem } from '../../../src/api/input-problem.ts'
import { caseBudget } from '../../support/full-run.ts'

const problemIn = (read: InputResult<unknown>) => (read.ok ? null : read.problem)
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
      'would be taken as 12345678901234567000, which is another number: send it as a string',
    ],
    [
      'an integer beyond 2^53 whose neighbour has as many digits',
      '{"metadata":{"id":9007199254740993}}',
      'metadata.id',
      'would be taken as 9007199254740992, which is another number: send it as a string',
    ],
    [
      'nanoseconds',
      '{"metadata":{"sent":{"at":[1763928000123456789]}}}',
      'metadata.sent.at[0]',
      'would be taken as 1763928000123456800, which is another number: send it as a string',
    ],
    [
      'a small double with a digit too many',
      '{"metadata":{"least":4.9e-324}}',
      'metadata.least',
      'would be taken as 5e-324, which is another number: send it as a string',
    ],
    ['33 characters', `{"a":0.${'0'.repeat(30)}1}`, 'a', 'is a number of more than 32 characters'],
    ['an overflow', '{"a":1e400}', 'a', 'is out of the range of numbers'],
    ['an underflow', '{"a":1e-400}', 'a', 'is out of the range of numbers'],
  ])('refuses %s', (_, text, field, reason) => {
    expect(problemIn(readJson(text))).toMatchObject({ field, reason })
  })

  it.each([
    '{"metadata":{"third":0.3333333333333333,"sum":[0.30000000000000004]}}',
    '{"orders":[{"metadata":{"a":{"b":-1.7976931348623157e308}}}]}',
    '{"metadata":{"even":9007199254740994,"micros":1763928000123457000,"small":-0.000000000000000000005e-300}}',
  ])('takes any double in metadata: %s', (text) => {
    expect(readJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
  })

  it('accepts any double everywhere, when asked to', () => {
    expect(readJson('{"toxicity":0.3333333333333333}', 'doubles')).toMatchObject({ ok: true })
    expect(problemIn(readJson('{"toxicity":0.33333333333333333333}', 'doubles'))).toMatchObject({
      reason: 'would be taken as 0.3333333333333333, which is another number',
    })
  })

  it('takes a number of metadata only where it comes back as the same number', () => {
    const digits = (least: number, most: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: most })
    const numberText = fc
      .tuple(
        fc.constantFrom('', '-'),
        digits(1, 22),
        digits(0, 22),
        fc.option(fc.integer({ min: -340, max: 320 })),
      )
      .map(([sign, whole, fraction, exponent]) => {
        const integer = whole.replace(/^0+(?=.)/, '')
        return `${sign}${integer}${fraction === '' ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`
      })
    const nearTwoTo53 = fc.bigInt({ min: 2n ** 53n - 100n, max: 2n ** 64n }).map(String)
    fc.assert(
      fc.property(fc.oneof(numberText, nearTwoTo53), (written) => {
        const reading = readJson(`{"metadata":{"x":${written}}}`)
        if (reading.ok) {
          const { x } = JSON.parse(JSON.stringify(reading.value)).metadata
          expect([written, isSame(written, JSON.stringify(x))]).toEqual([written, true])
        } else expect(reading.problem.field).toBe('metadata.x')
        // What fits easily is not refused.
        const isShort = significantDigits(written) <= 15 && written.length <= 32 && !written.includes('e')
        if (isShort) expect([written, reading.ok]).toEqual([written, true])
      }),
      { seed: 7, numRuns: caseBudget(5_000) },
    )
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
      { seed: 7, numRuns: caseBudget(500) },
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
        if (!isJson) expect(problemIn(reading)).toMatchObject({ reason: 'is not valid JSON' })
      }),
      { seed: 7, numRuns: caseBudget(5_000) },
    )
  })
})

/** Whether two texts are the same number, exactly: as fractions of integers of any length. */
function isSame(left: string, right: string): boolean {
  const [top, bottom] = fractionOf(left)
  const [otherTop, otherBottom] = fractionOf(right)
  return top * otherBottom === otherTop * bottom
}

function fractionOf(text: string): readonly [bigint, bigint] {
  const [number = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = number.split('.')
  const power = Number(exponent) - fraction.length
  const integer = BigInt(whole + fraction)
  return power >= 0 ? [integer * 10n ** BigInt(power), 1n] : [integer, 10n ** BigInt(-power)]
}

describe('readJsonItems', () => {
  it.each([
    ['a repeated key', '{"a":1,"a":2}', 'a', 'is given twice'],
    [
      'a repeated key deep inside',
      '{"metadata":{"x":[{"y":1,"y":2}]},"z":1}',
      'metadata.x[0].y',
      'is given twice',
    ],
    ['a long amount', '{"quantity":0.30000000000000004}', 'quantity', 'has more than 15 significant digits'],
    ['a number alone', '0.30000000000000004', 'body', 'has more than 15 significant digits'],
    ['half a surrogate pair alone', '"\\ud800"', 'body', 'has half a surrogate pair'],
    ['a key with half a surrogate pair', '{"\\ud800":1}', 'body', 'has a key with half a surrogate pair'],
    [
      'a reserved key',
      '{"metadata":{"__proto__":{"a":"]},"}}}',
      'metadata.__proto__',
      'is not an allowed key',
    ],
    ['too many keys', object(257), 'body', 'has more than 256 keys'],
    ['an overflow', '{"price":[1,1e400]}', 'price[1]', 'is out of the range of numbers'],
    ['brackets without end', nested(200_000), `${'[0]'.repeat(15)}`, 'is nested deeper than 16 levels'],
  ])('reports %s with its item', (_, item, field, reason) => {
    const problem = inputProblem(field, reason)
    const list = `[{"a":"],\\""},${item}, 7 ,${item}]`
    expect(readJsonItems(list, '')).toMatchObject({
      ok: true,
      value: { problems: new Map([1, 3].map((index) => [index, problem])) },
    })
    const shallow = { ...problem, field: field.replace('[0]'.repeat(15), '[0]'.repeat(14)) }
    expect(readJsonItems(`{"before":[[]],"orders":${list},"after":[1]}`, 'orders')).toMatchObject({
      ok: true,
      value: { problems: new Map([1, 3].map((index) => [index, shallow])) },
    })
  })

  it.each([
    ['a repeated list', '{"orders":[{"a":1,"a":2}],"orders":[]}', 'orders', 'is given twice'],
    ['a problem beside the list', '{"orders":[],"b":[{"a":1,"a":2}]}', 'b[0].a', 'is given twice'],
    ['a problem below another list', '{"b":{"orders":[{"a":1,"a":2}]}}', 'b.orders[0].a', 'is given twice'],
    ['a problem in something else', '{"orders":{"a":1,"a":2}}', 'orders.a', 'is given twice'],
    ['no JSON', '{"orders":[}', 'body', 'is not valid JSON'],
  ])('refuses %s as a whole', (_, text, field, reason) => {
    expect(problemIn(readJsonItems(text, 'orders'))).toMatchObject({ field, reason })
  })

  it('agrees with readJson about each item', () => {
    const item = fc.constantFrom(
      '{"a":1}',
      '{"a":1,"a":2}',
      '{"b":[0.12345678901234567,{"c":"}"}]}',
      '"],"',
      '7',
      '[[[]]]',
      '{"metadata":{"x":9007199254740993}}',
    )
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 6 }), (items) => {
        const problems = items.flatMap((text, index) => {
          const reading = readJson(text)
          return reading.ok ? [] : [[index, reading.problem] as const]
        })
        expect(readJsonItems(`[${items.join(' , ')}]`, '')).toMatchObject({
          value: { problems: new Map(problems) },
        })
      }),
      { seed: 7, numRuns: caseBudget(300) },
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
