import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { built } from './built-command.ts'
import { otcsim } from './harness.ts'

const spread = `export default {
  name: 'spread', bar: '1h', parameters: { size: { type: 'number', default: 1 } },
  onBar({ parameters, sync }, { asset, toMillis }) {
    const side = (toMillis / 3_600_000) % 2 === 0 ? 'buy' : 'sell'
    if (asset === 'ETH' && toMillis > 1_735_693_200_000 && side === 'buy')
      sync.orders.create({ asset, side, quantity: parameters.size, orderType: 'market' })
  },
}
`

function project(): string {
  const cwd = temporaryFolder()
  const write = (file: string, price: number, seconds: number, from: number) => {
    const rows = Array.from({ length: 12 }, (_, place) => {
      const close = price + place
      return [1_735_689_600 + from + seconds * place, close, close + 1, close - 1, close, 3].join(',')
    })
    writeFileSync(join(cwd, file), `time,open,high,low,close,volume\n${rows.join('\n')}\n`)
  }
  write('btc.csv', 1000, 3600, 0)
  write('eth.csv', 100, 3600, 7200)
  write('slow.csv', 100, 14_400, 0)
  write('late.csv', 100, 3600, 86_400)
  writeFileSync(join(cwd, 'spread.mjs'), spread)
  return cwd
}

it('runs several recordings, and shows the command that repeats it', async () => {
  const cwd = project()
  const data = ['--data', 'BTC=btc.csv', '--data', 'ETH=eth.csv']
  const run = await otcsim(['backtest', 'spread.mjs', ...data, '--html', 'run.html', '--json'], { cwd })
  expect(run.code).toBe(0)
  const result = JSON.parse(run.out)
  expect(result.source).toEqual({ kind: 'data', name: 'BTC=btc.csv ETH=eth.csv' })
  expect(result.calls.onBar).toBe(20)
  expect(readFileSync(join(cwd, 'run.html'), 'utf8')).toContain(
    'otcsim backtest spread.mjs --data BTC=btc.csv --data ETH=eth.csv ',
  )
  const words = ['sweep', 'spread.mjs', ...data, '--set', 'size=1,2', '--seeds', '1', '--jobs', '1', '--json']
  const sweep = await built(words, cwd)
  expect(sweep.code).toBe(0)
  const [worst] = JSON.parse(sweep.out).worst
  expect(worst.replay).toContain('spread.mjs --data BTC=btc.csv --data ETH=eth.csv --set size=')
  const again = await otcsim([...worst.replay.split(' ').slice(2), '--json'], { cwd })
  expect(JSON.parse(again.out).digest).toBe(worst.digest)
})

it.each<[readonly string[], number, string]>([
  [
    ['BTC=btc.csv', 'BTC=eth.csv'],
    5,
    'eth.csv: overlaps another file at 2025-01-01T02:00:00.000Z with other figures',
  ],
  [['BTC=btc.csv,btc.csv'], 5, 'overlaps another file: nothing in it is new'],
  [
    ['BTC=btc.csv', 'eth.csv'],
    2,
    '--data: of several recordings each names its asset; write --data BTC=eth.csv',
  ],
  [
    ['BTC=btc.csv,ETH=eth.csv'],
    2,
    '--data: each asset has an option of its own: --data BTC=btc.csv --data ETH=eth.csv',
  ],
  [['btc=btc.csv'], 2, '--data: "btc" is not an asset symbol, such as BTC'],
  [['BTC=btc.csv', 'ETH=none.csv'], 5, 'cannot read'],
  [['BTC=btc.csv', 'ETH=late.csv'], 2, '--data: the recordings have no time in common: BTC 2025-01-01T00'],
])('refuses %j', async (files, code, message) => {
  const words = files.flatMap((file) => ['--data', file])
  const refused = await otcsim(['backtest', 'spread.mjs', ...words], { cwd: project() })
  expect(refused).toMatchObject({ code, out: '' })
  expect(refused.err).toContain(message)
})

it('uses a recording with a named asset for that asset, and refuses a second name', async () => {
  const cwd = project()
  const one = ['backtest', 'spread.mjs', '--data', 'ETH=eth.csv', '--json']
  expect(JSON.parse((await otcsim(one, { cwd })).out).calls.onBar).toBe(12)
  expect((await otcsim([...one, '--asset', 'BTC'], { cwd })).err).toBe(
    '--asset does not go with --data that names its asset\n',
  )
})
