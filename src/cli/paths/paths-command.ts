import { Command } from 'commander'
import { gatherPairs } from '../option-parsers.ts'
import { applySettings, configOption } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { refuseUnusedFlags } from '../unused-options.ts'

/** `otcsim paths [SCENARIO]`: pictures of the prices that a market makes, over several seeds. */
export function pathsCommand(terminal: Terminal): Command {
  return new Command('paths')
    .description('draw the price paths of a scenario or a model over several seeds, as one HTML file')
    .argument('[scenario]', 'a scenario file, or the name of a shipped scenario')
    .option('--model <kind>', 'a price model instead, such as market or gbm,vol=0.6')
    .option('--price <usd>', 'the price at the start, for --model', '50000')
    .option('--seeds <list>', 'such as 1..24, or 1,2,7', '1..12')
    .option('--span <time>', "how long, such as 30d; the scenario's end, or 7d")
    .option('--asset <symbol>', 'only this asset')
    .option('--param <name=value>', 'a parameter of the scenario; may be repeated', gatherPairs)
    .option('--out <file>', 'where the HTML goes; stdout if left out')
    .addOption(configOption())
    .action(async (scenario: string | undefined, _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      const needs = [{ needs: ['model'], options: ['price'] }]
      refuseUnusedFlags(command, needs, [{ with: 'model', options: ['param'] }])
      const { paths } = await import('./paths.ts')
      paths(scenario ?? null, command.opts(), terminal)
    })
}
