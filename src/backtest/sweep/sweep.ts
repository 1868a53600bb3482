import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../../../package.json' with { type: 'json' }
import { onlyGiven } from '../../api/only-given.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { latencyText } from '../latency.ts'
import { loadStrategy } from '../load-strategy.ts'
import { resolveSource } from '../source.ts'
import type { Strategy } from '../strategy.ts'
import { keptWorlds } from '../venue/past-worlds.ts'
import { strategyDigest } from './digests.ts'
import { makePlan, scenarioCellsOf } from './make-plan.ts'
import type { GridAxis, SweepCase, SweepPlan } from './plan.ts'
import { cellName, shortPath } from './plan.ts'
import { answerTo, type CommonWork } from './run-case.ts'
import { runSweep, type SweepRequest } from './run-sweep.ts'
import { openStore, type SweepStore } from './store.ts'
import { checkSweepOptions, gridOf, type SweepOptions, seedsOf } from './sweep-options.ts'
import type { SweepResult } from './sweep-result.ts'
import { resultDigest } from './sweep-result.ts'

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
      name: nameOf(options, first),
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

function nameOf(
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
