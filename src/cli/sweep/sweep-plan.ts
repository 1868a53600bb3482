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
import {
  addMarketParameters,
  nameFlags,
  restoreFlags,
  runFlags,
  selectRunOptions,
} from '../backtest/backtest-flags.ts'
import { usageFailure } from '../failure.ts'
import { aFlag, type FlagsOf, gatherPairs, pairsOf, parsedFlag } from '../flags.ts'
import { formatFiles } from '../recordings/named-files.ts'
import { version } from '../version.ts'

/** The options that plan a sweep: those of its runs, and those that differ between runs. */
export const planFlags = {
  seeds: aFlag('<list>', 'such as 1..500, or 1,2,7', { default: '1..100' }),
  set: parsedFlag(gatherPairs, '<name=values>', 'values of a parameter of the strategy, comma-separated'),
  walkForward: aFlag(
    '<train/test>',
    'choose parameters in one span and judge them in the next, over and over: 180d/30d, or 180d/30d,anchored,embargo=2d',
  ),
  param: parsedFlag(gatherPairs, '<name=values>', 'values of a parameter of the scenario, comma-separated'),
  ...runFlags,
  queueLaw: {
    ...runFlags.queueLaw,
    flag: {
      ...runFlags.queueLaw.flag,
      about: `${runFlags.queueLaw.flag.about}; or several of them, such as riskAverse,power:2,log: a case for each`,
    },
  },
}

export type PlanFlags = Partial<FlagsOf<typeof planFlags>>

/**
 * Plans a sweep. Checks the strategy, every cell's parameters and every scenario, so that mistakes appear before it
 * runs.
 */
export async function planSweep(file: string, flags: PlanFlags, cwd: string): Promise<SweepPlan> {
  const seeds = unwrapParsed(parseSeeds(flags.seeds ?? '1..100'))
  const laws =
    flags.queueLaw?.includes(',') === true
      ? [unwrapParsed(parseAxis(`queueLaw=${flags.queueLaw}`, 'scenario'))]
      : []
  const grid = [...parseAxes(flags.set, 'strategy'), ...parseAxes(flags.param, 'scenario'), ...laws]
  const { queueLaw: _, ...others } = flags
  const options = selectRunOptions(laws.length === 0 ? flags : others)
  const strategy = await openStrategy(file, cwd)
  const { digest, unknown } = identifyStrategy(resolve(cwd, file))
  try {
    return await makePlan({
      version,
      strategy: { file: shortenPath(file, cwd), digest, unknown, declarations: strategy.parameters },
      scenario: {
        name: flags.scenario ?? formatData(flags) ?? flags.model ?? 'calm',
        of: (parameters) => {
          const own = addMarketParameters(restoreFlags(options), new Map(Object.entries(parameters)))
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

const formatData = ({ book, data = book }: PlanFlags): string | undefined =>
  data === undefined ? undefined : formatFiles(data)

function parseAxes(pairs: unknown, of: GridAxis['of']): readonly GridAxis[] {
  return [...pairsOf(pairs)].map(([name, values]) => unwrapParsed(parseAxis(`${name}=${values}`, of)))
}

/** Returns a parsed value. Ends the command when the parse has failed. */
function unwrapParsed<Value>(parsed: ParseResult<Value>): Value {
  if (parsed.ok) return parsed.value
  throw usageFailure(parsed.problem)
}
