import { describe, expect, test } from 'vitest'
import { defaultModel, marketOf } from '../market-of.ts'

/*
 * The default price is a martingale: whatever is known at the start of a minute, the expected relative change in it
 * is 0. Changes are divided by the deviation that is known then, so that calm minutes count as much as wild ones,
 * and multiplied by what somebody might go by. The mean of such products has a standard error of their deviation
 * over the root of their number, because they are uncorrelated, too.
 */

const minutes = 12_000
const seeds = ['1', '2', '3', '4', '5', '6', '7', '8']

/** Relative changes over their known deviations, and the logarithms of the prices, by minute. */
function readSeed(symbol: string, seed: string): { scaled: Float64Array; logs: Float64Array } {
  const asset = {
    symbol,
    price: 50_000,
    model: defaultModel(symbol, 50_000),
    flow: { kind: 'none' } as const,
  }
  const market = marketOf([asset], { seed, gridMillis: 60_000 })
  const logs = Float64Array.from({ length: minutes + 1 }, (_, minute) =>
    Math.log(market.fundamentalAt(0, minute)),
  )
  const scaled = Float64Array.from({ length: minutes }, (_, minute) => {
    const change = Math.exp((logs[minute + 1] ?? 0) - (logs[minute] ?? 0)) - 1
    return change / market.activityAt(0, minute)
  })
  return { scaled, logs }
}

type Rule = (logs: Float64Array, minute: number) => number

const changeOver = (logs: Float64Array, minute: number, span: number): number =>
  minute < span ? 0 : (logs[minute] ?? 0) - (logs[minute - span] ?? 0)

const rules: readonly (readonly [string, Rule])[] = [
  ['nothing', () => 1],
  ['the last minute', (logs, minute) => Math.sign(changeOver(logs, minute, 1))],
  ['an hour', (logs, minute) => Math.sign(changeOver(logs, minute, 60))],
  ['two days', (logs, minute) => Math.sign(changeOver(logs, minute, 2_880))],
  [
    'a quarter of an hour larger than the hour before',
    (logs, minute) => {
      const move = changeOver(logs, minute, 15)
      return Math.abs(move) > Math.abs(changeOver(logs, minute - 15, 60)) ? Math.sign(move) : 0
    },
  ],
  ['minutes without a move', (logs, minute) => (changeOver(logs, minute, 1) === 0 ? 1 : 0)],
]

describe.each(['BTC', 'SOL'])('the price of %s', (symbol) => {
  const runs = seeds.map((seed) => readSeed(symbol, seed))

  test.each(rules)('is expected to stay what it is, given %s', (_name, rule) => {
    let [count, sum, square] = [0, 0, 0]
    for (const { scaled, logs } of runs) {
      for (let minute = 0; minute < minutes; minute += 1) {
        const position = rule(logs, minute)
        if (position === 0) continue
        const product = position * (scaled[minute] ?? 0)
        count += 1
        sum += product
        square += product * product
      }
    }
    const standardError = Math.sqrt(square) / count
    expect(count).toBeGreaterThan(400)

    expect(Math.abs(sum / count)).toBeLessThan(4 * standardError)
  })
})
