import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { otcsim } from '../cli/harness.ts'
import { folderWith } from '../support/temporary-folder.ts'

/* What `backtest --assert` says of runs in which there was nothing to judge. */

const strategyOf = (hooks: string): string => `export default { name: 'one', onRefusal: 'note', ${hooks} }\n`
const order = (fields: string): string =>
  `sync.orders.create({ asset: 'BTC', side: 'buy', quantity: 0.1, ${fields} })`

const idle = 'onStart() {}'
const trading = `onTick({ sync }, { index }) { if (index === 1) ${order("orderType: 'market'")} }`

async function judge(hooks: string, ...conditions: readonly string[]) {
  const cwd = folderWith({ 's.mjs': strategyOf(hooks) })
  const words = ['backtest', 's.mjs', '--model', 'gbm,vol=0.6', '--to', '10m', '--equity-grid', '1m']
  const ended = await otcsim(
    [...words, '--html', 'r.html', ...conditions.flatMap((one) => ['--assert', one])],
    { cwd },
  )
  return { ...ended, page: readFileSync(join(cwd, 'r.html'), 'utf8') }
}

describe('a condition is met by nothing', () => {
  it.each<[what: string, hooks: string, condition: string]>([
    ['the profit of a strategy that does nothing', idle, 'returns.profit >= 0'],
    ['its fall', idle, 'drawdown.maximum > -0.1'],
    ['its costs', idle, 'costs.fees < 5'],
    ['a profit of exactly nothing', idle, 'returns.profit == 0'],
    ['a profit that is not something', idle, 'returns.profit != 100'],
    ['a strategy that stops at once', 'onStart({ stop }) { stop() }', 'returns.total > -0.01'],
    ['orders that never filled', `onStart({ sync }) { ${order('price: 10')} }`, 'drawdown.maximum >= 0'],
    ['orders that were all refused', `onStart({ sync }) { ${order('price: -1')} }`, 'returns.profit >= 0'],
    [
      'orders that were cancelled',
      `onStart({ sync }) { ${order('price: 10')}; sync.orders.cancelAll({}) }`,
      'costs.fees == 0',
    ],
    ['questions alone', 'onTick({ sync }) { sync.portfolio.balances() }', 'tail.grid.valueAtRisk95 <= 0'],
    [
      'quotes that nobody hit',
      "onStart({ sync }) { sync.quotes.submit({ asset: 'BTC', bidPrice: 10, askPrice: 900000, bidSize: 0.1, askSize: 0.1 }) }",
      'attribution.fees >= 0',
    ],
  ])('of %s', async (_, hooks, condition) => {
    const { code, err, page } = await judge(hooks, condition)
    expect(code).toBe(1)
    expect(err).toMatch(
      /looked at: 1 condition, 10 returns, 0 fills|looked at: 1 condition, 0 returns, 0 fills/,
    )
    expect(err).toMatch(
      /not met: .* \((?:is -?0, and nothing was judged: the run has no fills|is n\/a: .*)\)/,
    )
    expect(page).toMatch(/<li class="fail">/)
  })

  it.each<[what: string, condition: string, reason: string]>([
    ['a year of ten minutes', 'returns.cagr > -1', 'the run is shorter than 30 days'],
    ['a ratio of a short run', 'returns.sharpe != 7', 'the run is shorter than 30 days'],
    ['round trips of an open position', 'trips.hitRate >= 0', 'no trip won or lost'],
    ['a maker who only took', 'maker.spreadBps > -99', 'there are no maker fills'],
    ['a return without losses', 'returns.calmar < 99', 'the run is shorter than 30 days'],
    ['trials of nothing', 'returns.deflatedSharpe >= 0', ''],
    ['markouts of a maker without fills', 'maker.markouts.60000.bps > -99', 'there are no maker fills'],
    ['alpha of ten minutes', 'benchmark.alpha > -99', ''],
  ])('of %s', async (_, condition, reason) => {
    const { code, err } = await judge(trading, condition)
    expect(code).toBe(1)
    expect(err).toContain(`not met: ${condition} (is n/a: ${reason}`)
  })
})

it.each([
  [idle, 'activity.fills == 0'],
  [idle, 'sampling.returns >= 10'],
  [trading, 'returns.profit > -1000'],
])('%s: %s is met', async (hooks, condition) => {
  const { code, err, page } = await judge(hooks, condition)
  expect([code, page.includes('<li class="pass">')]).toEqual([0, true])
  expect(err).toMatch(/looked at: 1 condition, 10 returns, [01] fills?\n/)
})
