import type { Command } from 'commander'
import { flagName } from '../api/options.ts'
import { usageFailure } from './failure.ts'
import type { FlagRows } from './flags.ts'

/*
 * Some options have an effect only together with another one. A flag without effect is refused: a run that was asked
 * for with ten thousand dollars must not quietly have a million. Variables and configuration files serve many commands,
 * so they may state options that this command does not use.
 */

/** Options, by attribute name, that have no effect when the option `with` is given. */
export interface OptionConflict {
  readonly with: string
  readonly options: readonly string[]
  /** What may have been meant, by the name of the refused option. */
  readonly meant?: { readonly [name: string]: string }
}

/**
 * Options of which only one can count, such as the sources of a market. Each alternative is an option, with those that
 * mean nothing without it after it.
 */
export type OptionAlternatives = readonly (readonly [name: string, ...parts: readonly string[]])[]

/** Where values come from. A later source beats the earlier ones. */
const sources: readonly unknown[] = ['default', 'config', 'env', 'cli']

/** Returns the rank of where an option's value comes from: 3 for a flag, 2 for a variable, 1 for the file, else 0. */
export const sourceRank = (command: Command, name: string): number =>
  Math.max(0, sources.indexOf(command.getOptionValueSource(name)))

/**
 * Keeps one of several alternatives: a flag beats a variable, which beats the configuration file, and what is beaten counts
 * as not given. Errors (usage): two come from the same source. `places` names where each setting stands.
 */
export function chooseAlternative(
  command: Command,
  alternatives: OptionAlternatives,
  places: ReadonlyMap<string, string>,
): void {
  const given = alternatives
    .map((names) => ({ names, rank: rankGiven(command, names[0]) }))
    .filter(({ rank }) => rank > 0)
  const highest = Math.max(...given.map(({ rank }) => rank))
  const chosen = given.filter(({ rank }) => rank === highest)
  if (chosen.length > 1) throw usageFailure(formatChoice(alternatives, chosen, places))
  for (const { names, rank } of given) {
    if (rank === highest) continue
    for (const name of names) {
      if (sourceRank(command, name) < highest) command.setOptionValue(name, undefined)
    }
  }
}

/** Returns the rank of an option that is given; 0 for one that is not, or that has its default. */
const rankGiven = (command: Command, name: string): number =>
  command.getOptionValue(name) === undefined ? 0 : sourceRank(command, name)

function formatChoice(
  alternatives: OptionAlternatives,
  chosen: readonly { readonly names: OptionAlternatives[number] }[],
  places: ReadonlyMap<string, string>,
): string {
  const flags = alternatives.map(([name]) => flagName(name))
  const set = chosen.flatMap(({ names: [name] }) => places.get(name) ?? [])
  const where = set.length === 0 ? '' : `; ${set.join(' and ')} are set`
  return `give one of ${flags.slice(0, -1).join(', ')} and ${flags.at(-1)}${where}`
}

/** Ends the command when a flag would have no effect. `places` names where the setting stands that it conflicts with. */
export function refuseUnusedFlags(
  command: Command,
  rows: FlagRows,
  conflicts: readonly OptionConflict[],
  places: ReadonlyMap<string, string>,
): void {
  const isThere = (name: string): boolean => command.getOptionValue(name) !== undefined
  const isFlag = (name: string): boolean => command.getOptionValueSource(name) === 'cli'
  const refuse = (name: string, reason: string): never => {
    throw usageFailure(`${flagName(name)} ${reason}`)
  }
  for (const [name, { flag }] of Object.entries(rows)) {
    const { needs = [] } = flag
    if (needs.length > 0 && isFlag(name) && !needs.some(isThere))
      refuse(name, `needs ${formatChoices(needs.map(flagName))}`)
  }
  for (const conflict of conflicts) {
    if (!isThere(conflict.with)) continue
    const place = places.get(conflict.with)
    const where = place === undefined ? '' : `, which ${place} sets`
    for (const name of conflict.options) {
      if (isFlag(name)) {
        const meant = conflict.meant?.[name]
        const hint = meant === undefined ? '' : `: ${meant}`
        refuse(name, `does not go with ${flagName(conflict.with)}${where}${hint}`)
      }
    }
  }
}

/** Lists names as a choice: `--data, --book or --model`. */
const formatChoices = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
