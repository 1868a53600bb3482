import { describe, expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { defineStrategy, isStrategy, strategyProblem } from '../../src/backtest/strategy.ts'

const options = { model: 'constant', to: '5s' } as const
const onTick = (): void => undefined

/** A strategy as from a JavaScript file, whose types nobody has checked. */
function untyped(parts: object) {
  const value: unknown = { name: 'odd', ...parts }
  if (!isStrategy(value)) throw new RangeError(strategyProblem(value) ?? '')
  return value
}

describe('a strategy without types', () => {
  it.each([
    [{ state: 5 }, 'odd: state must be a function of the parameters'],
    [{ state: { held: 0 } }, 'odd: state must be a function of the parameters'],
    [{ assets: ['BTC'] }, "odd: assets must be a function of the parameters, such as () => ['BTC']"],
    [{ tick: 5 }, "odd: tick must be a span, such as '1s'"],
    [{ bar: 60_000 }, "odd: bar must be a span, such as '1m'"],
    [{ account: 7 }, 'odd: account must be a text'],
    [{ onRefusal: 'ignore' }, "odd: onRefusal must be 'throw' or 'note'"],
    [{ onRefusal: () => 'note' }, "odd: onRefusal must be 'throw' or 'note'"],
    [{ parameters: 5 }, 'odd: parameters must be an object of declarations'],
    [
      { parameters: { a: 5 } },
      'odd: parameters.a.type must be one of number, integer, duration, string, boolean',
    ],
    [{ parameters: { a: { type: 'float', default: 1 } } }, 'odd: parameters.a.type must be one of'],
    [{ parameters: { a: { type: 'number' } } }, 'odd: parameters.a.default is missing'],
  ])('is refused with what is wrong: %j', async (parts, message) => {
    expect(strategyProblem({ name: 'odd', onTick, ...parts })).toContain(message)
  })

  it.each([
    [
      { assets: () => 'BTC', onTick },
      'odd: assets failed at 2026-01-05T00:00:00.000Z: TypeError: it must return a list',
    ],
    [
      {
        onTick,
        state: () => {
          throw new Error('no state')
        },
      },
      'odd: state failed at 2026-01-05T00:00:00.000Z: Error: no state',
    ],
    [
      { onStart: ({ note }: { note(text: unknown): void }) => note({ a: 1 }) },
      'onStart failed at 2026-01-05T00:00:00.000Z: TypeError: note: expected a text, found object',
    ],
    [
      { onStart: ({ record }: { record(name: string, value: unknown): void }) => record('a', null) },
      'TypeError: record: expected a number of "a", found null',
    ],
  ])('fails as what it is, not as an error of ours: %o', async (parts, message) => {
    await expect(backtest(untyped(parts), options)).rejects.toThrow(message)
  })

  it('cannot change its parameters, which are part of the result', async () => {
    const declared = { parameters: { size: { type: 'number', default: 1 } } }
    const meddling = untyped({
      ...declared,
      onTick: ({ parameters }: { parameters: Record<string, number> }) => {
        parameters['size'] = 2
      },
    })
    await expect(backtest(meddling, options)).rejects.toThrow(/onTick failed .* TypeError: Cannot assign/)
  })
})

it('records values that are not finite as gaps of its series', async () => {
  const strategy = defineStrategy({
    name: 'averages',
    onTick: ({ record }, { index }) => record('average', index < 3 ? Number.NaN : index / (index - 3)),
  })
  const { series } = await backtest(strategy, options)
  expect(series['average']?.values).toEqual([null, null, null, 4, 2.5])
})
