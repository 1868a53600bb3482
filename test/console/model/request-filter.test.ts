import { expect, it } from 'vitest'
import type { RequestRow } from '../../../src/console/model/documents.ts'
import {
  countValues,
  filterRequests,
  formatOperation,
  getAccount,
  isLater,
  listOutcomes,
  noFilter,
} from '../../../src/console/model/request-filter.ts'

const request = (sequence: number, change: Partial<RequestRow> = {}): RequestRow => ({
  sequence,
  requestId: `req_${sequence}`,
  at: `2026-01-05T00:00:0${sequence}.000Z`,
  wallAt: '2026-01-05T00:00:00.000Z',
  durationMs: 0,
  worldSequence: sequence,
  method: 'POST',
  path: '/api/sdk/orders',
  query: '',
  account: 'trader',
  key: null,
  requestBody: '{"side":"buy","asset":"BTC","quantity":1,"price":50000}',
  status: 201,
  type: null,
  responseBody: '{"orderId":"ord_1","status":"open"}',
  hint: null,
  fault: null,
  lost: null,
  ...change,
})

const requests = [
  request(1),
  request(2, { status: 422, responseBody: '{"message":"too large"}', account: 'maker' }),
  request(3, { status: 0, responseBody: '', fault: 'timeout', account: null }),
  request(4, { method: 'DELETE', path: '/api/sdk/orders/ord_1', requestBody: '' }),
]

it('counts a request whose answer was lost among those that failed, and says when', () => {
  const lost = [
    request(1, { status: 0, responseBody: '', fault: 'f timeout', lost: 'before' }),
    request(2, { fault: 'f reset_peer', lost: 'after' }),
    request(3, { fault: 'f limit_data', lost: 'cut' }),
    request(4, { fault: 'f latency' }),
  ]
  const found = (outcome: string) =>
    filterRequests(lost, { ...noFilter, outcome }).map(({ sequence }) => sequence)
  expect(found('failed')).toEqual([1, 2, 3])
  expect(found('done')).toEqual([4])
  expect(['lost before', 'lost after', 'lost cut'].map(found)).toEqual([[1], [2], [3]])
  expect(filterRequests(lost, { ...noFilter, text: 'not told' }).map(({ sequence }) => sequence)).toEqual([2])
})

it.each([
  [noFilter, [1, 2, 3, 4]],
  [{ ...noFilter, outcome: 'failed' }, [2, 3]],
  [{ ...noFilter, outcome: 'done' }, [1, 4]],
  [{ ...noFilter, outcome: 'fault' }, [3]],
  [{ ...noFilter, outcome: '422' }, [2]],
  [{ ...noFilter, outcome: 'no answer' }, [3]],
  [{ ...noFilter, account: 'maker' }, [2]],
  [{ ...noFilter, operation: 'DELETE /orders/…' }, [4]],
  [{ ...noFilter, operation: 'POST /orders', outcome: 'failed' }, [2, 3]],
  [{ ...noFilter, account: 'nobody' }, [3]],
  [{ ...noFilter, text: 'ord_1' }, [1, 4]],
  [{ ...noFilter, text: '  50,000 BUY ' }, [1, 2, 3]],
  [{ ...noFilter, text: 'cancel' }, [4]],
  [{ ...noFilter, text: 'too large', account: 'trader' }, []],
] as const)('%j keeps %j', (filter, sequences) => {
  expect(filterRequests(requests, filter).map(({ sequence }) => sequence)).toEqual(sequences)
})

it('counts requests by account, operation and outcome', () => {
  const counted = (valuesIn: Parameters<typeof countValues>[1]) =>
    Object.fromEntries(countValues(requests, valuesIn))
  expect(counted((each) => [getAccount(each)])).toEqual({ trader: 2, maker: 1, nobody: 1 })
  expect(counted((each) => [formatOperation(each)])).toEqual({ 'POST /orders': 3, 'DELETE /orders/…': 1 })
  expect(counted(listOutcomes)).toEqual({ '201': 2, '422': 1, 'no answer': 1, done: 2, failed: 2, fault: 1 })
})

it.each([
  ['/api/sdk/orders/by-client-id', '/orders/by-client-id'],
  ['/api/sdk/market-data/prices/BTC', '/market-data/prices/…'],
  ['/api/sdk/quotes/3f2a8c1e-0000-4000-8000-000000000000/fills', '/quotes/…/fills'],
])('takes what %s names out of it', (path, told) => {
  expect(formatOperation(request(1, { method: 'GET', path }))).toBe(`GET ${told}`)
})

it('knows which requests came after the shown moment', () => {
  const moment = { sequence: 2, at: '2026-01-05T00:00:02.000Z' }
  expect(requests.map((each) => isLater(each, moment))).toEqual([false, false, true, true])
  expect(requests.map((each) => isLater(each, null))).toEqual([false, false, false, false])
})
