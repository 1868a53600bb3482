import { isAbsolute, relative, resolve } from 'node:path'
import { resolveParameters } from '../../backtest/parameters.ts'
import { instantOf, resolveSource } from '../../backtest/source.ts'
import type { Strategy } from '../../backtest/strategy.ts'
import { checkGrid, type Parsed, parseAxis, parseSeeds } from '../../backtest/sweep/parse-grid.ts'
import type { WalkForward } from '../../backtest/sweep/plan.ts'
import { cellName, cellsOf, type GridAxis, parametersOf, type SweepPlan } from '../../backtest/sweep/plan.ts'
import { scenarioDigest } from '../../backtest/sweep/scenario-digest.ts'
import { strategyDigest } from '../../backtest/sweep/strategy-digest.ts'
import { parseWalkForward, walkForwardBetween } from '../../backtest/sweep/walk-forward.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { openStrategy, optionsOf } from '../backtest/backtest.ts'
import { type BacktestFlags, usualOptions } from '../backtest/backtest-flags.ts'
import { inFlags } from '../backtest/flag-words.ts'
import { shownFiles } from '../backtest/recording-files.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { isPairs } from '../option-parsers.ts'
import { version } from '../version.ts'

export interface PlanFlags extends BacktestFlags {
  readonly seeds?: string
  readonly walkForward?: string
}

/**
 * Plans a sweep, and checks what can be checked before it runs: the strategy, every cell's parameters, every
 * scenario.
 */
export async function planSweep(file: string, flags: PlanFlags, cwd: string): Promise<SweepPlan> {
  const seeds = taken(parseSeeds(flags.seeds ?? '1..100'))
  const axes = [...axesOf(flags.set, 'strategy'), ...axesOf(flags.param, 'scenario')]
  const walkForward =
    flags.walkForward === undefined ? undefined : walkForwardIn(flags.walkForward, flags, cwd)
  const grid = taken(checkGrid(axes, seeds.length * (walkForward?.windows.length ?? 1)))
  const strategy = await openStrategy(file, cwd)
  for (const parameters of cellsOf(grid)) {
    tryParameters(strategy, Object.fromEntries(parametersOf({ grid }, { parameters }, 'strategy')))
  }
  const work = {
    version,
    strategy: { file: shortPath(file, cwd), digest: strategyDigest(resolve(cwd, file)) },
    scenario: {
      name:
        flags.scenario ??
        (flags.data === undefined ? undefined : shownFiles(flags.data)) ??
        flags.model ??
        'calm',
      digests: digestsOf(grid, flags, cwd),
    },
    options: runOptions(flags),
  }
  return { work, seeds, grid, ...(walkForward === undefined ? {} : { walkForward }) }
}

/** The windows between `--from` and `--to`, or the ends of the market. */
function walkForwardIn(text: string, flags: PlanFlags, cwd: string): WalkForward {
  const spans = inFlag('--walk-forward', parseWalkForward(text))
  const { clock, venue } = sourceIn({ ...flags, param: firstValues(flags.param) }, cwd)
  try {
    const fromMillis =
      flags.from === undefined ? venue.startMillis : instantOf(flags.from, venue.startMillis, '--from')
    const toMillis = flags.to === undefined ? clock.endMillis : instantOf(flags.to, fromMillis, '--to')
    if (toMillis === null) throw new RangeError('--walk-forward needs --to: the market has no end')
    return inFlag('--walk-forward', walkForwardBetween(fromMillis, toMillis, spans))
  } catch (error) {
    if (error instanceof RangeError) throw new CliFailure(exitCode.usage, error.message)
    throw error
  }
}

function inFlag<Value>(flag: string, parsed: Parsed<Value>): Value {
  return taken(parsed.ok ? parsed : { ok: false, problem: `${flag}: ${parsed.problem}` })
}

/** The scenario's parameters of the first cell; windows are the same for all of them. */
function firstValues(pairs: unknown): ReadonlyMap<string, string> {
  return new Map(isPairs(pairs) ? [...pairs].map(([name, values]) => [name, values.split(',')[0] ?? '']) : [])
}

/** Relative if it lies below, so that a worker in another folder with the same files finds it. */
function shortPath(file: string, cwd: string): string {
  const short = relative(cwd, resolve(cwd, file))
  return short.startsWith('..') || isAbsolute(short) ? file : short.replaceAll('\\', '/')
}

function axesOf(pairs: unknown, of: GridAxis['of']): readonly GridAxis[] {
  return isPairs(pairs) ? [...pairs].map(([name, values]) => taken(parseAxis(`${name}=${values}`, of))) : []
}

function taken<Value>(parsed: Parsed<Value>): Value {
  if (parsed.ok) return parsed.value
  throw new CliFailure(exitCode.usage, parsed.problem)
}

function tryParameters({ parameters = {} }: Strategy, given: Readonly<Record<string, string>>): void {
  try {
    resolveParameters(parameters, given)
  } catch (error) {
    throw new CliFailure(exitCode.usage, error instanceof Error ? error.message : String(error))
  }
}

/** The digest of the scenario for each combination of its own parameters. */
function digestsOf(
  grid: readonly GridAxis[],
  flags: PlanFlags,
  cwd: string,
): Readonly<Record<string, string>> {
  const cells = cellsOf(grid.filter(({ of }) => of === 'scenario'))
  const digests = cells.map((parameters) => {
    const scenario = sourceIn(
      { ...flagsOf(runOptions(flags)), param: new Map(Object.entries(parameters)) },
      cwd,
    )
    return [cellName(parameters), scenarioDigest(scenario)] as const
  })
  return Object.fromEntries(digests)
}

function sourceIn(flags: BacktestFlags, cwd: string): CompiledScenario {
  const { candles, market, model, scenario } = optionsOf(flags, cwd)
  try {
    return resolveSource({
      ...(candles === undefined ? {} : { candles }),
      ...(model === undefined ? {} : { model }),
      ...(market === undefined ? {} : { market }),
      ...(scenario === undefined ? {} : { scenario }),
    }).scenario
  } catch (error) {
    if (error instanceof RangeError) throw new CliFailure(exitCode.usage, inFlags(error.message))
    throw error
  }
}

/**
 * The flags that say how a case is run, as texts: what a task carries to wherever it runs. Those without a value are
 * empty texts.
 */
function runOptions(flags: PlanFlags): Readonly<Record<string, string>> {
  const options: Record<string, string> = {}
  for (const name of runOptionNames) {
    const value = flags[name]
    if (value !== undefined && value !== usualOptions.get(name)) options[name] = value
  }
  for (const name of switchNames) if (flags[name] === true) options[name] = ''
  return options
}

/** The flags of a case again. */
export function flagsOf(options: Readonly<Record<string, string>>): BacktestFlags {
  const switches = switchNames.map((name) => [name, options[name] !== undefined])
  return { ...options, ...Object.fromEntries(switches) }
}

const runOptionNames = [
  ...(['scenario', 'data', 'volumeIn', 'model', 'asset', 'price', 'cash'] as const),
  ...(['makerBps', 'takerBps', 'grid'] as const),
  ...(['from', 'to', 'account', 'tick', 'equityGrid', 'latency', 'client'] as const),
  ...(['warmUp', 'riskFreeRate'] as const),
]

const switchNames = ['margin', 'rateLimits'] as const
