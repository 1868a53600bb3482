import type { CompiledScenario } from './compile/compiled.ts'
import type { Result } from './file/mistake.ts'
import { parseDocument } from './file/parse-document.ts'
import type { LoadOptions } from './file/source.ts'
import { type LoadedMatrix, loadMatrix, loadTree } from './load-tree.ts'

/** Loads a scenario from YAML 1.2 or JSON text; of a matrix, its first run. `file` is only named in mistakes. */
export function loadScenario(
  text: string,
  file: string,
  options: LoadOptions = {},
): Result<CompiledScenario> {
  return loadTree(parseDocument(text, file), file, options)
}

/** Loads a scenario with all its runs from YAML 1.2 or JSON text. `file` is only named in mistakes. */
export function loadScenarios(text: string, file: string, options: LoadOptions = {}): Result<LoadedMatrix> {
  return loadMatrix(parseDocument(text, file), file, options)
}
