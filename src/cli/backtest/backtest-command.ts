import { Command, Option } from 'commander'
import { gatherPairs, gatherTexts } from '../option-parsers.ts'
import { applySettings } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { refuseUnusedFlags } from '../unused-options.ts'

/** `otcsim backtest STRATEGY`: a strategy in virtual time, with its figures. */
export function backtestCommand(terminal: Terminal): Command {
  const pairs = (flags: string, text: string) => new Option(flags, text).argParser(gatherPairs)
  const command = new Command('backtest')
    .description('run a strategy in virtual time and tell its figures')
    .argument('<strategy>', 'a file that exports a strategy, TypeScript or JavaScript')
    .option('--seed <text>', "in place of the scenario's seed")
    .addOption(pairs('--set <name=value>', 'a parameter of the strategy; may stand many times'))
    .addOption(pairs('--param <name=value>', 'a parameter of the scenario; may stand many times'))
  return addRunOptions(command)
    .option('--rate-limits', "the venue's rate limits hold, by its own time")
    .option('--json', 'the whole result on stdout instead of the table')
    .addOption(
      new Option('--assert <condition>', 'such as "drawdown.maximum > -0.1"; may stand many times').argParser(
        gatherTexts,
      ),
    )
    .option('--html <file>', 'a report of one file')
    .option('--among <file>', 'of --html: the --ndjson of a sweep, to show this run among its seeds')
    .option('--journal <file>', 'what happened, for otcsim replay')
    .option('--capture-at <time>', 'when the run is written to --capture: a time, or a span after --from')
    .option('--capture <file>', 'where the run stood, for --resume; the run goes on')
    .option('--resume <file>', 'go on where a run was captured, in place of beginning one')
    .option('--live <url>', 'over HTTP: a simulator, or staging')
    .addOption(
      new Option('--clock <mode>', 'of --live: stepped in a world of its own, or as it is')
        .choices(['manual', 'realtime'])
        .default('manual'),
    )
    .option('--api-key <key>', 'of --live --clock realtime')
    .option('--api-secret <secret>', 'of --live --clock realtime')
    .option('--admin-token <text>', 'of --live --clock manual, where the simulator has one')
    .option('--config <file>', 'where options come from that no flag or variable gives')
    .action(async (file: string, _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      refuseUnusedFlags(command)
      const { runBacktest } = await import('./backtest.ts')
      await runBacktest(file, command.opts(), terminal)
    })
}

/** What a run is made of, and a sweep's every case: all but the seed and the parameters. */
export function addRunOptions(command: Command): Command {
  return command
    .option('--scenario <name>', 'a shipped scenario or a file')
    .option('--data <file>', 'a recording of candles or trades: CSV, plain, gzip or zip')
    .addOption(
      new Option('--volume-in <unit>', 'of the volumes of --data').choices(['asset', 'usd']).default('asset'),
    )
    .option('--model <kind>', 'a price model, such as market or gbm,vol=0.6')
    .option('--asset <symbol>', 'of --data and --model')
    .option('--price <usd>', 'at the start, for --model')
    .option('--cash <usd>', 'what the account starts with, for --data and --model')
    .option('--margin', 'the account may short, within a leverage of 5; for --data and --model')
    .option('--maker-bps <number>', 'fee of makers, for --data and --model')
    .option('--taker-bps <number>', 'fee of takers, for --data and --model')
    .option('--grid <span>', "of the venue's clock, for --data and --model")
    .option('--from <time>', 'when the strategy begins: a time, or a span after the start')
    .option('--to <time>', 'when it ends: a time, or a span after that')
    .option('--account <id>', "in place of the strategy's")
    .option('--tick <span>', 'between two looks at the feed')
    .option('--equity-grid <span>', 'between two points of the equity', '1h')
    .option('--latency <delays>', 'such as 5ms, or order=5ms,response=3ms,feed=normal(20ms, 5ms)')
    .addOption(
      new Option('--client <kind>', 'answers at once, or promised as over HTTP')
        .choices(['sync', 'async'])
        .default('sync'),
    )
}
