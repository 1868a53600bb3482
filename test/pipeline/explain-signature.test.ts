import { createHash } from 'node:crypto'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { SignedParts } from '../../src/pipeline/authenticate.ts'
import { explainSignature } from '../../src/pipeline/explain-signature.ts'
import { body, get, hex, plain, post, secret } from './signed-request-parts.ts'

describe('a hashed secret', () => {
  const message = `1800000000000POST/api/sdk/orders${body}`
  const hashed = createHash('sha256').update(secret).digest('hex')
  it.each([
    ['secret', hashed, 'keyed with the SHA-256 of the secret'],
    ['sha256', secret, 'keyed with the secret itself'],
  ] as const)('is named as the mistake under signature.key %s', (rule, used, words) => {
    const signer = {
      apiKey: 'simk_t',
      secret,
      host: '',
      coding: '',
      rules: { ...plain, 'signature.key': rule },
    }
    for (const target of ['/api/sdk/orders', '/api/sdk/orders?limit=2'])
      expect(explainSignature(signer, get, hex(`1800000000000GET${target}`, used))).toContain(words)
  })

  it('is the key with which other mistakes are looked for, where it is the rule', () => {
    const signer = {
      apiKey: 'simk_t',
      secret,
      host: '',
      coding: '',
      rules: { ...plain, 'signature.key': 'sha256' },
    } as const
    expect(explainSignature(signer, post, hex(message, hashed).toUpperCase())).toContain('upper case')
    expect(explainSignature(signer, post, hex('else'))).toMatch(
      /^with the hex SHA-256 of the secret of this key, sign /,
    )
  })
})

describe('explainSignature', () => {
  const message = (parts: SignedParts) => parts.timestamp + parts.method + parts.path + parts.query
  const signer = { apiKey: 'simk_t', secret, host: 'localhost:4010', coding: '', rules: plain }
  const hintOf = (parts: SignedParts, signature: string) => explainSignature(signer, parts, signature)

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
    ['line end', post, hex(message(post) + body, `${secret}\n`)],
    ['whole address', get, hex('1800000000000GEThttp://localhost:4010/api/sdk/orders?limit=2')],
    ['first slash', get, hex('1800000000000GETapi/sdk/orders?limit=2')],
    ['signed as {} or null', get, hex(`${message(get)}null`)],
    ['64 lower-case', post, 'abc'],
  ])('names the mistake: %s', (word, parts, signature) => {
    expect(hintOf(parts, signature)).toContain(word)
  })

  it.each([
    ['gzip', gzipSync],
    ['GZIP', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('sees that the body was signed before %s', (coding, compress) => {
    const sent = { ...post, body: compress(body) }
    const signature = hex(message(post) + body)
    expect(explainSignature({ ...signer, coding }, sent, signature)).toContain('before it was compressed')
    for (const other of ['', 'identity', 'zip', coding === 'br' ? 'gzip' : 'br'])
      expect(explainSignature({ ...signer, coding: other }, sent, signature)).toMatch(/^with the secret/)
    expect(explainSignature({ ...signer, coding }, post, hex('else'))).toMatch(/^with the secret/)
  })

  it('decompresses no more than a hint is worth', () => {
    const long = 'x'.repeat(10_000_000)
    const sent = { ...post, body: gzipSync(long) }
    expect(explainSignature({ ...signer, coding: 'gzip' }, sent, hex(message(post) + long))).toMatch(
      /^with the secret/,
    )
  })

  // What libraries send, and what their users signed: json.dumps of Python, an encoder of Go, a body read from a file.
  it.each([
    ['{"a":1,"b":"x: y, z"}', '{"a": 1, "b": "x: y, z"}'],
    ['{"a": 1.0, "b": [1, 2]}', '{"a":1.0,"b":[1,2]}'],
    ['{"a":1.0}', '{"a":1}'],
    ['{"a":"é€"}', '{"a":"\\u00e9\\u20ac"}'],
    ['{"a":"\\u00e9\\u000a\\\\u00e9"}', '{"a":"é\\u000a\\\\u00e9"}'],
    ['{"a":1}\n', '{"a":1}'],
    ['{"a":1}', '{"a":1}\n'],
    ['{"a":"\\" : "}', '{"a": "\\" : "}'],
  ])('sees that %j was signed as %j', (sent, signed) => {
    const parts = { ...post, body: Buffer.from(sent) }
    expect(hintOf(parts, hex(message(parts) + signed))).toContain('serialised twice')
  })

  it.each([
    ['?assets=BTC,ETH', '?assets=BTC%2CETH'],
    ['?clientOrderId=a+b', '?clientOrderId=a%20b'],
    ['?clientOrderId=a%20b', '?clientOrderId=a+b'],
    ['?clientOrderId=a+b', '?clientOrderId=a b'],
    ['?clientOrderId=a%2cb', '?clientOrderId=a%2Cb'],
    ['?clientOrderId=%27(x)%2Fy', "?clientOrderId='(x)%2Fy"],
    ['?clientOrderId=a,d/%C3%A9', '?clientOrderId=a%2Cd/%C3%A9'],
    ['?side=buy&limit=2', '?limit=2&side=buy'],
  ])('sees that %s was signed as %s', (query, signed) => {
    const parts = { ...get, query }
    expect(hintOf(parts, hex(`1800000000000GET/api/sdk/orders${signed}`))).toContain('another encoding')
  })

  it.each([
    [post, 'either', '1800000000000POST/api/sdk/orders and the 44 bytes of the body'],
    [get, 'either', '1800000000000GET/api/sdk/orders?limit=2 and nothing more: no body came'],
    [get, 'exclude', '1800000000000GET/api/sdk/orders and nothing more: no body came'],
    [
      { ...get, query: '?a=%zz' },
      'include',
      '1800000000000GET/api/sdk/orders?a=%zz and nothing more: no body came',
    ],
  ] as const)('says what to sign when no known mistake would have verified', (parts, rule, message) => {
    const hint = explainSignature(
      { ...signer, rules: { ...plain, 'signature.query': rule } },
      parts,
      hex('something else'),
    )
    expect(hint).toBe(`with the secret of this key, sign ${message}`)
  })

  it('repeats no target that is too long for a header', () => {
    expect(hintOf({ ...get, query: `?${'a'.repeat(1000)}` }, hex('something else'))).toBeNull()
  })

  it('does not look for other forms of a body that nests without end', () => {
    const deep = { ...post, body: Buffer.from('['.repeat(8000) + ']'.repeat(8000)) }
    expect(hintOf(deep, hex('something else'))).toContain('and the 16000 bytes of the body')
  })

  it('is not computed for large bodies', () => {
    const large = { ...post, body: Buffer.alloc(17_000, 32) }
    expect(hintOf(large, hex(message(large)))).toBeNull()
  })
})
