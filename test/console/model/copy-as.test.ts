import { describe, expect, it } from 'vitest'
import {
  formatCurl,
  formatFaultLine,
  formatOtcsimCurl,
  formatScenarioStep,
  formatTestLine,
  formatTryLine,
} from '../../../src/console/model/copy-as.ts'
import { loadScenario } from '../../../src/scenario/load.ts'

describe('a request to paste', () => {
  const sent = { method: 'POST', path: '/api/sdk/orders', query: '?a=1', requestBody: `{"note":"it's"}` }
  it('is signed when it runs', () => {
    const line = formatCurl('http://127.0.0.1:1', sent, { apiKey: 'k', apiSecret: 's' })
    expect(line).toBe(
      `T=$(date +%s)000; curl -s -X POST 'http://127.0.0.1:1/api/sdk/orders?a=1' -H 'X-API-Key: k' -H "X-API-Timestamp: $T" ` +
        `-H "X-API-Signature: $(printf %s "$T"'POST/api/sdk/orders?a=1''{"note":"it'\\''s"}' | openssl dgst -sha256 -hmac s | sed 's/.* //')" ` +
        `-H 'Content-Type: application/json' -d '{"note":"it'\\''s"}'`,
    )
    expect(formatOtcsimCurl('http://127.0.0.1:1', sent, { apiKey: 'k', apiSecret: 's' })).toBe(
      `npx otcsim curl --url http://127.0.0.1:1 --key k --secret s POST '/orders?a=1' -d '{"note":"it'\\''s"}'`,
    )
  })

  it('is short for the default address, and has the keys of another world', () => {
    const keys = [{ id: 'desk', keys: [{ apiKey: 'k', apiSecret: 's', scopes: [] }] }]
    const lineIn = (world: string, origin: string) =>
      formatTryLine(origin, { world, account: 'desk', keys }, 'POST', '/orders', { asset: 'BTC' })
    expect(lineIn('default', 'http://127.0.0.1:4010')).toBe(
      `npx otcsim curl --account desk POST /orders -d '{"asset":"BTC"}'`,
    )
    expect(lineIn('w1', 'http://127.0.0.1:4010')).toBe(
      `npx otcsim curl --key k --secret s POST /orders -d '{"asset":"BTC"}'`,
    )
  })
})

describe('a request', () => {
  const placed = {
    method: 'POST',
    path: '/api/sdk/orders',
    query: '',
    requestBody: '{"side":"buy","asset":"BTC","quantity":0.1,"price":50000,"clientOrderId":"a: b"}',
    account: 'trader',
    status: 201,
    at: '2026-01-05T00:00:01.500Z',
    responseBody: '{"orderId":"ord_7"}',
  }

  it('is a step of a scenario that the loader takes', () => {
    const begins = '2026-01-05T00:00:00.000Z'
    const steps = [placed, { ...placed, method: 'DELETE', path: '/api/sdk/orders/ord_7' }].map((request) =>
      formatScenarioStep(request, begins),
    )
    expect(steps[0]).toBe(
      '- { at: +1500ms, order: { as: ord_7, account: trader, side: buy, asset: BTC, quantity: 0.1, price: 50000, clientOrderId: "a: b" } }\n',
    )
    const head =
      'version: 1\nname: copied\nmarket: { assets: { BTC: { price: 50000 } } }\naccounts: [{ id: trader, balances: { USD: 100000 } }]\n'
    expect(loadScenario(`${head}timeline:\n${steps.join('')}`, 'copied.yaml')).toMatchObject({ ok: true })
    expect(formatScenarioStep({ ...placed, method: 'GET' }, begins)).toBeNull()
  })

  it('is a fault that gives the next one like it the same answer', () => {
    const line = formatFaultLine(
      'http://127.0.0.1:4010',
      { ...placed, status: 422, responseBody: '{"a":"it\'s"}' },
      'w 1',
    )
    expect(line).toContain('http://127.0.0.1:4010/__admin/worlds/w%201/faults')
    expect(line).toContain('"type":"canned_answer"')
    expect(line).toContain('"attributes":{"status":422,"body":{"a":"it')
  })

  it('is a line of a test', () => {
    expect(formatTestLine({ ...placed, requestBody: '{"side":"buy"}' })).toBe(
      "expect(world.world.request('trader', 'POST', '/api/sdk/orders', {\"side\":\"buy\"}).status).toBe(201)",
    )
  })
})
