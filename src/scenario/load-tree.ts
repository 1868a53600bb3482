import { compile } from './compile/compile.ts'
import type { CompiledScenario } from './compile/compiled.ts'
import { scenarioSchema } from './compile/schema.ts'
import { joinIncludes } from './file/include.ts'
import { failure, Mistakes, type ReadTree, type Result, success } from './file/mistake.ts'
import { readMatrix, substituteParams, type Variant } from './file/params.ts'
import { answerSourceBook } from './file/recorded-books.ts'
import { type LoadOptions, type ScenarioSource, treeFromValue } from './file/source.ts'
import { validate } from './file/validate.ts'

/** The runs of a scenario. Each is compiled only when it is asked for, because a matrix may have thousands. */
export interface LoadedMatrix {
  readonly variants: readonly Variant[]
  compile(variant: Variant): Result<CompiledScenario>
}

/** Loads a scenario from a JSON value. Mistakes name paths in the value, without lines. */
export function loadScenarioValue(value: unknown, options: LoadOptions = {}): Result<CompiledScenario> {
  return loadTree(treeFromValue(value), '', options)
}

/** Compiles what a parser has read to a scenario; of a matrix, to its first run. `file` is only named in mistakes. */
export function loadTree(parsed: ReadTree, file: string, options: LoadOptions): Result<CompiledScenario> {
  const matrix = loadMatrix(parsed, file, options)
  if (!matrix.ok) return matrix
  const [first] = matrix.value.variants
  return first === undefined ? failure([]) : matrix.value.compile(first)
}

/**
 * Reads all runs of a scenario and compiles the first one, so that its mistakes are reported together with those of
 * the file. Parts that cannot be read are skipped, and so is whatever depends on them.
 */
export function loadMatrix(parsed: ReadTree, file: string, options: LoadOptions): Result<LoadedMatrix> {
  const fileMistakes = new Mistakes()
  const tree = joinIncludes(fileMistakes.unwrap(parsed), file, options.readInclude, fileMistakes)
  if (tree.kind === 'broken') return failure(fileMistakes.list(file))
  const given = { seed: options.seed ?? null, params: options.params ?? new Map<string, string>() }
  const variants = readMatrix(tree, given, fileMistakes)
  const compileVariant = (variant: Variant, mistakes: Mistakes): Result<CompiledScenario> => {
    const substituted = substituteParams(tree, variant.params, (name) => given.params.has(name), mistakes)
    const checked = validate(scenarioSchema, substituted, mistakes)
    if (checked.kind === 'broken') return failure(mistakes.list(file))
    const seed = variant.seed === null ? {} : { seed: variant.seed }
    const compiled = compile(checked, file, { ...options, ...seed }, variant.name, mistakes)
    return mistakes.count > 0 ? failure(mistakes.list(file)) : success(compiled)
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

/**
 * Loads a scenario again from the source that a compiled scenario carries. `seed` replaces the seed of the document.
 */
export function loadSource(
  { document, recordings, books, added }: ScenarioSource,
  seed: string,
): Result<CompiledScenario> {
  const loaded = loadScenarioValue(document, {
    seed,
    laterAccounts: added?.accounts ?? [],
    readCandles: ({ key }) => {
      const candles = recordings.get(key)
      return candles === undefined
        ? { ok: false, reason: `the recording ${key} is not there` }
        : { ok: true, candles }
    },
    readBook: ({ key }) => answerSourceBook(books?.get(key), key),
  })
  if (!loaded.ok || added === undefined) return loaded
  return success({ ...loaded.value, source: { ...loaded.value.source, added } })
}
