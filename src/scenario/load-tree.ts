import type { Candle } from '../market/market.ts'
import { compile } from './compile.ts'
import type { CompiledScenario } from './compiled.ts'
import { treeFromValue } from './from-value.ts'
import { substituteParams } from './params.ts'
import { failure, type Result } from './problem.ts'
import { scenarioSchema } from './schema.ts'
import type { Tree } from './tree.ts'
import { validate } from './validate.ts'

export interface LoadOptions {
  /** Values for the scenario's own `params`. */
  readonly params?: ReadonlyMap<string, string>
  /** In place of the scenario's seed. */
  readonly seed?: string
  /**
   * Reads a recording for the replay model. The name is as written: relative to the scenario's file, or to the
   * caller's place when `isParameter`. Without a reader, recordings are refused.
   */
  readonly readCandles?: (name: string, isParameter: boolean) => CandleAnswer
}

export type CandleAnswer =
  | { readonly ok: true; readonly candles: readonly Candle[] }
  | { readonly ok: false; readonly reason: string }

/** A scenario from a JSON value; problems then name paths without lines. */
export function loadScenarioValue(value: unknown, options: LoadOptions = {}): Result<CompiledScenario> {
  return loadTree(treeFromValue(value), '', options)
}

/** A scenario from what a parser has read. `file` only names it in problems. */
export function loadTree(parsed: Result<Tree>, file: string, options: LoadOptions): Result<CompiledScenario> {
  if (!parsed.ok) return parsed
  const substituted = substituteParams(parsed.value, options.params ?? new Map())
  if (!substituted.ok) return substituted
  const problems = validate(scenarioSchema, substituted.value)
  return problems.length > 0 ? failure(problems) : compile(substituted.value, file, options)
}
