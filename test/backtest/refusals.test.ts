import { describe, expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'

/** Asks for more than it can pay at its second bar, and for something that it can pay at the others. */
function spender(onRefusal?: 'throw' | 'note', withPromises = false) {
  return defineStrategy({
    name: 'spender',
    bar: '1m',
    ...(onRefusal === undefined ? {} : { onRefusal }),
    state: () => ({ bars: 0, afterwards: 0 }),
    onBar({ state, sync, venue }): undefined | Promise<void> {
      state.bars += 1
      const quantity = state.bars === 2 ? 1_000 : 0.01
      const order = { asset: 'BTC', side: 'buy', quantity, orderType: 'market' } as const
      if (!withPromises) {
        sync.orders.create(order)
        state.afterwards += 1
        return undefined
      }
      return Promise.resolve(venue.orders.create(order)).then(() => {
        state.afterwards += 1
      })
    },
    onEnd: ({ note, state }) => note(`${state.bars} bars, ${state.afterwards} orders`),
  })
}

const options = { model: 'constant', to: '5m' } as const

describe('a refused order that no hook catches', () => {
  it.each([undefined, 'throw'] as const)('ends the run: %s', async (onRefusal) => {
    const run = backtest(spender(onRefusal), options)
    await expect(run).rejects.toThrow(/^spender: onBar failed at 2026-01-05T00:02:00.000Z: VenueError/)
  })

  it.each([
    ['at once', false, 'sync'],
    ['by a promise', true, 'async'],
  ] as const)(
    'is noted and counted where the strategy says so, and ends only its hook: %s',
    async (_, withPromises, client) => {
      const { fills, notes, rejects } = await backtest(spender('note', withPromises), { ...options, client })
      expect(fills).toHaveLength(4)
      expect(notes.map(({ text }) => text)).toEqual([
        expect.stringMatching(/^onBar was refused: /),
        '5 bars, 4 orders',
      ])
      expect(notes[0]?.atMillis).toBe(Date.UTC(2026, 0, 5, 0, 2))
      expect(rejects.map(({ count }) => count)).toEqual([1])
    },
  )

  it('does not hide other errors', async () => {
    const strategy = defineStrategy({
      name: 'broken',
      onRefusal: 'note',
      onTick: () => {
        throw new TypeError('broken')
      },
    })
    await expect(backtest(strategy, options)).rejects.toThrow('TypeError: broken')
  })
})
