import type { CompiledScenario } from './compile/compiled.ts'
import type { Result } from './file/mistake.ts'
import { parseDocument } from './file/parse-document.ts'
import type { LoadOptions } from './file/source.ts'
import { type LoadedMatrix, loadMatrix, loadTree } from './load-tree.ts'

/** A scenario from YAML 1.2 or JSON text; of a matrix, the first run. `file` only names it in problems. */
export function loadScenario(
  text: string,
  file: string,
  options: LoadOptions = {},
): Result<CompiledScenario> {
  return loadTree(parseDocument(text, file), file, options)
}

/** All runs of a scenario from YAML 1.2 or JSON text. */
export function loadScenarios(text: string, file: string, options: LoadOptions = {}): Result<LoadedMatrix> {
  return loadMatrix(parseDocument(text, file), file, options)
}
