import { describe, expect, it } from 'vitest'
import { listAnnotations } from '../../../src/console/model/annotations.ts'
import type { HistoryEntry, RequestRow } from '../../../src/console/model/documents.ts'
import {
  findEnd,
  findState,
  LifelineIndex,
  listSubjects,
  markRequests,
} from '../../../src/console/model/lifelines.ts'
import { findSelected } from '../../../src/console/model/reveal.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 5) + second * 1000).toISOString()

type Told = readonly [
  sequence: number,
  second: number,
  type: string,
  fields: HistoryEntry['fields'],
  kind?: 'command' | 'event' | 'change',
]

const itemsOf = (told: readonly Told[]): HistoryEntry[] =>
  told.map(([sequence, second, type, fields, kind = 'event'], index) => ({
    ...{ index, sequence, at: at(second), kind, type, fields, refusal: null },
    ...{ account: 'trader', asset: 'BTC' },
  }))

const order = { orderId: 'ord_1', side: 'buy', quantity: 2 }
const filled = { quantity: 0.5, price: 41_000 }
const items = itemsOf([
  [1, 1, 'order.accepted', { ...order, price: 40_000 }],
  [2, 2, 'order.amended', { ...order, price: 41_000 }],
  [3, 3, 'trade', { orderId: 'ord_9', makerOrderId: 'ord_1', ...filled, cause: 'its turn came' }],
  [3, 3, 'order.partially_filled', { ...order, filledQuantity: 0.5 }],
  [4, 4, 'submit-quote', { bidSize: 1, bidPrice: 9, askSize: 2, askPrice: 11 }, 'command'],
  [4, 4, 'quote.accepted', { quoteId: 'quo_1' }],
  [5, 9, 'order.cancelled', { ...order, filledQuantity: 0.5 }],
])

function requestOf(sequence: number, told: Partial<RequestRow>): RequestRow {
  return {
    ...{ sequence, requestId: `req_${sequence}`, at: at(sequence), wallAt: at(sequence), durationMs: 1 },
    ...{ worldSequence: sequence, method: 'POST', path: '/api/sdk/orders', query: '', account: 'trader' },
    ...{ key: 'k', requestBody: '', status: 200, type: null, responseBody: '{}', hint: null },
    ...{ fault: null, lost: null },
    ...told,
  }
}

describe('lifelines', () => {
  it('go from placed to done, with what happened between, however the history comes', () => {
    for (const part of [1, 3, items.length]) {
      const index = new LifelineIndex()
      for (let end = part; end < items.length + part; end += part) index.grow(items.slice(0, end))
      const [line, quote] = index.list('trader')
      if (line === undefined) throw new Error('it was placed')
      expect(line).toMatchObject({ id: 'ord_1', side: 'buy', terms: '2 @ 40,000', placed: { sequence: 1 } })
      expect(line.states.map(({ state, filled }) => [state, filled])).toEqual([
        ['open', 0],
        ['partially_filled', 0.5],
        ['cancelled', 0.5],
      ])
      expect(line.marks.map(({ kind, text }) => [kind, text])).toEqual([
        ['amendment', '2 @ 41,000'],
        ['fill', '0.5 @ 41,000'],
      ])
      expect(line.marks.map(({ cause }) => cause)).toEqual([undefined, 'its turn came'])
      expect(findEnd(line)?.at).toBe(at(9))
      expect(findState(line, { sequence: 2, at: at(2) })?.state).toBe('open')
      expect(findState(line, { sequence: 0, at: at(0) })).toBeUndefined()
      expect([quote?.terms, quote?.states.at(-1)?.state]).toEqual(['1 @ 9 / 2 @ 11', 'active'])
      expect(index.list('maker')).toEqual([])
    }
  })

  it('start over with a history that does', () => {
    const index = new LifelineIndex()
    index.grow(items)
    index.grow(items.slice(0, 1))
    expect(index.find('ord_1')?.states).toHaveLength(1)
    expect(index.find('quo_1')).toBeUndefined()
  })

  it.each([
    [{ responseBody: '{"orderId":"ord_1"}' }, ['ord_1']],
    [{ method: 'DELETE', path: '/api/sdk/orders/ord_4' }, ['ord_4']],
    [{ method: 'GET', path: '/api/sdk/quotes/quo_1/fills' }, ['quo_1']],
    [
      { path: '/api/sdk/orders/batch', responseBody: '{"results":[{"orderId":"ord_1"},{"success":false}]}' },
      ['ord_1'],
    ],
    [{ method: 'GET', responseBody: '{"orders":[{"orderId":"ord_1"}]}' }, []],
    [{ responseBody: 'no JSON' }, []],
  ] as const)('have the requests about them: %j', (told, ids) => {
    expect(listSubjects(requestOf(1, told))).toEqual(ids)
  })

  it('have the faults that their requests met', () => {
    const lost = requestOf(2, { responseBody: '{"orderId":"ord_1"}', fault: 'reset_peer', lost: 'after' })
    const marks = markRequests([lost], () => 'buy').get('ord_1')
    expect(marks).toEqual([
      { at: at(2), sequence: 2, request: 2, kind: 'fault', text: 'buy under reset_peer' },
    ])
  })
})

describe('what the address has selected', () => {
  const begins = { sequence: 0, at: at(0) }
  const shown = {
    items,
    requests: [],
    begins,
    live: { sequence: 9, at: at(7200) },
    account: '',
    inspected: null,
  }

  it('is shown with its account, its asset and the time of its life', () => {
    const found = findSelected({ ...shown, selected: { kind: 'order', id: 'ord_1' } })
    expect(found).toEqual({
      ...{ selected: { kind: 'order', id: 'ord_1' }, account: 'trader', asset: 'BTC' },
      span: { from: Date.parse(at(0)), to: Date.parse(at(69)) },
    })
    const short = {
      ...shown,
      live: { sequence: 9, at: at(60) },
      selected: { kind: 'order', id: 'ord_1' },
    } as const
    expect(findSelected(short)?.span).toBeNull()
  })

  it('is the order that a request was about, or else the instant of the request', () => {
    const placed = requestOf(1, { responseBody: '{"orderId":"ord_1"}' })
    const refused = requestOf(2, { status: 422, at: at(3600) })
    const asked = { ...shown, requests: [placed, refused], selected: null }
    expect(findSelected({ ...asked, inspected: 1 })?.selected?.id).toBe('ord_1')
    expect(findSelected({ ...asked, inspected: 2 })).toEqual({
      account: 'trader',
      span: { from: Date.parse(at(3540)), to: Date.parse(at(3660)) },
    })
    expect(findSelected({ ...asked, inspected: 3 })).toBeNull()
    expect(findSelected({ ...shown, selected: { kind: 'order', id: 'ord_5' } })).toBeNull()
  })
})

describe('annotations', () => {
  it('are what the script did, halts with their length, and faults, in order', () => {
    const told = itemsOf([
      [1, 1, 'fault-added', {}, 'change'],
      [1, 5, 'scenario.action', { action: 'path', id: 'crash', problem: null }],
      [1, 6, 'pair.halted', { symbol: 'BTC-USD' }],
      [1, 8, 'pair.resumed', { symbol: 'BTC-USD' }],
      [1, 9, 'pair.halted', { symbol: 'BTC-USD' }],
    ]).map((item) => (item.kind === 'change' ? { ...item, asset: null } : item))
    const found = listAnnotations(told, [requestOf(7, { fault: 'latency' }), requestOf(8, {})], 'BTC')
    expect(
      found.map(({ kind, text, atMillis, untilMillis }) => [kind, text, untilMillis - atMillis]),
    ).toEqual([
      ['fault', 'fault added', 0],
      ['script', 'path crash', 0],
      ['halt', 'BTC-USD halted', 2000],
      ['fault', 'latency met req_7', 0],
      ['halt', 'BTC-USD halted', Number.POSITIVE_INFINITY],
    ])
    expect(listAnnotations(told, [], 'ETH').map(({ kind }) => kind)).toEqual(['fault'])
  })
})
