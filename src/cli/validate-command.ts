import { Command, Option } from 'commander'
import { gatherPairs, isPairs } from './option-parsers.ts'
import type { Terminal } from './terminal.ts'

/** `otcsim validate FILE...`: says what is wrong with scenario files, without running them. */
export function validateCommand(terminal: Terminal): Command {
  return new Command('validate')
    .description('check scenario files without running them')
    .argument('<files...>', 'scenario files, or names of shipped scenarios')
    .addOption(
      new Option('--param <name=value>', 'a parameter of the scenario; may stand many times').argParser(
        gatherPairs,
      ),
    )
    .action(async (files: readonly string[], options: { readonly param?: unknown }) => {
      const { openScenario } = await import('./scenario-files.ts')
      const params = isPairs(options.param) ? options.param : new Map<string, string>()
      for (const scenario of files) {
        const { compiled, file } = openScenario({ scenario, cwd: terminal.cwd, params, seed: null })
        const { timeline, expectations, venue } = compiled
        const parts = [
          counted(venue.assets.length - 1, 'asset'),
          counted(venue.accounts.length, 'account'),
          counted(timeline.length, 'action'),
          counted(expectations.length, 'expectation'),
        ]
        terminal.out(`${file}: ok, ${compiled.name}, ${parts.join(', ')}\n`)
      }
    })
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
