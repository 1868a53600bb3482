import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findWheel } from '../../hftbacktest/find-wheel.ts'
import type { Answer } from './task.ts'
import { dayLot, type TextRow } from './write-day.ts'

const script = resolve('test/hftbacktest/replay_speed.py')

/** What hftbacktest takes for a day, or why it was not measured. */
export type ReferenceAnswers = { readonly replay: Answer; readonly maker: Answer } | { readonly lack: string }

/**
 * Lets the published wheel of hftbacktest work off the same rows, repeated as often, from a prepared form of its own:
 * without orders, and with the maker who quotes both sides each 100 ms. Both are compiled and warm.
 */
export function measureReference(
  folder: string,
  short: readonly TextRow[],
  repetitions: number,
): ReferenceAnswers {
  const found = findWheel()
  if (typeof found === 'string') return { lack: found }
  const { env, python } = found
  const file = join(folder, 'short.csv')
  const lines = short.map(({ atMillis, isSnapshot, isTrade, price, quantity, side }) => {
    const kind = isTrade ? 'trade' : isSnapshot ? 'snapshot' : 'depth'
    return `${atMillis},${kind},${side},${price},${quantity}\n`
  })
  writeFileSync(file, `ts_ms,kind,side,price,quantity\n${lines.join('')}`)
  const run = (task: string, ...words: readonly string[]) => {
    const { status, stderr, stdout } = spawnSync(python, [script, task, folder, String(dayLot), ...words], {
      env,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`hftbacktest has failed: ${stderr.trim().split('\n').at(-1) ?? ''}`)
    return JSON.parse(stdout)
  }
  const { rows } = run('prepare', file, String(repetitions))
  return { replay: { ...run('replay'), rows }, maker: { ...run('maker'), rows } }
}
