import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FaultRule } from '../../../src/api/faults/fault-types.ts'
import { type FaultType, faultTypes, isFaultType } from '../../../src/api/faults/fault-types.ts'
import {
  createDraws,
  drawLatencyMillis,
  isAbout,
  matchesPath,
  shouldStrike,
} from '../../../src/api/faults/matches-fault.ts'
import { readFaultRule } from '../../../src/api/faults/read-fault-rule.ts'
import type { OperationId } from '../../../src/api/operations/operations.ts'

const known = { assets: ['USD', 'BTC', 'ETH'], accounts: ['desk', 'trader'] }

function rule(form: unknown): FaultRule {
  const read = readFaultRule(form, known)
  if (!read.ok) throw new Error(`${read.problem.field} ${read.problem.reason}`)
  return read.value
}

/** The matches, counted from 1, at which a rule strikes. */
function struck(form: unknown, matches: number, seed = '7'): number[] {
  const made = rule(form)
  const numbers: number[] = []
  for (let n = 1; n <= matches; n += 1) if (shouldStrike(seed, made, n, numbers.length)) numbers.push(n)
  return numbers
}

describe('a fault rule', () => {
  it.each<[string, unknown, number[]]>([
    ['strikes always', { type: 'EMPTY_RESPONSE' }, [1, 2, 3, 4, 5, 6]],
    ['strikes at most `count` times', { type: 'EMPTY_RESPONSE', count: 2 }, [1, 2]],
    ['skips the first matches', { type: 'EMPTY_RESPONSE', skip: 4 }, [5, 6]],
    ['strikes every second, the first included', { type: 'EMPTY_RESPONSE', every: 2 }, [1, 3, 5]],
    ['skips first, then counts', { type: 'EMPTY_RESPONSE', skip: 1, every: 2, count: 2 }, [2, 4]],
    ['strikes one', { type: 'EMPTY_RESPONSE', match: { nth: 3 } }, [3]],
    ['never strikes with toxicity 0', { type: 'EMPTY_RESPONSE', toxicity: 0 }, []],
  ])('%s', (_name, form, expected) => {
    expect(struck(form, 6)).toEqual(expected)
  })

  it('strikes the share that toxicity states, drawn from the seed, up to its count', () => {
    const form = { type: 'EMPTY_RESPONSE', toxicity: 0.25 }
    const numbers = struck(form, 4000)
    expect(numbers.length).toBeGreaterThan(900)
    expect(numbers.length).toBeLessThan(1100)
    expect(struck(form, 4000)).toEqual(numbers)
    expect(struck(form, 4000, '8')).not.toEqual(numbers)
    expect(struck({ ...form, count: 10 }, 4000)).toEqual(numbers.slice(0, 10))
  })

  it('decides about a match independently of the matches before it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.string({ maxLength: 8 }), (n, seed) => {
        const made = rule({ type: 'EMPTY_RESPONSE', toxicity: 0.5 })
        const alone = shouldStrike(seed, made, n, 0)
        for (let before = 1; before < n; before += 7) shouldStrike(seed, made, before, 0)
        expect(shouldStrike(seed, made, n, 0)).toBe(alone)
      }),
      { seed: 7, numRuns: 50 },
    )
  })

  it('has a random stream of its own, named by its id or else by its content', () => {
    const draw = (form: unknown) => createDraws('7', rule(form), 1).uniform()
    const plain = { type: 'EMPTY_RESPONSE', toxicity: 0.5 }
    expect(draw(plain)).toBe(draw({ ...plain, match: {} }))
    expect(draw(plain)).not.toBe(draw({ ...plain, match: { method: 'POST' } }))
    expect(draw({ ...plain, id: 'a' })).toBe(draw({ id: 'a', type: 'latency', attributes: { latencyMs: 1 } }))
    expect(draw({ ...plain, id: 'a' })).not.toBe(draw({ ...plain, id: 'b' }))
  })

  it.each<[string, unknown, string, RegExp, string | undefined]>([
    ['no type', {}, 'type', /required/, undefined],
    ['an unknown type', { type: 'latancy' }, 'type', /known fault/, 'did you mean latency?'],
    [
      'an unknown field',
      { type: 'timeout', tocixity: 1 },
      'tocixity',
      /known field/,
      'did you mean toxicity?',
    ],
    [
      'an unknown attribute',
      { type: 'timeout', attributes: { timeout: 5 } },
      'attributes.timeout',
      /known field/,
      'did you mean timeoutMs?',
    ],
    [
      'an attribute of another type',
      { type: 'timeout', attributes: { bytes: 5 } },
      'attributes.bytes',
      /timeoutMs/,
      undefined,
    ],
    ['a missing attribute', { type: 'http_error' }, 'attributes.status', /required/, undefined],
    [
      'an error that is none',
      { type: 'http_error', attributes: { status: 200 } },
      'attributes.status',
      /at least 400/,
      undefined,
    ],
    [
      'a canned answer that is not JSON',
      { type: 'canned_answer', attributes: { body: '{"a":' } },
      'attributes.body',
      /JSON text/,
      undefined,
    ],
    [
      'a canned answer that is a mere word',
      { type: 'canned_answer', attributes: { body: 'null' } },
      'attributes.body',
      /JSON text/,
      undefined,
    ],
    [
      'an unknown error type',
      { type: 'http_error', attributes: { status: 422, type: 'RISK_LIMIT' } },
      'attributes.type',
      /error type/,
      'did you mean RISK_LIMIT_EXCEEDED?',
    ],
    [
      'a distribution without its figures',
      { type: 'latency', attributes: { distribution: 'lognormal', p50Ms: 5 } },
      'attributes.p99Ms',
      /required/,
      undefined,
    ],
    [
      'a p99 below the median',
      { type: 'latency', attributes: { distribution: 'lognormal', p50Ms: 5, p99Ms: 4 } },
      'attributes.p99Ms',
      /at least/,
      undefined,
    ],
    [
      'an unknown method',
      { type: 'timeout', match: { method: 'PSOT' } },
      'match.method',
      /method/,
      'did you mean POST?',
    ],
    [
      'an unknown asset',
      { type: 'timeout', match: { asset: 'BTCC' } },
      'match.asset',
      /asset/,
      'did you mean BTC?',
    ],
    [
      'an unknown account',
      { type: 'timeout', match: { account: 'tradr' } },
      'match.account',
      /account/,
      'did you mean trader?',
    ],
    ['an unknown side', { type: 'timeout', match: { side: 'bid' } }, 'match.side', /buy or sell/, undefined],
    ['a relative path', { type: 'timeout', match: { path: 'api' } }, 'match.path', /begin/, undefined],
    ...[
      ['/api/sdk/order', null, 'did you mean /api/sdk/orders?'],
      ['/orders', null, 'did you mean /api/sdk/orders?'],
      ['/orders/ord_1', 'PATCH', 'did you mean /api/sdk/orders/ord_1?'],
      ['/api/sdk//orders/', 'POST', 'did you mean /api/sdk/orders?'],
      ['/orders*', null, 'did you mean /api/sdk/orders*?'],
      ['/api/sdk/order/*', null, 'did you mean /api/sdk/orders/*?'],
      ['/api/sdk/orders/a/b', null, undefined],
      ['*/a/b/*', null, undefined],
    ].map(([path, method, hint]): [string, object, string, RegExp, string | undefined] => [
      `the path ${path}`,
      { type: 'timeout', match: { path, ...(method === null ? {} : { method }) } },
      'match.path',
      /^is not a path of an operation$/,
      hint ?? undefined,
    ]),
    [
      'a method that its path does not take',
      { type: 'timeout', match: { method: 'patch', path: '/api/sdk/orders' } },
      'match.method',
      /^is PATCH, which no operation at \/api\/sdk\/orders has: there is GET, POST$/,
      undefined,
    ],
    [
      'a method that no operation has',
      { type: 'timeout', match: { method: 'HEAD' } },
      'match.method',
      /^is HEAD, which no operation has: there is GET, POST, PATCH, DELETE$/,
      undefined,
    ],
    [
      'a path that the fault is not about',
      { type: 'fill_before_cancel', match: { method: 'POST', path: '/api/sdk/orders' } },
      'match.path',
      /^matches nothing that fill_before_cancel is about: DELETE \/api\/sdk\/orders\/:orderId, DELETE \/api\/sdk\/orders\/batch$/,
      undefined,
    ],
    [
      'a method that the fault is not about',
      { type: 'stale_market_data', match: { method: 'POST' }, attributes: { delayMs: 5 } },
      'match.method',
      /^matches nothing that stale_market_data is about: GET /,
      undefined,
    ],
    [
      'a corrupted body before the venue',
      { type: 'truncated_json', phase: 'before' },
      'phase',
      /after/,
      undefined,
    ],
    [
      'a venue fault after the venue',
      { type: 'fill_before_cancel', phase: 'after' },
      'phase',
      /before/,
      undefined,
    ],
    ['a toxicity above 1', { type: 'timeout', toxicity: 2 }, 'toxicity', /at most 1/, undefined],
  ])('is refused with %s', (_name, form, field, reason, hint) => {
    const read = readFaultRule(form, known)
    if (read.ok) throw new Error('was taken')
    expect(read.problem.field).toBe(field)
    expect(read.problem.reason).toMatch(reason)
    expect(read.problem.hint ?? '').toContain(hint ?? '')
  })

  it('accepts only the names of its own types', () => {
    for (const name of Object.keys(faultTypes)) expect(isFaultType(name)).toBe(true)
    for (const name of ['toString', '__proto__', 'LATENCY']) expect(isFaultType(name)).toBe(false)
  })
})

describe('a latency', () => {
  const drawn = (attributes: Record<string, unknown>, count = 2000): number[] => {
    const made = rule({ type: 'latency', attributes })
    return Array.from({ length: count }, (_, n) =>
      drawLatencyMillis(made.attributes, createDraws('7', made, n)),
    ).sort((left, right) => left - right)
  }
  const at = (sorted: readonly number[], share: number) => sorted[Math.floor(share * sorted.length)] ?? 0

  it('is the stated delay plus or minus its jitter', () => {
    expect(new Set(drawn({ latencyMs: 40 }))).toEqual(new Set([40]))
    const jittered = drawn({ latencyMs: 40, jitterMs: 10 })
    expect(jittered[0]).toBeGreaterThanOrEqual(30)
    expect(jittered.at(-1)).toBeLessThanOrEqual(50)
    expect(new Set(jittered).size).toBeGreaterThan(15)
  })

  it('is distributed as stated', () => {
    const uniform = drawn({ distribution: 'uniform', minMs: 10, maxMs: 110 })
    expect(at(uniform, 0.5)).toBeGreaterThan(55)
    expect(at(uniform, 0.5)).toBeLessThan(65)
    const normal = drawn({ distribution: 'normal', meanMs: 100, deviationMs: 10 })
    expect(Math.abs(at(normal, 0.5) - 100)).toBeLessThan(2)
    expect(Math.abs(at(normal, 0.84) - 110)).toBeLessThan(3)
    const lognormal = drawn({ distribution: 'lognormal', p50Ms: 20, p99Ms: 200 })
    expect(Math.abs(at(lognormal, 0.5) - 20)).toBeLessThan(3)
    expect(at(lognormal, 0.99)).toBeGreaterThan(130)
    expect(at(lognormal, 0.99)).toBeLessThan(300)
  })

  it('is never negative and stays within its bounds', () => {
    expect(drawn({ distribution: 'normal', meanMs: 0, deviationMs: 50 })[0]).toBe(0)
    const bounded = drawn({ distribution: 'lognormal', p50Ms: 20, p99Ms: 200, minMs: 10, maxMs: 50 })
    expect(bounded[0]).toBe(10)
    expect(bounded.at(-1)).toBe(50)
  })
})

describe('a path pattern', () => {
  it.each<[string, string, boolean]>([
    ['/api/sdk/orders', '/api/sdk/orders', true],
    ['/api/sdk/orders', '/api/sdk/orders/x', false],
    ['/api/sdk/orders/*', '/api/sdk/orders/ord_1', true],
    ['/api/sdk/orders/*', '/api/sdk/orders', false],
    ['/api/*/fills', '/api/sdk/orders/ord_1/fills', true],
    ['*', '/anything', true],
    ['*a*a*', '/a', false],
  ])('%s for %s is %s', (pattern, path, expected) => {
    expect(matchesPath(pattern, path)).toBe(expected)
  })
})

describe('a fault is about', () => {
  it.each<[FaultType, readonly OperationId[], readonly OperationId[]]>([
    ['reset_peer', ['createOrder', 'getOrder'], []],
    [
      'reordered_list',
      ['listOrders', 'createOrders', 'listOrderBooks', 'getExposure'],
      ['getOrder', 'cancelOrders'],
    ],
    ['stale_market_data', ['getPrice', 'listStatistics'], ['listBalances', 'createOrder']],
    ['fill_before_cancel', ['cancelOrder', 'cancelOrders'], ['createOrder', 'cancelQuote']],
  ])('%s', (type, some, others) => {
    expect(some.filter((operation) => !isAbout(type, operation))).toEqual([])
    expect(others.filter((operation) => isAbout(type, operation))).toEqual([])
    expect(isAbout(type, null)).toBe(type === 'reset_peer')
  })
})
