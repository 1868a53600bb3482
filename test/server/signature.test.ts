import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { HmacKey } from '../../src/numeric/hmac.ts'
import { isSignedBy, type SignedParts } from '../../src/server/venue/signature.ts'
import { signatureHint } from '../../src/server/venue/signature-hints.ts'

const secret = 'sims_default_trader'
const body = '{"side":"buy", "asset":"BTC","quantity":0.5}'
const post: SignedParts = {
  timestamp: '1800000000000',
  method: 'POST',
  path: '/api/sdk/orders',
  query: '',
  body: Buffer.from(body),
}
const get: SignedParts = { ...post, method: 'GET', query: '?limit=2', body: Buffer.alloc(0) }
const hex = (message: string, key = secret, algorithm = 'sha256') =>
  createHmac(algorithm, key).update(message).digest('hex')

describe('isSignedBy', () => {
  it('accepts the digest of timestamp, method, path and body', () => {
    expect(
      isSignedBy(new HmacKey(secret), post, 'either', hex(`1800000000000POST/api/sdk/orders${body}`)),
    ).toBe(true)
  })

  it('covers the body as bytes, not as text', () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0xff, 0x7d])
    const expected = createHmac('sha256', secret).update('1POST/p').update(bytes).digest('hex')
    const parts = { timestamp: '1', method: 'POST', path: '/p', query: '', body: bytes }
    expect(isSignedBy(new HmacKey(secret), parts, 'either', expected)).toBe(true)
    expect(
      isSignedBy(new HmacKey(secret), { ...parts, body: Buffer.from('\ufffd') }, 'either', expected),
    ).toBe(false)
  })

  const withQuery = hex('1800000000000GET/api/sdk/orders?limit=2')
  const withoutQuery = hex('1800000000000GET/api/sdk/orders')
  it.each([
    ['either', true, true],
    ['include', true, false],
    ['exclude', false, true],
  ] as const)('signature.query %s', (rule, including, excluding) => {
    expect(isSignedBy(new HmacKey(secret), get, rule, withQuery)).toBe(including)
    expect(isSignedBy(new HmacKey(secret), get, rule, withoutQuery)).toBe(excluding)
  })

  const right = hex(`1800000000000POST/api/sdk/orders${body}`)
  it.each([
    ['empty', ''],
    ['63 digits', right.slice(1)],
    ['65 digits', `${right}0`],
    ['right and more', `${right}xx`],
    ['not hex', 'zz'.repeat(32)],
    ['upper case', right.toUpperCase()],
    ['a line break at the end', `${right}\n`],
    ['another secret', hex(`1800000000000POST/api/sdk/orders${body}`, 'sims_default_maker')],
    ['another algorithm', hex(`1800000000000POST/api/sdk/orders${body}`, secret, 'sha512')],
  ])('refuses %s', (_name, signature) => {
    expect(isSignedBy(new HmacKey(secret), post, 'either', signature)).toBe(false)
  })
})

describe('signatureHint', () => {
  const message = (parts: SignedParts) => parts.timestamp + parts.method + parts.path + parts.query
  const hintOf = (parts: SignedParts, signature: string) => signatureHint('simk_t', secret, parts, signature)

  it.each([
    ['upper case', post, hex(message(post) + body).toUpperCase()],
    ['base64', post, Buffer.from(hex(message(post) + body), 'hex').toString('base64')],
    ['lower case', get, hex('1800000000000get/api/sdk/orders?limit=2')],
    ['lower case', get, hex('1800000000000get/api/sdk/orders')],
    ['seconds', get, hex('1800000000GET/api/sdk/orders?limit=2')],
    ['API key', post, hex(message(post) + body, 'simk_t')],
    ['signed as empty', post, hex(message(post))],
    ['signed as {}', get, hex(`${message(get)}{}`)],
    ['serialised twice', post, hex(message(post) + JSON.stringify(JSON.parse(body)))],
    ['without /api/sdk', post, hex(`1800000000000POST/orders${body}`)],
    ['decoded', { ...post, path: '/api/sdk/orders/%61' }, hex(`1800000000000POST/api/sdk/orders/a${body}`)],
    ['separators', post, hex(`1800000000000\nPOST\n/api/sdk/orders\n${body}`)],
    ['SHA512', post, hex(message(post) + body, secret, 'sha512')],
    ['the query string was signed', get, hex('1800000000000GET/api/sdk/orders?limit=2')],
    ['the query string was not signed', get, hex('1800000000000GET/api/sdk/orders')],
    ['64 lower-case', post, 'abc'],
  ])('names the mistake: %s', (word, parts, signature) => {
    expect(hintOf(parts, signature)).toContain(word)
  })

  it('is absent when no known mistake would have verified', () => {
    expect(hintOf(post, hex(message(post) + body, 'another secret'))).toBeNull()
  })

  it('is not computed for large bodies', () => {
    const large = { ...post, body: Buffer.alloc(70_000, 32) }
    expect(hintOf(large, hex(message(large)))).toBeNull()
  })
})
