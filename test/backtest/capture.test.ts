import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import type { BacktestCapture } from '../../src/backtest/capture.ts'
import { captureDocument, readCaptureDocument, resumeBacktest } from '../../src/backtest/capture-document.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'
import { missing } from '../../src/numeric/assert.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { busyScenario } from './scenarios.ts'

const scenario = compiledScenario(busyScenario)

interface Held {
  readonly seen: Map<string, number>
  readonly closes: Float64Array
  readonly best: number
  quoteId: string
  readonly orders: string[]
}

/**
 * Always has something of every kind pending: quotes, resting orders, timers, draws, bars, notes, state of many types.
 */
const everything = defineStrategy({
  name: 'everything',
  tick: '7s',
  bar: '20s',
  state: (): Held => ({
    seen: new Map<string, number>(),
    closes: new Float64Array(4),
    best: Number.NaN,
    quoteId: '',
    orders: [],
  }),
  async onStart({ every, after, note }) {
    every('25s', 'often')
    after('95s', 'once')
    note('begun')
  },
  async onTimer({ price, random, record, state, venue }, { name }) {
    record(name, price('ETH').mid)
    const { orderId } = await venue.orders.create({
      asset: 'ETH',
      side: random('side').uniform() < 0.5 ? 'buy' : 'sell',
      quantity: 1,
      price: Math.round(price('ETH').mid * (0.999 + 0.002 * random('price').uniform()) * 100) / 100,
    })
    state.orders.push(orderId)
  },
  async onTick({ price, state, venue }, { index }) {
    if (index % 3 !== 0) return
    const { mid } = price('BTC')
    if (state.quoteId !== '' && (await venue.quotes.get(state.quoteId)).status === 'active')
      await venue.quotes.cancel(state.quoteId)
    const bidPrice = Math.round(mid * 99.99) / 100
    const askPrice = Math.round(mid * 100.01) / 100
    const quote = { asset: 'BTC', bidPrice, askPrice, bidSize: 0.5, askSize: 0.5, validForSeconds: 30 }
    state.quoteId = (await venue.quotes.submit(quote)).quoteId
  },
  onBar({ state }, { asset, close }) {
    state.closes[(state.seen.get(asset) ?? 0) % 4] = close
    state.seen.set(asset, (state.seen.get(asset) ?? 0) + 1)
  },
  onFill: ({ note }, { price, side }) => note(`${side} at ${price}`),
  onOrderUpdate: ({ note }, { status }) => note(status),
  onEnd: ({ note, price, state }) => note(`${price('BTC').mid} ${[...state.seen]} ${state.closes}`),
})

const ways = [
  {},
  { client: 'async' },
  { latency: { order: 'uniform(5ms, 900ms)', response: '40ms', feed: 'normal(3s, 1s)' } },
  { client: 'async', latency: { order: '30ms', feed: '9s' } },
] as const

describe('a captured run', () => {
  it('continues to the same bytes, wherever it is captured, also through a file and twice', async () => {
    const wholes = await Promise.all(
      ways.map(async (way) => JSON.stringify(await backtest(everything, { scenario, to: '6m', ...way }))),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.nat(ways.length - 1),
        fc.integer({ min: 0, max: 200_000 }),
        fc.integer({ min: 1, max: 150_000 }),
        async (place, first, further) => {
          const captures: BacktestCapture[] = []
          const onCapture = (capture: BacktestCapture) => void captures.push(capture)
          const options = { scenario, to: '6m', ...ways[place] }
          const captured = await backtest(everything, { ...options, captureAt: `${first}ms`, onCapture })
          expect(JSON.stringify(captured)).toBe(wholes[place])

          const [capture = missing('it was captured')] = captures
          const read = readCaptureDocument(JSON.parse(JSON.stringify(captureDocument(capture))))
          const resumed = await resumeBacktest(everything, read, { captureAt: `${further}ms`, onCapture })
          expect(JSON.stringify(resumed)).toBe(wholes[place])

          const [, second = missing('it was captured again')] = captures
          expect(JSON.stringify(await resumeBacktest(everything, second))).toBe(wholes[place])
          expect(JSON.stringify(await resumeBacktest(everything, capture))).toBe(wholes[place])
        },
      ),
      { seed: 7, numRuns: 6 },
    )
  })

  it.each([
    ['fixed', 'sync'],
    ['fixed', 'async'],
    ['sliding', 'sync'],
    ['token-bucket', 'async'],
  ] as const)('goes on with what it has used of its rate limits: %s, %s', async (algorithm, client) => {
    // Windows so long, and limits so low, that most captures fall into a partly used window.
    const limited = compiledScenario({
      ...busyScenario,
      rateLimits: { other: 5, windowMs: 50_000 },
      readings: { 'rate.algorithm': algorithm },
    })
    const options = { scenario: limited, to: '4m', client, rateLimits: true }
    const whole = await backtest(everything, options)
    expect(whole.metrics.maker.rateLimited).toBeGreaterThan(0)
    expect(JSON.stringify(whole)).not.toBe(
      JSON.stringify(await backtest(everything, { ...options, rateLimits: false })),
    )
    for (const captureAt of ['0ms', '33100ms', '77s', '111111ms', '3m']) {
      const captures: BacktestCapture[] = []
      await backtest(everything, {
        ...options,
        captureAt,
        onCapture: (capture) => void captures.push(capture),
      })
      const [capture = missing('it was captured')] = captures
      const read = readCaptureDocument(JSON.parse(JSON.stringify(captureDocument(capture))))
      expect(JSON.stringify(await resumeBacktest(everything, read))).toBe(JSON.stringify(whole))
    }
  })

  it('belongs to its strategy, and a changed document is refused', async () => {
    const captures: BacktestCapture[] = []
    await backtest(everything, {
      scenario,
      to: '1m',
      captureAt: '30s',
      onCapture: (capture) => void captures.push(capture),
    })
    const [capture = missing('it was captured')] = captures
    const other = defineStrategy({ name: 'other', onTick: () => undefined })
    await expect(resumeBacktest(other, capture)).rejects.toThrow('the capture is of strategy "everything"')
    const document = captureDocument(capture)
    expect(() => readCaptureDocument({ ...document, strategy: 'other' })).toThrow('check: ')
    expect(() => readCaptureDocument({ ...document, version: 1 })).toThrow('version: ')
    expect(() => readCaptureDocument({ ...document, world: {} })).toThrow('world.format: ')
    expect(() => readCaptureDocument([])).toThrow('format: ')
  })

  it.each([
    [{ captureAt: '1m' }, 'captureAt: it is not within the run'],
    [{ captureAt: 'soon' }, 'captureAt: expected a time'],
  ])('is refused: %j', async (options, message) => {
    await expect(backtest(everything, { scenario, to: '1m', ...options })).rejects.toThrow(message)
  })

  it.each([
    [{ held: new Set([1]) }, 'state.held is a Set'],
    [{ deep: [{ call: () => 1 }] }, 'state.deep[0].call is a function'],
    [{ at: new Map([['a', new Date(0)]]) }, 'state.at.get(a) is a Date'],
  ])('says what of its state is no plain data', async (state, message) => {
    const strategy = defineStrategy({ name: 'odd', state: () => state, onTick: () => undefined })
    const run = backtest(strategy, { scenario, to: '1m', captureAt: '10s', onCapture: () => undefined })
    await expect(run).rejects.toThrow(message)
  })
})
