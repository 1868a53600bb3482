import fc from 'fast-check'
import { expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import type { BacktestOptions } from '../../src/backtest/backtest-options.ts'
import { resolveSource } from '../../src/backtest/source.ts'
import { type Bar, defineStrategy, type StrategyContext } from '../../src/backtest/strategy.ts'
import { StrategyError } from '../../src/backtest/strategy-answers.ts'
import { VenueError } from '../../src/client/venue-error.ts'
import { makeRecordedBook } from '../../src/market/books/make-recorded-book.ts'
import type { Candle } from '../../src/market/recordings/candle.ts'
import { missing } from '../../src/numeric/assert.ts'
import { drawBookRows } from '../engine/recorded/draw-book-rows.ts'
import { lazyScenarios } from './scenarios.ts'

/*
 * Ticks that only add to bars, at mids computed ahead, are skipped in blocks. A strategy with `onTick` is called at every
 * tick. Two strategies that differ only in that must see the same, and end in the same state.
 */

/** Candles of 20 s with a gap of three minutes, from an instant that is no multiple of their span. */
const recorded = resolveSource({
  candles: Array.from({ length: 60 }, (_, place): Candle => {
    const [open, close] = [50_000 + 90 * (place % 7), 50_000 + 90 * ((place + 1) % 7)]
    return {
      atMillis: Date.UTC(2026, 0, 5) + 5000 + 20_000 * place + (place < 17 ? 0 : 180_000),
      spanMillis: 20_000,
      open,
      high: Math.max(open, close) + 3.5,
      low: Math.min(open, close) - 2.5,
      close,
      volume: 1 + (place % 4),
    }
  }),
  market: { grid: '1s', type: 'margin', cash: 1e7 },
}).scenario

/** A recorded book whose rows come at any millisecond. */
const bookRows = drawBookRows('1', {
  startMillis: Date.UTC(2026, 0, 5) + 3,
  count: 12_000,
  longestMillis: 200,
})
const ofBook = resolveSource({
  books: {
    BTC: {
      book: makeRecordedBook(bookRows),
      priceStep: { units: 1, scale: 1 },
      quantityStep: { units: 1, scale: 2 },
    },
  },
  market: { grid: '1s', type: 'margin', cash: 1e7 },
}).scenario

// With takers, no tick is quiet.
const scenarios = [...lazyScenarios.slice(0, 2), recorded, ofBook]

const deeds = [
  'buy',
  'sell',
  'rest',
  'nap',
  'price',
  'sleep',
  'timer',
  'promise',
  'draw',
  'stop',
  'throw',
] as const
type Deed = (typeof deeds)[number]

interface Wish {
  readonly call: number
  readonly deed: Deed
}

interface Told {
  calls: number
  readonly seen: unknown[]
}

type Context = StrategyContext<Readonly<Record<string, never>>, Told>

function strategyOf(wishes: readonly Wish[], bar: string, withTicks: boolean) {
  const act = (context: Context): undefined | Promise<void> => {
    context.state.calls += 1
    const promises: Promise<void>[] = []
    for (const { call, deed } of wishes)
      if (call === context.state.calls) promises.push(doIt(context, deed) ?? Promise.resolve())
    const [first] = promises
    return first === undefined ? undefined : Promise.all(promises).then(() => undefined)
  }
  return defineStrategy({
    name: 'wisher',
    bar,
    state: (): Told => ({ calls: 0, seen: [] }),
    onBar(context: Context, bar: Bar) {
      context.state.seen.push([context.now, { ...bar }])
      return act(context)
    },
    onTimer(context: Context, { name }) {
      context.state.seen.push([context.now, name])
      return act(context)
    },
    onFill: ({ now, state }: Context, { price, side }) => void state.seen.push([now, side, price]),
    onOrderUpdate: ({ now, state }: Context, { status }) => void state.seen.push([now, status]),
    onEnd: ({ note, state }: Context) => note(JSON.stringify(state.seen)),
    ...(withTicks ? { onTick: () => undefined } : {}),
  })
}

function doIt(context: Context, deed: Deed): undefined | Promise<void> {
  const { after, every, note, price, random, record, sleep, stop, venue } = context
  if (deed === 'price') note(JSON.stringify(price('BTC')))
  else if (deed === 'timer') {
    every('70s', 'often')
    after('95s', 'once')
  } else if (deed === 'draw') record('draw', random('draws').uniform())
  else if (deed === 'stop') stop()
  else if (deed === 'sleep') return sleep('130s')
  else if (deed === 'promise') return Promise.resolve()
  else if (deed === 'throw') throw new Error('it was asked for')
  else if (deed === 'rest' || deed === 'nap') return rest(context, deed === 'nap')
  else return send(venue, { asset: 'BTC', quantity: 0.3, side: deed, orderType: 'market' })
  return undefined
}

/** Rests an order that is soon hit, sometimes while its strategy sleeps. */
async function rest({ price, sleep, venue }: Context, isSleepy: boolean): Promise<void> {
  await send(venue, { asset: 'BTC', quantity: 0.3, side: 'buy', price: price('BTC').bid })
  if (isSleepy) await sleep('200s')
}

async function send(venue: Context['venue'], order: Parameters<Context['venue']['orders']['create']>[0]) {
  try {
    await venue.orders.create(order)
  } catch (error) {
    // A halted pair refuses orders.
    if (!(error instanceof VenueError)) throw error
  }
}

const ways: readonly Partial<BacktestOptions>[] = [
  {},
  { client: 'async' },
  { latency: { order: 'uniform(5ms, 900ms)', response: '40ms' } },
  { client: 'async', latency: { order: '30ms' } },
  { latency: { feed: '3s' } },
]

it('gives the same result as a run that is called at every tick', async () => {
  const wish = fc.record({ call: fc.integer({ min: 1, max: 25 }), deed: fc.constantFrom(...deeds) })
  await fc.assert(
    fc.asyncProperty(
      fc.nat(scenarios.length - 1),
      fc.array(wish, { maxLength: 8 }),
      fc.constantFrom('1m', '20s', '90s'),
      fc.constantFrom('20s', '1s', '1m', '70s', '250ms'),
      fc.nat(ways.length - 1),
      async (place, wishes, bar, tick, way) => {
        const scenario = scenarios[place] ?? missing('there is a scenario')
        const run = async (withTicks: boolean): Promise<string> => {
          const options: BacktestOptions = { scenario, to: '17m', tick, account: 'desk', ...ways[way] }
          try {
            return withoutTicks(JSON.stringify(await backtest(strategyOf(wishes, bar, withTicks), options)))
          } catch (error) {
            if (error instanceof StrategyError || error instanceof RangeError) return error.message
            throw error
          }
        }
        expect(difference(await run(false), await run(true))).toBe('')
      },
    ),
    { seed: 7, numRuns: 80 },
  )
})

/** Removes the number of calls of `onTick`, which differs between the two. */
function withoutTicks(text: string): string {
  return text.replaceAll(/"onTick":\d+/g, '"onTick":0')
}

/** The first difference of two texts; empty when they are equal. */
function difference(one: string, other: string): string {
  if (one === other) return ''
  let at = 0
  while (one[at] === other[at]) at += 1
  const around = (text: string): string => text.slice(Math.max(0, at - 200), at + 200)
  return `${around(one)}\n${around(other)}`
}
