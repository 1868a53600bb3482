import { Command, Option } from 'commander'
import { gatherPairs, gatherTexts, parseAddress, parseSeed } from '../option-parsers.ts'
import { applySettings, configOption } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { refuseUnusedFlags } from '../unused-options.ts'
import { conflictsOfRuns, needsOfRuns } from './backtest-flags.ts'
import { gatherFiles } from './recording-files.ts'

/** `otcsim backtest STRATEGY`: a strategy in virtual time, with its figures. */
export function backtestCommand(terminal: Terminal): Command {
  const pairs = (flags: string, text: string) => new Option(flags, text).argParser(gatherPairs)
  const command = new Command('backtest')
    .description('run a strategy in virtual time and print its figures')
    .argument('<strategy>', 'a file that exports a strategy, TypeScript or JavaScript')
    .option('--seed <text>', "instead of the scenario's seed", parseSeed)
    .addOption(pairs('--set <name=value>', 'a parameter of the strategy; may be repeated'))
    .addOption(pairs('--param <name=value>', 'a parameter of the scenario; may be repeated'))
  return addRunOptions(command)
    .option('--json', 'the whole result on stdout instead of the table')
    .option('--assert <condition>', 'such as "drawdown.maximum > -0.1"; may be repeated', gatherTexts)
    .option('--html <file>', 'write a report as one HTML file')
    .option('--among <file>', 'the --ndjson of a sweep: the --html report shows this run among its seeds')
    .option('--journal <file>', 'write the journal of the run here, for otcsim replay')
    .option('--capture-at <time>', 'when the run is written to --capture: a time, or a span after --from')
    .option('--capture <file>', 'write the captured run here, for --resume; the run continues')
    .option('--resume <file>', 'continue a captured run instead of starting one')
    .option('--live <url>', 'run over HTTP, against a simulator or a service such as staging', parseAddress)
    .addOption(
      new Option('--clock <mode>', 'of --live: stepped in a world of its own, or as it is')
        .choices(['manual', 'realtime'])
        .default('manual'),
    )
    .option('--api-key <key>', 'the API key, for --live --clock realtime')
    .option('--api-secret <secret>', 'its secret, for --live --clock realtime')
    .option('--admin-token <text>', 'the admin token of the simulator, for --live --clock manual')
    .addOption(configOption())
    .action(async (file: string, _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      refuseUnusedFlags(command, needsOfRuns, conflictsOfRuns)
      const { runBacktest } = await import('./backtest.ts')
      await runBacktest(file, command.opts(), terminal)
    })
}

/** What a run, and every case of a sweep, is made of: everything but the seed and the parameters. */
export function addRunOptions(command: Command): Command {
  return command
    .option('--scenario <name>', 'a shipped scenario or a file')
    .option(
      '--data <file>',
      'a recording of candles or trades: CSV, plain, gzip or zip; for several assets BTC=FILE, repeated',
      gatherFiles,
    )
    .addOption(
      new Option('--volume-in <unit>', 'of the volumes of --data').choices(['asset', 'usd']).default('asset'),
    )
    .option('--model <kind>', 'a price model, such as market or gbm,vol=0.6')
    .option('--asset <symbol>', 'the asset to trade, for --data and --model; BTC by default')
    .option('--price <usd>', 'the price at the start, for --model; 50000 by default')
    .option('--cash <usd>', 'what the account starts with, for --data and --model; 1000000 by default')
    .option('--margin', 'the account may short, within a leverage of 5; for --data and --model')
    .option('--maker-bps <number>', 'fee of makers, for --data and --model; 0 by default')
    .option('--taker-bps <number>', 'fee of takers, for --data and --model; 10 by default')
    .option('--grid <span>', "the grid of the venue's clock, for --data and --model")
    .option('--from <time>', 'when the strategy begins: a time, or a span after the start')
    .option('--to <time>', 'when it ends: a time, or a span after that')
    .option('--warm-up <bars>', "bars that are there before --from, instead of the strategy's warmUp")
    .option('--account <id>', "trade with this account instead of the strategy's")
    .option('--tick <span>', 'the span between two looks at the feed')
    .option('--equity-grid <span>', 'the span between two points of the equity', '1h')
    .option(
      '--risk-free-rate <fraction>',
      'yearly interest that ratios and alpha are in excess of: 0.04 is 4 %; 0 by default',
    )
    .option('--latency <delays>', 'such as 5ms, or order=5ms,response=3ms,feed=normal(20ms, 5ms)')
    .addOption(
      new Option('--client <kind>', 'answers at once, or promises as over HTTP')
        .choices(['sync', 'async'])
        .default('sync'),
    )
    .option('--rate-limits', "the venue's rate limits hold, by its own time")
}
