import { readFileSync } from 'node:fs'
import { nearestWord } from '../api/flaw.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import { mistakeText, type Result } from '../scenario/file/mistake.ts'
import { loadScenario } from '../scenario/load.ts'
import { loadScenarioValue } from '../scenario/load-tree.ts'
import { loadShipped, shippedScenarios } from '../world/shipped/shipped-scenarios.ts'

/**
 * What a test's world is made of: the name of a shipped scenario such as `calm`, a file, a scenario as an object, or
 * what `loadScenario` answers.
 */
export type ScenarioChoice = string | { readonly [key: string]: unknown } | CompiledScenario

/** Throws an Error with every problem, each on a line of its own. */
export function scenarioOf(choice: ScenarioChoice): CompiledScenario {
  if (isCompiled(choice)) return choice
  const loaded = typeof choice === 'string' ? loadNamed(choice) : loadScenarioValue(choice)
  if (loaded.ok) return loaded.value
  throw new Error(`the scenario cannot be used:\n${loaded.problems.map(mistakeText).join('\n')}`)
}

function isCompiled(choice: ScenarioChoice): choice is CompiledScenario {
  return typeof choice === 'object' && 'venue' in choice && 'expectations' in choice
}

/** Choice: a file with recordings has to be loaded with `loadScenario`, which finds them. */
function loadNamed(name: string): Result<CompiledScenario> {
  return loadShipped(name, {}) ?? loadScenario(readScenarioText(name), name)
}

function readScenarioText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (failure) {
    const nearest = nearestWord(file, shippedScenarios().names)
    const hint = nearest === null ? '' : `; did you mean ${nearest}?`
    const reason = failure instanceof Error ? failure.message : String(failure)
    throw new Error(
      `no scenario comes with otcsim as ${file}, and no file can be read there${hint} (${reason})`,
      {
        cause: failure,
      },
    )
  }
}
