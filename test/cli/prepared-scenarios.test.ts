import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { otcsim, serve } from './harness.ts'

/* Every command that reads a scenario's recordings keeps them in the store, and takes them from it. */

const rowCount = 9_000

function setUp(): string {
  const cwd = temporaryFolder()
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const price = 100 + (row % 13)
    return `${Date.UTC(2026, 0, 1) + row * 60_000},${price},${price + 2},${price - 1},${price + 1},3`
  })
  writeFileSync(join(cwd, 'candles.csv'), `timestamp,open,high,low,close,volume\n${rows.join('\n')}\n`)
  writeFileSync(
    join(cwd, 'recorded.yaml'),
    `version: 1
name: recorded
clock: { start: 2026-01-01T00:00:00Z, end: +1h }
market: { flow: { kind: none }, assets: { BTC: { model: { kind: replay, data: candles.csv }, liquidity: { kind: none } } } }
accounts: [{ id: desk, balances: { USD: 1000 } }]
`,
  )
  return cwd
}

const commands: readonly (readonly [string, readonly string[]])[] = [
  ['validate', ['validate', 'recorded.yaml']],
  ['paths', ['paths', 'recorded.yaml', '--seeds', '1', '--html', 'paths.html']],
]

it.each(commands)('%s reads a recording once', async (_, words) => {
  const cwd = setUp()
  const kept = join(cwd, '.otcsim/recordings')
  const anew = await otcsim([...words, '--no-cache'], { cwd })
  expect(anew).toMatchObject({ code: 0 })
  expect(anew.err).toMatch(/candles\.csv: read as 9,000 candles of 1m/)
  expect(existsSync(kept)).toBe(false)
  const first = await otcsim(words, { cwd })
  expect(first.err).toBe(anew.err)
  expect(existsSync(kept)).toBe(true)
  const second = await otcsim(words, { cwd })
  expect(second.code).toBe(0)
  expect(second.err).toMatch(/candles\.csv: \.otcsim\/recordings: /)
  expect(second.out).toBe(anew.out)
})

it('serve reads a recording once, and says how', async () => {
  const cwd = setUp()
  const words = ['--scenario', 'recorded.yaml', '--clock', 'manual', '--port', '0']
  const first = await (await serve(words, { cwd })).finished()
  expect(first.err).toMatch(/candles\.csv: read as 9,000 candles of 1m/)
  const second = await (await serve(words, { cwd })).finished()
  expect(second.err).toMatch(/candles\.csv: \.otcsim\/recordings: /)
})
