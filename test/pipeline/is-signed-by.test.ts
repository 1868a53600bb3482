import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isSignedBy } from '../../src/pipeline/authenticate.ts'
import { body, get, hex, plain, post, secret } from './signed-request-parts.ts'

describe('isSignedBy', () => {
  it('accepts the digest of timestamp, method, path and body', () => {
    expect(isSignedBy(secret, post, plain, hex(`1800000000000POST/api/sdk/orders${body}`))).toBe(true)
  })

  it('covers the body as bytes, not as text', () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0xff, 0x7d])
    const expected = createHmac('sha256', secret).update('1POST/p').update(bytes).digest('hex')
    const parts = { timestamp: '1', method: 'POST', path: '/p', query: '', body: bytes }
    expect(isSignedBy(secret, parts, plain, expected)).toBe(true)
    expect(isSignedBy(secret, { ...parts, body: Buffer.from('\ufffd') }, plain, expected)).toBe(false)
  })

  const withQuery = hex('1800000000000GET/api/sdk/orders?limit=2')
  const withoutQuery = hex('1800000000000GET/api/sdk/orders')
  it.each([
    ['either', true, true],
    ['include', true, false],
    ['exclude', false, true],
  ] as const)('signature.query %s', (rule, including, excluding) => {
    expect(isSignedBy(secret, get, { ...plain, 'signature.query': rule }, withQuery)).toBe(including)
    expect(isSignedBy(secret, get, { ...plain, 'signature.query': rule }, withoutQuery)).toBe(excluding)
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
    expect(isSignedBy(secret, post, plain, signature)).toBe(false)
  })
})

describe('a hashed secret', () => {
  const message = `1800000000000POST/api/sdk/orders${body}`
  const hashed = createHash('sha256').update(secret).digest('hex')
  it.each([
    ['secret', true, false],
    ['sha256', false, true],
    ['either', true, true],
  ] as const)('signature.key %s', (rule, asItIs, asHash) => {
    const rules = { ...plain, 'signature.key': rule }
    expect(isSignedBy(secret, post, rules, hex(message))).toBe(asItIs)
    expect(isSignedBy(secret, post, rules, hex(message, hashed))).toBe(asHash)
  })
})
