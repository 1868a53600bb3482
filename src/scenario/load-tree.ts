import { compile } from './compile/compile.ts'
import type { CompiledScenario } from './compile/compiled.ts'
import { scenarioSchema } from './compile/schema.ts'
import { joinIncludes } from './file/include.ts'
import { failure, Mistakes, type ReadTree, type Result, success } from './file/mistake.ts'
import { readMatrix, substituteParams, type Variant } from './file/params.ts'
import { type LoadOptions, type ScenarioSource, treeFromValue } from './file/source.ts'
import { validate } from './file/validate.ts'

/** The runs of a scenario; each is compiled when it is asked for, because a matrix may have thousands. */
export interface LoadedMatrix {
  readonly variants: readonly Variant[]
  compile(variant: Variant): Result<CompiledScenario>
}

/** A scenario from a JSON value; problems name paths, without lines. */
export function loadScenarioValue(value: unknown, options: LoadOptions = {}): Result<CompiledScenario> {
  return loadTree(treeFromValue(value), '', options)
}

/** A scenario from what a parser has read; of a matrix, the first run. `file` only names it in problems. */
export function loadTree(parsed: ReadTree, file: string, options: LoadOptions): Result<CompiledScenario> {
  const matrix = loadMatrix(parsed, file, options)
  if (!matrix.ok) return matrix
  const [first] = matrix.value.variants
  return first === undefined ? failure([]) : matrix.value.compile(first)
}

/**
 * All runs of a scenario. The first is compiled already, so its mistakes are found at once, and told with those of the
 * file: what cannot be read is left out, and so is what depends on it.
 */
export function loadMatrix(parsed: ReadTree, file: string, options: LoadOptions): Result<LoadedMatrix> {
  const fileMistakes = new Mistakes()
  const tree = joinIncludes(fileMistakes.take(parsed), file, options.readInclude, fileMistakes)
  if (tree.kind === 'broken') return failure(fileMistakes.list(file))
  const given = { seed: options.seed ?? null, params: options.params ?? new Map<string, string>() }
  const variants = readMatrix(tree, given, fileMistakes)
  const compileVariant = (variant: Variant, problems: Mistakes): Result<CompiledScenario> => {
    const substituted = substituteParams(tree, variant.params, (name) => given.params.has(name), problems)
    const checked = validate(scenarioSchema, substituted, problems)
    if (checked.kind === 'broken') return failure(problems.list(file))
    const seed = variant.seed === null ? {} : { seed: variant.seed }
    const compiled = compile(checked, file, { ...options, ...seed }, variant.name, problems)
    return problems.count > 0 ? failure(problems.list(file)) : success(compiled)
  }
  const [first] = variants
  if (first === undefined) return failure(fileMistakes.list(file))
  const firstResult = compileVariant(first, fileMistakes)
  if (!firstResult.ok) return firstResult
  return success({
    variants,
    compile: (variant) => (variant === first ? firstResult : compileVariant(variant, new Mistakes())),
  })
}

/** A scenario from the source of a compiled one. `seed` replaces the document's own. */
export function loadSource(
  { document, recordings, added }: ScenarioSource,
  seed: string,
): Result<CompiledScenario> {
  const loaded = loadScenarioValue(document, {
    seed,
    laterAccounts: added?.accounts ?? [],
    readCandles: (name) => {
      const candles = recordings.get(name)
      return candles === undefined
        ? { ok: false, reason: `the recording ${name} is not there` }
        : { ok: true, candles }
    },
  })
  if (!loaded.ok || added === undefined) return loaded
  return success({ ...loaded.value, source: { ...loaded.value.source, added } })
}
