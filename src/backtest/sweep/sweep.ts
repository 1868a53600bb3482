import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../../../package.json' with { type: 'json' }
import type { OptionKind, OptionKindsOf } from '../../api/option-kinds.ts'
import {
  aFunction,
  anObject,
  aText,
  checkOptions,
  onlyGiven,
  shown,
  wholeNumber,
} from '../../api/option-kinds.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { BacktestOptions, OptionOfOneRun } from '../backtest-options.ts'
import { kindsOfAllRuns } from '../backtest-options.ts'
import { latencyText } from '../latency.ts'
import { loadStrategy } from '../load-strategy.ts'
import type { ParameterValue } from '../result.ts'
import { resolveSource } from '../source.ts'
import type { Strategy } from '../strategy.ts'
import { isStrategy, strategyProblem } from '../strategy.ts'
import { keptWorlds } from '../venue/past-worlds.ts'
import type { CaseRow } from './case-row.ts'
import { strategyDigest } from './digests.ts'
import { makePlan, scenarioCellsOf } from './make-plan.ts'
import type { GridAxis, Parsed, SweepCase, SweepPlan } from './plan.ts'
import { cellName, parseSeeds, shortPath } from './plan.ts'
import { answerTo, type CommonWork } from './run-case.ts'
import { runSweep, type SweepRequest } from './run-sweep.ts'
import { openStore, type SweepStore } from './store.ts'
import type { SweepResult } from './sweep-result.ts'
import { resultDigest } from './sweep-result.ts'

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

type AxisValues = Readonly<Record<string, readonly ParameterValue[]>>

/**
 * Throws a TypeError for options that do not exist and for anything but a strategy, a RangeError for unusable values.
 */
function checkSweepOptions(options: SweepOptions): void {
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
function seedsOf({ seeds = '1..100' }: SweepOptions): readonly string[] {
  const texts = typeof seeds === 'string' ? taken('seeds', parseSeeds(seeds)) : seeds.map(String)
  if (texts.length === 0) throw new RangeError('seeds: there are none')
  return [...new Set(texts)]
}

/** The axes of the strategy, then those of the scenario. Throws a RangeError for one that cannot be used. */
function gridOf({ grid = {}, params = {} }: SweepOptions): readonly GridAxis[] {
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

/**
 * Runs a strategy with every seed and every cell of a grid, as `otcsim sweep` does: the same cases in the same order,
 * and the same rows. A case in which the strategy throws has a row with its `failure`; so has one with a rejected
 * promise that nobody waits for, in which case Node reports it to the sweep and not to the process.
 *
 * Choice: a strategy given as an object has no text to tell it by, so the ids of its cases are not those of the
 * command.
 *
 * Rejects with a TypeError for options that do not exist and for something that is no strategy, with a RangeError for
 * options that cannot be used, and with a StrategyFileError for a file that cannot.
 */
export async function sweep(options: SweepOptions): Promise<SweepResult> {
  checkSweepOptions(options)
  const { cwd = process.cwd(), jobs, signal = new AbortController().signal } = options
  const grid = gridOf(options)
  const seeds = seedsOf(options)
  const strategy = await strategyIn(options, cwd)
  const scenarios = await scenariosOf(options, grid)
  const [first] = scenarios.values()
  const plan = await makePlan({
    version: manifest.version,
    strategy: strategy.named,
    scenario: {
      name: marketName(options, first),
      of: (parameters) => scenarioAt(scenarios, parameters),
    },
    options: textsOf(options),
    seeds,
    grid,
    walkForward: options.walkForward,
  })
  const byDigest = Object.entries(plan.work.scenario.digests).flatMap(([cell, digest]) => {
    const scenario = scenarios.get(cell)
    return scenario === undefined ? [] : [[digest, scenario] as const]
  })
  const common: CommonWork = { options: optionsOfAll(options), scenarios: new Map(byDigest) }
  const worlds = keptWorlds()
  const workers: SweepRequest['workers'] =
    jobs === undefined
      ? { kind: 'here', lanes: 1, run: (task) => answerTo(task, strategy.own, common, worlds) }
      : { kind: 'threads', workerFile: threadFile(), jobs, cwd, isConfined: false, common }
  const store = options.store === undefined ? inMemory : openedStore(resolve(cwd, options.store), plan)
  try {
    const { rows, cases, end, problem } = await runSweep({
      plan,
      store,
      workers,
      shard: { number: 1, of: 1 },
      budgetMillis: null,
      interruption: signal,
      onRow: options.onRow ?? (() => {}),
    })
    if (end === 'problem') throw new RangeError(problem ?? '')
    return { plan, rows, cases, isComplete: end === 'complete', digest: resultDigest(plan, rows) }
  } finally {
    store.close()
  }
}

interface NamedStrategy {
  readonly own: Strategy
  readonly named: {
    readonly file: string
    readonly digest: string
    readonly declarations: Strategy['parameters']
  }
}

async function strategyIn({ strategy }: SweepOptions, cwd: string): Promise<NamedStrategy> {
  if (typeof strategy !== 'string') {
    const { name, parameters } = strategy
    return { own: strategy, named: { file: name, digest: '', declarations: parameters } }
  }
  const own = await loadStrategy(strategy, cwd)
  const digest = strategyDigest(resolve(cwd, strategy))
  return { own, named: { file: shortPath(strategy, cwd), digest, declarations: own.parameters } }
}

/** By the names of the cells of their own parameters. */
async function scenariosOf(
  options: SweepOptions,
  grid: readonly GridAxis[],
): Promise<ReadonlyMap<string, CompiledScenario>> {
  const { candles, market, model, scenario } = options
  const scenarios = new Map<string, CompiledScenario>()
  for (const parameters of scenarioCellsOf(grid)) {
    const made = typeof scenario === 'function' ? await scenario(parameters) : scenario
    const source = resolveSource(onlyGiven({ candles, model, market, scenario: made }))
    scenarios.set(cellName(parameters), source.scenario)
  }
  return scenarios
}

function scenarioAt(
  scenarios: ReadonlyMap<string, CompiledScenario>,
  parameters: SweepCase['parameters'],
): CompiledScenario {
  const scenario = scenarios.get(cellName(parameters))
  if (scenario === undefined) throw new Error(`no scenario was made for "${cellName(parameters)}"`)
  return scenario
}

function marketName(
  { candles, market, model, scenario }: SweepOptions,
  first: CompiledScenario | undefined,
): string {
  if (typeof scenario === 'string') return scenario
  return (candles === undefined ? model : (market?.name ?? 'candles')) ?? first?.name ?? ''
}

/** The options of every run, without its market and what differs between the cases. */
function optionsOfAll(options: SweepOptions): CommonWork['options'] {
  const { account, client, equityGrid, from, latency, rateLimits, riskFreeRate, tick, to, warmUp } = options
  return onlyGiven({ account, client, equityGrid, from, latency, rateLimits, riskFreeRate, tick, to, warmUp })
}

/** The options as the flags of the command are written down: usual values are left out. */
function textsOf(options: SweepOptions): Readonly<Record<string, string>> {
  const { candles, client, equityGrid, latency, market, model, rateLimits, riskFreeRate, scenario, warmUp } =
    options
  const { account, from, tick, to } = options
  const texts = {
    scenario: typeof scenario === 'string' ? scenario : undefined,
    data: candles === undefined ? undefined : (market?.name ?? 'candles'),
    model,
    market: market === undefined ? undefined : JSON.stringify(market),
    from,
    to,
    account,
    tick,
    equityGrid: equityGrid === '1h' ? undefined : equityGrid,
    latency: latency === undefined ? undefined : latencyText(latency),
    client: client === 'sync' ? undefined : client,
    warmUp: warmUp === undefined ? undefined : String(warmUp),
    riskFreeRate: riskFreeRate === undefined ? undefined : String(riskFreeRate),
    rateLimits: rateLimits === true ? '' : undefined,
  }
  return onlyGiven(texts)
}

/** The module that threads run: beside the bundle, or this folder's source. */
function threadFile(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  const built = join(here, 'sweep-thread.cjs')
  return existsSync(built) ? built : join(here, 'sweep-thread.ts')
}

const inMemory: SweepStore = { rows: [], append: () => {}, close: () => {} }

function openedStore(path: string, plan: SweepPlan): SweepStore {
  const opened = openStore(path, plan)
  if (opened.ok) return opened.store
  throw new RangeError(`store: ${opened.problem}`)
}
