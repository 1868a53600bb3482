import { Command, Option } from 'commander'
import { gatherPairs, parseSeed, parseShard, parseSpan, wholeNumber } from '../option-parsers.ts'
import { applySettings, configOption } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { refuseUnusedFlags } from '../unused-options.ts'
import { parseReporters } from './reporter-choices.ts'

/** `otcsim run FILES...`: scenarios in virtual time, judged by their own expectations. */
export function runCommand(terminal: Terminal): Command {
  return new Command('run')
    .description('run scenarios in virtual time and check their expectations')
    .argument('<files...>', 'scenario files, or names of shipped scenarios')
    .addOption(
      new Option(
        '--reporter <list>',
        'how to report: pretty, json, junit, github, html; several comma-separated, KIND:FILE into a file',
      )
        .argParser(parseReporters)
        .default(parseReporters('pretty'), 'pretty'),
    )
    .option('--report <file>', 'also an HTML file with pictures of prices, spreads, depth and volume')
    .option('--param <name=value>', 'a parameter of the scenario; may be repeated', gatherPairs)
    .option('--seed <text>', "instead of the scenario's seed, and of all seeds of a matrix", parseSeed)
    .option('--only <text>', 'only runs whose file or variant contains this')
    .option('--shard <i/n>', 'only every n-th run, from the i-th on', parseShard)
    .option('--bail', 'stop after the first run that fails', false)
    .option('--jobs <count>', 'threads that run at the same time', wholeNumber(1, 256))
    .option(
      '--client <command>',
      'serve each scenario, run this command against it, and judge what came of it',
    )
    .option(
      '--account <id>',
      'give the client the key of this account instead of the one with the most scopes',
    )
    .option('--wall-limit <duration>', 'how long a run with a client may take in real time (10m)', parseSpan)
    .option('--update', 'rewrite pinned digests and recorded values')
    .option('--watch', 'run what changes again, until stopped', false)
    .addOption(configOption())
    .action(async (files: readonly string[], _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      const needs = [{ needs: ['client'], options: ['account', 'wallLimit'] }]
      refuseUnusedFlags(command, needs, [
        { with: 'client', options: ['update', 'jobs'] },
        // What another seed gives would break the file's own run.
        { with: 'update', options: ['seed'] },
      ])
      const { run } = await import('./run.ts')
      await run(files, command.opts(), terminal)
    })
}
