import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveReadings } from '../../api/readings/readings.ts'
import { assert } from '../../numeric/assert.ts'
import { runChild } from '../run-child.ts'
import { environmentOf, type LocalVenue } from '../serve/local-venue.ts'
import type { Terminal } from '../terminal.ts'
import type { Cell } from './matrix-cells.ts'
import { readTestResults, type TestResults } from './test-results.ts'

export interface CellOutcome {
  readonly cell: Cell
  readonly code: number
  readonly isTimeout: boolean
  /** Null when the suite's output has no known form. */
  readonly tests: TestResults | null
  /** The end of the suite's output. */
  readonly output: string
}

export interface SuiteOptions {
  readonly words: readonly string[]
  readonly account: string | null
  readonly timeoutMillis: number
  /** What all cells have in common. */
  readonly pins: { readonly [key: string]: string }
  /** Ends the run that is under way, and so the whole matrix. */
  readonly stop: AbortSignal
}

const keptOutput = 4000

/** Runs a suite in a world of its own, which is deleted afterwards. */
export async function runCell(
  venue: LocalVenue,
  cell: Cell,
  { words, account, timeoutMillis, pins, stop }: SuiteOptions,
  terminal: Terminal,
): Promise<CellOutcome> {
  const { worlds, world: first, server } = venue
  const settings = Object.fromEntries(cell.settings.map(({ key, value }) => [key, value]))
  const readings = resolveReadings({ ...pins, ...settings }, first.readings)
  assert(readings.ok, 'a cell has known readings')
  const { scenario, seed, clock } = first
  const made = worlds.create(scenario, { seed, clock, readings: readings.value })
  assert(made.ok, 'a world from a counter has keys of its own')
  const { world } = made
  if (cell.fault !== null) world.controls.addFault(cell.fault)
  const report = join(tmpdir(), `otcsim-${randomUUID()}.report`)
  let [out, all] = ['', '']
  const end = await runChild(words, {
    cwd: terminal.cwd,
    env: { ...terminal.env, ...environmentOf(server, world, account), OTC_REPORT_FILE: report },
    timeoutMillis,
    said: (text, isErr) => {
      if (!isErr) out += text
      all = (all + text).slice(-keptOutput)
    },
    onStop: (listener) => {
      stop.addEventListener('abort', listener)
      return () => stop.removeEventListener('abort', listener)
    },
    graceMillis: 2000,
  })
  worlds.delete(world.id)
  const written = existsSync(report) ? readFileSync(report, 'utf8') : null
  rmSync(report, { force: true })
  return { cell, ...end, tests: readTestResults(written ?? out), output: all }
}

/** Works on all items, at most `jobs` at a time; results are in the order of the items. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  jobs: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>()
  let next = 0
  const worker = async (): Promise<void> => {
    for (;;) {
      const index = next
      next += 1
      const item = items[index]
      if (item === undefined) return
      results.set(index, await work(item))
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, worker))
  return [...results].sort(([left], [right]) => left - right).map(([, result]) => result)
}
