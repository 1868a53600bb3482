import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { Result } from '../../scenario/file/mistake.ts'
import type { LoadOptions } from '../../scenario/file/source.ts'
import { loadScenario } from '../../scenario/load.ts'
import { createIncludeReader } from './read-includes.ts'

/**
 * Reads and compiles a shipped scenario. The build replaces this module by one that reads scenarios from JSON, so that
 * the bundle starts and creates worlds without a YAML parser.
 */
export function readShipped(folder: string, name: string, options: LoadOptions): Result<CompiledScenario> {
  const file = `${name}.yaml`
  const readInclude = createIncludeReader(folder)
  return loadScenario(readFileSync(join(folder, file), 'utf8'), file, { readInclude, ...options })
}
