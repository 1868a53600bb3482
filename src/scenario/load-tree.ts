import { compile } from './compile/compile.ts'
import type { CompiledScenario } from './compile/compiled.ts'
import { treeFromValue } from './read/from-value.ts'
import { joinIncludes } from './read/include.ts'
import type { LoadOptions } from './read/load-options.ts'
import { readMatrix, type Variant } from './read/matrix.ts'
import { substituteParams } from './read/params.ts'
import { failure, type Result, success } from './read/problem.ts'
import type { Tree } from './read/tree.ts'
import { validate } from './read/validate.ts'
import { scenarioSchema } from './schema/schema.ts'

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
export function loadTree(parsed: Result<Tree>, file: string, options: LoadOptions): Result<CompiledScenario> {
  const matrix = loadMatrix(parsed, file, options)
  if (!matrix.ok) return matrix
  const [first] = matrix.value.variants
  return first === undefined ? failure([]) : matrix.value.compile(first)
}

/** All runs of a scenario. The first is compiled already, so its mistakes are found at once. */
export function loadMatrix(parsed: Result<Tree>, file: string, options: LoadOptions): Result<LoadedMatrix> {
  if (!parsed.ok) return parsed
  const joined = joinIncludes(parsed.value, file, options.readInclude)
  if (!joined.ok) return joined
  const tree = joined.value
  const given = { seed: options.seed ?? null, params: options.params ?? new Map<string, string>() }
  const variants = readMatrix(tree, given)
  if (!variants.ok) return variants
  const compileVariant = (variant: Variant): Result<CompiledScenario> => {
    const substituted = substituteParams(tree, variant.params, (name) => given.params.has(name))
    if (!substituted.ok) return substituted
    const problems = validate(scenarioSchema, substituted.value)
    if (problems.length > 0) return failure(problems)
    const seed = variant.seed === null ? {} : { seed: variant.seed }
    return compile(substituted.value, file, { ...options, ...seed }, variant.name)
  }
  const [first] = variants.value
  if (first === undefined) return failure([])
  const known = compileVariant(first)
  if (!known.ok) return known
  return success({
    variants: variants.value,
    compile: (variant) => (variant === first ? known : compileVariant(variant)),
  })
}
