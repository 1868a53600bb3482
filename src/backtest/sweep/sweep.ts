import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../../../package.json' with { type: 'json' }
import {
  aBoolean,
  aFunction,
  anObjectLike,
  aText,
  aTextOrNumber,
  checkOptions,
  describeValue,
  type OptionKind,
  type OptionsOf,
  omitUndefined,
  wholeNumber,
} from '../../api/options.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { runOptions } from '../backtest-options.ts'
import { formatLatency } from '../latency.ts'
import { loadStrategy, StrategyFileError } from '../loading/load-strategy.ts'
import { identifyStrategy } from '../loading/strategy-identity.ts'
import type { ParameterValue } from '../result.ts'
import { resolveSource, sourceOptions } from '../source.ts'
import { isStrategy, type Strategy, strategyProblem } from '../strategy.ts'
import { createCachedWorldSource } from '../venue/world-source.ts'
import { listScenarioCells, makePlan } from './make-plan.ts'
import {
  type CaseRow,
  formatCell,
  type GridAxis,
  listWarnings,
  type ParseResult,
  parseSeeds,
  type SweepCase,
  type SweepPlan,
  shortenPath,
} from './plan.ts'
import { DeterminismError, explainDifference } from './repeat-cases.ts'
import { answerTask, type SharedInputs } from './run-case.ts'
import { runSweep, type SweepRequest } from './run-sweep.ts'
import { shareScenarios } from './share-books.ts'
import { openStore, type SweepStore } from './store.ts'
import { computeResultDigest, type SweepResult } from './sweep-result.ts'
import type { ThreadInputs } from './sweep-thread.ts'

export type ScenarioOfParams = (
  params: SweepCase['parameters'],
) => CompiledScenario | Promise<CompiledScenario>

type AxisValues = Readonly<Record<string, readonly ParameterValue[]>>

const aStrategy: OptionKind<Strategy | string> = {
  expected: 'a strategy or the file that exports one',
  holds: (value): value is Strategy | string => typeof value === 'string' || typeof value === 'object',
}

const aScenario: OptionKind<CompiledScenario | string | ScenarioOfParams> = {
  expected: 'a text, an object or a function',
  holds: (value): value is CompiledScenario | string | ScenarioOfParams =>
    typeof value === 'function' || sourceOptions.scenario.holds(value),
}

const someSeeds: OptionKind<string | readonly (string | number)[]> = {
  expected: 'a text or a list of texts and numbers',
  holds: (value): value is string | readonly (string | number)[] =>
    typeof value === 'string' || (Array.isArray(value) && value.every(aTextOrNumber.holds)),
}

const textList: OptionKind<readonly string[]> = {
  expected: 'a list of texts',
  holds: (value): value is readonly string[] => Array.isArray(value) && value.every(aText.holds),
}

const aSignal: OptionKind<AbortSignal> = {
  expected: 'an AbortSignal',
  holds: (value) => value instanceof AbortSignal,
}

const { books, candles, market, model } = sourceOptions

const sweepOptions = {
  candles,
  books,
  model,
  market,
  ...runOptions,
  /** The strategy, or the file that exports it. `jobs` and `store` require a file. */
  strategy: aStrategy,
  /** A scenario as in `backtest`, or a function from the values of `params` to one. */
  scenario: aScenario,
  /** The seeds as a list, or as a text such as `1..500` or `1,2,7`; `1..100` by default. */
  seeds: someSeeds,
  grid: anObjectLike<AxisValues>(),
  /** The values of the scenario's own parameters; `scenario` must then be a function of them. */
  params: anObjectLike<AxisValues>(),
  /**
   * Laws of the queues in recorded books, such as `['front', 'riskAverse', 'power:2']`: a case for each. What is sure by
   * one and possible by another bounds what can be believed. Needs `books`, and takes the place of `market.queueLaw`.
   */
  queueLaws: textList,
  /**
   * The lengths of training and test, such as `180d/30d`: parameters are chosen in one span and judged in the next,
   * over and over. `180d/30d,anchored` lets every training begin at the start; `embargo=2d` leaves that much between a
   * training and its test.
   */
  walkForward: aText,
  /** The number of threads. Without it, cases run in the calling thread, one after the other. */
  jobs: wholeNumber(1, 999),
  /** How many cases are repeated and compared; by default one in fifty, at least two and at most twenty. */
  repeats: wholeNumber(0, 10_000_000),
  /** The folder that file names are relative to; the current directory by default. */
  cwd: aText,
  /** A file that keeps finished cases, from which the same sweep continues. */
  store: aText,
  /** Takes stored cases of a strategy whose inputs are not all known, too; without it, they are refused. */
  trustStore: aBoolean,
  /** Receives each row as it comes; on threads, in no fixed order. */
  onRow: aFunction<(row: CaseRow, done: number, cases: number) => void>(),
  /** Stops the sweep when it aborts; the result then has the rows so far. */
  signal: aSignal,
}

export type SweepOptions = OptionsOf<typeof sweepOptions, 'strategy'>

/**
 * Checks the options of a sweep. Throws a TypeError for options that do not exist and for anything but a strategy, and
 * a RangeError for values that cannot be used.
 */
function checkSweepOptions(options: SweepOptions): void {
  checkOptions('sweep', options, sweepOptions)
  const { books, jobs, market, params, queueLaws, scenario, store, strategy } = options
  if (queueLaws !== undefined && books === undefined)
    throw new RangeError('queueLaws: only recorded books (books) have queues')
  if (queueLaws !== undefined && market?.queueLaw !== undefined)
    throw new RangeError('queueLaws: market.queueLaw names one of them already')
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

/** Reads the seeds, each once. Throws a RangeError for anything that is not a list of seeds. */
function readSeeds({ seeds = '1..100' }: SweepOptions): readonly string[] {
  const texts = typeof seeds === 'string' ? unwrapParsed('seeds', parseSeeds(seeds)) : seeds.map(String)
  if (texts.length === 0) throw new RangeError('seeds: there are none')
  return [...new Set(texts)]
}

/** Reads the axes of the strategy, then those of the scenario. Throws a RangeError for one that cannot be used. */
function readGrid({ grid = {}, params = {}, queueLaws }: SweepOptions): readonly GridAxis[] {
  const laws = queueLaws === undefined ? [] : readAxes('queueLaws', { queueLaw: queueLaws }, 'scenario')
  return [...readAxes('grid', grid, 'strategy'), ...readAxes('params', params, 'scenario'), ...laws]
}

function readAxes(option: string, values: AxisValues, of: GridAxis['of']): readonly GridAxis[] {
  return Object.entries(values).map(([name, own]) => {
    const field = option === 'queueLaws' ? option : `${option}.${name}`
    if (!Array.isArray(own))
      throw new RangeError(`${field}: expected a list of values, found ${describeValue(own)}`)
    const texts = own.map(String)
    const twice = texts.find((text, place) => texts.indexOf(text) !== place)
    if (texts.length === 0) throw new RangeError(`${field}: there are no values`)
    if (twice !== undefined) throw new RangeError(`${field}: ${twice} is there twice`)
    return { name, of, values: texts }
  })
}

function unwrapParsed<Value>(option: string, parsed: ParseResult<Value>): Value {
  if (parsed.ok) return parsed.value
  throw new RangeError(`${option}: ${parsed.problem}`)
}

/**
 * Runs a strategy with every seed and every cell of a grid, as `otcsim sweep` does: it has the same cases in the same
 * order, and the same rows. When the strategy throws in a case, its row has a `failure`. A rejected promise that nobody
 * waits for is a failure, too: Node then reports it to the sweep and not to the process.
 *
 * Choice: a strategy given as an object has no text to identify it, so the ids of its cases differ from those of the
 * command.
 *
 * Rejects with a TypeError for options that do not exist and for something that is no strategy, with a RangeError for
 * options that cannot be used, with a StrategyFileError for a file that cannot be used, and with a DeterminismError where
 * a case that was repeated had another result.
 */
export async function sweep(options: SweepOptions): Promise<SweepResult> {
  checkSweepOptions(options)
  const { cwd = process.cwd(), jobs, signal = new AbortController().signal } = options
  const grid = readGrid(options)
  const seeds = readSeeds(options)
  const strategy = await resolveStrategy(options, cwd)
  const scenarios = await resolveScenarios(options, grid)
  const [first] = scenarios.values()
  const plan = await makePlan({
    version: manifest.version,
    strategy: strategy.named,
    scenario: {
      name: findMarketName(options, first),
      of: (parameters) => findScenario(scenarios, parameters),
    },
    options: formatOptions(options),
    seeds,
    grid,
    walkForward: options.walkForward,
  })
  const byDigest = Object.entries(plan.work.scenario.digests).flatMap(([cell, digest]) => {
    const scenario = scenarios.get(cell)
    return scenario === undefined ? [] : [[digest, scenario] as const]
  })
  const common: SharedInputs = { options: pickRunOptions(options), scenarios: new Map(byDigest) }
  const worlds = createCachedWorldSource()
  const workers: SweepRequest['workers'] =
    jobs === undefined
      ? { kind: 'here', lanes: 1, run: (task) => answerTask(task, strategy.own, common, worlds) }
      : startThreads(common, jobs, cwd)
  const store =
    options.store === undefined ? memoryStore : openStoreOrThrow(resolve(cwd, options.store), plan, options)
  try {
    const { rows, cases, end, problem, stored, repetition } = await runSweep({
      plan,
      store,
      workers,
      shard: { number: 1, of: 1 },
      budgetMillis: null,
      interruption: signal,
      onRow: options.onRow ?? (() => {}),
      repeats: options.repeats,
    })
    if (end === 'problem') throw new RangeError(problem ?? '')
    const { difference = null, repeated = 0 } = repetition ?? {}
    if (difference !== null) throw new DeterminismError(explainDifference(difference))
    return {
      ...{ plan, rows, cases, isComplete: end === 'complete', digest: computeResultDigest(plan, rows) },
      lookedAt: { cases: rows.length - stored.cases, storedCases: stored.cases, repeats: repeated },
      storedDates: stored.dates,
      warnings: listWarnings(plan, rows.length),
    }
  } finally {
    store.close()
  }
}

function startThreads(
  { options, scenarios }: SharedInputs,
  jobs: number,
  cwd: string,
): SweepRequest['workers'] {
  const common: ThreadInputs = { options, ...shareScenarios(scenarios) }
  return { kind: 'threads', workerFile: findThreadFile(), jobs, cwd, isConfined: false, common }
}

interface NamedStrategy {
  readonly own: Strategy
  readonly named: {
    readonly file: string
    readonly digest: string
    readonly unknown: readonly string[]
    readonly declarations: Strategy['parameters']
  }
}

async function resolveStrategy({ jobs, strategy }: SweepOptions, cwd: string): Promise<NamedStrategy> {
  if (typeof strategy !== 'string') {
    const { name, parameters } = strategy
    return { own: strategy, named: { file: name, digest: '', unknown: [], declarations: parameters } }
  }
  const own = await loadStrategy(strategy, cwd)
  const { digest, environment, unknown: always } = identifyStrategy(resolve(cwd, strategy))
  if (jobs === undefined) checkLoaded(resolve(cwd, strategy), digest)
  // The threads of a sweep have only the variables that the strategy names; this one has all.
  const unknown = jobs === undefined ? [...always, ...environment] : always
  return { own, named: { file: shortenPath(strategy, cwd), digest, unknown, declarations: own.parameters } }
}

/** The identities of the strategies that this process has loaded, by their paths. */
const loadedIdentities = new Map<string, string>()

/**
 * Throws a StrategyFileError where this process has loaded a strategy before, and something that decides what it does has
 * changed since: it may have read that when it was loaded.
 */
function checkLoaded(path: string, digest: string): void {
  if ((loadedIdentities.get(path) ?? digest) !== digest)
    throw new StrategyFileError(
      `${path} has other inputs than when this process loaded it (a file that it reads, or a variable), and may have kept the old ones: run it on threads (jobs), or in a new process`,
    )
  loadedIdentities.set(path, digest)
}

/** Resolves the scenario of each combination of the scenario's own parameters, by the name of that combination. */
async function resolveScenarios(
  options: SweepOptions,
  grid: readonly GridAxis[],
): Promise<ReadonlyMap<string, CompiledScenario>> {
  const { books, candles, model, scenario } = options
  const scenarios = new Map<string, CompiledScenario>()
  for (const parameters of listScenarioCells(grid)) {
    const made = typeof scenario === 'function' ? await scenario(parameters) : scenario
    const { queueLaw } = parameters
    const market =
      options.queueLaws === undefined ? options.market : omitUndefined({ ...options.market, queueLaw })
    const source = resolveSource(omitUndefined({ books, candles, model, market, scenario: made }))
    scenarios.set(formatCell(parameters), source.scenario)
  }
  return scenarios
}

function findScenario(
  scenarios: ReadonlyMap<string, CompiledScenario>,
  parameters: SweepCase['parameters'],
): CompiledScenario {
  const scenario = scenarios.get(formatCell(parameters))
  if (scenario === undefined) throw new Error(`no scenario was made for "${formatCell(parameters)}"`)
  return scenario
}

function findMarketName(
  { books, candles, market, model, scenario }: SweepOptions,
  first: CompiledScenario | undefined,
): string {
  if (typeof scenario === 'string') return scenario
  if (books !== undefined) return market?.name ?? 'books'
  return (candles === undefined ? model : (market?.name ?? 'candles')) ?? first?.name ?? ''
}

/** Picks the options that every run has, without its market and without what differs between cases. */
function pickRunOptions(options: SweepOptions): SharedInputs['options'] {
  const isOfRun = ([name]: readonly [string, unknown]) => Object.hasOwn(runOptions, name)
  return omitUndefined(Object.fromEntries(Object.entries(options).filter(isOfRun)))
}

/** Formats the options as the command line would state them, without default values. */
function formatOptions(options: SweepOptions): Readonly<Record<string, string>> {
  const { books, candles, latency, market, model, scenario } = options
  const texts = omitUndefined({
    scenario: typeof scenario === 'string' ? scenario : undefined,
    data: candles === undefined ? undefined : (market?.name ?? 'candles'),
    book: books === undefined ? undefined : (market?.name ?? 'books'),
    model,
    market: market === undefined ? undefined : JSON.stringify(market),
    latency: latency === undefined ? undefined : formatLatency(latency),
  })
  const plain = Object.entries(pickRunOptions(options)).filter(([name, value]) => {
    const usual = runOptionRows.get(name)?.flag?.default
    return name !== 'latency' && value !== undefined && value !== false && value !== usual
  })
  const shownPlain = plain.map(([name, value]) => [name, value === true ? '' : String(value)])
  return { ...Object.fromEntries(shownPlain), ...texts }
}

const runOptionRows: ReadonlyMap<string, OptionKind> = new Map(Object.entries(runOptions))

/** Finds the module that threads run: beside the bundle, or the source in this folder. */
function findThreadFile(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  const built = join(here, 'sweep-thread.cjs')
  return existsSync(built) ? built : join(here, 'sweep-thread.ts')
}

const memoryStore: SweepStore = { rows: [], dates: null, append: () => {}, close: () => {} }

function openStoreOrThrow(path: string, plan: SweepPlan, { trustStore = false }: SweepOptions): SweepStore {
  const opened = openStore(path, plan, { isTrusted: trustStore })
  if (opened.ok) return opened.store
  const hint = opened.lack === 'unknown inputs' ? ' (trustStore: true takes them)' : ''
  throw new RangeError(`store: ${opened.problem}${hint}`)
}
