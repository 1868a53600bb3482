import type { CompiledScenario } from './compiled.ts'
import { type LoadOptions, loadTree } from './load-tree.ts'
import { parseDocument } from './parse-document.ts'
import type { Result } from './problem.ts'

/** A scenario from YAML 1.2 or JSON text. `file` only names it in problems. */
export function loadScenario(
  text: string,
  file: string,
  options: LoadOptions = {},
): Result<CompiledScenario> {
  return loadTree(parseDocument(text, file), file, options)
}
