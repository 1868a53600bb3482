import { linesOfBytes, seal } from '../../../src/journal/lines.ts'
import type { CompiledScenario } from '../../../src/scenario/compile/compiled.ts'
import { startMemoryJournal } from '../../../src/world/journals/journal.ts'
import { type Replay, type ReplayLimit, replayJournal } from '../../../src/world/journals/replay.ts'
import { createWorld, type World } from '../../../src/world/world.ts'
import { compiledScenario } from '../../support/compiled-scenario.ts'
import { liquidScenario } from '../scenarios.ts'
import { runBusily } from './busy.ts'

export function scenarioOf(value: unknown = liquidScenario): CompiledScenario {
  return compiledScenario(value)
}

export interface RecordedRun {
  readonly world: World
  readonly text: string
  readonly lines: readonly string[]
}

/** A world after a busy run, and its journal. */
export function recordRun(seed: string, steps: number, scenario = scenarioOf()): RecordedRun {
  const world = createWorld(scenario, { seed })
  const journal = startMemoryJournal(world, { otcsim: 'test', start: null })
  runBusily(world, seed, steps)
  const text = [...journal.text()].join('')
  return { world, text, lines: text.split('\n').slice(0, -1) }
}

export const replayText = (text: string | Buffer, until?: ReplayLimit): Replay =>
  replayJournal(linesOfBytes(Buffer.from(text)), until)

/** The journal with some lines changed, and its chain of hashes computed again. */
export function forgeJournal(
  lines: readonly string[],
  change: (object: Record<string, unknown>, index: number) => void,
): string {
  let hash = ''
  let text = ''
  for (const [index, line] of lines.entries()) {
    const object: Record<string, unknown> = JSON.parse(line)
    delete object['hash']
    change(object, index)
    const sealed = seal(hash, JSON.stringify(object))
    hash = sealed.hash
    text += `${sealed.line}\n`
  }
  return text
}
