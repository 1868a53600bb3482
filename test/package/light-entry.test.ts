import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, it } from 'vitest'

/** The files that a module of the bundle loads with it, itself included: what it imports at once, and so on. */
function filesLoadedWith(entry: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const add = (file: string): void => {
    if (found.has(file)) return
    const text = readFileSync(file, 'utf8')
    found.set(file, text)
    for (const [, name = ''] of text.matchAll(/^(?:import|export)\b[^"';]*"(\.[^"]+)"/gm))
      add(resolve(dirname(file), name))
  }
  add(resolve(entry))
  return found
}

it('a strategy that imports otcsim/backtest loads no venue with it: the command has one', () => {
  const files = filesLoadedWith('dist/backtest.js')
  expect(files.size).toBeGreaterThan(1)
  const bytes = [...files.values()].reduce((sum, text) => sum + text.length, 0)
  // All that backtests need is ten times as much.
  expect(bytes).toBeLessThan(400_000)
  expect([...files.values()].filter((text) => text.includes('#region src/world/world.ts'))).toEqual([])
})
