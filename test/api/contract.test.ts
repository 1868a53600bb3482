import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { formatId, type IdKind, parseId } from '../../src/api/answer.ts'
import { errorTypes } from '../../src/api/error-types.ts'
import { errorBody, phrases, problemStatus, problems } from '../../src/api/errors.ts'
import { validate } from '../../src/api/input/read-body.ts'
import * as common from '../../src/api/operations/common.ts'
import { operationIds, routeOf } from '../../src/api/operations/operations.ts'
import type * as order from '../../src/api/operations/orders.ts'
import {
  defaultReadings,
  isReadingKey,
  listValues,
  readingEntries,
  readingKeys,
  resolveReadings,
} from '../../src/api/readings/readings.ts'
import { listOf, object } from '../../src/api/wire-shapes.ts'
import type { RecordOf, Shape } from '../../src/shape/shape.ts'

describe('RecordOf', () => {
  it('distinguishes required fields from optional ones', () => {
    type Body = RecordOf<typeof order.createOrderBody>
    expectTypeOf<Body['side']>().toEqualTypeOf<'buy' | 'sell'>()
    expectTypeOf<Body['price']>().toEqualTypeOf<number | null | undefined>()
    expectTypeOf<Body['orderType']>().toEqualTypeOf<'limit' | 'market' | null | undefined>()
    expectTypeOf<RecordOf<typeof order.order>['averagePrice']>().toEqualTypeOf<number | null>()
  })

  it('requires every field of a closed object', () => {
    const schema = object({ a: common.number, b: listOf(common.text) })
    expectTypeOf<RecordOf<typeof schema>>().toMatchTypeOf<{
      readonly a: number
      readonly b: readonly string[]
    }>()
    expect(validate(schema, { a: 1, b: [] }).ok).toBe(true)
    expect(validate(schema, { a: 1 }).ok).toBe(false)
    expect(validate(schema, { a: 1, b: [], c: 2 }).ok).toBe(false)
  })
})

describe('validate', () => {
  it('does not accept inherited properties as given', () => {
    const schema = { type: 'object', required: ['toString'], properties: {} } as const satisfies Shape
    expect(validate(schema, {}).ok).toBe(false)
  })

  it.each(operationIds)('compiles the schemas of %s', (operation) => {
    const { query, body, bodyItem, response } = routeOf(operation)
    for (const schema of [query, body, bodyItem, response])
      if (schema !== null) expect(() => validate(schema, 0)).not.toThrow()
  })
})

describe('errors', () => {
  it('have exactly the nine type names', () => {
    const types = Object.values(problems).flatMap(({ type }) => (type === null ? [] : [type]))
    expect(types.toSorted()).toEqual([...errorTypes].toSorted())
  })

  it('have a phrase for every status, and a sentence for every problem', () => {
    for (const { status, message } of Object.values(problems)) {
      expect(phrases[status]).toMatch(/^[A-Z]/)
      expect(message).toMatch(/^[A-Z]/)
    }
  })

  it('have exactly four fields by default', () => {
    for (const code of Object.keys(problems)) {
      if (!isProblemCode(code)) continue
      const body = errorBody({ code }, defaultReadings)
      expect(Object.keys(body)).toEqual(['statusCode', 'message', 'error', 'details'])
      expect(body.statusCode).toBe(problems[code].status)
    }
  })

  it('have another status where a reading says so', () => {
    const resolved = resolveReadings({
      'error.balanceStatus': 400,
      'auth.timestampStatus': '400',
      'auth.signatureStatus': 403,
    })
    if (!resolved.ok) throw new Error(resolved.problem.reason)
    expect(problemStatus({ code: 'insufficient-balance' }, resolved.value)).toBe(400)
    expect(problemStatus({ code: 'timestamp-expired' }, resolved.value)).toBe(400)
    expect(problemStatus({ code: 'invalid-signature' }, resolved.value)).toBe(403)
    expect(problemStatus({ code: 'risk-limit' }, resolved.value)).toBe(422)
  })
})

function isProblemCode(code: string): code is keyof typeof problems {
  return Object.hasOwn(problems, code)
}

describe('readings', () => {
  it('have a default, distinct values, and the line of the specification that is silent', () => {
    for (const entry of readingEntries) {
      const values = [entry.default, ...entry.alternatives]
      expect(values.length).toBeGreaterThan(1)
      expect(new Set(values).size).toBe(values.length)
      expect(entry.silent).toMatch(/^[A-Z].*: /)
      expect(defaultReadings[entry.key]).toBe(entry.default)
    }
  })

  it.each(readingKeys.flatMap((key) => listValues(key).map((value) => [key, value] as const)))(
    'take %s = %s',
    (key, value) => {
      expect(resolveReadings({ [key]: value })).toEqual({
        ok: true,
        value: { ...defaultReadings, [key]: value },
      })
    },
  )

  it('accept numbers as their text, and keep the other values of the base', () => {
    const base = resolveReadings({ envelope: 'wrapped' })
    if (!base.ok) throw new Error(base.problem.reason)
    expect(resolveReadings({ createdStatus: 200 }, base.value)).toMatchObject({
      ok: true,
      value: { createdStatus: '200', envelope: 'wrapped' },
    })
  })

  it.each([
    ['envelop', 'wrapped', 'envelop', 'is not a known reading', 'did you mean envelope?'],
    ['envelope', 'wraped', 'envelope', 'must be one of bare, wrapped', 'did you mean wrapped?'],
    ['__proto__x', '1', '__proto__x', 'is not a known reading', undefined],
    ['createdStatus', '202', 'createdStatus', 'must be one of 201, 200, every-post', 'did you mean 201?'],
  ])('refuse %s = %s', (key, value, field, reason, hint) => {
    const result = resolveReadings({ [key]: value })
    expect(result.ok ? null : result.problem).toMatchObject({ field, reason })
    expect(result.ok ? null : (result.problem.hint ?? '')).toContain(hint ?? '')
  })

  it('may be set for one request, except the windows of rate limits', () => {
    const fixed = readingEntries.filter((entry) => !entry.perRequest).map((entry) => entry.key)
    expect(fixed).toEqual(['rate.algorithm', 'rate.clock', 'rate.resetUnit'])
    expect(isReadingKey('toString')).toBe(false)
  })
})

describe('ids', () => {
  const kinds: readonly IdKind[] = ['order', 'quote', 'fill', 'transaction', 'trade']

  it('are prefixed counters', () => {
    const scheme = { format: 'counter', seed: '7' } as const
    expect(kinds.map((kind) => formatId(scheme, kind, 0))).toEqual([
      'ord_1',
      'qt_1',
      'fill_1',
      'txn_1',
      'trd_1',
    ])
  })

  it('lead back to their row, only with their own kind and seed', () => {
    const row = fc.nat(2_147_483_646)
    const kind = fc.constantFrom(...kinds)
    const format = fc.constantFrom<'counter' | 'uuid'>('counter', 'uuid')
    fc.assert(
      fc.property(format, fc.string(), kind, row, (chosen, seed, made, value) => {
        const scheme = { format: chosen, seed }
        const id = formatId(scheme, made, value)
        expect(kinds.map((asked) => parseId(scheme, asked, id))).toEqual(
          kinds.map((asked) => (asked === made ? value : -1)),
        )
        if (chosen === 'uuid') expect(parseId({ format: chosen, seed: `${seed}x` }, made, id)).toBe(-1)
      }),
      { seed: 7, numRuns: 500 },
    )
  })

  it.each(['', 'ord_', 'ord_0', 'ord_-1', 'ord_1.0', 'ord_1e3', 'ord_١', 'ord_12345678901', 'x'])(
    'lead to no row: "%s"',
    (id) => {
      expect(parseId({ format: 'counter', seed: '7' }, 'order', id)).toBe(-1)
      expect(parseId({ format: 'uuid', seed: '7' }, 'order', id)).toBe(-1)
    },
  )

  it('look like uuids of version 8', () => {
    expect(formatId({ format: 'uuid', seed: '7' }, 'order', 0)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })
})
