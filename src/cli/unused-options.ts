import type { Command } from 'commander'
import { CliFailure, exitCode } from './failure.ts'

/*
 * Options of a run that only count together with another one. Without that one they would do nothing: a run that was
 * asked for with ten thousand dollars would quietly have a million. Variables and configuration files serve many
 * commands, so they may state options that this one does not use.
 */
export interface Need {
  /** By attribute name: one of these has to be given. */
  readonly needs: readonly string[]
  readonly options: readonly string[]
}

/** Options that another one has no use for. */
export interface Conflict {
  /** By attribute name, as its options. */
  readonly with: string
  readonly options: readonly string[]
}

/** Ends the command when a flag would do nothing. */
export function refuseUnusedFlags(
  command: Command,
  needs: readonly Need[],
  conflicts: readonly Conflict[],
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
