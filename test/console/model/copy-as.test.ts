import { describe, expect, it } from 'vitest'
import { curlLine, otcsimLine, tryLine } from '../../../src/console/model/copy-as.ts'

describe('a request to paste', () => {
  const sent = { method: 'POST', path: '/api/sdk/orders', query: '?a=1', requestBody: `{"note":"it's"}` }
  it('is signed when it runs', () => {
    const line = curlLine('http://127.0.0.1:1', sent, { apiKey: 'k', apiSecret: 's' })
    expect(line).toBe(
      `T=$(date +%s)000; curl -s -X POST 'http://127.0.0.1:1/api/sdk/orders?a=1' -H 'X-API-Key: k' -H "X-API-Timestamp: $T" ` +
        `-H "X-API-Signature: $(printf %s "$T"'POST/api/sdk/orders?a=1''{"note":"it'\\''s"}' | openssl dgst -sha256 -hmac s | sed 's/.* //')" ` +
        `-H 'Content-Type: application/json' -d '{"note":"it'\\''s"}'`,
    )
    expect(otcsimLine('http://127.0.0.1:1', sent, { apiKey: 'k', apiSecret: 's' })).toBe(
      `npx otcsim curl --url http://127.0.0.1:1 --key k --secret s POST '/orders?a=1' -d '{"note":"it'\\''s"}'`,
    )
  })

  it('is short for the default address, and has the keys of another world', () => {
    const keys = [{ id: 'desk', keys: [{ apiKey: 'k', apiSecret: 's', scopes: [] }] }]
    const lineIn = (world: string, origin: string) =>
      tryLine(origin, { world, account: 'desk', keys }, 'POST', '/orders', { asset: 'BTC' })
    expect(lineIn('default', 'http://127.0.0.1:4010')).toBe(
      `npx otcsim curl --account desk POST /orders -d '{"asset":"BTC"}'`,
    )
    expect(lineIn('w1', 'http://127.0.0.1:4010')).toBe(
      `npx otcsim curl --key k --secret s POST /orders -d '{"asset":"BTC"}'`,
    )
  })
})
