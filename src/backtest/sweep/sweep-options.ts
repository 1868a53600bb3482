import { checkOptions, type OptionKindsOf, shown } from '../../api/check-options.ts'
import { aFunction, anObject, aText, type OptionKind, wholeNumber } from '../../api/option-kinds.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { type BacktestOptions, kindsOfAllRuns, type OptionOfOneRun } from '../backtest-options.ts'
import type { ParameterValue } from '../result.ts'
import { isStrategy, type Strategy, strategyProblem } from '../strategy.ts'
import type { CaseRow } from './case-row.ts'
import type { GridAxis, SweepCase } from './plan.ts'
import { type Parsed, parseSeeds } from './plan.ts'

export interface SweepOptions extends Omit<BacktestOptions, OptionOfOneRun> {
  /** The strategy, or the file that exports it, as threads and a store need it. */
  readonly strategy: Strategy | string
  /** As in a backtest, or a function from the values of `params` to the scenario. */
  readonly scenario?: CompiledScenario | string | ScenarioOfParams
  /** A list, or a text such as `1..500` or `1,2,7`; `1..100` by default. */
  readonly seeds?: string | readonly (string | number)[]
  /** The values that parameters of the strategy take. */
  readonly grid?: AxisValues
  /** The values that the scenario's own parameters take; `scenario` is a function of them. */
  readonly params?: AxisValues
  /** Chooses parameters in one span and judges them in the next, over and over: `180d/30d`. */
  readonly walkForward?: string
  /** Threads; without them, cases run in this one, one after the other. */
  readonly jobs?: number
  /** The folder that the names of files are relative to; the current directory by default. */
  readonly cwd?: string
  /** A file in which finished cases are kept: the same sweep goes on from there. */
  readonly store?: string
  /** Called with each row as it comes, which is in no fixed order on threads. */
  readonly onRow?: (row: CaseRow, done: number, cases: number) => void
  /** Stops the sweep; its result has the rows so far. */
  readonly signal?: AbortSignal
}

export type ScenarioOfParams = (
  params: SweepCase['parameters'],
) => CompiledScenario | Promise<CompiledScenario>

export type AxisValues = Readonly<Record<string, readonly ParameterValue[]>>

/**
 * Throws a TypeError for options that do not exist and for anything but a strategy, a RangeError for unusable values.
 */
export function checkSweepOptions(options: SweepOptions): void {
  checkOptions('sweep', options, optionKinds)
  const { jobs, params, scenario, store, strategy } = options
  if (typeof strategy !== 'string') {
    if (!isStrategy(strategy)) throw new TypeError(strategyProblem(strategy) ?? '')
    for (const [name, value] of Object.entries({ jobs, store })) {
      if (value === undefined) continue
      throw new RangeError(`${name}: the strategy must be given as the file that exports it`)
    }
  }
  if (params !== undefined && typeof scenario !== 'function')
    throw new RangeError(
      'params: scenario must be a function of them, such as (params) => loadScenario(file, { params })',
    )
}

/** Throws a RangeError for anything that is not a list of seeds. */
export function seedsOf({ seeds = '1..100' }: SweepOptions): readonly string[] {
  const texts = typeof seeds === 'string' ? taken('seeds', parseSeeds(seeds)) : seeds.map(String)
  if (texts.length === 0) throw new RangeError('seeds: there are none')
  return [...new Set(texts)]
}

/** The axes of the strategy, then those of the scenario. Throws a RangeError for one that cannot be used. */
export function gridOf({ grid = {}, params = {} }: SweepOptions): readonly GridAxis[] {
  return [...axesOf('grid', grid, 'strategy'), ...axesOf('params', params, 'scenario')]
}

function axesOf(option: string, values: AxisValues, of: GridAxis['of']): readonly GridAxis[] {
  return Object.entries(values).map(([name, own]) => {
    const field = `${option}.${name}`
    if (!Array.isArray(own)) throw new RangeError(`${field}: expected a list of values, found ${shown(own)}`)
    const texts = own.map(String)
    const twice = texts.find((text, place) => texts.indexOf(text) !== place)
    if (texts.length === 0) throw new RangeError(`${field}: there are no values`)
    if (twice !== undefined) throw new RangeError(`${field}: ${twice} is there twice`)
    return { name, of, values: texts }
  })
}

function taken<Value>(option: string, parsed: Parsed<Value>): Value {
  if (parsed.ok) return parsed.value
  throw new RangeError(`${option}: ${parsed.problem}`)
}

const aStrategy: OptionKind = {
  expected: 'a strategy or the file that exports one',
  holds: (value) => typeof value === 'string' || typeof value === 'object',
}

const aScenario: OptionKind = {
  expected: 'a text, an object or a function',
  holds: (value) => typeof value === 'string' || typeof value === 'function' || anObject.holds(value),
}

const someSeeds: OptionKind = {
  expected: 'a text or a list of texts and numbers',
  holds: (value) =>
    typeof value === 'string' ||
    (Array.isArray(value) && value.every((seed) => typeof seed === 'string' || Number.isFinite(seed))),
}

const aSignal: OptionKind = {
  expected: 'an AbortSignal',
  holds: (value) => value instanceof AbortSignal,
}

const optionKinds: OptionKindsOf<SweepOptions> = {
  ...kindsOfAllRuns,
  strategy: aStrategy,
  scenario: aScenario,
  seeds: someSeeds,
  grid: anObject,
  params: anObject,
  walkForward: aText,
  jobs: wholeNumber(1, 999),
  cwd: aText,
  store: aText,
  onRow: aFunction,
  signal: aSignal,
}
