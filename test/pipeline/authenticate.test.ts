import { describe, expect, it } from 'vitest'
import { problemStatus, problems } from '../../src/api/errors.ts'
import { defaultReadings, type Readings } from '../../src/api/readings/readings.ts'
import { type AuthDenial, authenticate, isDenial } from '../../src/pipeline/authenticate.ts'
import type { ApiKey } from '../../src/world/keys.ts'
import { receivedRequest, type Sending, trader } from '../server/signed-request.ts'

const now = 1_800_000_000_000
const year2020 = 1_577_836_800_000
const key: ApiKey = {
  apiKey: trader.apiKey,
  apiSecret: trader.apiSecret,
  account: 3,
  accountId: 'trader',
  scopes: new Set(['READ']),
  isRevoked: false,
}
const clocks = { wallMillis: now, worldMillis: year2020, follows: null }

const verdict = (sending: Sending, readings: Partial<Readings> = {}, found: ApiKey | null = key) => {
  const outcome = authenticate(
    receivedRequest(sending, now),
    found,
    { ...defaultReadings, ...readings },
    clocks,
  )
  return isDenial(outcome) ? denialText(outcome, readings) : outcome.accountId
}
const denialText = ({ problem }: AuthDenial, readings: Partial<Readings> = {}) =>
  `${problemStatus(problem, { ...defaultReadings, ...readings })} ${problems[problem.code].type}`

const invalidKey = '401 INVALID_API_KEY'
const invalidSignature = '401 INVALID_SIGNATURE'
const expired = '401 TIMESTAMP_EXPIRED'

describe('headers', () => {
  it.each([
    ['nothing at all', { 'x-api-key': null, 'x-api-timestamp': null, 'x-api-signature': null }, invalidKey],
    ['no key', { 'x-api-key': null }, invalidKey],
    ['an empty key', { 'x-api-key': '' }, invalidKey],
    ['no timestamp', { 'x-api-timestamp': null }, expired],
    ['no signature', { 'x-api-signature': null }, invalidSignature],
    ['an empty signature', { 'x-api-signature': '' }, invalidSignature],
    ['neither timestamp nor signature', { 'x-api-timestamp': null, 'x-api-signature': null }, expired],
  ])('%s', (_name, headers, expected) => {
    expect(verdict({ headers })).toBe(expected)
  })

  it.each([
    '',
    'abc',
    'NaN',
    '1e12',
    '0x18BCFE568000',
    '+1800000000000',
    '-1',
    '1800000000000.0',
    '01800000000000',
    '１８０００００００００００',
    '1'.repeat(25),
    '1800000 000000',
    '0',
  ])('a timestamp like %j is malformed', (timestamp) => {
    expect(verdict({ timestamp })).toBe(expired)
    expect(verdict({ timestamp }, { 'auth.malformed': '400' })).toBe('400 TIMESTAMP_EXPIRED')
  })

  it.each([
    ['x-api-key', invalidKey],
    ['x-api-timestamp', expired],
    ['x-api-signature', invalidSignature],
  ])('%s given twice', (name, expected) => {
    const request = receivedRequest({}, now)
    const twice = { ...request, rawHeaders: [...request.rawHeaders, name.toUpperCase(), 'again'] }
    const outcome = authenticate(twice, key, defaultReadings, clocks)
    expect(isDenial(outcome) && denialText(outcome)).toBe(expected)
  })
})

describe('the key', () => {
  it('has the same answer when unknown and when revoked', () => {
    const request = receivedRequest({}, now)
    const revoked = { ...key, isRevoked: true }
    const answers = [null, revoked].map((found) => authenticate(request, found, defaultReadings, clocks))
    expect(answers[0]).toEqual(answers[1])
    expect(verdict({}, {}, null)).toBe(invalidKey)
  })

  it('is checked before age and signature', () => {
    expect(verdict({ timestamp: 1, signature: 'x' }, {}, null)).toBe(invalidKey)
  })
})

describe('the timestamp', () => {
  it.each([
    [0, 'trader'],
    [-30_000, 'trader'],
    [-30_001, expired],
    [30_000, 'trader'],
    [30_001, expired],
  ])('%d ms from now', (offset, expected) => {
    expect(verdict({ timestamp: now + offset })).toBe(expected)
  })

  it('is checked before the signature', () => {
    expect(verdict({ timestamp: now - 60_000, signature: 'x' })).toBe(expired)
  })

  it.each([
    ['seconds', now / 1000, 'in seconds'],
    ['microseconds', now * 1000, 'in microseconds'],
    ['a slow clock', now - 45_000, '45 s behind'],
    ['a fast clock', now + 31_500, '31.5 s ahead'],
  ])('in %s gets a hint', (_name, timestamp, hint) => {
    const outcome = authenticate(receivedRequest({ timestamp }, now), key, defaultReadings, clocks)
    expect(isDenial(outcome) && outcome.problem.hint).toContain(hint)
  })

  it.each([
    ['wall', now, 'trader'],
    ['wall', year2020, expired],
    ['world', now, expired],
    ['world', year2020, 'trader'],
    ['either', now, 'trader'],
    ['either', year2020, 'trader'],
    ['either', year2020 - 30_001, expired],
  ] as const)('auth.clock %s', (clock, timestamp, expected) => {
    expect(verdict({ timestamp }, { 'auth.clock': clock })).toBe(expected)
  })

  it.each([
    ['1000', 1000, 'trader'],
    ['1000', 1001, expired],
    ['5000', 5001, expired],
    ['unlimited', 1e12, 'trader'],
  ] as const)('auth.futureMs %s', (future, offset, expected) => {
    expect(verdict({ timestamp: now + offset }, { 'auth.futureMs': future })).toBe(expected)
  })

  it('has the status that its reading states', () => {
    expect(verdict({ timestamp: 1 }, { 'auth.timestampStatus': '400' })).toBe('400 TIMESTAMP_EXPIRED')
  })
})

describe('the signature', () => {
  const orders = { method: 'POST', target: '/api/sdk/orders', body: '{"side":"buy"}' }
  it.each([
    ['the right one', orders, 'trader'],
    ['with a query', { target: '/api/sdk/orders?limit=1' }, 'trader'],
    ['without the query', { target: '/api/sdk/orders?limit=1', signedTarget: '/api/sdk/orders' }, 'trader'],
    ['of another path', { ...orders, signedTarget: '/api/sdk/quotes' }, invalidSignature],
    [
      'of a decoded path',
      { target: '/api/sdk/orders/%61', signedTarget: '/api/sdk/orders/a' },
      invalidSignature,
    ],
    ['with another secret', { ...orders, apiSecret: 'sims_default_maker' }, invalidSignature],
    ['of 63 digits', { ...orders, signature: 'a'.repeat(63) }, invalidSignature],
    ['of 65 digits', { ...orders, signature: 'a'.repeat(65) }, invalidSignature],
    ['of no digits', { ...orders, signature: 'zz'.repeat(32) }, invalidSignature],
  ])('%s', (_name, sending, expected) => {
    expect(verdict(sending)).toBe(expected)
  })

  it('covers every byte of the body, and the method', () => {
    const request = receivedRequest(orders, now)
    for (const changed of [
      { body: Buffer.from('{"side": "buy"}') },
      { body: Buffer.alloc(0) },
      { method: 'DELETE' },
      { path: '/api/sdk/quotes' },
      { query: '?x=1', body: Buffer.from('x') },
    ]) {
      const outcome = authenticate({ ...request, ...changed }, key, defaultReadings, clocks)
      expect(isDenial(outcome) && outcome.problem.code).toBe('invalid-signature')
    }
  })

  it('is in lower case unless the reading allows either', () => {
    const right = receivedRequest(orders, now).headers['x-api-signature']
    const signature = String(right).toUpperCase()
    expect(verdict({ ...orders, signature })).toBe(invalidSignature)
    expect(verdict({ ...orders, signature }, { 'signature.hex': 'any' })).toBe('trader')
  })

  it('has the status that its reading states', () => {
    expect(verdict({ signature: 'x' }, { 'auth.signatureStatus': '403' })).toBe('403 INVALID_SIGNATURE')
  })
})

describe('the hint for a client that lives at world time', () => {
  const hintOf = (timestamp: number, readings: Partial<Readings> = {}) => {
    const request = receivedRequest({ timestamp: String(timestamp) }, now)
    const outcome = authenticate(request, key, { ...defaultReadings, ...readings }, clocks)
    return isDenial(outcome) ? outcome.problem.hint : 'accepted'
  }

  it.each([0, 30_000, -30_000])('names the reading, %i ms from the time of the world', (offset) => {
    expect(hintOf(year2020 + offset)).toContain("the timestamp is the world's time")
    expect(hintOf(year2020 + offset)).toContain('auth.clock=world')
  })

  it('is not given for any other time, nor where world time is taken', () => {
    expect(hintOf(year2020 - 30_001)).toMatch(/^the timestamp is [\d.]+ s behind the server's clock$/)
    expect(hintOf(year2020 + 30_001)).toMatch(/^the timestamp is [\d.]+ s behind the server's clock$/)
    expect(hintOf(year2020, { 'auth.clock': 'world' })).toBe('accepted')
    expect(hintOf(year2020, { 'auth.clock': 'either' })).toBe('accepted')
  })
})
