import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { built } from './built-command.ts'
import { otcsim } from './harness.ts'

it('has bars before its start, and a risk-free rate, when asked for', async () => {
  const cwd = temporaryFolder()
  const source = `export default {
    name: 'average', bar: '1m', warmUp: 5,
    onStart({ bars, note }) { note(bars('BTC').map(({ volume }) => volume).join()) },
    onBar({ bars, sync }) {
      if (bars('BTC').length === 9) sync.orders.create({ side: 'buy', asset: 'BTC', quantity: 5, orderType: 'market' })
    },
  }`
  writeFileSync(join(cwd, 'average.mjs'), source)
  const rows = Array.from({ length: 240 }, (_, place) => {
    const close = 100 + 5 * Math.sin(place / 7)
    return [1_735_689_600 + 60 * place, close - 0.1, close + 0.3, close - 0.4, close, place].join(',')
  })
  writeFileSync(join(cwd, 'candles.csv'), `time,open,high,low,close,volume\n${rows.join('\n')}\n`)
  const words = ['backtest', 'average.mjs', '--data', 'candles.csv', '--from', '20m', '--equity-grid', '1m']
  const plain = JSON.parse((await otcsim([...words, '--json'], { cwd })).out)
  expect(plain.notes[0].text).toBe('15,16,17,18,19')
  expect(plain.warmUpBars).toBe(5)
  const more = [...words, '--warm-up', '9', '--risk-free-rate', '0.04']
  const moved = JSON.parse((await otcsim([...more, '--json'], { cwd })).out)
  expect(moved.notes[0].text).toBe('11,12,13,14,15,16,17,18,19')
  expect(moved.metrics.sampling.riskFreeRate).toBe(0.04)
  const rated = [...words, '--warm-up', '9', '--json']
  const { returns } = JSON.parse((await otcsim(rated, { cwd })).out).metrics
  // 220 returns of a minute: the mean is less by 0.04 / 525,600, and the Sharpe ratio of a year is not known.
  const size = JSON.parse((await otcsim(rated, { cwd })).out).equity.equity
  const steps = size.slice(1).map((value: number, place: number) => value / size[place] - 1)
  const middle = steps.reduce((sum: number, one: number) => sum + one, 0) / steps.length
  const squares = steps.reduce((sum: number, one: number) => sum + (one - middle) ** 2, 0)
  const lost = 0.04 / 525_600 / Math.sqrt(squares / (steps.length - 1) / steps.length)
  expect(moved.metrics.returns.tStatistic.value).toBeCloseTo(returns.tStatistic.value - lost, 9)
  expect(moved.metrics.returns.sharpe.reason).toBe('the run is shorter than 30 days')

  const table = await otcsim([...more, '--html', 'run.html'], { cwd })
  expect(table.out).toContain('after 9 bars to warm up\n')
  expect(table.out).toMatch(/\n {2}sample {14}220 returns of 1m, beyond 4\.00 % a year, 0\.15 days\n/)
  const page = readFileSync(join(cwd, 'run.html'), 'utf8')
  expect(page).toContain('<dt>Bars before that</dt><dd>9</dd>')
  expect(page).toContain('<dt>Risk-free rate</dt><dd>4.00 % a year</dd>')
  expect(page).toContain('--warm-up 9 --risk-free-rate 0.04 ')

  const refused = async (args: readonly string[]) => (await otcsim([...words, ...args], { cwd })).err
  expect(await refused(['--warm-up', '21'])).toContain('--warm-up: 21 bars of 1m before 2025-01-01T00:20')
  expect(await refused(['--warm-up', 'x'])).toBe('--warm-up: expected a number, found "x"\n')
  expect(await refused(['--risk-free-rate', '4'])).toContain(
    '--risk-free-rate: expected a fraction a year, such as 0.04 for 4 %, found 4',
  )
  const plan = ['sweep', 'plan', ...more.slice(1)]
  const { work } = JSON.parse((await otcsim(plan, { cwd })).out)
  expect(work.options).toMatchObject({ warmUp: '9', riskFreeRate: '0.04' })
})

it('is refused by a sweep as by a run, in the words of flags', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'late.mjs'), "export default { name: 'late', bar: '1h', warmUp: 5, onBar() {} }")
  const rows = Array.from({ length: 9 }, (_, place) => `${1_735_689_600 + 3600 * place},9,9,9,9,0`)
  writeFileSync(join(cwd, 'candles.csv'), `time,open,high,low,close,volume\n${rows.join('\n')}\n`)
  const words = ['late.mjs', '--data', 'candles.csv', '--from', '2h']
  const run = await otcsim(['backtest', ...words], { cwd })
  const sweep = await built(['sweep', ...words, '--seeds', '1', '--jobs', '1'], cwd)
  expect([run.code, sweep.code]).toEqual([2, 2])
  const told =
    '--warm-up: 5 bars of 1h before 2025-01-01T02:00:00.000Z begin at 2024-12-31T21:00:00.000Z, and the recording of BTC at 2025-01-01T00:00:00.000Z; begin at 2025-01-01T05:00:00.000Z or later, or take fewer bars\n'
  expect([run.err, sweep.err]).toEqual([told, told])
})
