import { resolve } from 'node:path'
import { identifyStrategy } from '../../backtest/loading/strategy-identity.ts'
import { resolveSource } from '../../backtest/source.ts'
import { makePlan } from '../../backtest/sweep/make-plan.ts'
import {
  type GridAxis,
  type ParseResult,
  parseAxis,
  parseSeeds,
  type SweepPlan,
  shortenPath,
} from '../../backtest/sweep/plan.ts'
import { openStrategy, readBacktestOptions } from '../backtest/backtest.ts'
import { type BacktestFlags, formatFiles, nameFlags, runFlags } from '../backtest/backtest-flags.ts'
import { usageFailure } from '../failure.ts'
import { aFlag, type FlagRow, type FlagsOf, gatherPairs, pairsOf, parsedFlag } from '../flags.ts'
import { version } from '../version.ts'

/** The options that plan a sweep: those of its runs, and those that differ between runs. */
export const planFlags = {
  seeds: aFlag('<list>', 'such as 1..500, or 1,2,7', { default: '1..100' }),
  set: parsedFlag(gatherPairs, '<name=values>', 'values of a parameter of the strategy, comma-separated'),
  walkForward: aFlag(
    '<train/test>',
    'choose parameters in one span and judge them in the next, over and over: 180d/30d',
  ),
  param: parsedFlag(gatherPairs, '<name=values>', 'values of a parameter of the scenario, comma-separated'),
  ...runFlags,
}

export type PlanFlags = Partial<FlagsOf<typeof planFlags>>

/**
 * Plans a sweep. Checks the strategy, every cell's parameters and every scenario, so that mistakes appear before it
 * runs.
 */
export async function planSweep(file: string, flags: PlanFlags, cwd: string): Promise<SweepPlan> {
  const seeds = unwrapParsed(parseSeeds(flags.seeds ?? '1..100'))
  const grid = [...parseAxes(flags.set, 'strategy'), ...parseAxes(flags.param, 'scenario')]
  const options = selectRunOptions(flags)
  const strategy = await openStrategy(file, cwd)
  try {
    return await makePlan({
      version,
      strategy: {
        file: shortenPath(file, cwd),
        digest: identifyStrategy(resolve(cwd, file)).digest,
        declarations: strategy.parameters,
      },
      scenario: {
        name: flags.scenario ?? formatData(flags) ?? flags.model ?? 'calm',
        of: (parameters) => {
          const own = { ...restoreFlags(options), param: new Map(Object.entries(parameters)) }
          return resolveSource(readBacktestOptions(own, cwd)).scenario
        },
      },
      options,
      seeds,
      grid,
      walkForward: flags.walkForward,
    })
  } catch (error) {
    if (error instanceof RangeError) throw usageFailure(nameFlags(error.message))
    throw error
  }
}

const formatData = ({ data }: PlanFlags): string | undefined =>
  data === undefined ? undefined : formatFiles(data)

function parseAxes(pairs: unknown, of: GridAxis['of']): readonly GridAxis[] {
  return [...pairsOf(pairs)].map(([name, values]) => unwrapParsed(parseAxis(`${name}=${values}`, of)))
}

/** Returns a parsed value. Ends the command when the parse has failed. */
function unwrapParsed<Value>(parsed: ParseResult<Value>): Value {
  if (parsed.ok) return parsed.value
  throw usageFailure(parsed.problem)
}

/**
 * Selects the flags that say how a case is run, as texts that a task carries to its worker. Switches become empty
 * texts.
 */
function selectRunOptions(flags: PlanFlags): Readonly<Record<string, string>> {
  const options: Record<string, string> = {}
  const given = new Map<string, unknown>(Object.entries(flags))
  for (const [name, { flag }] of rows) {
    const value = given.get(name)
    if (typeof value === 'string' && value !== flag.default) options[name] = value
    if (value === true) options[name] = ''
  }
  return options
}

const rows: readonly (readonly [string, FlagRow])[] = Object.entries(runFlags)

/** Restores the flags of a case from the texts that its task carries. */
export function restoreFlags(options: Readonly<Record<string, string>>): BacktestFlags {
  const switches = rows.filter(([, { flag }]) => flag.value === null)
  return {
    ...options,
    ...Object.fromEntries(switches.map(([name]) => [name, options[name] !== undefined])),
  }
}
