import { describe, expect, it } from 'vitest'
import { chartData } from '../../../src/console/model/chart-data.ts'
import { commentReader } from '../../../src/console/model/comment-reader.ts'
import { curlLine, otcsimLine, tryLine } from '../../../src/console/model/copy-as.ts'
import { countdown, decimalsOf, fixed, number, percent, signed } from '../../../src/console/model/format.ts'
import { readGoal } from '../../../src/console/model/goal.ts'
import { ladderOf } from '../../../src/console/model/ladder.ts'
import { readPermalink, writePermalink } from '../../../src/console/model/permalink.ts'

describe('numbers as texts', () => {
  it.each([
    [number(1_234_567.5), '1,234,567.5'],
    [number(0.1 + 0.2), '0.3'],
    [number(-0.000_000_001), '0'],
    [number(-1000), '−1,000'],
    [number(Number.NaN), 'n/a'],
    [fixed(999.994, 2), '999.99'],
    [fixed(-0.001, 2), '0.00'],
    [fixed(null, 2), 'n/a'],
    [signed(5), '+5.00'],
    [signed(-5), '−5.00'],
    [percent(12.34), '12.3 %'],
    [decimalsOf(0.01), 2],
    [decimalsOf(1), 0],
    [decimalsOf(0.000_01), 5],
  ])('%s is %s', (shown, expected) => {
    expect(shown).toBe(expected)
  })

  it.each([
    [1, '0 s'],
    [499, '0.4 s'],
    [9999, '9.9 s'],
    [59_999, '59 s'],
    [61_000, '1 m 1 s'],
    [7_260_000, '2 h 1 m'],
    [90_000_000, '1 d 1 h'],
  ])('%s ms is %s', (millis, expected) => {
    const later = new Date(millis).toISOString()
    expect(countdown(later, new Date(0).toISOString())).toBe(expected)
  })

  it('counts down to an instant', () => {
    expect(countdown('2026-01-05T00:00:30.000Z', '2026-01-05T00:00:17.800Z')).toBe('12 s')
    expect(countdown('2026-01-05T00:00:30.000Z', '2026-01-05T00:00:30.000Z')).toBe('over')
  })
})

describe('the target of the clock', () => {
  const now = '2026-01-05T10:00:00.000Z'
  it.each([
    ['+90s', { byMs: 90_000 }],
    ['1.5m', { byMs: 90_000 }],
    ['250ms', { byMs: 250 }],
    ['12:30', { to: '2026-01-05T12:30:00.000Z' }],
    ['12:30:05.5', { to: '2026-01-05T12:30:05.500Z' }],
    ['2026-01-06', { to: '2026-01-06T00:00:00.000Z' }],
    ['2026-01-06T01:02:03Z', { to: '2026-01-06T01:02:03.000Z' }],
    ['2026-01-06T01:02', { to: '2026-01-06T01:02:00.000Z' }],
    ['25:00', null],
    ['-5s', null],
    ['soon', null],
    ['', null],
  ])('%s is %j', (text, goal) => {
    expect(readGoal(text, now)).toEqual(goal)
  })
})

describe('the address', () => {
  it('encodes the place that is shown, and is read back', () => {
    const place = { sequence: 17, at: '2026-01-05T00:00:03.500Z' }
    const hash = writePermalink('my world', 'desk', 'BTC', place)
    expect(hash).toBe('#world=my%20world&seq=17&at=2026-01-05T00:00:03.500Z&account=desk&asset=BTC')
    expect(readPermalink(hash)).toEqual({ world: 'my world', account: 'desk', asset: 'BTC', place })
    expect(readPermalink(writePermalink('w', '', '', null))).toMatchObject({ world: 'w', place: null })
  })

  it.each(['#seq=x', '#seq=-1', '#', ''])('has no place in %j', (hash) => {
    expect(readPermalink(hash).place).toBeNull()
  })

  it('may omit the instant of a line', () => {
    expect(readPermalink('#seq=4&at=noon').place).toEqual({ sequence: 4, at: '' })
  })
})

describe('the ladder', () => {
  it('accumulates from the best price, and marks the account’s own orders', () => {
    const about = { orderId: '', clientOrderId: null, status: 'open', createdAt: '' } as const
    const order = { ...about, asset: 'BTC', side: 'buy', price: 99, quantity: 3, filledQuantity: 1 } as const
    const quote = {
      quoteId: '',
      clientQuoteId: null,
      asset: 'BTC',
      status: 'active' as const,
      validForSeconds: 30,
      bidPrice: 99,
      bidSize: 1,
      bidFilled: 0.5,
      askPrice: 101,
      askSize: 2,
      askFilled: 2,
      expiresAt: '',
      createdAt: '',
      updatedAt: '',
      metadata: {} as const,
    }
    const level = (price: number, quantity: number) => ({ price, quantity })
    const book = { asset: 'BTC', timestamp: '', bids: [level(100, 1), level(99, 3)], asks: [level(101, 2)] }
    const others = [{ ...order, asset: 'ETH' }, { ...order, side: 'sell', price: 101, asset: 'ETH' } as const]
    expect(ladderOf(book, [order, ...others], [quote])).toEqual({
      bids: [
        { price: 100, quantity: 1, total: 1, own: 0, share: 0.25 },
        { price: 99, quantity: 3, total: 4, own: 2.5, share: 1 },
      ],
      asks: [{ price: 101, quantity: 2, total: 2, own: 0, share: 0.5 }],
      spread: 1,
    })
    expect(ladderOf({ ...book, bids: [], asks: [] }, [], [])).toEqual({ bids: [], asks: [], spread: null })
  })
})

describe('comments of an event stream', () => {
  it('are read in any pieces', () => {
    const text = ': hello\n\nid: 7\nevent: order.filled\ndata: {"a":1}\n\n: there\n\n: not yet'
    const whole = ['hello', 'there']
    expect(commentReader()(text)).toEqual(whole)
    const read = commentReader()
    expect([...text].flatMap((letter) => read(letter))).toEqual(whole)
  })
})

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

describe('the chart', () => {
  const view = {
    now: '1970-01-01T00:00:10.000Z',
    asset: 'BTC',
    prices: [{ asset: 'BTC', bid: 99, ask: 101, mid: 100 }],
    trades: [
      { asset: 'BTC', side: 'sell', price: 97, timestamp: '1970-01-01T00:00:04.000Z' },
      { asset: 'BTC', side: 'buy', price: 97, timestamp: '1970-01-01T00:00:00.500Z' },
    ],
  } as const
  const lines = {
    asset: 'BTC',
    marks: [
      [2000, 98],
      [12_000, 102],
    ],
    trades: [[4000, 97]],
  } as const
  const samples = [
    [3000, 1, 97, 99],
    [5000, 2, 98, null],
  ] as const

  it('ends at the instant that is shown, and lines are steps', () => {
    const [seconds, mid, bid, ask, trades, buys, sells] = chartData(lines, samples, view, null)
    expect(seconds).toEqual([2, 3, 4, 5, 10])
    expect([mid, bid, ask]).toEqual([
      [98, 98, 98, 98, 98],
      [null, 97, 97, 98, 99],
      [null, 99, 99, 99, 101],
    ])
    expect([trades, buys, sells].map((column) => column.filter((value) => value !== null))).toEqual([
      [97],
      [],
      [97],
    ])
  })

  it('shows only earlier samples in the past', () => {
    const [seconds, mark] = chartData(null, samples, view, { sequence: 1, at: view.now })
    expect(seconds).toEqual([3, 4, 10])
    expect(mark).toEqual([null, null, 100])
    const atNow = chartData(
      { ...lines, marks: [[10_000, 103]], trades: [] },
      [],
      { ...view, trades: [] },
      null,
    )
    expect([atNow[0], atNow[1]]).toEqual([[10], [103]])
  })
})
