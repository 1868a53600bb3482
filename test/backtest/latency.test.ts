import { describe, expect, it } from 'vitest'
import { createLatency, parseLatency } from '../../src/backtest/latency.ts'

const names = Array.from({ length: 4000 }, (_, place) => `order ${place}`)

/** Mean and extremes over many messages. */
function drawn(text: string) {
  const { order } = createLatency({ order: text })
  const delays = names.map((name) => order.draw('7', name))
  const mean = delays.reduce((sum, one) => sum + one, 0) / delays.length
  return {
    mean,
    low: Math.min(...delays),
    high: Math.max(...delays),
    isWhole: delays.every(Number.isSafeInteger),
  }
}

describe('delays', () => {
  // The standard error of the mean is the deviation over 63; the bounds are four standard errors.
  it.each([
    ['25ms', 25, 0, 25, 25],
    ['uniform(10ms, 90ms)', 50, 1.5, 10, 90],
    ['normal(100ms, 20ms)', 100, 1.3, 0, 200],
    ['exponential(10ms, 40ms)', 50, 2.6, 10, 500],
    ['lognormal(100ms, 0.5)', 100 * Math.exp(0.125), 4, 10, 900],
    ['normal(1ms, 20ms)', 8.5, 1, 0, 100],
  ])('%s', (text, mean, tolerance, low, high) => {
    const found = drawn(text)
    expect(Math.abs(found.mean - mean)).toBeLessThanOrEqual(tolerance)
    expect(found.low).toBeGreaterThanOrEqual(low)
    expect(found.high).toBeLessThanOrEqual(high)
    expect(found.isWhole).toBe(true)
  })

  it('are the same for the same seed and message, and differ otherwise', () => {
    const { order, response } = createLatency({ order: 'uniform(0ms, 1s)', response: 'uniform(0ms, 1s)' })
    expect(order.draw('7', 'a')).toBe(order.draw('7', 'a'))
    const others = [order.draw('8', 'a'), order.draw('7', 'b'), response.draw('7', 'a')]
    expect(new Set([order.draw('7', 'a'), ...others]).size).toBe(4)
  })
})

describe('delays as text', () => {
  it.each([
    ['5ms', { order: '5ms', response: '5ms', feed: '5ms' }],
    ['order=5ms', { order: '5ms' }],
    ['order=normal(5ms, 1ms),feed=2ms', { order: 'normal(5ms, 1ms)', feed: '2ms' }],
  ])('%s', (text, options) => {
    expect(parseLatency(text)).toEqual(options)
  })

  it('refuses a direction that is given twice', () => {
    expect(() => parseLatency('order=5ms,feed=1ms,order=6ms')).toThrow('latency: order is given twice')
  })

  it.each(['fast', 'uniform(1ms)', 'normal(a, b)', 'lognormal(5ms, 5ms)', '-5ms', 'uniform(1ms, 2ms, 3ms)'])(
    'refuses %s',
    (text) => {
      expect(() => createLatency({ response: text })).toThrow(/latency.response: expected a span/)
    },
  )
})
