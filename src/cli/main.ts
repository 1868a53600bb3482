import { Command, CommanderError } from 'commander'
import { commands } from './commands.ts'
import {
  ChildExit,
  CliFailure,
  dataFailure,
  diskFailure,
  exitCode,
  formatSuggestion,
  systemReason,
  usageFailure,
} from './failure.ts'
import { guides, readGuide } from './guides.ts'
import { createProcessTerminal } from './process-terminal.ts'
import type { Terminal } from './terminal.ts'
import { version } from './version.ts'

/**
 * Runs the program, from its arguments to its exit code. Loading this file has no effect by itself: the bundle's
 * threads load it for code that they share with the program.
 */
export function start(): void {
  // `otcsim ... | head` closes our stdout early, which is no failure; a result that cannot be written is one.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    process.stderr.write(`cannot write the result to standard output: ${systemReason(error)}\n`)
    process.exit(exitCode.usage)
  })
  // A closed stderr must not change the result or the exit code.
  process.stderr.on('error', () => {})

  // No top-level await: the bundle is CommonJS. No process.exit either: output may still be buffered.
  const tooOld = findNodeProblem(process.versions.node)
  if (tooOld !== null) {
    process.stderr.write(`${tooOld}\n`)
    process.exitCode = exitCode.usage
    return
  }
  runProgram(process.argv.slice(2), createProcessTerminal()).then((code) => {
    process.exitCode = code
  })
}

/** The oldest supported version of Node. `engines` in package.json must agree. */
const minimumNode = { major: 20, minor: 19 }

/** Returns a message when Node is too old, so that nothing fails halfway; null when it is not. */
export function findNodeProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > minimumNode.major || (major === minimumNode.major && minor >= minimumNode.minor)) return null
  return `otcsim needs Node ${minimumNode.major}.${minimumNode.minor} or newer; this is Node ${version}`
}

/** Runs a command line and returns its exit code. `words` come after the program's name. */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    if (printGuide(words, terminal)) return exitCode.ok
    const program = await createProgram(findCalledCommand(words), terminal)
    await program.parseAsync([...words], { from: 'user' })
    return exitCode.ok
  } catch (error) {
    return reportError(error, terminal)
  }
}

/** Prints the guide for `help TOPIC`. Returns false for any other command line. */
function printGuide(words: readonly string[], terminal: Terminal): boolean {
  const [first, topic] = words
  const guide =
    words.length === 2 && first === 'help' ? guides.find((known) => known.topic === topic) : undefined
  if (guide === undefined) return false
  const text = readGuide(guide)
  if (text === null) throw dataFailure(`the guide ${topic} has not been built`)
  terminal.out(text)
  return true
}

/** Finds the command that is called, or whose help is asked for; null for the program's own help. */
function findCalledCommand(words: readonly string[]): string | null {
  const [first] = words
  const given = first === 'help' ? words[1] : first
  if (given === undefined || given.startsWith('-')) {
    const isForProgram = first === 'help' || ['-h', '--help', '-V', '--version'].includes(first ?? '')
    return isForProgram ? null : (commands[0]?.name ?? null)
  }
  const names = commands.map(({ name }) => name)
  // With a default command, commander would take a misspelt command for its argument.
  if (!names.includes(given)) {
    const topics = first === 'help' ? guides.map(({ topic }) => topic) : []
    const what = first === 'help' ? 'command or guide' : 'command'
    const known = formatSuggestion(given, [...names, ...topics], what.replace(' or ', 's and '))
    throw usageFailure(`unknown ${what} "${given}"${known}`)
  }
  return given
}

async function createProgram(called: string | null, terminal: Terminal): Promise<Command> {
  const program = new Command('otcsim')
    .description('A deterministic simulator and test double of an over-the-counter digital-asset venue')
    .version(version, '-V, --version')
    .addHelpText('after', afterHelp)
    // What follows a command belongs to it: sweep plan and sweep have options with the same names.
    .enablePositionalOptions()
  for (const { name, group, summary, load } of commands) {
    // Loading only the called command makes the start faster.
    if (called !== null && name !== called) continue
    if (group !== undefined) program.commandsGroup(group)
    const command = called === null ? new Command(name) : (await load())(name, { ...terminal, commands })
    if (called !== null) completeHelp(command, name)
    program.addCommand(command.description(summary), { isDefault: name === commands[0]?.name })
  }
  // Commander passes these settings on only to commands that it creates itself.
  for (const command of [program, ...program.commands, ...program.commands.flatMap((one) => one.commands)]) {
    command
      .exitOverride()
      .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
      .showHelpAfterError('(otcsim --help lists the commands, otcsim COMMAND --help their options)')
  }
  return program
}

const afterHelp = `
Guides, by otcsim help TOPIC:
${guides.map(({ topic, title }) => `  ${topic.padEnd(12)}${title}`).join('\n')}

Options come from flags, else from variables (--ready-file: OTCSIM_READY_FILE),
else from otcsim.config.yaml here or the file of --config. Results go to stdout,
all else to stderr. Files are written whole or not at all, and missing folders
are made for them.

Exit codes: 0 fine, 1 an expectation failed or a request was refused, 2 wrong
usage or an invalid file, 3 determinism broken, 4 cannot listen or reach,
5 unusable data or journal, 70 an internal error, 130 interrupted.`

function reportError(error: unknown, terminal: Terminal): number {
  if (error instanceof ChildExit) return error.code
  const foreseen = error instanceof CliFailure ? error : diskFailure(error)
  if (foreseen !== null) {
    terminal.err(`${foreseen.message}\n`)
    return foreseen.code
  }
  // Commander also throws after printing help or the version, with exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  terminal.err(`otcsim ${version}: internal error; please report it with the lines below\n${text}\n`)
  return exitCode.internal
}

/** Puts options under headings, and examples below them. */
function completeHelp(command: Command, name: string): void {
  if (command.options.length >= minimumForHeadings) {
    const [family = ''] = name.split(' ')
    const own = [...(headingsByFamily[family] ?? []), ...headings]
    for (const option of command.options) {
      const long = option.long?.slice(2) ?? ''
      const heading = own.find(({ options }) => options.split(' ').includes(long))?.heading
      if (heading !== undefined) option.helpGroup(`${heading}:`)
    }
  }
  const lines = (examples[name] ?? []).map(([words, what]) => `  otcsim ${words}\n      ${what}`)
  if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
  for (const part of command.commands) completeHelp(part, `${name} ${part.name()}`)
}

/** The number of options from which help puts them under headings. */
const minimumForHeadings = 7

interface Heading {
  readonly heading: string
  /** The long names of the options, separated by spaces. */
  readonly options: string
}

/** The headings of all commands. An option goes under the first heading that lists it. */
const headings: readonly Heading[] = [
  {
    heading: 'World and market',
    options:
      'scenario seed seeds clock readings param data book trades model asset price grid span from to account world',
  },
  {
    heading: 'Files of recordings',
    options:
      'columns times zone dates decimal volume-in symbol skip-bad sort dedupe hold-gaps shift-trades no-cache',
  },
  { heading: 'Recorded books', options: 'queue-law fills beyond gaps like' },
  { heading: 'Listening', options: 'port host admin-port admin-token cors until-input-ends' },
  { heading: 'Journal', options: 'journal journal-dir journal-sync' },
  { heading: 'Strategy', options: 'set walk-forward warm-up tick client latency rate-limits' },
  { heading: 'Money', options: 'cash margin maker-bps taker-bps' },
  { heading: 'Figures', options: 'equity-grid risk-free-rate objective assert among beside' },
  {
    heading: 'What runs',
    options:
      'only shard bail update watch depth pairwise require no-faults requests allow-no-expectations allow-no-requests',
  },
  {
    heading: 'Work',
    options: 'jobs queue queue-name budget store fresh trust-store repeats trials timeout wall-limit',
  },
  { heading: 'Request', options: 'data key secret url timestamp against' },
  {
    heading: 'Results',
    options: 'json html csv parquet ndjson out output reporter pins ready-file include print-curl',
  },
  { heading: 'Settings', options: 'config' },
]

/** Headings of single commands, which come before the general ones. */
const headingsByFamily: { readonly [family: string]: readonly Heading[] } = {
  backtest: [
    { heading: 'A running service', options: 'live clock api-key api-secret admin-token' },
    { heading: 'Results', options: 'journal' },
  ],
  run: [{ heading: 'Client', options: 'client account wall-limit' }],
  curl: [{ heading: 'Request', options: 'account' }],
}

type Example = readonly [words: string, what: string]

export const examples: { readonly [command: string]: readonly Example[] } = {
  serve: [
    ['serve --port 0 --json', 'any free port; the first line on stdout says which'],
    ['serve --scenario thin-book --clock manual', 'a shipped scenario, whose clock moves only when told to'],
    ['serve --journal desk.journal', 'the state is restored at the next start'],
    ['serve --readings @published-client', 'answers as the published client expects them'],
  ],
  run: [
    ['run scenarios/*.yaml', 'every file, with its expectations'],
    ['run calm.yaml --reporter pretty,junit:report.xml', 'a report for people, and one for the build server'],
    ['run calm.yaml --client "npm test"', 'beside a program of your own'],
  ],
  backtest: [
    ['backtest maker.ts --scenario calm --set spreadBps=12', 'one run, with a parameter of the strategy'],
    ['backtest maker.ts --data btc.csv --html report.html', 'on recorded prices, with a report'],
    [
      'backtest maker.ts --model heston --assert "returns.profit >= 0"',
      'exit code 1 when the condition does not hold',
    ],
  ],
  sweep: [
    ['sweep maker.ts --seeds 1..20 --set spreadBps=4,8,16', 'every combination, on all processors'],
    ['sweep maker.ts --seeds 1..20 --walk-forward 30d/7d', 'chosen in one window and measured in the next'],
  ],
  'sweep plan': [['sweep plan maker.ts --seeds 1..100 --out plan.json', 'the cases, to be run elsewhere']],
  'sweep run': [['sweep run plan.json --shard 1/4 --store part-1.ndjson', 'a quarter of them']],
  'sweep merge': [['sweep merge part-*.ndjson --html sweep.html', 'one report of all parts']],
  worker: [['worker --queue redis://127.0.0.1:6379', 'takes cases until it is stopped']],
  replay: [
    ['replay desk.journal --verify', 'exit code 3 when anything differs from what was recorded'],
    ['replay desk.journal --until 120 --serve', 'the world as it was after line 120, over HTTP'],
  ],
  show: [['show .otcsim/fills-1.journal', 'the world, the account and the requests of a failed test']],
  explain: [
    ['explain run.journal', 'each order and quote, with its fills'],
    ['explain run.journal ord_3', 'one of them'],
  ],
  diff: [['diff yesterday.journal today.journal', 'the first line in which they differ']],
  shrink: [
    [
      `shrink desk.journal --assert 'order[ord_18].status == "open"' -o short.journal`,
      'the fewest lines that still show the failure',
    ],
  ],
  exec: [
    ['exec -- npm test', 'OTC_BASE_URL, OTC_API_KEY and OTC_API_SECRET tell the program where the venue is'],
  ],
  matrix: [['matrix --pairwise -- npm test', 'your tests under pairs of readings and faults']],
  record: [
    [
      'record --target https://staging.venue.example --out real.har',
      'then give your client http://127.0.0.1:4011 as the address of the venue',
    ],
  ],
  drift: [['drift --har recording.har', 'what a browser has recorded of the real venue']],
  curl: [
    ['curl GET /orders', 'signed with the key of the default account'],
    [`curl POST /orders -d '{"side":"buy","asset":"BTC","quantity":0.1,"price":50000}'`, 'with a body'],
  ],
  sign: [['sign GET /orders --timestamp 1700000000000', 'to compare with a signer of your own']],
  keys: [['keys --json', 'for programs']],
  init: [['init my-venue', 'in a folder of its own']],
  validate: [['validate scenarios/*.yaml', 'all mistakes of all files, each with its place']],
  schema: [['schema scenario > scenario.schema.json', 'for completion in editors']],
  openapi: [
    ['openapi > venue.json', 'the venue'],
    ['openapi --admin > admin.json', 'the admin API'],
  ],
  readings: [['readings --preset published-client', 'with the evidence for each']],
  doctor: [['doctor btc.csv', 'what the file holds, and how to use it']],
  fit: [
    [
      'fit btc-minutes.csv > fitted.yaml',
      'a scenario whose market is like the recording, with how like it is',
    ],
    ['fit sol-hours.csv.gz --asset SOL --json', 'the fit as data'],
  ],
  paths: [['paths --model garch --seeds 1..50 --span 30d --html paths.html', 'a fan chart of fifty paths']],
  completion: [
    ['completion bash > ~/.local/share/bash-completion/completions/otcsim', 'takes effect in the next shell'],
    ['completion zsh > ~/.zsh/completions/_otcsim', 'takes effect in the next shell'],
    ['completion fish > ~/.config/fish/completions/otcsim.fish', 'takes effect in the next shell'],
    [
      'completion powershell | Out-String | Invoke-Expression',
      'in this shell; put it into $PROFILE for every shell',
    ],
  ],
}
