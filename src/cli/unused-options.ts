import type { Command } from 'commander'
import { CliFailure, exitCode } from './failure.ts'

/*
 * Options of a run that only count together with another one. Without that one they would do nothing: a run that was
 * asked for with ten thousand dollars would quietly have a million. Variables and configuration files serve many
 * commands, so they may state options that this one does not use.
 */
interface Need {
  /** By attribute name: one of these has to be given. */
  readonly needs: readonly string[]
  readonly options: readonly string[]
}

/** Options that another one has no use for. */
interface Conflict {
  /** By attribute name, as its options. */
  readonly with: string
  readonly options: readonly string[]
}

const needsOfRuns: readonly Need[] = [
  { needs: ['data'], options: ['volumeIn'] },
  { needs: ['model'], options: ['price'] },
  {
    needs: ['data', 'model'],
    options: ['asset', 'cash', 'margin', 'makerBps', 'takerBps', 'grid'],
  },
  { needs: ['html'], options: ['among'] },
  { needs: ['capture'], options: ['captureAt'] },
  { needs: ['captureAt'], options: ['capture'] },
  { needs: ['live'], options: ['clock', 'apiKey', 'apiSecret', 'adminToken'] },
]

/** Markets made of --data or --model, and services, have no use for these. */
const conflictsOfRuns: readonly Conflict[] = [
  { with: 'data', options: ['param'] },
  { with: 'model', options: ['param'] },
  {
    with: 'live',
    options: ['data', 'model', 'param', 'from', 'client', 'rateLimits', 'journal', 'captureAt', 'resume'],
  },
  {
    // All of these are the captured run's own.
    with: 'resume',
    options: [
      ...['scenario', 'param', 'data', 'model', 'seed', 'set', 'from', 'to', 'account', 'tick'],
      ...['equityGrid', 'latency', 'client', 'rateLimits', 'warmUp', 'riskFreeRate'],
    ],
  },
]

/** Ends the command when a flag would do nothing. The rules are those of backtests and sweeps unless given. */
export function refuseUnusedFlags(
  command: Command,
  needs: readonly Need[] = needsOfRuns,
  conflicts: readonly Conflict[] = conflictsOfRuns,
): void {
  for (const need of needs) {
    if (need.needs.some((name) => isThere(command, name))) continue
    for (const name of need.options)
      if (isFlag(command, name)) throw unused(command, name, `needs ${listOf(command, need.needs)}`)
  }
  for (const conflict of conflicts) {
    if (!isThere(command, conflict.with)) continue
    for (const name of conflict.options)
      if (isFlag(command, name))
        throw unused(command, name, `does not go with ${longOf(command, conflict.with)}`)
  }
}

const isThere = (command: Command, name: string): boolean => command.getOptionValue(name) !== undefined

const isFlag = (command: Command, name: string): boolean => command.getOptionValueSource(name) === 'cli'

const unused = (command: Command, name: string, reason: string): CliFailure =>
  new CliFailure(exitCode.usage, `${longOf(command, name)} ${reason}`)

const listOf = (command: Command, names: readonly string[]): string =>
  names.map((name) => longOf(command, name)).join(' or ')

const longOf = (command: Command, name: string): string =>
  command.options.find((option) => option.attributeName() === name)?.long ?? `--${name}`
