import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AnsweredRequest, RequestLog } from '../../../src/world/logs/request-log.ts'
import { NaiveRing } from './naive-ring.ts'

const plain = {
  atMillis: 5,
  wallMillis: 7,
  durationMillis: 2,
  worldSequence: 3,
  method: 'POST',
  path: '/api/sdk/orders',
  query: '?a=b',
  account: 'alice',
  apiKey: 'k-alice',
  requestBody: Buffer.from('{"side":"buy"}'),
  status: 201,
  responseBody: '{"orderId":"ord_1"}',
  hint: null,
  fault: null,
  lost: null,
} satisfies AnsweredRequest

describe('the request log', () => {
  it('returns what was added', () => {
    const log = new RequestLog()
    log.add(plain)
    log.add({ ...plain, account: null, query: '', requestBody: Buffer.alloc(0), hint: 'schlüssel?' })
    const first = { ...plain, sequence: 1, requestId: 'req_1', requestBody: '{"side":"buy"}' }
    expect(log.since(0)).toEqual([
      first,
      {
        ...first,
        sequence: 2,
        requestId: 'req_2',
        account: null,
        query: '',
        requestBody: '',
        hint: 'schlüssel?',
      },
    ])
    expect(log.since(1)).toHaveLength(1)
    expect(log.nextSequence).toBe(3)
  })

  it('keeps the first 4,096 characters of a body', () => {
    const log = new RequestLog()
    log.add({ ...plain, requestBody: Buffer.alloc(5000, 'a'), responseBody: 'b'.repeat(5000) })
    const [request] = log.since(0)
    expect(request?.requestBody).toBe('a'.repeat(4096))
    expect(request?.responseBody).toBe('b'.repeat(4096))
  })

  it('can be cleared, but never assigns a sequence twice', () => {
    const log = new RequestLog()
    log.add(plain)
    log.clear()
    expect(log.since(0)).toEqual([])
    log.add(plain)
    expect(log.since(0).map(({ sequence }) => sequence)).toEqual([2])
  })

  it('keeps the last 10,000 entries, and at most 16 MiB', () => {
    const small = new RequestLog()
    for (let at = 0; at < 10_005; at += 1) small.add({ ...plain, status: 200 + (at % 7) })
    const kept = small.since(0)
    expect(kept).toHaveLength(10_000)
    expect(kept.every(({ sequence, status }) => status === 200 + ((sequence - 1) % 7))).toBe(true)

    const large = new RequestLog()
    const body = Buffer.alloc(4096, 'x')
    for (let at = 0; at < 6000; at += 1) large.add({ ...plain, requestBody: body, responseBody: `${at}` })
    const last = large.since(0)
    expect(last.length).toBeGreaterThan(3000)
    expect(last.length).toBeLessThan(4096)
    expect(last.at(-1)?.responseBody).toBe('5999')
    expect(last.every(({ sequence, responseBody }) => responseBody === String(sequence - 1))).toBe(true)
  })

  it('behaves like a ring of objects', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 })
    const request = fc.record({ text, hint: fc.option(text), bytes: fc.uint8Array({ maxLength: 600 }) })
    fc.assert(
      fc.property(fc.array(fc.option(request, { freq: 12 }), { maxLength: 120 }), (steps) => {
        const log = new RequestLog()
        const twin = new NaiveRing<object>(10_000)
        for (const step of steps) {
          if (step === null) {
            log.clear()
            twin.clear()
            continue
          }
          const requestBody = Buffer.from(step.bytes)
          log.add({ ...plain, path: step.text, responseBody: step.text, hint: step.hint, requestBody })
          twin.push({ path: step.text, hint: step.hint, requestBody: requestBody.toString() })
        }
        const seen = log.since(0).map(({ path, hint, requestBody }) => ({ path, hint, requestBody }))
        expect(seen).toEqual(twin.since(0))
      }),
      { seed: 7, numRuns: 100 },
    )
  })
})
