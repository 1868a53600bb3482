import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/* A small recorded book of our own, in which the queue decides what is filled, and a strategy that joins it. */

export const at = 1_700_000_000_000

/** Two levels a side. Each half second, some join the best bid, fewer leave it without a trade, and a seller takes two. */
export function project(): string {
  const cwd = temporaryFolder()
  const rows = ['ts_ms,kind,side,price,quantity']
  const trades = ['ts_ms,side,price,qty']
  for (const [side, price] of [
    ['buy', '100.0'],
    ['buy', '99.5'],
    ['sell', '100.5'],
    ['sell', '101.0'],
  ])
    rows.push(`${at},snapshot,${side},${price},20.0`)
  let left = 20
  const change = (millis: number, by: number): void => {
    left += by
    rows.push(`${at + millis},depth,buy,100.0,${left.toFixed(1)}`)
  }
  for (let step = 1; step <= 12; step += 1) {
    const begin = 1_000 + 500 * step
    change(begin, 3)
    change(begin + 100, -2.5)
    trades.push(`${at + begin + 200},sell,100.0,2.0`)
    change(begin + 200, -2)
  }
  rows.push(`${at + 20_000},depth,sell,101.0,9.0`)
  writeFileSync(join(cwd, 'book.csv'), `${rows.join('\n')}\n`)
  writeFileSync(join(cwd, 'trades.csv'), `${trades.join('\n')}\n`)
  writeFileSync(
    join(cwd, 'join.mjs'),
    `export default {
      name: 'join', tick: '1s', parameters: { size: { type: 'number', default: 6 } },
      onStart({ parameters, sync, assets }) {
        for (const asset of assets)
          sync.orders.create({ side: 'buy', asset, quantity: parameters.size, price: 100 })
      },
    }`,
  )
  return cwd
}
