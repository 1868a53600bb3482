// Room: cli

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { otcsim } from '../cli/harness.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/* A report stated the defaults of all options, and the command refused them: --clock needs --live, --volume-in --data. */

const strategy = `export default {
  name: 'buyer', parameters: { size: { type: 'number', default: 1 } },
  onTick({ parameters, sync }, { index }) {
    if (index === 2) sync.orders.create({ side: 'buy', asset: 'BTC', quantity: parameters.size, orderType: 'market' })
  },
}
`
const candles = Array.from(
  { length: 60 },
  (_, place) => `${1_735_689_600 + 60 * place},9000,9100,8900,9000,5000000`,
)

it.each([
  '--model gbm,vol=0.6 --to 10m --set size=2',
  '--scenario calm --to 1m --latency order=5ms,response=3ms --rate-limits',
  '--data usd.csv --volume-in usd --margin --equity-grid 5m --seed 9',
  '--data BTC=usd.csv --data ETH=usd.csv --volume-in usd --client async --risk-free-rate 0.05',
])('repeats %s', async (options) => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'buyer.mjs'), strategy)
  writeFileSync(join(cwd, 'usd.csv'), `time,open,high,low,close,volume\n${candles.join('\n')}\n`)
  const digestOf = async (words: readonly string[]): Promise<string> => {
    const run = await otcsim([...words, '--html', 'run.html', '--json'], { cwd })
    expect(run.err).toMatch(/^(wrote .*\n)*$/)
    return JSON.parse(run.out).digest
  }
  const told = (): readonly string[] => {
    const [command = ''] = /otcsim backtest [^<]*/.exec(readFileSync(join(cwd, 'run.html'), 'utf8')) ?? []
    return command.split(' ').slice(1)
  }
  const digest = await digestOf(['backtest', 'buyer.mjs', ...options.split(' ')])
  const command = told()
  expect(await digestOf(command)).toBe(digest)
  // It has the given options, and no defaults.
  expect(told()).toEqual(command)
  expect(command).toHaveLength(2 + options.trim().split(/\s+/).length + (options.includes('--seed') ? 0 : 2))
})
